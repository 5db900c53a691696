import { type Kysely, sql, type Transaction } from 'kysely';
import { counted } from '#domain/counted.ts';
import type { Database } from './database.ts';

/** How far the recount behind a running server is. */
export interface RecountProgress {
  /** 0 to 100. */
  readonly percentage: number;
  /** Estimated; null before the first pull requests were counted. */
  readonly seconds_left: number | null;
}

/**
 * True for a repository (of the outer query's column) whose sums must not be shown: they are being recounted, or were never counted
 * the way this version does.
 */
export const isWithheld = (repository: string) => sql<boolean>`exists (select from recounts withheld
  where withheld.repository_id = ${sql.ref(repository)} and (withheld.unusable or withheld.counted_to is not null))`;

/** Of these repositories, or of all that were to be recounted together; null when nothing is left to do. */
export async function recountProgress(
  db: Kysely<Database>,
  repository_ids: readonly number[] | null = null,
): Promise<RecountProgress | null> {
  const { rows } = await sql<{ waiting: number; counted: number; total: number; seconds: number }>`
    select count(*) filter (where waiting)::int as waiting, coalesce(sum(counted), 0)::int as counted,
      coalesce(sum(seconds), 0)::float8 as seconds, coalesce(sum(greatest(total, counted)), 0)::int as total
    from (
      select true as waiting, counted, total, seconds from recounts c
      where ${repository_ids}::int[] is null or c.repository_id = any(${repository_ids}::int[])
      union all
      select false, counted, total, seconds from recounts_done where ${repository_ids}::int[] is null
    ) part`.execute(db);
  const row = rows[0]!;
  return row.waiting === 0 ? null : progressOf(row.counted, row.total, row.seconds);
}

/** Ends a repository's recount. What it came to counts towards the progress until the last one has ended. */
export async function endRecount(within: Transaction<Database>, repository_id: number): Promise<void> {
  await sql`
    with ended as (delete from recounts where repository_id = ${repository_id} returning counted, greatest(total, counted) as total, seconds)
    insert into recounts_done as d (counted, total, seconds) select counted, total, seconds from ended
    on conflict (only_row) do update set counted = d.counted + excluded.counted, total = d.total + excluded.total,
      seconds = d.seconds + excluded.seconds`.execute(within);
  await sql`delete from recounts_done where not exists (select from recounts)`.execute(within);
}

function progressOf(counted: number, total: number, seconds: number): RecountProgress {
  const left = Math.max(0, total - counted);
  return {
    percentage: total === 0 ? 0 : Math.min(99, Math.floor((counted / total) * 100)),
    seconds_left: counted === 0 ? null : Math.round((seconds / counted) * left),
  };
}

/** For probes and people, e.g. 'Recounting sums: 41 %, about 3 minutes'. */
export function recountSentence({ percentage, seconds_left }: RecountProgress): string {
  const minutes = seconds_left === null ? null : Math.max(1, Math.round(seconds_left / 60));
  const about = minutes === null ? '' : `, about ${counted(minutes, 'minute')}`;
  return `Recounting sums: ${percentage} %${about}`;
}
