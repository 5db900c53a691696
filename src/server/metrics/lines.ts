import { sql } from 'kysely';
import { ENOUGH_PEOPLE } from '#domain/concentration.ts';
import type { Statistic } from '#domain/metrics/metric.ts';
import { authorshipOf } from '../db/attribution-columns.ts';
import { type AnyMetric, countedOf, differences, isDifference, type LineMetric } from './catalogue.ts';
import { carriersOf, contributedBy, numberOf, pullOf } from './compile.ts';
import { allOf } from './conditions.ts';
import type { Counted, LeftOut } from './counted.ts';
import { type DimensionKey, dimensionOf, isOfPull, readsFacts } from './dimensions.ts';
import { contributedIn, contributedTo, type PullInLine } from './sources/activity.ts';
import { nextOf } from './sources/for-signals.ts';
import { heldSince, opened } from './sources/pull-requests.ts';
import { accountsOf, reviewerIn, toolsApart } from './sources/reviewer-acts.ts';
import { type Asked, isTeamOfFacts, type Source, type Sql, teamsOf } from './sources/source.ts';
import type { TeamsApart } from './team-people.ts';

/** What facts of pull requests are told apart by: expressions on those with an alias. A thing has each value of a list. */
const ofFacts = {
  authorship: {
    of: (facts: string) =>
      authorshipOf(facts, sql`(select kind from people where id = ${sql.ref(`${facts}.author_id`)})`),
    isList: false,
  },
  tool: { of: (facts: string) => sql`coalesce(nullif(${sql.ref(`${facts}.agents`)}, '{}'), '{none}')`, isList: true },
} as const;

/** What tells lines apart. */
export type LineKey = DimensionKey | keyof typeof ofFacts;

/** Teams that things are told apart by. */
interface ByTeam {
  readonly teams: TeamsApart;
}

/** Stands in a key before the name of a branch that would else be the key `all` or `others`; git takes no colon in names. */
export const BRANCH = 'branch:';

const isOfFacts = (key: LineKey): key is keyof typeof ofFacts => key in ofFacts;
const hasMany = (key: LineKey) => isOfFacts(key) && ofFacts[key].isList;

/** A metric over time, told apart into lines (docs/metrics.md#trends). */
export interface Lines<Metric extends LineMetric = AnyMetric> {
  readonly metric: Metric;
  readonly statistic: Statistic;
  /** What the lines are; null for one line, `all`. A thing is in the line of each team that it belongs to, or in that of `none`. */
  readonly split: LineKey | ByTeam | null;
  /** The values, as keys of lines, that have a line of their own; what falls into none of them is in `others`. Null: each value has one. */
  readonly shown: readonly string[] | null;
  /** Values of dimensions, of which a thing must have one of each; labels are those of the pull request. */
  readonly only: Readonly<Partial<Record<LineKey | 'labels', readonly string[]>>>;
}

/**
 * A relation of `line`, `key` (1 and up), `value` and `n` (how many things) with a row for each line and bucket in which something counts;
 * of a state, in which something is in it at the bucket's end. Buckets begin at `starts`, ascending; the last ends with the window. The
 * value of who carries things has `people` beside it, to how many they belong, and where these are few, `repositories` and `numbers` of
 * the pull requests.
 */
export function compileLines(asked: Asked, lines: Lines<LineMetric>, starts: readonly Date[]): Sql {
  const { metric } = lines;
  return isDifference(metric)
    ? compileDifference(sidesOf(asked, lines, metric), starts, differences[metric].enough)
    : compileMetric(asked, { ...lines, metric }, starts);
}

function compileMetric(asked: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const counted = countedOf(lines.metric);
  if (counted.from.lasts !== undefined) return compileStates(asked, lines, starts);
  const source = isToldByFactsAlone(lines) ? (counted.from.asFacts ?? counted.from) : counted.from;
  if (source.among !== undefined) return compileMoments(asked, lines, starts);
  const tools = lines.split === 'ai_reviewer' ? toolsApart(asked) : null;
  if (tools !== null && counted.byReviewer !== undefined)
    return compileByReviewer(asked, lines, starts, counted.byReviewer, tools);
  if (counted.made === 'half' && lines.statistic === 'value') return compileHalves(asked, lines, starts);
  const read = rowsOf(source, asked, lines, source.rows(asked, 'each'), 'what counts');
  const number = (statistic: Statistic) => numberOf({ metric: lines.metric, statistic }, counted, asked, read.pull);
  // By bucket first: where that is done by sorting, numbers are compared before texts.
  return sql`(
    select ${read.line} as line, width_bucket(${source.moment}, ${starts}::timestamptz[]) as key,
      ${number(lines.statistic)} as value, ${number('n')} as n
    from ${read.from} where ${read.where} and ${counted.where?.(asked) ?? sql`true`} group by 2, 1)`;
}

/** One side of a difference: what is asked about it. */
export interface Side {
  readonly part: 'reviewer' | 'people';
  readonly asked: Asked;
  readonly lines: Lines;
  /** As which line it stands beside each of the other's, where it is the same beside all; null where each has its own. */
  readonly line: 'all' | null;
}

/** The sides of a difference: AI reviewers, and people beside them, who are the same beside each reviewer that is told apart. */
export function sidesOf(
  asked: Asked,
  lines: Lines<LineMetric>,
  metric: keyof typeof differences,
): readonly [Side, Side] {
  const { of } = differences[metric];
  const ofPeople: Asked = { ...asked, reviewer: { ...reviewerIn(asked), of: 'people' } };
  const own = { ...lines, metric: of };
  const isOneLine = lines.split === 'ai_reviewer';
  return [
    { part: 'reviewer', asked, lines: own, line: null },
    {
      part: 'people',
      asked: ofPeople,
      lines: isOneLine ? { ...own, split: null, shown: null } : own,
      line: isOneLine ? 'all' : null,
    },
  ];
}

/** What `compileLines` is of a difference: over the things of both sides, null with fewer than `enough` on either. */
function compileDifference([own, people]: readonly [Side, Side], starts: readonly Date[], enough: number): Sql {
  const read = ({ asked, lines }: Side) => compileMetric(asked, lines, starts);
  const beside =
    people.line === null
      ? read(people)
      : sql`(select lines.line, beside.key, beside.value, beside.n
          from (select distinct line from own) lines cross join ${read(people)} beside)`;
  return sql`(
    with own as materialized (select * from ${read(own)} told)
    select line, key, case when least(own.n, people.n) >= ${enough}::int then own.value - people.value end as value,
      coalesce(own.n, 0) + coalesce(people.n, 0) as n
    from own full join ${beside} people using (line, key))`;
}

/** What `compileLines` is of the share that each of several reviewers acted on: all are counted once, and each has every one but its own. */
function compileByReviewer(
  asked: Asked,
  lines: Lines,
  starts: readonly Date[],
  { all, reviewed }: NonNullable<Counted['byReviewer']>,
  tools: NonNullable<ReturnType<typeof toolsApart>>,
): Sql {
  const read = (source: Source) =>
    rowsOf(source, asked, { ...lines, split: null }, source.rows(asked, 'each'), 'what counts');
  const [ofAll, acted] = [read(all), read(reviewed)];
  const bucketOf = (source: Source) => sql`width_bucket(${source.moment}, ${starts}::timestamptz[])`;
  return sql`(
    with counted as materialized (
      select ${bucketOf(all)} as key, own.reviewer as own, count(*) as n
      from ${ofAll.from} left join ${accountsOf(tools)} on own.account = it.author_id where ${ofAll.where} group by 1, 2
    ), acted as materialized (
      select ${bucketOf(reviewed)} as key, it.reviewer, count(*) as n from ${acted.from} where ${acted.where} group by 1, 2
    )
    select ${lineOf(sql`reviewer`, false, lines.shown).line} as line, key,
      (coalesce(sum(acted.n), 0) / sum(every.n))::float8 as value, sum(every.n)::int as n
    from (
      select key, reviewer, sum(n) as n from counted
        join unnest(${tools.map(({ tool }) => tool)}::text[]) tool (reviewer) on own is distinct from reviewer group by 1, 2
    ) every left join acted using (key, reviewer) group by 2, 1)`;
}

/** Numbers over the same pull requests beside each other, by their names. */
export type TableColumns = Readonly<Record<string, { readonly metric: AnyMetric; readonly statistic: Statistic }>>;

/**
 * A relation of `line`, `size` and a column for each number, of metrics that facts of pull requests tell by one moment: a row for each line
 * and size in which there is one, and for each line a row of all sizes, whose `size` is null.
 */
export function compileTable(asked: Asked, columns: TableColumns, { split, only }: Pick<Lines, 'split' | 'only'>): Sql {
  const [first] = Object.values(columns).map(({ metric }) => countedOf(metric).from);
  const source = first!.asFacts ?? first!;
  const read = rowsOf(source, asked, { split, shown: null, only }, source.rows(asked, 'each'));
  const numbers = Object.entries(columns).map(
    ([name, column]) => sql`${numberOf(column, countedOf(column.metric), asked, read.pull)} as ${sql.ref(name)}`,
  );
  return sql`(
    select line, size, ${sql.join(numbers)} from (
      select it.*, ${read.line} as line, ${dimensionOf('size', source, 'it', asked)} as size from ${read.from} where ${read.where}
    ) it group by grouping sets ((line), (line, size)))`;
}

/** Whether facts alone say in which line a thing is, and whether it is in any. */
function isToldByFactsAlone({ split, only }: Lines): boolean {
  const keys = [...(split === null ? [] : [split]), ...Object.keys(only)] as (Lines['split'] | 'labels')[];
  const isOfThese = (key: Lines['split'] | 'labels') =>
    typeof key === 'string' && key !== 'labels' && (isOfFacts(key) || readsFacts(key));
  return keys.length > 0 && keys.every(isOfThese);
}

/** For each `line` how many things are left out of the metric in the window, of a state at its end, by why; null where a metric leaves out none by name. */
export function compileLeftOut(asked: Asked, lines: Lines<LineMetric>): Sql | null {
  const { from: source, leftOut = [] } = countedOf(lines.metric);
  const counts = leftOut.flatMap(({ why, where }) =>
    why === undefined || where === undefined
      ? []
      : [sql`(count(*) filter (where ${where(asked)}))::int as ${sql.ref(why)}`],
  );
  if (counts.length === 0) return null;
  const read = rowsOf(source, asked, lines, source.rows(asked, 'each'));
  return sql`(select ${read.line} as line, ${sql.join(counts)} from ${read.from} where ${read.where} group by 1)`;
}

/**
 * How many people were active by `line` and `key` (1 and up), on pull requests of that line: rows of `line key people`, of these lines and
 * buckets alone, and of those in which somebody was.
 */
export function compileActive(
  asked: Asked,
  lines: Lines<LineMetric>,
  starts: readonly Date[],
  wanted: { readonly lines: readonly string[]; readonly keys: readonly number[] },
): Sql {
  const source = contributedIn(
    wanted.keys.map((key) => ({
      after: key === 1 ? asked.window.after : new Date(starts[key - 1]!.getTime() - 1),
      until: key === starts.length ? asked.window.until : new Date(starts[key]!.getTime() - 1),
    })),
  );
  const { from, where, line } = rowsOf(source, asked, lines, source.rows({ ...asked, people: 'humans' }, 'each'));
  return sql`(
    select line, key, count(*)::int as people from (
      select distinct ${line} as line, width_bucket(${source.moment}, ${starts}::timestamptz[]) as key, ${source.person} as person
      from ${from} where ${where} and ${line} = any(${wanted.lines}::text[])
    ) each_once group by line, key)`;
}

/** The same of those who were active on some pull requests, each in its own line and bucket. */
export function compileActiveOn(asked: Asked, starts: readonly Date[], pulls: readonly PullInLine[]): Sql {
  const source = contributedTo(pulls);
  const { from, where } = source.rows({ ...asked, people: 'humans' }, 'each');
  return sql`(
    select it.line, it.key, count(distinct ${source.person})::int as people
    from ${from} where ${where} and width_bucket(${source.moment}, ${starts}::timestamptz[]) = it.key group by 1, 2)`;
}

/**
 * What `compileLines` is of the fewest people to whom half of the things belong; `people` are those to whom any does. Of few people
 * it has the pull requests, by their `repositories` and `numbers`.
 */
function compileHalves(asked: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const { from: source, where } = countedOf(lines.metric);
  const read = rowsOf(source, asked, lines, source.rows(asked, 'each'), 'what counts');
  return sql`(
    select line, key, carriers.half as value, n, carriers.people,
      case when carriers.people < ${ENOUGH_PEOPLE} then repositories end as repositories,
      case when carriers.people < ${ENOUGH_PEOPLE} then numbers end as numbers
    from (
      select ${read.line} as line, width_bucket(${source.moment}, ${starts}::timestamptz[]) as key, count(*)::int as n,
        array_agg(${source.person}) as owners, array_agg(it.repository_id) as repositories, array_agg(it.number) as numbers
      from ${read.from} where ${read.where} and ${where?.(asked) ?? sql`true`} group by 2, 1
    ) given cross join lateral ${carriersOf(sql`owners`)} carriers)`;
}

/**
 * What `compileLines` is of a share of what is so at the ends of buckets: those that came before, less those that left before, each of them
 * looked at once however long it was so.
 */
function compileMoments(asked: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const { from, during } = countedOf(lines.metric);
  const { where, spans, after } = during!;
  const ends = endsOf(asked, starts);
  const moments = sql`${ends}::timestamptz[]`;
  const source = from.among!(ends);
  const read = rowsOf(source, asked, lines, source.rows(asked, 'each'));
  return sql`(
    with spans as materialized (
      select line, since, until, greatest(since, later) as holds, count(*)::int as n from (
        select ${read.line} as line, greatest(it.first, ${nextOf(moments, sql`span.begins`)}) as since,
          least(it.last, ${nextOf(moments, sql`span.ends`)}) as until, 1 + width_bucket(${after(asked)}, ${moments}) as later
        from ${read.from} cross join lateral ${spans} span where ${read.where} and ${where(asked)}
      ) placed where since < until group by 1, 2, 3, 4
    )
    select line, key, (held::numeric / n)::float8 as value, n from (
      select line, key, (sum(sum(change)) over by_line)::int as n, (sum(sum(holding)) over by_line)::int as held from (
        select line, since as key, n as change, 0 as holding from spans
        union all select line, until, -n, 0 from spans
        union all select line, holds, 0, n from spans where holds < until
        union all select line, until, 0, -n from spans where holds < until
        union all select line, key, 0, 0 from (select distinct line from spans) lines cross join generate_series(1, ${ends.length}::int) places (key)
      ) changes where key <= ${ends.length} group by line, key window by_line as (partition by line order by key)
    ) states where n > 0)`;
}

/**
 * The things of one line over the window, as rows of `repository_id number at value`: as many as the point of that line is over. A share
 * is told by the ones and zeros of its things.
 */
export function compileThings(asked: Asked, lines: Lines, line: string): Sql {
  const counted = countedOf(lines.metric);
  const { from: source } = counted;
  const isState = source.lasts !== undefined;
  const read = isState
    ? statesRead(asked, lines)
    : rowsOf(source, asked, lines, source.rows(asked, 'each'), 'what counts');
  const counts = isState ? sql`true` : (counted.where?.(asked) ?? sql`true`);
  return sql`
    select it.repository_id, it.number, ${source.moment} as at, ${contributedBy(counted, asked)} as value
    from ${read.from} where ${read.where} and ${counts} and ${read.line} = ${line}`;
}

/** How many things of one line over the window do not count, by why. */
export function compileLeftOutThings(asked: Asked, lines: Lines, line: string, things: LeftOut): Sql {
  const read = rowsOf(things.from, asked, lines, things.from.rows(asked, 'each'));
  return sql`(
    select count(*)::int as count from ${read.from}
    where ${read.where} and ${things.where?.(asked) ?? sql`true`} and ${read.line} = ${line})`;
}

/**
 * Pull requests opened until the window ends that were in the state of a metric at `first`, a moment in it, or later: from when each was,
 * and the window's end.
 */
function statesOf(
  asked: Asked,
  lines: Lines,
  first: Date | null,
): { readonly begins: Sql; readonly end: Date; readonly read: ReturnType<typeof rowsOf> } {
  const { from: source, afterHours: hours = 0 } = countedOf(lines.metric);
  const { ends, from: since } = source.lasts!;
  const { window, now } = asked;
  // What is dated later than now counts as now.
  const until = window.until !== null && window.until < now ? window.until : null;
  const end = new Date((window.until ?? now).getTime() + 1);
  const opening = sql`least(${since}, ${now}::timestamptz)`;
  const begins =
    hours === 0 ? opening : sql`(${opening} + make_interval(secs => ${(hours * 3_600_000 + 1) / 1000}::float8))`;
  const openSince = heldSince(first ?? end).rows({ ...asked, window: { after: new Date(0), until } }, 'whole');
  const read = rowsOf(opened, asked, lines, openSince);
  return {
    begins,
    end,
    read: {
      ...read,
      where: sql`${read.where} and ${begins} < ${end} and (${ends} is null or ${ends} > ${begins})`,
    },
  };
}

/** What is in a state when the window ends, by when it was opened. */
function statesRead(asked: Asked, lines: Lines): ReturnType<typeof rowsOf> {
  return statesOf(asked, lines, null).read;
}

/** When buckets end; the last one with the window, or now. */
function endsOf({ window: { until }, now }: Asked, starts: readonly Date[]): Date[] {
  return [...starts.slice(1), until === null ? now : new Date(until.getTime() + 1)];
}

/** How many are in a state at the ends of buckets: those that came into it before, less those that left it before. */
function compileStates(asked: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const { ends: left } = countedOf(lines.metric).from.lasts!;
  const [first = null] = starts.slice(1);
  const { begins, end, read } = statesOf(asked, lines, first);
  const ends = [...starts.slice(1), end];
  const place = (moment: Sql) => sql`1 + width_bucket(${moment}, ${ends}::timestamptz[])`;
  return sql`(
    with held as materialized (
      select ${read.line} as line, ${place(begins)} as since, ${place(left)} as until, count(*) as n
      from ${read.from} where ${read.where} and (${left} is null or ${place(begins)} < ${place(left)}) group by 1, 2, 3
    )
    select line, key, n as value, n from (
      select line, key, (sum(sum(change)) over (partition by line order by key))::int as n from (
        select line, since as key, n as change from held union all
        select line, until, -n from held where until is not null union all
        select line, key, 0 from (select distinct line from held) lines cross join generate_series(1, ${ends.length}::int) places (key)
      ) changes where key <= ${ends.length} group by line, key
    ) states where n > 0)`;
}

/** The rows of a source, all or those that may count, joined with what the split and the filters look at. */
function rowsOf(
  source: Source,
  asked: Asked,
  { split, shown, only }: Pick<Lines, 'split' | 'shown' | 'only'>,
  { from, where }: { readonly from: Sql; readonly where: Sql },
  which: 'all' | 'what counts' = 'all',
): { readonly from: Sql; readonly where: Sql; readonly line: Sql; readonly pull: string } {
  const { labels, ...byDimension } = only;
  const filters = Object.entries(byDimension) as [LineKey, readonly string[]][];
  const teams = split === null || typeof split === 'string' ? null : split.teams;
  const keys = [...(typeof split === 'string' ? [split] : []), ...filters.map(([key]) => key)];
  const dimensions = keys.filter((key) => !isOfFacts(key));
  const bound = which === 'all' ? undefined : source.factsOfCounted;
  const ofPull = source.pull === undefined && dimensions.some(isOfPull);
  const facts = factsOf(
    source,
    keys.some((key) => isOfFacts(key) || readsFacts(key)) ||
      (bound !== undefined && ofPull) ||
      (teams !== null && isTeamOfFacts(source, asked)),
    // Of the repository of a thing; that it is in scope says the index where to begin.
    (alias) => (bound === undefined ? [] : [asked.scope.filter(alias), bound(alias, asked)]),
  );
  const isToldByFacts = bound !== undefined && ofPull;
  const pull = pullOf(source, isToldByFacts ? [] : dimensions, labels !== undefined);
  const of = isToldByFacts ? facts.alias! : pull.alias;
  const expression = (key: LineKey) =>
    isOfFacts(key) ? ofFacts[key].of(facts.alias!) : dimensionOf(key, source, of, asked, facts.alias);
  const conditions = filters.map(([key, values]) =>
    hasMany(key)
      ? sql`${expression(key)} && ${values}::text[]`
      : sql`(${expression(key)})::text = any(${values}::text[])`,
  );
  if (labels !== undefined)
    conditions.push(sql`exists (select from unnest(${sql.ref(`${pull.alias}.labels`)}) label
      where lower(label) = any(${labels.map((label) => label.toLowerCase())}::text[]) or label = any(${labels}::text[]))`);
  const told =
    teams !== null
      ? teamLineOf(teamsOf(source, asked, teams, facts.alias ?? 'it'), teams, shown)
      : typeof split === 'string'
        ? lineOf(split === 'base_branch' ? branchKeyOf(expression(split)) : expression(split), hasMany(split), shown)
        : null;
  return {
    from: sql`${from}${pull.join}${facts.join}${told?.join ?? sql``}`,
    where: allOf([where, ...conditions]),
    line: told?.line ?? sql`'all'::text`,
    pull: pull.alias,
  };
}

const branchKeyOf = (branch: Sql) =>
  sql`coalesce(nullif(nullif(${branch}, 'all'), 'others'), ${BRANCH}::text || ${branch})`;

/** In which line a thing is, or in which ones. */
function lineOf(
  value: Sql,
  many: boolean,
  shown: readonly string[] | null,
): { readonly line: Sql; readonly join: Sql } {
  const names = sql`${shown}::text[]`;
  if (!many) {
    const text = sql`(${value})::text`;
    return {
      line: shown === null ? text : sql`case when ${text} = any(${names}) then ${text} else 'others' end`,
      join: sql``,
    };
  }
  const values =
    shown === null
      ? value
      : sql`case when ${value} <@ ${names} then ${value}
          when ${value} && ${names} then array(select unnest(${value}) intersect select unnest(${names})) else array['others'] end`;
  return { line: sql`each_line.line`, join: sql` cross join lateral unnest(${values}) each_line (line)` };
}

/** In the line of which teams a thing is, or in that of none of them. */
function teamLineOf(
  { join, isOf }: ReturnType<typeof teamsOf>,
  { names }: TeamsApart,
  shown: readonly string[] | null,
): { readonly line: Sql; readonly join: Sql } {
  const line = sql`each_team.team_id::text`;
  if (shown === null) return { line: sql`coalesce(${line}, 'none')`, join: join(null) };
  const ids = shown.flatMap((key) => (key === 'none' ? [] : [Number(key)]));
  const others = [...names.keys()].filter((id) => !ids.includes(id));
  const rest = shown.includes('none') ? sql`case when ${isOf(others)} then 'others' else 'none' end` : sql`'others'`;
  return { line: sql`coalesce(${line}, ${rest})`, join: join(ids) };
}

/** The facts of a thing's pull request, with null for an alias where nothing looks at them. */
function factsOf(
  source: Source,
  wanted: boolean,
  bounds: (alias: string) => readonly Sql[],
): { readonly alias: string | null; readonly join: Sql } {
  if (source.isFacts) return { alias: 'it', join: sql`` };
  if (!wanted) return { alias: null, join: sql`` };
  const alias = 'its_facts';
  const on = [sql`its_facts.repository_id = it.repository_id`, sql`its_facts.number = it.number`, ...bounds(alias)];
  return { alias, join: sql` join pull_request_facts its_facts on ${allOf(on)}` };
}
