import { type Kysely, sql } from 'kysely';
import type { DeveloperStat } from '#contract/team.ts';
import { isWhole } from '#domain/change.ts';
import { windowBefore } from '#domain/period.ts';
import { mergeTimeTrend, velocityTrend } from '#domain/trend.ts';
import type { Database } from '../db/database.ts';
import { always, asking, over } from '../metrics/asked.ts';
import { type AskedWindow, calendarDaysOf, throughDays } from '../metrics/asked-window.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import { compile } from '../metrics/compile.ts';
import type { Scope } from '../metrics/scope.ts';

type Row = Omit<DeveloperStat, 'velocity_trend' | 'merge_time_trend' | 'trends_comparable'> & {
  merged_before: number;
  avg_merge_time_hours_before: number | null;
};

/**
 * How each developer fared in a window: everyone who authored a pull request that is open now or was opened, merged or
 * closed in it, or gave a counting review in it (docs/metrics.md#the-team-and-its-people).
 */
export async function developerStats(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  timeZone: string,
  window: AskedWindow,
  withAutomation: boolean,
): Promise<DeveloperStat[]> {
  const earlier = windowBefore(window.window);
  const before = over(earlier);
  const asked = asking(scope, now, timeZone, { window: window.span });
  const figures = compile(
    asked,
    {
      open_prs: { metric: 'open', window: always },
      opened_prs: 'opened',
      ended_prs: { metric: 'merge_rate', statistic: 'n' },
      merged_prs: 'merged',
      avg_pr_size: 'size',
      avg_merge_time_hours: 'time_to_merge',
      reviews_given: 'reviews',
      avg_review_response_hours: 'response_time',
      prs_awaiting_review: { metric: 'awaiting', window: always },
      review_approval_rate: 'approval_rate',
      first_time_approval_rate: 'first_time_approval_rate',
      review_to_pr_ratio: 'review_ratio',
      active_days: { metric: 'active_days', window: throughDays(calendarDaysOf(window, timeZone), window) },
      merged_before: { metric: 'merged', window: before },
      avg_merge_time_hours_before: { metric: 'time_to_merge', window: before },
    },
    'person',
  );
  const trends_comparable = isWhole(await comparedWith(db, scope, earlier));
  const { rows } = await sql<Row>`
    select person.login as author, person.name as display_name, person.avatar_url, person.kind,
      open_prs, merged_prs, avg_pr_size, avg_merge_time_hours, reviews_given, avg_review_response_hours, prs_awaiting_review,
      review_approval_rate, first_time_approval_rate, review_to_pr_ratio, active_days, merged_before, avg_merge_time_hours_before
    from ${figures} figures
    join people person on person.id = key
    where (person.kind = 'human' or ${withAutomation}) and open_prs + opened_prs + ended_prs + reviews_given > 0
    order by merged_prs desc, lower(person.login) collate "C"`.execute(db);
  return rows.map(({ merged_before, avg_merge_time_hours_before, ...row }) => ({
    ...row,
    velocity_trend: velocityTrend(row.merged_prs, merged_before),
    merge_time_trend: mergeTimeTrend(row.avg_merge_time_hours, avg_merge_time_hours_before),
    trends_comparable,
  }));
}
