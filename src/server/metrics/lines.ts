import { sql } from 'kysely';
import type { Statistic } from '#domain/metrics/metric.ts';
import { authorshipOf } from '../db/attribution-columns.ts';
import { type AnyMetric, countedOf } from './catalogue.ts';
import { contributedBy, numberOf, pullOf } from './compile.ts';
import { allOf } from './conditions.ts';
import type { LeftOut } from './counted.ts';
import { type DimensionKey, dimensionOf, readsFacts } from './dimensions.ts';
import { type Asked, opened, type Source, type Sql } from './sources.ts';

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

const isOfFacts = (key: LineKey): key is keyof typeof ofFacts => key in ofFacts;
const hasMany = (key: LineKey) => isOfFacts(key) && ofFacts[key].isList;

/** A metric over time, told apart into lines (docs/metrics.md#trends). */
export interface Lines {
  readonly metric: AnyMetric;
  readonly statistic: Statistic;
  /** What the lines are; null for one line, `all`. */
  readonly split: LineKey | null;
  /** The values that have a line of their own; what falls into none of them is in `others`. Null: each value has one. */
  readonly shown: readonly string[] | null;
  /** Values of dimensions, of which a thing must have one of each; labels are those of the pull request. */
  readonly only: Readonly<Partial<Record<LineKey | 'labels', readonly string[]>>>;
}

/**
 * A relation of `line`, `key` (1 and up), `value` and `n` (how many things) with a row for each line and bucket in which something counts;
 * of a state, in which something is in it at the bucket's end. Buckets begin at `starts`, ascending; the last ends with the window.
 */
export function compileLines(asked: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const counted = countedOf(lines.metric);
  const { from: source } = counted;
  if (source.lasts !== undefined) return compileStates(asked, lines, starts);
  if (source.isAtMoments) return compileMoments(asked, lines, starts);
  const read = rowsOf(source, asked, lines, source.rows(asked, 'each'));
  const number = (statistic: Statistic) => numberOf({ metric: lines.metric, statistic }, counted, asked, read.pull);
  return sql`(
    select ${read.line} as line, width_bucket(${source.moment}, ${starts}::timestamptz[]) as key,
      ${number(lines.statistic)} as value, ${number('n')} as n
    from ${read.from} where ${read.where} and ${counted.where?.(asked) ?? sql`true`} group by 1, 2)`;
}

/** For each `line` how many things are left out of the metric in the window, of a state at its end, by why; null where a metric leaves out none by name. */
export function compileLeftOut(asked: Asked, lines: Lines): Sql | null {
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

/** What `compileLines` is of what is so at the ends of buckets. */
function compileMoments(whoever: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const counted = countedOf(lines.metric);
  const moments = endsOf(whoever, starts);
  const asked: Asked = { ...whoever, health: whoever.health && { ...whoever.health, moments } };
  const read = rowsOf(counted.from, asked, lines, counted.from.rows(asked, 'each'));
  const number = (statistic: Statistic) => numberOf({ metric: lines.metric, statistic }, counted, asked, read.pull);
  return sql`(
    select ${read.line} as line, width_bucket(${counted.from.moment}, ${moments}::timestamptz[]) as key,
      ${number(lines.statistic)} as value, ${number('n')} as n
    from ${read.from} where ${read.where} and ${counted.where?.(asked) ?? sql`true`} group by 1, 2)`;
}

/**
 * The things of one line over the window, as rows of `repository_id number at value`: as many as the point of that line is over. A share
 * is told by the ones and zeros of its things.
 */
export function compileThings(asked: Asked, lines: Lines, line: string): Sql {
  const counted = countedOf(lines.metric);
  const { from: source } = counted;
  const isState = source.lasts !== undefined;
  const read = isState ? statesRead(asked, lines) : rowsOf(source, asked, lines, source.rows(asked, 'each'));
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

/** All pull requests opened until the window ends: from when each was in the state of a metric, and the window's end. */
function statesOf(
  asked: Asked,
  lines: Lines,
): { readonly begins: Sql; readonly end: Date; readonly read: ReturnType<typeof rowsOf> } {
  const { from: source, afterHours: hours = 0 } = countedOf(lines.metric);
  const { window, now } = asked;
  // What is dated later than now counts as now.
  const until = window.until !== null && window.until < now ? window.until : null;
  const since = sql`least(${source.lasts!.from}, ${now}::timestamptz)`;
  return {
    begins: hours === 0 ? since : sql`(${since} + make_interval(secs => ${(hours * 3_600_000 + 1) / 1000}::float8))`,
    end: new Date((window.until ?? now).getTime() + 1),
    read: rowsOf(opened, asked, lines, opened.rows({ ...asked, window: { after: new Date(0), until } }, 'whole')),
  };
}

/** What is in a state when the window ends, by when it was opened. */
function statesRead(asked: Asked, lines: Lines): ReturnType<typeof rowsOf> {
  const { begins, end, read } = statesOf(asked, lines);
  const { ends } = countedOf(lines.metric).from.lasts!;
  return {
    ...read,
    where: sql`${read.where} and ${begins} < ${end}
    and (${ends} is null or (${ends} >= ${end} and ${ends} > ${begins}))`,
  };
}

/** When buckets end; the last one with the window, or now. */
function endsOf({ window: { until }, now }: Asked, starts: readonly Date[]): Date[] {
  return [...starts.slice(1), until === null ? now : new Date(until.getTime() + 1)];
}

/** How many are in a state at the ends of buckets: those that came into it before, less those that left it before. */
function compileStates(asked: Asked, lines: Lines, starts: readonly Date[]): Sql {
  const { lasts } = countedOf(lines.metric).from;
  const { begins, end, read } = statesOf(asked, lines);
  const ends = [...starts.slice(1), end];
  // What ended before the first of the ends is in none of them.
  const where = sql`${read.where} and ${begins} < ${end}
    and (${lasts!.ends} is null or (${lasts!.ends} >= ${ends[0]} and ${lasts!.ends} > ${begins}))`;
  const change = (moment: Sql, by: number) => sql`
    select ${read.line} as line, 1 + width_bucket(${moment}, ${ends}::timestamptz[]) as key, ${sql.lit(by)} as change
    from ${read.from} where ${where}`;
  return sql`(
    select line, key, n as value, n from (
      select line, key, (sum(coalesce(sum(change), 0)) over (partition by line order by key))::int as n from (
        ${change(begins, 1)} union all
        select * from (${change(sql`${lasts!.ends}`, -1)} and ${lasts!.ends} is not null) left_it union all
        select line, key, 0 from (select distinct ${read.line} as line from ${read.from} where ${where}) those
          cross join generate_series(1, ${ends.length}::int) place (key)
      ) moved where key <= ${ends.length} group by line, key
    ) states where n > 0)`;
}

/** The rows of a source, joined with what the split and the filters look at. */
function rowsOf(
  source: Source,
  asked: Asked,
  { split, shown, only }: Lines,
  { from, where }: { readonly from: Sql; readonly where: Sql },
): { readonly from: Sql; readonly where: Sql; readonly line: Sql; readonly pull: string } {
  const { labels, ...byDimension } = only;
  const filters = Object.entries(byDimension) as [LineKey, readonly string[]][];
  const keys = [...(split === null ? [] : [split]), ...filters.map(([key]) => key)];
  const dimensions = keys.filter((key) => !isOfFacts(key));
  const pull = pullOf(source, labels === undefined ? dimensions : [...dimensions, 'base_branch']);
  const facts = factsOf(
    source,
    keys.some((key) => isOfFacts(key) || readsFacts(key)),
  );
  const expression = (key: LineKey) =>
    isOfFacts(key) ? ofFacts[key].of(facts.alias) : dimensionOf(key, source, pull.alias, asked, facts.alias);
  const conditions = filters.map(([key, values]) =>
    hasMany(key)
      ? sql`${expression(key)} && ${values}::text[]`
      : sql`(${expression(key)})::text = any(${values}::text[])`,
  );
  if (labels !== undefined)
    conditions.push(sql`exists (select from unnest(${sql.ref(`${pull.alias}.labels`)}) label
      where lower(label) = any(${labels.map((label) => label.toLowerCase())}::text[]))`);
  const told = split === null ? null : lineOf(expression(split), hasMany(split), shown);
  return {
    from: sql`${from}${pull.join}${facts.join}${told?.join ?? sql``}`,
    where: allOf([where, ...conditions]),
    line: told?.line ?? sql`'all'::text`,
    pull: pull.alias,
  };
}

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
      : sql`case when ${value} && ${names} then array(select unnest(${value}) intersect select unnest(${names}))
          else array['others'] end`;
  return { line: sql`each_line.line`, join: sql` cross join lateral unnest(${values}) each_line (line)` };
}

function factsOf(source: Source, wanted: boolean): { readonly alias: string; readonly join: Sql } {
  if (source.isFacts || !wanted) return { alias: 'it', join: sql`` };
  return {
    alias: 'its_facts',
    join: sql` join pull_request_facts its_facts
      on its_facts.repository_id = it.repository_id and its_facts.number = it.number`,
  };
}
