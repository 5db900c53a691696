import { type Kysely, sql } from 'kysely';
import type { TeamStats } from '#contract/team.ts';
import { type CalendarDay, lastCalendarDays, onTheClockOf } from '#domain/calendar-days.ts';
import { windowBefore } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { asking, fromTo, over } from '../metrics/asked.ts';
import { type AskedWindow, calendarDaysOf, throughDays } from '../metrics/asked-window.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import { type ColumnsOf, compile, numbersOf } from '../metrics/compile.ts';
import type { Scope } from '../metrics/scope.ts';
import type { Asked, Span } from '../metrics/sources/source.ts';

/** A line of more days is no longer read day by day. */
const MOST_DAYS = 90;

const ofWindow = {
  total_contributors: 'contributors',
  pr_merge_rate: 'merge_rate',
  merged_prs: 'merged',
  avg_time_to_merge_hours: 'time_to_merge',
  avg_review_time_hours: 'time_to_first_review',
  total_prs: 'opened',
  total_reviews: 'reviews',
  avg_pr_size: 'size',
  ended_prs: { metric: 'merge_rate', statistic: 'n' },
  first_reviewed_prs: { metric: 'time_to_first_review', statistic: 'n' },
} satisfies ColumnsOf<TeamStats['previous']>;

const ofDay = {
  merged_prs: 'merged',
  open_prs: 'open',
  avg_time_to_merge_hours: 'time_to_merge',
  avg_review_time_hours: 'time_to_first_review',
  pr_merge_rate: 'merge_rate',
} satisfies ColumnsOf<Omit<TeamStats['series'][number], 'date'>>;

/**
 * How the team fared in a window, in the equally long one before, and on each of its calendar days; what is open and active is that of now
 * (docs/metrics.md#the-team-and-its-people). A date later than `now` counts as now.
 */
export async function teamStats(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  timeZone: string,
  window: AskedWindow,
): Promise<TeamStats> {
  const days = calendarDaysOf(window, timeZone, MOST_DAYS);
  const [dayBefore, day] = lastCalendarDays(now.getTime(), 2, timeZone);
  const before = windowBefore(window.window);
  const askedOf = (window: Span) => asking(scope, now, timeZone, { window });
  const [figures, previous, today, series, compared_with] = await Promise.all([
    numbersOf<TeamStats['previous']>(db, askedOf(window.span), ofWindow),
    numbersOf<TeamStats['previous']>(db, askedOf(over(before)), ofWindow),
    numbersOf<Pick<TeamStats, 'open_prs' | 'active_prs_today' | 'active_prs_yesterday'>>(
      db,
      askedOf(fromTo(day!.from, null)),
      {
        open_prs: 'open',
        active_prs_today: 'active_pull_requests',
        active_prs_yesterday: { metric: 'active_pull_requests', window: yesterday(dayBefore!, now, timeZone) },
      },
    ),
    seriesOf(db, askedOf(throughDays(days, window)), days),
    comparedWith(db, scope, before),
  ]);
  return { ...figures, ...today, previous, compared_with, series };
}

/** Yesterday up to this time of day. */
function yesterday(day: CalendarDay, now: Date, timeZone: string): Span {
  const thisTime = onTheClockOf(timeZone, now.getTime()).subtract({ days: 1 }).epochMilliseconds;
  return fromTo(day.from, Math.min(thisTime + 1, day.to));
}

async function seriesOf(
  db: Kysely<Database>,
  asked: Asked,
  days: readonly CalendarDay[],
): Promise<TeamStats['series']> {
  const starts = days.map(({ from }) => new Date(from));
  const { rows } = await sql<Omit<TeamStats['series'][number], 'date'>>`
    select ${sql.join(Object.keys(ofDay).map((name) => sql.ref(name)))} from ${compile(asked, ofDay, { starts })} days
    order by key`.execute(db);
  return rows.map((row, index) => ({ date: days[index]!.date, ...row }));
}
