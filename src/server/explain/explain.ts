import { type Kysely, sql } from 'kysely';
import type { Explanation } from '#contract/explain.ts';
import type { Database } from '../db/database.ts';
import type { Figure, Frame } from './figures.ts';

export type Explained = Pick<
  Explanation,
  'value' | 'mean' | 'median' | 'n' | 'left_out' | 'items' | 'total' | 'hasMore'
>;

/** What a figure comes to, and one page of what went into it, latest first. */
export async function explain(
  db: Kysely<Database>,
  figure: Figure,
  frame: Frame,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Explained> {
  const summary = await sql<{ n: number; mean: number | null; median: number | null }>`
    select count(*)::int as n, avg(value) as mean, percentile_cont(0.5) within group (order by value) as median
    from (${figure.items(frame)}) items`.execute(db);
  const { n, mean, median } = summary.rows[0]!;
  const { rows } = await sql<Omit<Explanation['items'][number], 'at'> & { at: Date }>`
    with page as (
      select item.repository_id, item.number, item.at, item.value, r.owner, r.name,
        row_number() over (order by item.at desc, lower(r.owner) collate "C", lower(r.name) collate "C", item.number) as place
      from (${figure.items(frame)}) item join repositories r on r.id = item.repository_id
      order by place limit ${limit} offset ${offset}
    )
    select page.owner as repo_owner, page.name as repo_name, p.number as pr_number, p.title, p.state,
      coalesce(author.login, 'ghost') as author, least(page.at, ${frame.now}::timestamptz) as at, page.value
    from page
    join pull_requests p on p.repository_id = page.repository_id and p.number = page.number
    left join people author on author.id = p.author_id
    order by page.place`.execute(db);
  const { made } = figure;
  const ofSingleValues = made === 'mean' || (typeof made === 'object' && 'percentile' in made);
  return {
    n,
    value: await figureFrom(db, figure, frame, { n, mean }),
    mean: ofSingleValues ? mean : null,
    median: ofSingleValues ? median : null,
    left_out: await Promise.all(
      figure.left_out.map(async ({ reason, rows }) => ({ reason, count: await countOf(db, rows(frame)) })),
    ),
    items: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    total: n,
    hasMore: offset + rows.length < n,
  };
}

async function figureFrom(
  db: Kysely<Database>,
  { made, items }: Figure,
  frame: Frame,
  { n, mean }: { readonly n: number; readonly mean: number | null },
): Promise<number | null> {
  switch (made) {
    case 'count':
      return n;
    case 'mean':
    case 'share':
      return mean;
    case 'percent':
      return mean === null ? null : 100 * mean;
    default: {
      if ('percentile' in made) return await percentileOf(db, made.percentile, items(frame));
      const others = await countOf(db, made.per(frame));
      return others === 0 ? null : n / others;
    }
  }
}

async function percentileOf(
  db: Kysely<Database>,
  share: number,
  question: ReturnType<typeof sql>,
): Promise<number | null> {
  const { rows } = await sql<{ value: number | null }>`
    select percentile_cont(${share}::float8) within group (order by value) as value from (${question}) items`.execute(
    db,
  );
  return rows[0]!.value;
}

async function countOf(db: Kysely<Database>, question: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${question}) counted`.execute(db);
  return rows[0]!.count;
}
