import { type Kysely, sql } from 'kysely';
import type { Statistic } from '#domain/metrics/metric.ts';
import type { Database } from '../db/database.ts';
import { isMember, wasMemberIn } from './belongs.ts';
import { type AnyMetric, catalogue, countedOf, isCount } from './catalogue.ts';
import { allOf } from './conditions.ts';
import type { Counted } from './counted.ts';
import { type DimensionKey, dimensionOf, isOfPull, type Only, typed } from './dimensions.ts';
import { opened } from './sources/pull-requests.ts';
import { type Asked, isTeamOfFacts, type Source, type Span, type Sql, teamsOf, type Use } from './sources/source.ts';
import type { TeamsApart } from './team-people.ts';

/** One number to ask for. */
export interface Column {
  readonly metric: AnyMetric;
  /** The metric's own unless said. */
  readonly statistic?: Statistic;
  /** Another window than that of the question. */
  readonly window?: Span;
  readonly only?: Only;
}

/** Numbers by their names; a metric alone stands for its own number over the question's window. */
export type Columns = Readonly<Record<string, AnyMetric | Column>>;

/** A column for each number of a shape, no more and no fewer. */
export type ColumnsOf<Numbers> = Readonly<Record<keyof Numbers & string, AnyMetric | Column>>;

/**
 * What numbers are told apart by: nothing, each person, time, teams, or the values of a dimension. Buckets begin at `starts`, ascending, in
 * the window; the last goes on until the window ends. A thing counts in each of the teams that it belongs to, or under the key `none`; teams
 * are those of `teamsApart(db, user_id, ids)`, in the scope of everybody: `compile(asked, { merged: 'merged' }, { teams })`. What was open or
 * stuck at moments of the past by team is told by `compileLines` (lines.ts).
 */
type Grain = 'whole' | 'person' | ByTime | ByTeam | DimensionKey;
interface ByTime {
  readonly starts: readonly Date[];
}
interface ByTeam {
  readonly teams: TeamsApart;
}

/**
 * A relation with a row for each `key` and a column for each number: one row without a key by the `whole`; a row for each `person` of whom
 * there is a thing that some column counts, the key their row id; for each bucket, the key 1 and up; for each value of a dimension or
 * team that occurs, the key its text or id as text. A count over nothing is 0, all else null. A state is that of now or, by time, of the end of each bucket: null where
 * the past does not tell.
 * Of a team, people are those who were members at any moment of the question's window and, of what is in a state now, those who are now.
 */
export function compile(asked: Asked, columns: Columns, by: Grain): Sql {
  const { pieces, numbers, isOfNow } = readBy(by === 'person' ? { ...asked, byPerson: true } : asked, columns, by);
  if (by === 'whole') return sql`(select ${numbers} from ${sql.join(pieces)})`;
  const [first, ...rest] = isByTime(by)
    ? [sql`generate_series(1, ${by.starts.length}::int) place (key)`, ...pieces]
    : pieces;
  const join = isByTime(by) ? sql` left join ` : sql` full join `;
  const key = by === 'person' || isByTime(by) ? sql`key` : sql`key::text as key`;
  const { team } = asked.scope;
  // What waits for somebody now is a member's of now, whichever window the rest is of.
  const isMemberNow =
    team === null || !isOfNow ? sql`` : sql` or ${isMember(team, sql`key`, sql`${asked.now}::timestamptz`)}`;
  const isListed =
    by === 'person' && team !== null
      ? sql` where (${wasMemberIn(team, sql`key`, asked.window, asked.now)}${isMemberNow})`
      : sql``;
  return sql`(select ${key}, ${numbers} from ${first}${sql.join(
    rest.map((piece) => sql`${join}${piece} using (key)`),
    sql``,
  )}${isListed})`;
}

/** Numbers over all of the window, by their names. */
export async function numbersOf<Numbers>(
  db: Kysely<Database>,
  asked: Asked,
  columns: ColumnsOf<NoInfer<Numbers>>,
): Promise<Numbers> {
  const { rows } = await sql<Numbers>`select * from ${compile(asked, columns, 'whole')} numbers`.execute(db);
  return rows[0]!;
}

const isByTime = (by: Grain): by is ByTime => typeof by === 'object' && 'starts' in by;
const isByTeam = (by: Grain): by is ByTeam => typeof by === 'object' && 'teams' in by;

/** Columns that are read at once: of one source and window. */
interface Piece {
  readonly source: Source;
  readonly asked: Asked;
  readonly columns: [string, Column, Counted][];
}

/** The relations that hold the columns, each once, the numbers that are selected of them, and whether some belong to members of now. */
function readBy(asked: Asked, columns: Columns, grain: Grain): { pieces: Sql[]; numbers: Sql; isOfNow: boolean } {
  const pieces = new Map<string, Piece>();
  const sources: Source[] = [];
  const pasts: Sql[] = [];
  const numbers: Sql[] = [];
  const read = (name: string, column: Column) => {
    const counted = countedOf(column.metric);
    const window = column.window ?? asked.window;
    const known = knownOf(column, window, grain);
    if (known === 'past') pasts.push(pastOf(name, counted, { ...asked, window }, grain));
    if (known === 'past' || known === 'nothing') return known;
    if (!sources.includes(counted.from)) sources.push(counted.from);
    const key = `${sources.indexOf(counted.from)} ${window.after.getTime()} ${window.until?.getTime()}`;
    const piece = pieces.get(key) ?? { source: counted.from, asked: { ...asked, window }, columns: [] };
    piece.columns.push([name, column, counted]);
    pieces.set(key, piece);
    return known;
  };
  for (const [name, wanted] of Object.entries(columns)) {
    const column: Column = typeof wanted === 'string' ? { metric: wanted } : wanted;
    const metric = catalogue[column.metric];
    if ('per' in metric && (column.statistic ?? 'value') === 'value') {
      const [of, per] = [`${name} of`, `${name} per`];
      read(of, { ...column, metric: metric.of, statistic: 'n' });
      read(per, { ...column, metric: metric.per, statistic: 'n' });
      numbers.push(sql`coalesce(${sql.ref(of)}, 0)::float8 / nullif(${sql.ref(per)}, 0) as ${sql.ref(name)}`);
    } else {
      numbers.push(sql`${toldOf(name, column, read(name, column), grain)} as ${sql.ref(name)}`);
    }
  }
  const parts = [...[...pieces.values()].map((piece) => readAtOnce(piece, grain)), ...pasts];
  if (parts.length === 0) parts.push(grain === 'whole' ? sql`select` : sql`select null as key where false`);
  return {
    pieces: parts.map((part, index) => sql`(${part}) ${sql.ref(`p${index}`)}`),
    numbers: sql.join(numbers),
    isOfNow: sources.some(({ belongs }) => belongs.at === 'now'),
  };
}

/** What is known of a metric at a grain: a state has a past only where its source tells it, and by time or as a whole. */
function knownOf(column: Column, { until }: Span, by: Grain): 'all' | 'past' | 'now' | 'nothing' {
  const { isState, lasts } = countedOf(column.metric).from;
  if (isState === undefined) return 'all';
  if (!isCount(column.metric, column.statistic)) return 'nothing';
  if (lasts !== undefined && (isByTime(by) || (by === 'whole' && until !== null))) return 'past';
  if (until !== null) return 'nothing';
  return isByTime(by) ? 'now' : 'all';
}

/** A column as it is told: a count over nothing is 0; what is not known is null. */
function toldOf(name: string, column: Column, known: ReturnType<typeof knownOf>, by: Grain): Sql {
  if (known === 'nothing') return sql`null::float8`;
  const told = isCount(column.metric, column.statistic) ? sql`coalesce(${sql.ref(name)}, 0)::int` : sql.ref(name);
  return known === 'now' && isByTime(by) ? sql`case when key = ${by.starts.length}::int then ${told} end` : told;
}

function readAtOnce({ source, asked, columns }: Piece, grain: Grain): Sql {
  const use: Use =
    (grain === 'whole' || grain === 'person') && columns.every(([, { only }]) => only === undefined) ? 'whole' : 'each';
  const { from, where } = source.rows(asked, use);
  const dimensions = [
    ...(typeof grain === 'object' || grain === 'whole' || grain === 'person' ? [] : [grain]),
    ...columns.flatMap(([, { only }]) => Object.keys(only ?? {}) as DimensionKey[]),
  ];
  const pull = pullOf(source, dimensions);
  const numbers = columns.map(
    ([name, column, counted]) => sql`${numberOf(column, counted, asked, pull.alias)} as ${sql.ref(name)}`,
  );
  const { key, join } = isByTeam(grain)
    ? byTeam(grain, source, asked)
    : { key: keyOf(grain, source, pull.alias, asked), join: sql`` };
  if (key === null) return sql`select ${sql.join(numbers)} from ${from}${pull.join} where ${where}`;
  // Whoever has none of what is counted has no row.
  const some = columns.map(
    ([, { only = {} }, counted]) => sql`(${allOf(conditionsOf(counted, only, pull.alias, asked))})`,
  );
  const counts = columns.every(([, { only }, counted]) => only ?? counted.where)
    ? sql` and (${sql.join(some, sql` or `)})`
    : sql``;
  return sql`select ${key} as key, ${sql.join(numbers)} from ${from}${pull.join}${join} where ${where}${counts} group by 1`;
}

function byTeam({ teams }: ByTeam, source: Source, asked: Asked): { readonly key: Sql; readonly join: Sql } {
  const isJoined = isTeamOfFacts(source, asked) && !source.isFacts;
  const facts = isJoined
    ? sql` join pull_request_facts its_facts on its_facts.repository_id = it.repository_id and its_facts.number = it.number`
    : sql``;
  const { join } = teamsOf(source, asked, teams, isJoined ? 'its_facts' : 'it');
  return { key: sql`coalesce(each_team.team_id::text, 'none')`, join: sql`${facts}${join(null)}` };
}

function keyOf(by: Exclude<Grain, ByTeam>, source: Source, pull: string, asked: Asked): Sql | null {
  if (by === 'whole') return null;
  if (by === 'person') return source.person;
  if (!isByTime(by)) return dimensionOf(by, source, pull, asked);
  // A state now is that of the last bucket.
  return source.isState
    ? sql`${by.starts.length}::int`
    : sql`width_bucket(${source.moment}, ${by.starts}::timestamptz[])`;
}

/** The pull request of a source's rows, where dimensions look at it or `more` of it is read than these do. */
export function pullOf(
  source: Source,
  dimensions: readonly DimensionKey[],
  more = false,
): { alias: string; join: Sql } {
  if (source.pull !== undefined) return { alias: source.pull, join: sql`` };
  if (!more && (source.isFacts || !dimensions.some(isOfPull))) return { alias: 'it', join: sql`` };
  return {
    alias: 'its_pull',
    join: sql` join pull_requests its_pull on its_pull.repository_id = it.repository_id and its_pull.number = it.number`,
  };
}

/** Which of a source's things a column counts: those that all of these hold of. */
export function conditionsOf(
  { from, where }: Pick<Counted, 'from' | 'where'>,
  only: Only,
  pull: string,
  asked: Asked,
): Sql[] {
  const wanted = (Object.entries(only) as [DimensionKey, string][]).map(
    ([key, value]) => sql`${dimensionOf(key, from, pull, asked)} = ${typed(key, value)}`,
  );
  return where === undefined ? wanted : [where(asked), ...wanted];
}

/** Which rows are summed: those that count, where others are not nothing. */
export function summedBy(counted: Counted, only: Only, pull: string, asked: Asked): Sql[] {
  return conditionsOf(counted.addsNothing ? { from: counted.from } : counted, only, pull, asked);
}

/** Which of the grouped rows an aggregate is of. */
export const filterBy = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? sql`` : sql`filter (where ${allOf(conditions)})`;

/** The part of the things whose value is at most a percentile. */
export const percentiles = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95 } as const;

/** One number over grouped rows: see `compile`. */
export function numberOf(
  { statistic = 'value', only = {} }: Column,
  counted: Counted,
  asked: Asked,
  pull: string,
): Sql {
  const conditions = conditionsOf(counted, only, pull, asked);
  const condition = filterBy(conditions);
  const summed = filterBy(summedBy(counted, only, pull, asked));
  const { made, different, nullsDiffer, things, over } = counted;
  const value = counted.value?.(asked) ?? sql`null::float8`;
  if (statistic === 'n' || (statistic === 'value' && made === 'count')) {
    if (things !== undefined) return sql`coalesce(sum(${things}) ${summed}, 0)::int`;
    if (different === undefined) return sql`(count(*) ${condition})::int`;
    const tally = counted.tally?.(asked) ?? null;
    if (tally !== null) return sql`bit_count((${tally} ${condition})::bit(64))::int`;
    const apart = sql`count(distinct ${different(asked)}) ${condition}`;
    return nullsDiffer === undefined
      ? sql`(${apart})::int`
      : sql`(${apart} + count(*) filter (where ${different(asked)} is null and ${allOf(conditions)}))::int`;
  }
  if (statistic === 'value' && made === 'part') {
    // Of what alone is asked for the whole is in the same rows, else in the rows of the other values.
    const whole = Object.keys(only).length > 0 ? sql`sum(${value})` : sql`sum(sum(${value})) over ()`;
    return sql`(100 * coalesce(sum(${value}) ${condition}, 0) / nullif(${whole}, 0))::float8`;
  }
  if (made === 'half') return statistic === 'value' ? halfOf(conditions) : sql`null::float8`;
  if (made === 'sum') return statistic === 'value' ? sql`(sum(${value}) ${summed})::int` : sql`null::float8`;
  if (made === 'rate')
    return statistic === 'value'
      ? sql`((sum(${value}) ${summed})::float8 / nullif(sum(${over!}) ${summed}, 0))::float8`
      : sql`null::float8`;
  if (statistic === 'value' && made !== 'mean') {
    const whole = sql.lit(made === 'percent' ? 100 : 1);
    if (different === undefined) return sql`(${whole} * avg((${value})::int) ${condition})::float8`;
    const apart = sql`count(distinct ${different(asked)})`;
    return sql`(${whole} * (${apart} filter (where ${allOf([...conditions, value])}))::float8 / nullif(${apart} ${condition}, 0))::float8`;
  }
  if (made !== 'mean') return sql`null::float8`;
  if (statistic === 'value' || statistic === 'mean') return sql`(avg(${value}) ${condition})::float8`;
  return sql`(percentile_cont(${sql.lit(percentiles[statistic])}) within group (order by ${value}) ${condition})::float8`;
}

/** What a thing contributes to a number: of a share one or nothing; null where it is merely counted. */
export function contributedBy({ made, value, over }: Counted, asked: Asked): Sql {
  if (value === undefined) return sql`null::float8`;
  if (made === 'rate') return sql`(${value(asked)}::float8 / nullif(${over!}, 0))`;
  return made === 'share' || made === 'percent' ? sql`(${value(asked)})::int::float8` : value(asked);
}

/** The fewest people to whom at least half of the grouped rows belong; null of none. */
function halfOf(conditions: readonly Sql[]): Sql {
  const condition = filterBy(conditions);
  return sql`(select half from ${carriersOf(sql`array_agg(it.author_id) ${condition}`)} carriers)`;
}

/**
 * Of an array of the people to whom things belong, one for each thing, a row of `half`, the fewest to whom at least half of the things belong,
 * null of none, and `people`, how many there are.
 */
export function carriersOf(owners: Sql): Sql {
  return sql`(select case when count(*) > 0 then (count(*) filter (where 2 * before < total))::float8 end as half,
      count(person)::int as people
    from (
      select person, sum(things) over (order by things desc, person) - things as before, sum(things) over () as total from (
        select person, count(*)::int as things from unnest(${owners}) each_one (person) group by person
      ) people
    ) places)`;
}

/**
 * How many things were in a state at the ends of buckets, or of a window: those that are in it now, less those that came into it later,
 * and those that left it since.
 */
function pastOf(name: string, counted: Counted, asked: Asked, by: Grain): Sql {
  const column = sql.ref(name);
  const { until } = asked.window;
  const end = until === null ? [] : [new Date(until.getTime() + 1)];
  const ends = isByTime(by) ? [...by.starts.slice(1), ...end] : end;
  const now = counted.from.rows(asked, 'whole');
  const state = sql`(select count(*) as n from ${now.from} where ${now.where} and ${allOf(conditionsOf(counted, {}, 'it', asked))}) now`;
  const later = sql`sum(changes.change) over (order by place.key desc)`;
  const past = sql`
    select place.key, (now.n - coalesce(${later}, 0))::int as ${column}
    from generate_series(1, ${isByTime(by) ? by.starts.length : 1}::int) place (key) cross join ${state}
    left join (${changesOf(counted.from.lasts!, counted.afterHours ?? 0, asked, ends)}) changes on changes.key = place.key`;
  return isByTime(by) ? past : sql`select ${column} from (${past}) past where key = 1`;
}

/** How many more things came into a state than left it, of those after the first of some moments, by the last moment before. */
function changesOf(lasts: NonNullable<Source['lasts']>, hours: number, asked: Asked, moments: readonly Date[]): Sql {
  const [first] = moments;
  if (first === undefined) return sql`select null::int as key, 0 as change where false`;
  const ms = hours * 3_600_000;
  // It counts for longer than that, as now: at the very hour it does not yet, and moments are whole milliseconds.
  const begins = hours === 0 ? lasts.from : sql`(${lasts.from} + make_interval(secs => ${(ms + 1) / 1000}::float8))`;
  // What lasts for a while before it counts does not count ahead, nor where it ended before.
  const counts =
    hours === 0
      ? sql`true`
      : sql`${lasts.from} < ${new Date(asked.now.getTime() - ms)} and (${lasts.ends} is null or ${lasts.ends} > ${begins})`;
  const change = (moment: Sql, by: number, openedAfter: number) => {
    const { from, where } = opened.rows({ ...asked, window: { after: new Date(openedAfter), until: null } }, 'whole');
    return sql`
      select width_bucket(${moment}, ${moments}::timestamptz[]) as key, ${sql.lit(by)} as change from ${from}
      where ${where} and ${moment} >= ${first} and ${counts}`;
  };
  return sql`select key, sum(change) as change from (
    ${change(begins, 1, first.getTime() - ms - 2)}
    union all ${change(lasts.ends, -1, 0)}
  ) moved group by key`;
}
