import { type Kysely, sql } from 'kysely';
import type { HeatmapCell } from '#contract/contributors.ts';
import { lastDays } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { asking, since } from '../metrics/asked.ts';
import { compile } from '../metrics/compile.ts';
import type { Scope } from '../metrics/scope.ts';

/** When a person gave reviews in the last 90 days, by weekday and hour of the viewer's zone (docs/metrics.md#one-person). */
export async function reviewHeatmap(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  now: Date,
  timeZone: string,
): Promise<HeatmapCell[]> {
  const asked = asking(scope, now, timeZone, { window: since(lastDays(now.getTime(), 90).after), person: personId });
  const { rows } = await sql<{ weekday: number; hour: number; count: number }>`
    select split_part(key, '-', 1)::int as weekday, split_part(key, '-', 2)::int as hour, count
    from ${compile(asked, { count: 'reviews' }, 'hour_of_week')} given
    order by weekday, hour`.execute(db);
  return rows;
}
