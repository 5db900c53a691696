import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

type Sql = RawBuilder<unknown>;

/** What is summed of everything that a person did; the first ones of all time, too, the others by month alone. */
const ofAllTime = [
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
const counted = [...ofAllTime, ...byMonth];
type Counted = (typeof counted)[number];
const months = ['opened', 'merged', 'counting_reviews', ...byMonth] as const;

/**
 * What the rows of `contributor_months` hold of these participations, their months and the years that begin with each quarter: rows of
 * `person_id span month participations` and the sums.
 */
const spansOf = (participations: string, chosen: Sql = sql`true`) => sql`
  select person_id, span.span, span.month, sum(participations) as participations, ${sumsOf(months)}
  from (
    select person_id, month, date_trunc('quarter', month::timestamp) as quarter, count(*) as participations, ${sumsOf(months)}
    from ${sql.table(participations)} where ${chosen} and person_id is not null group by person_id, month
  ) of_month
  cross join lateral (
    select 0 as span, month
    union all
    select extract(month from first)::int, first::date from generate_series(quarter - interval '9 months', quarter, '3 months') first
  ) span
  group by person_id, span.span, span.month`;

/**
 * Brings `participations`, `contributor_totals` and `contributor_months` in line with what is stored of these pull requests, so that
 * no list of people reads all history and no long period reads every pull request in it (metric definitions, section 4, "List",
 * "Who exists" and `team_averages`). To be called once, last, in every transaction that stores pull requests, computes their facts
 * anew or deletes them: the numbers of the deleted ones too.
 * Locks the repository's row until the transaction ends, so that two of them never add to the same totals at once.
 */
export async function recountParticipations(
  transaction: Transaction<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const these = sql`repository_id = ${repositoryId} and number = any(${numbers}::int[])`;
  await sql`select from repositories where id = ${repositoryId} for no key update`.execute(transaction);

  const { rows: gone } = await sql<{ people: (number | null)[]; months: string[] }>`
    with gone as (delete from participations where ${these} returning *),
    gone_spans as (${spansOf('gone')}),
    gone_months as (
      update contributor_months m set participations = m.participations - s.participations, ${changed('m', '-', 's', months)}
      from gone_spans s
      where m.repository_id = ${repositoryId} and m.span = s.span and m.month = s.month and m.person_id = s.person_id
    ),
    gone_totals as (
      update contributor_totals t set ${changed('t', '-', 's', ofAllTime)}
      from (select person_id, ${sumsOf(ofAllTime)} from gone group by person_id) s
      where t.repository_id = ${repositoryId} and t.person_id is not distinct from s.person_id
    )
    select array(select distinct person_id from gone) as people,
      array(select distinct month::text from gone_spans) as months`.execute(transaction);

  const { rows: fresh } = await sql<{ person_id: number | null }>`
    with fresh as (
      insert into participations (repository_id, number, person_id, month, last_activity_at, ${list(counted)})
      ${participationsOf(sql`${repositoryId}::int`, these)}
      returning *
    ),
    fresh_months as (
      insert into contributor_months as m (repository_id, person_id, span, month, participations, ${list(months)})
      select ${repositoryId}::int, spans.* from (${spansOf('fresh')}) spans
      on conflict (repository_id, person_id, span, month) do update set
        participations = m.participations + excluded.participations, ${changed('m', '+', 'excluded', months)}
    )
    insert into contributor_totals as t (repository_id, person_id, last_activity_at, ${list(ofAllTime)})
    select ${repositoryId}::int, person_id, max(last_activity_at), ${sumsOf(ofAllTime)} from fresh group by person_id
    on conflict (repository_id, person_id) do update set ${changed('t', '+', 'excluded', ofAllTime)}
    returning t.person_id`.execute(transaction);

  const { people, months: emptied } = gone[0]!;
  const touched = [...new Set([...people, ...fresh.map(({ person_id }) => person_id)])];
  const theirs = sql`t.repository_id = ${repositoryId}
    and (t.person_id = any(${touched}::int[]) or (t.person_id is null and ${touched.includes(null)}))`;
  await sql`
    with empty_months as (
      delete from contributor_months m where m.repository_id = ${repositoryId} and m.month = any(${emptied}::date[])
        and m.person_id = any(${touched}::int[]) and m.participations = 0
    )
    delete from contributor_totals t where ${theirs} and not exists (select from participations p
      where p.repository_id = t.repository_id and p.person_id is not distinct from t.person_id)`.execute(transaction);
  await sql`
    update contributor_totals t set last_activity_at = (select max(p.last_activity_at) from participations p
      where p.repository_id = t.repository_id and p.person_id = t.person_id)
    where ${theirs} and t.person_id is not null`.execute(transaction);
}

/** Computes every participation of a repository from what is stored, after a change of the schema, a bulk load or a repair. */
export async function recountAllParticipations(db: Kysely<Database>, repositoryId: number): Promise<void> {
  if (!db.isTransaction) {
    await db.transaction().execute(async (within) => await recountAllParticipations(within, repositoryId));
    return;
  }
  const all = sql`repository_id = ${repositoryId}`;
  await sql`select from repositories where id = ${repositoryId} for no key update`.execute(db);
  await sql`delete from participations where ${all}`.execute(db);
  await sql`delete from contributor_totals where ${all}`.execute(db);
  await sql`delete from contributor_months where ${all}`.execute(db);
  await sql`
      insert into participations (repository_id, number, person_id, month, last_activity_at, ${list(counted)})
      ${participationsOf(sql`${repositoryId}::int`, all)}`.execute(db);
  await sql`
      insert into contributor_months (repository_id, person_id, span, month, participations, ${list(months)})
      select ${repositoryId}::int, spans.* from (${spansOf('participations', all)}) spans order by span, month`.execute(
    db,
  );
  await sql`
      insert into contributor_totals (repository_id, person_id, last_activity_at, ${list(ofAllTime)})
      select repository_id, person_id, max(last_activity_at), ${sumsOf(ofAllTime)}
      from participations where ${all} group by repository_id, person_id`.execute(db);
}

function list(names: readonly Counted[]): Sql {
  return sql.join(names.map((name) => sql.ref(name)));
}

function sumsOf(names: readonly Counted[]): Sql {
  return sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));
}

/** Assignments that add one row's numbers to those of another, or take them away. */
function changed(row: string, sign: '+' | '-', other: string, names: readonly Counted[]): Sql {
  const columns = names.map((name) => {
    const [own, others] = [sql.ref(`${row}.${name}`), sql.ref(`${other}.${name}`)];
    return sql`${sql.ref(name)} = ${own} ${sql.raw(sign)} ${others}`;
  });
  return sql.join(columns);
}

/** Rows for `participations`, of the pull requests chosen. */
function participationsOf(repositoryId: Sql, chosen: Sql): Sql {
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
