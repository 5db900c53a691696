import { type Kysely, sql } from 'kysely';
import type { TeamStats } from '#contract/team.ts';
import { type CalendarDay, lastCalendarDays, onTheClockOf } from '#domain/calendar-days.ts';
import { lastDays, windowBefore } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { hoursToMerge } from '../db/hours-to-merge.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import type { Scope } from '../metrics/scope.ts';

/** How far back the team's figures look: the window, the one before it, and the days of the series. */
const DAYS = 30;

type WindowFigures = TeamStats['previous'];

/**
 * How the team fared in the last 30 days, in the 30 days before, and on each of the last 30 calendar days
 * (docs/metrics.md#the-team-and-its-people). A date later than `now` counts as now, so the running window has no upper bound in SQL.
 */
export async function teamStats(db: Kysely<Database>, scope: Scope, now: Date, timeZone: string): Promise<TeamStats> {
  const days = lastCalendarDays(now.getTime(), DAYS, timeZone);
  const current = lastDays(now.getTime(), DAYS);
  const before = windowBefore(current);
  const [figures, previous, today, series, compared_with] = await Promise.all([
    figuresOf(db, scope, new Date(current.after), null),
    figuresOf(db, scope, new Date(before.after), new Date(before.until)),
    figuresOfToday(db, scope, days.at(-2)!, days.at(-1)!, onTheClockYesterday(now, timeZone)),
    seriesOf(db, scope, days),
    comparedWith(db, scope, before),
  ]);
  return { ...figures, ...today, previous, compared_with, series };
}

/** The figures of the window (after, until]; `until` null is now and later. */
async function figuresOf(db: Kysely<Database>, scope: Scope, after: Date, until: Date | null): Promise<WindowFigures> {
  const inWindow = (column: ReturnType<typeof sql>) =>
    until === null ? sql`${column} > ${after}` : sql`${column} > ${after} and ${column} <= ${until}`;
  const inScope = scope.filter();
  const wasActive =
    until === null
      ? sql`true`
      : sql`(
          exists (select from timeline_moments m where m.${inScope} and m.person_id = seen.person_id and ${inWindow(sql`m.at`)})
          or exists (select from comments c where c.${inScope} and c.author_id = seen.person_id and c.kind = 'inline'
            and ${inWindow(sql`c.created_at`)}))`;
  const { rows } = await sql<WindowFigures>`
    select contributors.total_contributors, ended.pr_merge_rate, ended.merged_prs, ended.avg_time_to_merge_hours,
      reviewed.avg_review_time_hours, opened.total_prs, reviews.total_reviews, opened.avg_pr_size,
      ended.ended_prs, reviewed.first_reviewed_prs
    from (
      select count(*)::int as total_prs, avg(lines_changed)::float8 as avg_pr_size
      from pull_requests where ${inScope} and ${inWindow(sql`created_at`)}
    ) opened, (
      select count(p.merged_at)::int as merged_prs, count(*)::int as ended_prs,
        count(p.merged_at)::float8 / nullif(count(*), 0) as pr_merge_rate,
        avg(${hoursToMerge}) as avg_time_to_merge_hours
      from pull_requests p where ${inScope} and ${inWindow(sql`p.ended_at`)}
    ) ended, (
      select avg(time_to_first_review)::float8 as avg_review_time_hours, count(time_to_first_review)::int as first_reviewed_prs
      from pull_request_facts where ${inScope} and ${inWindow(sql`first_review_at`)}
    ) reviewed, (
      select count(*)::int as total_reviews
      from reviews where ${inScope} and counts and ${inWindow(sql`submitted_at`)}
    ) reviews, (
      select count(*)::int as total_contributors
      from (select distinct person_id from contributor_totals where ${inScope} and last_activity_at > ${after}) seen
      join people person on person.id = seen.person_id
      where person.kind = 'human' and ${wasActive}
    ) contributors`.execute(db);
  return rows[0]!;
}

/** This time of day, yesterday. */
function onTheClockYesterday(now: Date, timeZone: string): Date {
  return new Date(onTheClockOf(timeZone, now.getTime()).subtract({ days: 1 }).epochMilliseconds);
}

type FiguresOfToday = Pick<TeamStats, 'open_prs' | 'active_prs_today' | 'active_prs_yesterday'>;

async function figuresOfToday(
  db: Kysely<Database>,
  scope: Scope,
  yesterday: CalendarDay,
  today: CalendarDay,
  sameTimeYesterday: Date,
): Promise<FiguresOfToday> {
  const midnight = new Date(today.from);
  const { rows } = await sql<FiguresOfToday>`
    select (
      select coalesce(sum(open), 0)::int from contributor_totals where ${scope.filter()}
    ) as open_prs, active.active_prs_today, active.active_prs_yesterday
    from (
      select count(*) filter (where today)::int as active_prs_today,
        count(*) filter (where yesterday)::int as active_prs_yesterday
      from (
        select bool_or(at >= ${midnight}) as today, bool_or(at < ${midnight} and at <= ${sameTimeYesterday}) as yesterday
        from timeline_moments
        where ${scope.filter()} and at >= ${new Date(yesterday.from)}
        group by repository_id, number
      ) pulls
    ) active`.execute(db);
  return rows[0]!;
}

async function seriesOf(
  db: Kysely<Database>,
  scope: Scope,
  days: readonly { readonly date: string; readonly from: number }[],
): Promise<TeamStats['series']> {
  const dates = days.map(({ date }) => date);
  const starts = days.map(({ from }) => new Date(from));
  const { rows } = await sql<TeamStats['series'][number]>`
    with days as (
      select date, place from unnest(${dates}::text[]) with ordinality as day (date, place)
    ), opened as (
      select width_bucket(created_at, ${starts}::timestamptz[]) as place, count(*) as prs
      from pull_requests
      where ${scope.filter()} and created_at >= ${starts[0]}
      group by place
    ), ended as (
      select width_bucket(p.ended_at, ${starts}::timestamptz[]) as place, count(*) as prs, count(p.merged_at) as merged_prs,
        avg(${hoursToMerge}) as avg_time_to_merge_hours
      from pull_requests p
      where ${scope.filter('p')} and p.ended_at >= ${starts[0]}
      group by place
    ), reviewed as (
      select width_bucket(first_review_at, ${starts}::timestamptz[]) as place,
        avg(time_to_first_review)::float8 as avg_review_time_hours
      from pull_request_facts
      where ${scope.filter()} and first_review_at >= ${starts[0]}
      group by place
    ), now as (
      select coalesce(sum(open), 0) as open_prs
      from contributor_totals where ${scope.filter()}
    )
    select days.date, coalesce(ended.merged_prs, 0)::int as merged_prs,
      (now.open_prs + coalesce(sum(ended.prs) over later_days, 0) - coalesce(sum(opened.prs) over later_days, 0))::int as open_prs,
      ended.avg_time_to_merge_hours, reviewed.avg_review_time_hours,
      ended.merged_prs::float8 / ended.prs as pr_merge_rate
    from now cross join days
    left join opened using (place) left join ended using (place) left join reviewed using (place)
    window later_days as (order by days.place desc rows between unbounded preceding and 1 preceding)
    order by days.place`.execute(db);
  return rows;
}
