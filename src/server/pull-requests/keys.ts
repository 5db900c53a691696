import { type RawBuilder, sql } from 'kysely';

export interface PullRequestKey {
  readonly repository_id: number;
  readonly number: number;
}

/** The keys as a table's rows, to be joined with. */
export function unnested(keys: readonly PullRequestKey[]): RawBuilder<unknown> {
  return sql`unnest(
      ${keys.map(({ repository_id }) => repository_id)}::int[], ${keys.map(({ number }) => number)}::int[]
    )`;
}
