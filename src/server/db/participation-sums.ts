import { type RawBuilder, sql } from 'kysely';

type Sql = RawBuilder<unknown>;

/** What is summed of everything that a person did; the first ones of all time, too, the others by month alone. */
export const ofAllTime = [
  'opened',
  'open',
  'merged',
  'counting_reviews',
  'automated_reviews',
  'submitted_reviews',
  'by_agent',
  'open_by_agent',
  'merged_by_agent',
] as const;
const byMonth = [
  'reviewed',
  'lines_opened',
  'ended',
  'merge_ms',
  'with_cycles',
  'cycles',
  'responses',
  'response_ms',
  'contributions',
] as const;
export const counted = [...ofAllTime, ...byMonth];
type Counted = (typeof counted)[number];
export const months = ['opened', 'merged', 'counting_reviews', ...byMonth] as const;

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

export function list(names: readonly Counted[]): Sql {
  return sql.join(names.map((name) => sql.ref(name)));
}

export function sumsOf(names: readonly Counted[]): Sql {
  return sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));
}

/** Assignments that add one row's numbers to those of another, or take them away. */
export function changed(row: string, sign: '+' | '-', other: string, names: readonly Counted[]): Sql {
  const columns = names.map((name) => {
    const [own, others] = [sql.ref(`${row}.${name}`), sql.ref(`${other}.${name}`)];
    return sql`${sql.ref(name)} = ${own} ${sql.raw(sign)} ${others}`;
  });
  return sql.join(columns);
}

/** Rows for `participations`, of the pull requests chosen. */
export function participationsOf(repositoryId: Sql, chosen: Sql): Sql {
  /** One row for each thing that a person did: whom it concerns, when it counts, when it was an activity, and what it adds. */
  const each = (person: string, at: string, activity: string | null, adds: Partial<Record<Counted, string>>) => sql`
    select p.number, ${sql.ref(person)} as person_id, date_trunc('month', ${sql.ref(at)})::date as month,
      ${activity === null ? sql`null::timestamptz` : sql.ref(activity)} as activity,
      ${sql.join(counted.map((name) => sql`${sql.raw(adds[name] ?? '0')} as ${sql.ref(name)}`))}`;
  return sql`
    select ${repositoryId}, number, person_id, month, max(activity), ${sumsOf(counted)}
    from (
      ${each('p.author_id', 'p.created_at', 'p.created_at', {
        opened: '1',
        open: "(state = 'open')::int",
        by_agent: 'by_agent::int',
        open_by_agent: "(by_agent and state = 'open')::int",
        lines_opened: 'p.lines_changed::float8',
        contributions: '1',
      })} from pull_requests p join pull_request_facts f using (repository_id, number) where ${chosen}
      union all
      ${each('p.author_id', 'p.ended_at', null, {
        ended: '1',
        merged_by_agent: '(by_agent and merged_at is not null)::int',
        merged: '(merged_at is not null)::int',
        merge_ms: 'coalesce(round(time_to_merge * 3600000), 0)',
        with_cycles: '(merged_at is not null and review_cycles > 0)::int',
        cycles: 'case when merged_at is not null then review_cycles else 0 end',
      })} from pull_requests p join pull_request_facts f using (repository_id, number)
        where ${chosen} and p.ended_at is not null
      union all
      ${each('author_id', 'submitted_at', 'submitted_at', {
        counting_reviews: 'counts::int',
        automated_reviews: 'automated::int',
        submitted_reviews: '1',
        reviewed: '(counts and latest)::int',
        responses: '(counts and response_hours is not null)::int',
        response_ms: 'case when counts then coalesce(round(response_hours * 3600000), 0) else 0 end',
        contributions: '(counts or automated)::int',
      })} from reviews p where ${chosen}
      union all
      ${each('author_id', 'authored_at', null, { contributions: '1' })} from commits p where ${chosen} and author_id is not null
        and not (author_is_bot and exists (select from people h where h.id = p.author_id and h.kind = 'human'))
      union all
      ${each('author_id', 'created_at', 'created_at', { contributions: '1' })} from comments p where ${chosen}
        and (kind = 'inline' or author_id is not null)
      union all
      ${each('person_id', 'at', 'at', {})} from timeline_moments p where person_id is not null and ${chosen}
    ) done group by number, person_id, month`;
}
