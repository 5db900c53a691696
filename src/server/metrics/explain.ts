import { type Kysely, sql } from 'kysely';
import type { Explanation } from '#contract/explain.ts';
import type { Definition } from '#domain/metrics/metric.ts';
import { ENOUGH_TO_COMPARE } from '#domain/metrics/thresholds.ts';
import type { Database } from '../db/database.ts';
import { byRepository } from '../db/repository-order.ts';
import { type AnyMetric, catalogue, closedUnmerged, countedOf } from './catalogue.ts';
import { conditionsOf, contributedBy, numbersOf, pullOf } from './compile.ts';
import { allOf } from './conditions.ts';
import type { LeftOut } from './counted.ts';
import { type DimensionKey, type Only, shared } from './dimensions.ts';
import { ended } from './sources/pull-requests.ts';
import type { Asked, Sql } from './sources/source.ts';

type Explained = Pick<Explanation, 'value' | 'mean' | 'median' | 'n' | 'left_out' | 'items' | 'total' | 'hasMore'>;
type Item = Omit<Explanation['items'][number], 'at' | 'part'> & { readonly at: Date };
interface Value {
  readonly value: number | null;
}
type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };

/** What is explained: a metric, of it what a figure says, and of that the part that is asked for. */
export interface Question extends Pick<Definition, 'statistic' | 'among' | 'part'> {
  readonly metric: AnyMetric;
  readonly only: Only;
}

/** Which of the things behind a number are shown: the latest first, or what contributes most. */
export interface Paging {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'latest' | 'value';
}

/** What a figure comes to, and one page of what went into it. */
export async function explain(
  db: Kysely<Database>,
  question: Question,
  asked: Asked,
  paging: Paging,
): Promise<Explained> {
  const { summary, items } = await pageOf(db, itemsOf(question, asked), percentileOf(question), asked, paging);
  const { n, mean, median } = summary;
  const isSaid = question.among !== 'team' || n >= ENOUGH_TO_COMPARE;
  const isOfSingleValues = isSaid && countedOf(question.metric).made === 'mean';
  return {
    n,
    value: isSaid ? await figureOf(db, question, asked, summary) : null,
    mean: isOfSingleValues ? mean : null,
    median: isOfSingleValues ? median : null,
    left_out: await Promise.all(
      leftOutOf(question, asked).map(async (things) => ({
        reason: things.reason,
        count: await countOf(db, things, question, asked),
      })),
    ),
    items,
    total: n,
    hasMore: paging.offset + items.length < n,
  };
}

/** A page of things, which are rows of `repository_id number at value` and may have a `part`, and what all of them come to. */
export async function pageOf(
  db: Kysely<Database>,
  things: Sql,
  percentile: number,
  { now }: Pick<Asked, 'now'>,
  { limit, offset, order }: Paging,
): Promise<{ readonly summary: Summary; readonly items: Explanation['items'] }> {
  const first = order === 'value' ? sql`item.value desc nulls last, item.at desc` : sql`item.at desc`;
  const { rows } = await sql<Summary & Nullable<Item> & { readonly part: string | null }>`
    with items as materialized (${things}), summary as (
      select count(*)::int as n, avg(value) as mean, percentile_cont(0.5) within group (order by value) as median,
        percentile_cont(${percentile}::float8) within group (order by value) as percentile
      from items
    ), first_ones as (
      select * from items item order by ${first} fetch first (${offset + limit}::bigint) rows with ties
    ), page as (
      select item.repository_id, item.number, item.at, item.value, to_jsonb(item) ->> 'part' as part, r.owner, r.name,
        row_number() over (order by ${first}, ${byRepository}, item.number, item.value, to_jsonb(item) ->> 'part') as place
      from first_ones item join repositories r on r.id = item.repository_id
      order by place limit ${limit} offset ${offset}
    )
    select summary.*, page.owner as repo_owner, page.name as repo_name, p.number as pr_number, p.title, p.state,
      case when p.number is not null then coalesce(author.login, 'ghost') end as author,
      least(page.at, ${now}::timestamptz) as at, page.value, page.part
    from summary left join (
      page join pull_requests p on p.repository_id = page.repository_id and p.number = page.number
      left join people author on author.id = p.author_id
    ) on true
    order by page.place`.execute(db);
  return {
    summary: rows[0]!,
    items: rows.flatMap(({ n: _n, mean: _mean, median: _median, percentile: _percentile, part, ...item }) =>
      item.pr_number === null
        ? []
        : [{ ...(item as Item), at: (item as Item).at.toISOString(), ...(part !== null && { part }) }],
    ),
  };
}

/** What all things come to. */
export interface Summary {
  readonly n: number;
  readonly mean: number | null;
  readonly median: number | null;
  /** The percentile that the figure is; the median for any other. */
  readonly percentile: number | null;
}

function percentileOf({ statistic = 'value' }: Question): number {
  return /^p\d/.test(statistic) ? Number(statistic.slice(1)) / 100 : 0.5;
}

/** Rows of `repository_id number at value`: each thing with its pull request, its moment and what it contributed. */
function itemsOf({ metric, only, part }: Question, asked: Asked): Sql {
  const counted = countedOf(metric);
  const { from, where } = counted.from.rows(asked, 'items');
  const { alias, join } = pullOf(counted.from, Object.keys(only) as DimensionKey[]);
  const row = sql`it.repository_id, it.number, ${counted.at ?? counted.from.moment} as at`;
  const rows = sql`from ${from}${join} where ${where} and ${allOf(conditionsOf(counted, only, alias, asked))}`;
  if (counted.different === undefined) {
    // One of many that a part counts contributes nothing but itself.
    const value = counted.made === 'count' && part !== undefined ? sql`null::float8` : contributedBy(counted, asked);
    return sql`select ${row}, ${value} as value ${rows}`;
  }
  const once = counted.nullsDiffer
    ? sql`coalesce(${counted.different(asked)}, '#' || row_number() over ())`
    : counted.different(asked);
  const value =
    counted.value === undefined
      ? sql`null::float8`
      : sql`sum(${contributedBy(counted, asked)}) over (partition by ${once})`;
  return sql`
    select distinct on (once) repository_id, number, at, value
    from (select ${row}, ${value} as value, ${once} as once ${rows}) marked
    where once is not null order by once, at desc, repository_id, number`;
}

async function figureOf(
  db: Kysely<Database>,
  { metric, statistic = 'value', only }: Question,
  asked: Asked,
  { n, mean, percentile }: Summary,
): Promise<number | null> {
  if ('per' in catalogue[metric]) return (await numbersOf<Value>(db, asked, { value: metric })).value;
  if (statistic !== 'value') return percentile;
  switch (countedOf(metric).made) {
    case 'count':
      return n;
    case 'part':
      return (await numbersOf<Value>(db, asked, { value: { metric, only } })).value;
    case 'percent':
      return mean === null ? null : 100 * mean;
    default:
      return mean;
  }
}

const isByHuman = sql`it.author_id in (select id from people where kind = 'human')`;
/** What is not compared with. */
const notCompared: readonly LeftOut[] = [
  {
    reason: 'Merged, by bots, agents and deleted accounts',
    from: ended,
    where: () => sql`it.time_to_merge is not null and (${isByHuman}) is not true`,
    ofAnybody: true,
  },
  { ...closedUnmerged, ofAnybody: true },
];

function leftOutOf({ metric, among }: Question, { person }: Asked): readonly LeftOut[] {
  if (among === 'team') return notCompared;
  const { leftOut = [] } = 'per' in catalogue[metric] ? {} : countedOf(metric);
  return leftOut.filter(({ ofTeam }) => ofTeam === undefined || person === null);
}

async function countOf(
  db: Kysely<Database>,
  things: LeftOut,
  { metric, only }: Question,
  whoever: Asked,
): Promise<number> {
  const asked: Asked = things.ofAnybody
    ? { ...whoever, people: 'everybody', scope: whoever.scope.ofEverybody }
    : whoever;
  const wanted = things.from === countedOf(metric).from ? only : shared(only);
  const { from, where } = things.from.rows(asked, 'items');
  const { alias, join } = pullOf(things.from, Object.keys(wanted) as DimensionKey[]);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${from}${join} where ${where} and ${allOf(conditionsOf(things, wanted, alias, asked))}`.execute(
    db,
  );
  return rows[0]!.count;
}
