import { type Kysely, sql } from 'kysely';
import type { HeatmapCell } from '#contract/contributors.ts';
import { lastDays } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

/** When a person gave reviews in the last 90 days, by weekday and hour of the viewer's zone (docs/metrics.md#one-person). */
export async function reviewHeatmap(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  now: Date,
  timeZone: string,
): Promise<HeatmapCell[]> {
  const { rows } = await sql<HeatmapCell>`
    select extract(isodow from local)::int as weekday, extract(hour from local)::int as hour, count(*)::int as count
    from (
      select least(submitted_at, ${now}::timestamptz) at time zone ${timeZone} as local
      from reviews
      where ${scope.filter()} and author_id = ${personId} and (counts or automated)
        and submitted_at > ${new Date(lastDays(now.getTime(), 90).after)}
    ) given
    group by weekday, hour
    order by weekday, hour`.execute(db);
  return rows;
}
