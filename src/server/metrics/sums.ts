import { sql } from 'kysely';
import type { MetricKey } from '#domain/metrics/metric.ts';
import { list } from '../db/columns.ts';
import { ofTeam } from './asked.ts';
import { humansOf, splitByTenure } from './belongs.ts';
import { catalogue, countedOf } from './catalogue.ts';
import { compile } from './compile.ts';
import { allOf } from './conditions.ts';
import { contributions } from './contributions.ts';
import { counted, float8, type KeptColumn, months } from './kept-columns.ts';
import { contributed } from './sources/activity.ts';
import { ended, opened } from './sources/pull-requests.ts';
import { reviews } from './sources/reviews.ts';
import type { Asked, Source, Sql } from './sources/source.ts';
import { isEverMember, type ScopeTeam } from './team-people.ts';

/*
 * What metrics are summed in for each person, made from their entries in the catalogue, so that no list of people reads all history and
 * no long period reads every pull request in it (docs/server.md#lists-and-searches).
 */

/** What a thing, `it`, adds to a column: its value, or 1, where all conditions hold. */
interface Added {
  readonly conditions: readonly Sql[];
  readonly value: Sql | null;
}
type Adds = Partial<Record<KeptColumn, Added>>;

/** What the things of a source add to the columns that its metrics are kept in. */
function addsOf(source: Source): Adds {
  const adds: Adds = {};
  for (const metric of Object.values(catalogue)) {
    if ('per' in metric || metric.from !== source || metric.kept === undefined) continue;
    const { n, sum, times } = metric.kept;
    const condition = metric.isKept ?? metric.where?.(ofTeam);
    const conditions = condition === undefined ? [] : [condition];
    adds[n] = { conditions, value: null };
    if (sum === undefined) continue;
    const value = metric.value!(ofTeam);
    if (metric.made === 'share') adds[sum] = { conditions: [...conditions, value], value: null };
    else adds[sum] = { conditions, value: times === undefined ? value : sql`round(${value} * ${sql.lit(times)})` };
  }
  return adds;
}

/** Of one thing. */
function addedBy({ conditions, value }: Added): Sql {
  if (conditions.length === 0) return value ?? sql`1`;
  return sql`case when ${allOf(conditions)} then ${value ?? sql`1`} else 0 end`;
}

/** Of many things. */
function addedUp({ conditions, value }: Added): Sql {
  const all = value === null ? sql`count(*)` : sql`sum(${value})`;
  return conditions.length === 0 ? all : sql`${all} filter (where ${allOf(conditions)})`;
}

/**
 * What the rows of `contributor_months` hold of these participations, their months and the years that begin with each quarter: rows of
 * `person_id span month participations` and the sums, for each of the `keys`. `rows` says how many participations a row stands for.
 */
export const spansOf = (
  participations: string,
  { chosen = sql`true`, keys = sql`person_id`, rows = sql`count(*)` }: { chosen?: Sql; keys?: Sql; rows?: Sql } = {},
) => sql`
  select ${keys}, span.span, span.month, sum(participations) as participations, ${sumsOf(months)}
  from (
    select ${keys}, month, date_trunc('quarter', month::timestamp) as quarter, ${rows} as participations, ${sumsOf(months)}
    from ${sql.table(participations)} where ${chosen} and person_id is not null group by ${keys}, month
  ) of_month
  cross join lateral (
    select 0 as span, month
    union all
    select extract(month from first)::int, first::date from generate_series(quarter - interval '9 months', quarter, '3 months') first
  ) span
  group by ${keys}, span.span, span.month`;

export function sumsOf(names: readonly KeptColumn[]): Sql {
  return sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));
}

/** Assignments that add one row's numbers to those of another, or take them away. */
export function changed(row: string, sign: '+' | '-', other: string, names: readonly KeptColumn[]): Sql {
  const columns = names.map((name) => {
    const [own, others] = [sql.ref(`${row}.${name}`), sql.ref(`${other}.${name}`)];
    return sql`${sql.ref(name)} = ${own} ${sql.raw(sign)} ${others}`;
  });
  return sql.join(columns);
}

/** Rows for `participations`, of the pull requests chosen by a condition on `repository_id` and `number`. */
export function participationsOf(repositoryId: Sql, chosen: Sql): Sql {
  /** One row for each thing that a person did: whom it concerns, when it counts, when it was an activity, and what it adds. */
  const each = (from: Sql, { person, moment }: Source, activity: Sql | null, adds: Adds) => sql`
    select it.number, ${person} as person_id, date_trunc('month', ${moment})::date as month,
      ${activity ?? sql`null::timestamptz`} as activity,
      ${sql.join(counted.map((name) => sql`${adds[name] === undefined ? sql`0` : addedBy(adds[name])} as ${sql.ref(name)}`))}
    from ${from}`;
  const facts = (where: Sql) => sql`pull_request_facts it where ${chosen} and ${where}`;
  const isOpen = sql`it.ended_at is null`;
  const where = (...conditions: Sql[]): Added => ({ conditions, value: null });
  return sql`
    select ${repositoryId}, number, person_id, month, max(activity), ${sumsOf(counted)}
    from (
      ${each(facts(sql`true`), opened, opened.moment, {
        ...addsOf(opened),
        open: where(isOpen),
        by_agent: where(sql`it.by_agent`),
        open_by_agent: where(sql`it.by_agent`, isOpen),
      })}
      union all
      ${each(facts(sql`it.ended_at is not null`), ended, null, {
        ...addsOf(ended),
        merged_by_agent: where(sql`it.by_agent`, sql`it.time_to_merge is not null`),
      })}
      union all
      ${each(sql`reviews it where ${chosen}`, reviews, reviews.moment, {
        ...addsOf(reviews),
        automated_reviews: where(sql`it.automated`),
        submitted_reviews: where(),
      })}
      union all
      ${each(
        sql`(${contributions(({ person }) => sql`${chosen} and ${person} is not null`, { withSha: true })}) it`,
        contributed,
        null,
        addsOf(contributed),
      )}
      union all
      ${each(
        sql`(select number, author_id as person_id, created_at as at from comments where ${chosen} and review_id is not null) it`,
        contributed,
        contributed.moment,
        {},
      )}
      union all
      ${each(
        sql`(select number, person_id, at from timeline_moments where ${chosen} and person_id is not null) it`,
        contributed,
        contributed.moment,
        {},
      )}
    ) done group by number, person_id, month`;
}

/**
 * What each person's metrics come to since the window began, which ends now: a relation of `person_id`, the names given, and
 * `contributions`, those of whole months alone: a person with none may still have some before them. Whole years that begin with a
 * calendar quarter of UTC, and the whole months before the first of them, are taken from what is kept of them, so that a year costs little
 * more than a month; what lies before the first whole month is read itself. Deleted accounts have no row. Of a team it is what each did as a
 * member: sums tell that of those who always are, of whoever joined or left everything is read itself, with no `contributions`. Agents' pull
 * requests of who started them are summed for nobody: they are read themselves.
 */
export function keptSince(asked: Asked, metrics: Readonly<Record<string, MetricKey>>): Sql {
  const { team } = asked.scope;
  if (team === null) return keptOfAll(asked, metrics);
  const { always, sometimes } = splitByTenure(team);
  const names = Object.keys(metrics);
  const ofPart = (part: ScopeTeam): Asked => ({ ...asked, scope: asked.scope.ofPart(part) });
  const told = (name: string) => sql`${sql.ref(name)}::float8`;
  return sql`(
    select person_id, contributions, ${list(names)} from ${keptOfAll(ofPart(always), metrics)} always
    union all
    select key, 0, ${sql.join(names.map(told))} from ${compile(ofPart(sometimes), metrics, 'person')} sometimes)`;
}

/** The same of those who, of a team, were members all the time. */
function keptOfAll(asked: Asked, metrics: Readonly<Record<string, MetricKey>>): Sql {
  const { team } = asked.scope;
  const after = asked.window.after;
  const month = firstOfMonths(1, after);
  const quarter = firstOfMonths(3, after);
  const wanted = Object.entries(metrics).map(([name, key]) => ({
    name,
    metric: countedOf(key),
    kept: countedOf(key).kept!,
  }));
  const columns = [
    ...new Set([
      'contributions' as const,
      ...wanted.flatMap(({ kept: { n, sum } }) => (sum === undefined ? [n] : [n, sum])),
    ]),
  ];
  const isListed = team === null ? sql`true` : isEverMember(humansOf(team), sql`person_id`);
  const keptIn = (span: Sql) => sql`
      select person_id, ${list(columns)} from contributor_months where ${asked.scope.filter()} and ${span} and ${isListed}`;
  const { scope } = asked;
  const sources = [...new Set(wanted.map(({ metric }) => metric.from))];
  const readFrom = (source: Source, of: Partial<Asked>) => {
    const { from, where } = source.rows({ ...asked, byPerson: true, ...of }, 'whole');
    const adds = addsOf(source);
    return sql`
      select ${source.person}, ${sql.join(columns.map((name) => sql`${adds[name] === undefined ? sql`0` : addedUp(adds[name])}::${float8.has(name) ? sql`float8` : sql`int`} as ${sql.ref(name)}`))}
      from ${from} where ${where} group by ${source.person}`;
  };
  const before = { after, until: new Date(month.getTime() - 1) };
  const rest = sources.map((source) => readFrom(source, { scope: scope.by('openers'), window: before }));
  // With what says that somebody was active at all.
  const authored = new Set([...sources.filter(({ isAuthored }) => isAuthored), contributed]);
  const started = [...authored].map((source) => readFrom(source, { scope: scope.by('starters') }));
  const parts = [
    keptIn(sql`span = ${quarter.getUTCMonth() + 1} and month >= ${quarter}::date`),
    ...(month < quarter ? [keptIn(sql`span = 0 and month >= ${month}::date and month < ${quarter}::date`)] : []),
    ...rest,
    ...(scope.authors === 'both' ? started : []),
  ];
  const sum = (name: KeptColumn) => sql`sum(${sql.ref(name)})::float8`;
  const numbers = wanted.map(({ name, metric, kept: { n, sum: of, times = 1 } }) => {
    if (metric.made === 'count') return sql`${sum(n)} as ${sql.ref(name)}`;
    return sql`${sum(of!)} / nullif(${sum(n)}, 0) / ${sql.lit(times)} as ${sql.ref(name)}`;
  });
  return sql`(
    select person_id, ${sum('contributions')} as contributions, ${sql.join(numbers)}
    from (${sql.join(parts, sql` union all `)}) part
    where person_id is not null group by person_id)`;
}

/** The beginning of the first calendar month of UTC, or quarter, that lies after a moment as a whole. */
function firstOfMonths(months: 1 | 3, moment: Date): Date {
  const month = moment.getUTCMonth();
  return new Date(Date.UTC(moment.getUTCFullYear(), month - (month % months) + months, 1));
}
