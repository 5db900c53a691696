import { type Kysely, sql } from 'kysely';
import { type ActivityDay, CALENDAR_DAYS, withLevels } from '#domain/activity-calendar.ts';
import { lastCalendarDays } from '#domain/calendar-days.ts';
import type { Database } from '../db/database.ts';
import { contributions } from '../metrics/contributions.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * What a person did on each of the last 84 calendar days: pull requests opened, commits authored (each sha once a day), counting
 * reviews and comments (`activity_calendar` in docs/metrics.md#one-person). Oldest first.
 */
export async function activityCalendar(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  now: Date,
  timeZone: string,
): Promise<ActivityDay[]> {
  const days = lastCalendarDays(now.getTime(), CALENDAR_DAYS, timeZone);
  const starts = days.map(({ from }) => new Date(from));
  const { rows } = await sql<{ place: number; count: number }>`
    select width_bucket(at, ${starts}::timestamptz[]) as place,
      (count(distinct sha) + count(*) filter (where sha is null))::int as count
    from (${contributions(
      ({ person, at }) => sql`${scope.filter()} and ${person} = ${personId} and ${at} >= ${starts[0]}`,
      true,
    )}) contribution
    group by place`.execute(db);
  const counts = new Map(rows.map(({ place, count }) => [place - 1, count]));
  return withLevels(days.map(({ date }, index) => ({ date, count: counts.get(index) ?? 0 })));
}
