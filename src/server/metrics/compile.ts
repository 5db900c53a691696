import { type Kysely, sql } from 'kysely';
import type { MetricKey, Statistic } from '#domain/metrics/metric.ts';
import type { Database } from '../db/database.ts';
import { type Counted, catalogue, countedOf } from './catalogue.ts';
import { type DimensionKey, dimensionOf, isOfPull, type Only } from './dimensions.ts';
import { type Asked, opened, type Source, type Span, type Sql, type Use } from './sources.ts';

/** One number to ask for. */
export interface Column {
  readonly metric: MetricKey;
  /** The metric's own unless said. */
  readonly statistic?: Statistic;
  /** Another window than that of the question. */
  readonly window?: Span;
  readonly only?: Only;
}

/** Numbers by their names; a metric alone stands for its own number over the question's window. */
export type Columns = Readonly<Record<string, MetricKey | Column>>;

/** What numbers are told apart by. */
type Grain =
  | { readonly by: 'whole' }
  | { readonly by: 'person' }
  /** By where the starts of buckets lie, ascending; the last ends with the window. */
  | { readonly by: 'bucket'; readonly starts: readonly Date[] }
  | { readonly by: 'dimension'; readonly dimension: DimensionKey };

/** Numbers over all of a window: a relation of one row. */
export function whole(asked: Asked, columns: Columns): Sql {
  const { pieces, outer } = compile(asked, columns, { by: 'whole' });
  return sql`(select ${outer} from ${sql.join(pieces)})`;
}

/**
 * Numbers of each person: a relation with `person_id`, of everybody of whom there is a thing that some column counts. Whoever has none
 * of a kind has a count of 0 and a mean of null.
 */
export function byPerson(asked: Asked, columns: Columns): Sql {
  const { pieces, outer } = compile({ ...asked, byPerson: true }, columns, { by: 'person' });
  return sql`(select key as person_id, ${outer} from ${joined(pieces)})`;
}

/**
 * Numbers by the values of a dimension: a relation with `key`, a text. A thing is under each of its values.
 */
export function byDimension(asked: Asked, columns: Columns, dimension: DimensionKey): Sql {
  const { pieces, outer } = compile(asked, columns, { by: 'dimension', dimension });
  return sql`(select key, ${outer} from ${joined(pieces)})`;
}

/**
 * Numbers by time: a relation with `place`, 1 for the bucket that begins with the first of `starts`, and a row for each of them. The last
 * goes on until the end of the window; a state is that at the end of each bucket, null where the past does not tell.
 */
export function byBucket(asked: Asked, columns: Columns, starts: readonly Date[]): Sql {
  const { pieces, outer } = compile(asked, columns, { by: 'bucket', starts });
  const places = sql`generate_series(1, ${starts.length}::int) place (key)`;
  return sql`(select key as place, ${outer} from ${sql.join([places, ...pieces.map((piece) => sql`${piece} using (key)`)], sql` left join `)})`;
}

/** What `whole` gives, its numbers by their names. */
export async function numbersOf<Numbers>(db: Kysely<Database>, asked: Asked, columns: Columns): Promise<Numbers> {
  const { rows } = await sql<Numbers>`select * from ${whole(asked, columns)} numbers`.execute(db);
  return rows[0]!;
}

const joined = (pieces: readonly Sql[]) =>
  sql`${pieces[0]!}${sql.join(
    pieces.slice(1).map((piece) => sql` full join ${piece} using (key)`),
    sql``,
  )}`;

/** Columns that are read at once: of one source and window. */
interface Piece {
  readonly source: Source;
  readonly asked: Asked;
  readonly columns: [string, Column, Counted][];
}

/** The relations that hold the columns, each once, and what the outermost question selects of them. */
function compile(asked: Asked, columns: Columns, grain: Grain): { pieces: Sql[]; outer: Sql } {
  const pieces = new Map<string, Piece>();
  const sources: Source[] = [];
  const pasts: Sql[] = [];
  const outer: Sql[] = [];
  const read = (name: string, column: Column) => {
    const counted = countedOf(column.metric);
    const window = column.window ?? asked.window;
    if (counted.from.isState && !isNow(window, counted, grain)) {
      pasts.push(pastOf(name, counted, { ...asked, window }, grain));
      return;
    }
    if (!sources.includes(counted.from)) sources.push(counted.from);
    const key = `${sources.indexOf(counted.from)} ${window.after.getTime()} ${window.until?.getTime()}`;
    const piece = pieces.get(key) ?? { source: counted.from, asked: { ...asked, window }, columns: [] };
    piece.columns.push([name, column, counted]);
    pieces.set(key, piece);
  };
  for (const [name, wanted] of Object.entries(columns)) {
    const column: Column = typeof wanted === 'string' ? { metric: wanted } : wanted;
    const metric = catalogue[column.metric];
    if ('per' in metric && (column.statistic ?? 'value') === 'value') {
      const [of, per] = [`${name} of`, `${name} per`];
      read(of, { ...column, metric: metric.of, statistic: 'n' });
      read(per, { ...column, metric: metric.per, statistic: 'n' });
      outer.push(sql`coalesce(${sql.ref(of)}, 0)::float8 / nullif(${sql.ref(per)}, 0) as ${sql.ref(name)}`);
    } else {
      read(name, column);
      outer.push(
        isCount(column)
          ? sql`${countOf(name, column, column.window ?? asked.window, grain)} as ${sql.ref(name)}`
          : sql.ref(name),
      );
    }
  }
  const parts = [...pieces.values()].map((piece) => readAtOnce(piece, grain));
  return {
    pieces: [...parts, ...pasts].map((part, index) => sql`(${part}) ${sql.ref(`p${index}`)}`),
    outer: sql.join(outer),
  };
}

function isCount({ metric, statistic = 'value' }: Column): boolean {
  return statistic === 'n' || (statistic === 'value' && countedOf(metric).made === 'count');
}

/** A count over nothing is 0; what the past does not tell stays null. */
function countOf(name: string, { metric }: Column, { until }: Span, grain: Grain): Sql {
  const { isState, lasts } = countedOf(metric).from;
  const isUntold =
    isState === true &&
    (until !== null
      ? lasts === undefined || grain.by === 'person' || grain.by === 'dimension'
      : lasts === undefined && grain.by === 'bucket');
  if (!isUntold) return sql`coalesce(${sql.ref(name)}, 0)::int`;
  return grain.by === 'bucket' && until === null
    ? sql`coalesce(${sql.ref(name)}, case when key = ${grain.starts.length}::int then 0 end)::int`
    : sql.ref(name);
}

function readAtOnce({ source, asked, columns }: Piece, grain: Grain): Sql {
  const use: Use =
    grain.by === 'bucket' || grain.by === 'dimension' || columns.some(([, { only }]) => only) ? 'each' : 'whole';
  const { from, where } = source.rows(asked, use);
  const dimensions = [
    ...(grain.by === 'dimension' ? [grain.dimension] : []),
    ...columns.flatMap(([, { only }]) => Object.keys(only ?? {}) as DimensionKey[]),
  ];
  const pull = pullOf(source, dimensions);
  const numbers = columns.map(
    ([name, column, counted]) => sql`${numberOf(column, counted, asked, pull.alias)} as ${sql.ref(name)}`,
  );
  const key = keyOf(grain, source, pull.alias, asked);
  if (key === null) return sql`select ${sql.join(numbers)} from ${from}${pull.join} where ${where}`;
  // Whoever has none of what is counted has no row.
  const some = columns.map(([, { only = {} }, counted]) => sql`(${conditionOf(counted, only, pull.alias, asked)})`);
  const counts = columns.every(([, { only }, counted]) => only ?? counted.where)
    ? sql`(${sql.join(some, sql` or `)})`
    : sql`true`;
  return sql`select ${key} as key, ${sql.join(numbers)} from ${from}${pull.join} where ${where} and ${counts} group by 1`;
}

function keyOf(grain: Grain, source: Source, pull: string, asked: Asked): Sql | null {
  switch (grain.by) {
    case 'whole':
      return null;
    case 'person':
      return source.person;
    case 'dimension':
      return dimensionOf(grain.dimension, source, pull, asked);
    case 'bucket':
      // A state now is that of the last bucket.
      return source.isState
        ? sql`${grain.starts.length}::int`
        : sql`width_bucket(${source.moment}, ${grain.starts}::timestamptz[])`;
  }
}

/** The pull request of a source's rows, where dimensions look at it. */
export function pullOf(source: Source, dimensions: readonly DimensionKey[]): { alias: string; join: Sql } {
  if (source.pull !== undefined) return { alias: source.pull, join: sql`` };
  if (!dimensions.some(isOfPull)) return { alias: 'it', join: sql`` };
  return {
    alias: 'its_pull',
    join: sql` join pull_requests its_pull on its_pull.repository_id = it.repository_id and its_pull.number = it.number`,
  };
}

/** Which of a source's things a column counts. */
export function conditionOf(
  { from, where }: Pick<Counted, 'from' | 'where'>,
  only: Only,
  pull: string,
  asked: Asked,
): Sql {
  const wanted = Object.entries(only).map(
    ([key, value]) => sql`${dimensionOf(key as DimensionKey, from, pull, asked)} = ${value}`,
  );
  return sql.join([where?.(asked) ?? sql`true`, ...wanted], sql` and `);
}

function numberOf({ statistic = 'value', only = {} }: Column, counted: Counted, asked: Asked, pull: string): Sql {
  const condition = sql`filter (where ${conditionOf(counted, only, pull, asked)})`;
  const { made, different, nullsDiffer } = counted;
  const value = counted.value?.(asked) ?? sql`null::float8`;
  const percentile = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95 };
  if (statistic === 'n' || (statistic === 'value' && made === 'count')) {
    if (different === undefined) return sql`(count(*) ${condition})::int`;
    const apart = sql`count(distinct ${different(asked)}) ${condition}`;
    return nullsDiffer === undefined
      ? sql`(${apart})::int`
      : sql`(${apart} + count(*) filter (where ${different(asked)} is null and ${conditionOf(counted, only, pull, asked)}))::int`;
  }
  if (statistic === 'value' && made === 'part')
    return sql`(100 * sum(${value}) ${condition} / nullif(sum(sum(${value}) ${condition}) over (), 0))::float8`;
  if (statistic === 'value' && made !== 'mean')
    return sql`(${sql.lit(made === 'percent' ? 100 : 1)} * avg((${value})::int) ${condition})::float8`;
  if (made === 'count' || made === 'share' || made === 'percent') return sql`null::float8`;
  if (statistic === 'value' || statistic === 'mean') return sql`(avg(${value}) ${condition})::float8`;
  return sql`(percentile_cont(${sql.lit(percentile[statistic])}) within group (order by ${value}) ${condition})::float8`;
}

/** Whether a column of a state is of the state as it is now, which is what is stored. */
function isNow(window: Span, { from }: Counted, grain: Grain): boolean {
  return window.until === null && (grain.by !== 'bucket' || from.lasts === undefined);
}

/**
 * How many things were in a state at the ends of buckets, or of a window: those that are in it now, less those that came into it later,
 * and those that left it since. Null where the past does not tell.
 */
function pastOf(name: string, counted: Counted, asked: Asked, grain: Grain): Sql {
  const column = sql.ref(name);
  const { lasts } = counted.from;
  if (grain.by === 'whole' && lasts === undefined) return sql`select null::int as ${column}`;
  if (lasts === undefined || grain.by === 'person' || grain.by === 'dimension')
    return sql`select ${grain.by === 'bucket' ? sql`null::int` : grain.by === 'person' ? sql`null::int` : sql`null::text`} as key,
      null::int as ${column} where false`;
  const { until } = asked.window;
  const end = until === null ? [] : [new Date(until.getTime() + 1)];
  const ends = grain.by === 'bucket' ? [...grain.starts.slice(1), ...end] : end;
  const places = grain.by === 'bucket' ? grain.starts.length : 1;
  const now = counted.from.rows(asked, 'whole');
  const state = sql`(select count(*) as n from ${now.from} where ${now.where} and ${conditionOf(counted, {}, 'it', asked)}) now`;
  const later = sql`sum(changes.change) over (order by place.key desc)`;
  const past = sql`
    select place.key, (now.n - coalesce(${later}, 0))::int as ${column}
    from generate_series(1, ${places}::int) place (key) cross join ${state}
    left join (${changesOf(lasts, counted.afterHours ?? 0, asked, ends)}) changes on changes.key = place.key`;
  return grain.by === 'bucket' ? past : sql`select ${column} from (${past}) past where key = 1`;
}

/** How many more things came into a state than left it, of those after the first of some moments, by the last moment before. */
function changesOf(lasts: NonNullable<Source['lasts']>, hours: number, asked: Asked, moments: readonly Date[]): Sql {
  const [first] = moments;
  if (first === undefined) return sql`select null::int as key, 0 as change where false`;
  const ms = hours * 3_600_000;
  const begins = hours === 0 ? lasts.from : sql`(${lasts.from} + make_interval(hours => ${hours}::int))`;
  // What lasts for a while before it counts does not count ahead.
  const hasBegun = hours === 0 ? sql`true` : sql`${lasts.from} < ${new Date(asked.now.getTime() - ms)}`;
  const { from, where } = opened.rows({ ...asked, window: { after: new Date(0), until: null } }, 'whole');
  const change = (moment: Sql, by: number, isLater: Sql) => sql`
    select width_bucket(${moment}, ${moments}::timestamptz[]) as key, ${sql.lit(by)} as change from ${from}
    where ${where} and ${isLater} and ${hasBegun} and (${lasts.ends} is null or ${lasts.ends} > ${begins})`;
  return sql`select key, sum(change) as change from (
    ${change(begins, 1, sql`${lasts.from} >= ${new Date(first.getTime() - ms)}`)}
    union all ${change(lasts.ends, -1, sql`${lasts.ends} >= ${first}`)}
  ) moved group by key`;
}
