import { sql } from 'kysely';
import { countedOf } from './catalogue.ts';
import { type Column, conditionsOf, filterBy, percentiles, pullOf, summedBy } from './compile.ts';
import { columnOf, type DimensionKey, dimensionOf } from './dimensions.ts';
import type { Asked, Sql } from './sources/source.ts';

/** One way to tell things apart: by the values of a dimension, or in buckets that begin at `starts`, ascending; the last ends with the window. */
export type Way = DimensionKey | { readonly starts: readonly Date[] };

/** A number that is put together of sums: what is summed, by names, over the things of a cell, and the number that the sums of those make. */
interface Summed {
  readonly sums: Readonly<Record<string, Sql>>;
  readonly number: Sql;
}

/**
 * Numbers over the same things told apart in several ways at once, for which these are read once: a relation of `line`, `way`, `key` and a column
 * for each number. Each value of `line` that occurs, a text, has a row for each value of each way that occurs, where `way` is 1 and up, in their
 * order, and `key` the value as text, of buckets `1` and up; and one for all of its things, whose `way` is 0 and whose `key` is null. Without
 * `line` there is one, `all`. All columns are of one source, and their percentiles of one metric. A count over nothing is 0, all else null.
 * @throws Error for a number that sums do not make
 */
export function compileSeveralWays(
  asked: Asked,
  columns: Readonly<Record<string, Column>>,
  line: DimensionKey | null,
  ways: readonly Way[],
): Sql {
  const all = Object.entries(columns);
  const source = countedOf(all[0]![1].metric).from;
  const ofDimensions = ways.filter((way) => typeof way === 'string');
  const { alias, join } = pullOf(source, line === null ? ofDimensions : [line, ...ofDimensions]);
  const spread = all.find(([, { statistic = 'value' }]) => statistic in percentiles)?.[1].metric;
  const summed = all.map(([name, column]) => [name, summedOf(name, column, asked, alias, spread)] as const);
  const sums = [...new Map(summed.flatMap(([, one]) => Object.entries(one.sums)))];
  const { from, where } = source.rows(asked, 'each');
  const keys = ways.map((way, at) => ({
    number: sql.lit(at + 1),
    name: sql.ref(`way ${at + 1}`),
    isTime: typeof way !== 'string',
    column: typeof way === 'string' ? columnOf(way) : null,
    of:
      typeof way === 'string'
        ? dimensionOf(way, source, alias, asked)
        : sql`width_bucket(${source.moment}, ${way.starts}::timestamptz[])`,
  }));
  const value = (spread && countedOf(spread).value?.(asked)) ?? sql`null::float8`;
  const lineOfThing = line === null ? sql`'all'` : dimensionOf(line, source, alias, asked);
  // Buckets first: where cells are made by sorting, numbers are compared before texts.
  const told = [
    ...keys.toSorted((a, b) => Number(b.isTime) - Number(a.isTime)),
    { name: sql.ref('value'), of: value, column: spread && countedOf(spread).column },
    { name: sql.ref('line'), of: sql`${lineOfThing}::text`, column: line && columnOf(line) },
  ];
  const cells = told.map(({ column }, at) => column ?? sql.lit(at + 1));
  const way = sql.join([sql`0`, ...keys.map(({ name, number }) => sql`${number} * (1 - grouping(${name}))`)], sql` + `);
  const key = keys.length === 0 ? sql`null` : sql`coalesce(${sql.join(keys.map(({ name }) => sql`${name}::text`))})`;
  const sets = [sql`(line, value)`, ...keys.map(({ name }) => sql`(line, value, ${name})`)];
  return sql`(
    with cells as materialized (
      select ${sql.join([...told.map(({ name, of }) => sql`${of} as ${name}`), ...sums.map(([name, sum]) => sql`(${sum})::float8 as ${sql.ref(name)}`)])}
      from ${from}${join} where ${where} group by ${sql.join(cells)}
    ), merged as (
      select line, value, ${way} as way, ${key} as key, ${sql.join(sums.map(([name]) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from cells group by grouping sets (${sql.join(sets)})
    )
    select line, way, key, ${sql.join(summed.map(([name, { number }]) => sql`${number} as ${sql.ref(name)}`))}
    from (${spread === undefined ? sql`select * from merged` : ranked(sql.ref(`${SPREAD} n`))}) merged group by line, way, key)`;
}

/** The things of which percentiles are told. */
const SPREAD = 'spread';

/** How many things have at most the value of a row, `upto`, and how many there are, `among`. */
const ranked = (n: Sql) => sql`
  select *, sum(${n}) over (by_key order by value) as upto, sum(${n}) over by_key as among
  from merged where true window by_key as (partition by line, way, key)`;

function summedOf(
  name: string,
  { metric, statistic = 'value', only = {} }: Column,
  asked: Asked,
  pull: string,
  spread: Column['metric'] | undefined,
): Summed {
  const counted = countedOf(metric);
  const { made, things, over, different } = counted;
  const conditions = conditionsOf(counted, only, pull, asked);
  const value = counted.value?.(asked) ?? sql`null::float8`;
  const those = (...more: readonly Sql[]) => filterBy([...conditions, ...more]);
  const summed = filterBy(summedBy(counted, only, pull, asked));
  const [first, second] = [`${name} sum`, `${name} of`];
  const [sum, of] = [sql`sum(${sql.ref(first)})`, sql`sum(${sql.ref(second)})`];
  if (different !== undefined || made === 'part' || made === 'half') throw notSummed(metric, statistic);
  if (statistic === 'n' || (statistic === 'value' && made === 'count'))
    return {
      sums: { [first]: things === undefined ? sql`count(*) ${those()}` : sql`sum(${things}) ${summed}` },
      number: sql`coalesce(${sum}, 0)::int`,
    };
  if (made === 'mean') {
    const isKnown = sql`${value} is not null`;
    if (statistic === 'value' || statistic === 'mean')
      return {
        sums: { [first]: sql`sum(${value}) ${those()}`, [second]: sql`count(*) ${those(isKnown)}` },
        number: sql`${sum} / nullif(${of}, 0)`,
      };
    if (metric !== spread) throw notSummed(metric, statistic);
    const place = sql`${sql.lit(percentiles[statistic])}::float8 * (among - 1)`;
    const from = (index: Sql) => sql`min(value) filter (where upto > ${index})`;
    const low = from(sql`floor(${place})`);
    const part = sql`max(${place} - floor(${place}))`;
    return {
      sums: { [`${SPREAD} n`]: sql`count(*) ${those(isKnown)}` },
      number: sql`${low} + ${part} * (${from(sql`ceil(${place})`)} - ${low})`,
    };
  }
  if (statistic !== 'value') throw notSummed(metric, statistic);
  if (made === 'sum') return { sums: { [first]: sql`sum(${value}) ${summed}` }, number: sql`${sum}::int` };
  if (made === 'rate')
    return {
      sums: { [first]: sql`sum(${value}) ${summed}`, [second]: sql`sum(${over!}) ${summed}` },
      number: sql`${sum} / nullif(${of}, 0)`,
    };
  // As the average of ones and zeros is made, to the last digit.
  return {
    sums: { [first]: sql`count(*) ${those(value)}`, [second]: sql`count(${value}) ${those()}` },
    number: sql`(${sql.lit(made === 'percent' ? 100 : 1)} * (${sum}::numeric / nullif(${of}, 0)::numeric))::float8`,
  };
}

const notSummed = (metric: string, statistic: string) => new Error(`${statistic} of ${metric} is not made of sums.`);
