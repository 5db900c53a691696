import { type Kysely, sql } from 'kysely';
import type { Explanation } from '#contract/explain.ts';
import type { OfSize } from '#domain/ai-reviewers.ts';
import type { Database } from '../db/database.ts';
import { invalidValue } from '../http/errors.ts';
import { type Paging, pageOf } from './explain.ts';
import type { Asked, Sql } from './sources/source.ts';

/** A difference by its two sides. */
export interface ExplainedSides {
  readonly sides: readonly (OfSize & { readonly part: string; readonly name: string })[];
  readonly value: number | null;
  /** Those of both sides: rows of `repository_id number at value part`. */
  readonly things: Sql;
  readonly leftOut: Explanation['left_out'];
}

/** A difference by its two sides, with a page of the things of both, or of the one that `part` names; `n` is that of both. */
export async function explainSides(
  db: Kysely<Database>,
  asked: Pick<Asked, 'now'>,
  { part, ...paging }: Paging & { readonly part?: string | undefined },
  { sides, value, things, leftOut }: ExplainedSides,
): Promise<Omit<Explanation, 'metric' | 'name' | 'definition' | 'unit' | 'part' | 'window'>> {
  if (part !== undefined && !sides.some((side) => side.part === part))
    throw invalidValue('part', `must be one of: ${sides.map((side) => side.part).join(', ')}`);
  const { rows } = await sql<{ part: string; total: number }>`
    select part, count(*)::int as total from (${things}) things group by 1`.execute(db);
  const totalOf = (one: string) => rows.find((row) => row.part === one)?.total ?? 0;
  const shown = sql`select * from (${things}) things where ${part === undefined ? sql`true` : sql`part = ${part}`}`;
  const { summary, items } = await pageOf(db, shown, 0.5, asked, paging);
  return {
    value,
    mean: null,
    median: null,
    n: sides.reduce((sum, { n }) => sum + n, 0),
    sides: sides.map((side) => ({ ...side, total: totalOf(side.part) })),
    left_out: leftOut,
    items,
    total: summary.n,
    hasMore: paging.offset + items.length < summary.n,
  };
}
