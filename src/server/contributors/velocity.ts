import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { dateIn } from '#domain/calendar-days.ts';
import { lastSixWeeks } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * How many pull requests a person opened and had merged in each of the last six weeks, oldest first (`velocity_trend` in
 * docs/metrics.md#one-person).
 */
export async function velocityOf(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  now: Date,
  timeZone: string,
): Promise<ContributorMetrics['velocity_trend']> {
  const weeks = lastSixWeeks(now.getTime());
  const theirs = sql`${scope.filter()} and author_id = ${personId}`;
  const { rows } = await sql<ContributorMetrics['velocity_trend'][number]>`
    select week, (
        select count(*)::int from pull_requests where ${theirs} and created_at > after and created_at <= until
      ) as prs_opened, (
        select count(time_to_merge)::int from pull_request_facts where ${theirs} and ended_at > after and ended_at <= until
      ) as prs_merged
    from unnest(
      ${weeks.map(({ after }) => dateIn(timeZone, after))}::text[],
      ${weeks.map(({ after }) => new Date(after))}::timestamptz[],
      ${weeks.map(({ until }, index) => (index === weeks.length - 1 ? 'infinity' : new Date(until)))}::timestamptz[]
    ) as weeks (week, after, until)
    order by after`.execute(db);
  return rows;
}
