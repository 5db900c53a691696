import { type Kysely, sql } from 'kysely';
import type { Explanation } from '#contract/explain.ts';
import type { Database } from '../db/database.ts';
import type { Figure, Frame, Sql } from './figure.ts';

export type Explained = Pick<
  Explanation,
  'value' | 'mean' | 'median' | 'n' | 'left_out' | 'items' | 'total' | 'hasMore'
>;

type Item = Omit<Explanation['items'][number], 'at'> & { readonly at: Date };
type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };

/** What a figure comes to, and one page of what went into it: the latest first, or what contributes most. */
export async function explain(
  db: Kysely<Database>,
  figure: Figure,
  frame: Frame,
  { limit, offset, order }: { readonly limit: number; readonly offset: number; readonly order: 'latest' | 'value' },
): Promise<Explained> {
  const first = order === 'value' ? sql`item.value desc nulls last, item.at desc` : sql`item.at desc`;
  const { rows } = await sql<Summary & Nullable<Item>>`
    with items as materialized (${figure.items(frame)}), summary as (${summaryOf(figure)}), first_ones as (
      select * from items item order by ${first} fetch first (${offset + limit}::bigint) rows with ties
    ), page as (
      select item.repository_id, item.number, item.at, item.value, r.owner, r.name,
        row_number() over (order by ${first}, lower(r.owner) collate "C", lower(r.name) collate "C", item.number, item.value) as place
      from first_ones item join repositories r on r.id = item.repository_id
      order by place limit ${limit} offset ${offset}
    )
    select summary.*, page.owner as repo_owner, page.name as repo_name, p.number as pr_number, p.title, p.state,
      case when p.number is not null then coalesce(author.login, 'ghost') end as author,
      least(page.at, ${frame.now}::timestamptz) as at, page.value
    from summary left join (
      page join pull_requests p on p.repository_id = page.repository_id and p.number = page.number
      left join people author on author.id = p.author_id
    ) on true
    order by page.place`.execute(db);
  const summary = rows[0]!;
  const { n, mean, median } = summary;
  const items = rows.flatMap(({ n: _n, sum: _sum, mean: _mean, median: _median, percentile: _percentile, ...item }) =>
    item.pr_number === null ? [] : [item as Item],
  );
  const isSaid = n >= (figure.at_least ?? 0);
  const ofSingleValues =
    isSaid && (figure.made === 'mean' || (typeof figure.made === 'object' && 'percentile' in figure.made));
  return {
    n,
    value: isSaid ? await figureFrom(db, figure, frame, summary) : null,
    mean: ofSingleValues ? mean : null,
    median: ofSingleValues ? median : null,
    left_out: await Promise.all(
      figure.left_out.map(async ({ reason, rows }) => ({ reason, count: await countOf(db, rows(frame)) })),
    ),
    items: items.map((row) => ({ ...row, at: row.at.toISOString() })),
    total: n,
    hasMore: offset + items.length < n,
  };
}

interface Summary {
  readonly n: number;
  readonly sum: number | null;
  readonly mean: number | null;
  readonly median: number | null;
  /** The percentile that the figure is; the median for any other. */
  readonly percentile: number | null;
}

/** Of the rows of `items`. */
function summaryOf({ made }: Figure): Sql {
  const share = typeof made === 'object' && 'percentile' in made ? made.percentile : 0.5;
  return sql`
    select count(*)::int as n, sum(value) as sum, avg(value) as mean,
      percentile_cont(0.5) within group (order by value) as median,
      percentile_cont(${share}::float8) within group (order by value) as percentile
    from items`;
}

async function figureFrom(
  db: Kysely<Database>,
  { made }: Figure,
  frame: Frame,
  { n, sum, mean, percentile }: Summary,
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
      if ('percentile' in made) return percentile;
      if ('of' in made) {
        const whole = await sumOf(db, made.of(frame));
        return whole === null || whole === 0 ? null : (100 * (sum ?? 0)) / whole;
      }
      const rows = await countOf(db, made.per(frame));
      return rows === 0 ? null : n / rows;
    }
  }
}

async function sumOf(db: Kysely<Database>, question: Sql): Promise<number | null> {
  const { rows } = await sql<{ sum: number | null }>`select sum(value) as sum from (${question}) summed`.execute(db);
  return rows[0]!.sum;
}

async function countOf(db: Kysely<Database>, question: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${question}) counted`.execute(db);
  return rows[0]!.count;
}
