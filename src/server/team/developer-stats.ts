import { type Kysely, sql } from 'kysely';
import type { DeveloperStat } from '#contract/team.ts';
import { lastCalendarDays } from '#domain/calendar-days.ts';
import { isWhole } from '#domain/change.ts';
import { lastDays, windowBefore } from '#domain/period.ts';
import { mergeTimeTrend, velocityTrend } from '#domain/trend.ts';
import type { Database } from '../db/database.ts';
import { hoursToMerge } from '../db/hours-to-merge.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import { isAwaiting } from '../metrics/conditions.ts';
import { activeDays } from '../metrics/contributions.ts';
import type { Scope } from '../metrics/scope.ts';

type Row = Omit<DeveloperStat, 'velocity_trend' | 'merge_time_trend' | 'trends_comparable'> & {
  merged_before: number;
  avg_merge_time_hours_before: number | null;
};

const DAYS = 30;

/**
 * How each developer fared in the last 30 days: everyone who authored a pull request that is open now or was opened, merged or
 * closed in them, or gave a counting review in them (docs/metrics.md#the-team-and-its-people).
 */
export async function developerStats(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  timeZone: string,
  withAutomation: boolean,
): Promise<DeveloperStat[]> {
  const window = lastDays(now.getTime(), DAYS);
  const after = new Date(window.after);
  const earlier = windowBefore(window);
  const before = new Date(earlier.after);
  const trends_comparable = isWhole(await comparedWith(db, scope, earlier));
  const inScope = scope.filter();
  const { rows } = await sql<Row>`
    with authored as (
      select author_id as person_id,
        count(*) filter (where ended_at is null)::int as open_prs,
        count(time_to_merge)::int as merged_prs,
        count(*) filter (where created_at > ${after})::int as opened_prs,
        avg(lines_changed) filter (where created_at > ${after})::float8 as avg_pr_size,
        avg(time_to_merge) as avg_merge_time_hours,
        count(*) filter (where awaiting)::int as prs_awaiting_review,
        (100 * avg((latest_opinion = 'approved')::int) filter (where created_at > ${after} or ended_at is not null))::float8
          as review_approval_rate,
        (100 * avg(approved_first_time::int) filter (where ended_at is not null))::float8 as first_time_approval_rate
      from (
        select ended_at, author_id, created_at, lines_changed, time_to_merge, latest_opinion, approved_first_time,
          ${isAwaiting(now)} as awaiting
        from pull_request_facts f where ${inScope} and ended_at is null
        union all
        select ended_at, author_id, created_at, lines_changed, time_to_merge, latest_opinion, approved_first_time, false
        from pull_request_facts where ${inScope} and ended_at > ${after}
      ) pulls
      where author_id is not null
      group by author_id
    ), before as (
      select p.author_id as person_id, count(*)::int as merged_prs, avg(${hoursToMerge}) as avg_merge_time_hours
      from pull_requests p
      where ${inScope} and p.ended_at > ${before} and p.ended_at <= ${after} and p.merged_at is not null
      group by p.author_id
    ), reviewed as (
      select author_id as person_id, count(*)::int as reviews_given, avg(response_hours) as avg_review_response_hours
      from reviews where ${inScope} and submitted_at > ${after} and ${withAutomation ? sql`(counts or automated)` : sql`counts`}
      group by author_id
    ), active as (
      ${activeDays(scope, lastCalendarDays(now.getTime(), DAYS, timeZone))}
    )
    select person.login as author, person.name as display_name, person.avatar_url, person.kind,
      coalesce(a.open_prs, 0) as open_prs, coalesce(a.merged_prs, 0) as merged_prs,
      a.avg_pr_size, a.avg_merge_time_hours,
      coalesce(r.reviews_given, 0) as reviews_given, r.avg_review_response_hours,
      coalesce(a.prs_awaiting_review, 0) as prs_awaiting_review,
      a.review_approval_rate, a.first_time_approval_rate,
      coalesce(r.reviews_given, 0)::float8 / nullif(a.opened_prs, 0) as review_to_pr_ratio,
      coalesce(active.days, 0) as active_days,
      coalesce(before.merged_prs, 0) as merged_before, before.avg_merge_time_hours as avg_merge_time_hours_before
    from authored a
    full join reviewed r using (person_id)
    join people person on person.id = person_id
    left join active using (person_id) left join before using (person_id)
    where (person.kind = 'human' or ${withAutomation})
    order by merged_prs desc, lower(person.login) collate "C"`.execute(db);
  return rows.map(({ merged_before, avg_merge_time_hours_before, ...row }) => ({
    ...row,
    velocity_trend: velocityTrend(row.merged_prs, merged_before),
    merge_time_trend: mergeTimeTrend(row.avg_merge_time_hours, avg_merge_time_hours_before),
    trends_comparable,
  }));
}
