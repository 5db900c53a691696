import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { list } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { counted, months, ofAllTime } from './kept-columns.ts';
import { changed, spansOf, sumsOf } from './sums.ts';

/**
 * The rows of lenses (docs/decisions/0009): how a repository looks to users with marks of their own. Everything here needs the
 * repository's row locked, as `recountParticipations` does it, so that everybody's rows and the lenses never move at once.
 */

/** The users who have a lens on the repository. */
export async function lensesOn(transaction: Transaction<Database>, repository_id: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from lenses where repository_id = ${repository_id} order by user_id`.execute(transaction);
  return rows.map(({ user_id }) => user_id);
}

/**
 * Takes back what these users see otherwise of these pull requests, in rows and in sums: until they are counted for them again, they
 * see what everybody sees. To be called before everybody's participations change.
 */
export async function withdrawOverrides(
  transaction: Transaction<Database>,
  repository_id: number,
  users: readonly number[],
  numbers: readonly number[],
): Promise<void> {
  if (users.length === 0 || numbers.length === 0) return;
  await addDifferences(transaction, repository_id, users, numbers, -1);
  const these = sql`repository_id = ${repository_id} and user_id = any(${users}::int[]) and number = any(${numbers}::int[])`;
  await sql`
    with facts as (delete from lens_facts where ${these}), reviews as (delete from lens_reviews where ${these}),
      acts as (delete from lens_reviewer_acts where ${these})
    delete from lens_participations where ${these}`.execute(transaction);
}

/**
 * Adds to these users' sums (1), or takes from them (-1), by how much their participations in these pull requests differ from
 * everybody's.
 */
export async function addDifferences(
  transaction: Transaction<Database>,
  repository_id: number,
  users: readonly number[],
  numbers: readonly number[],
  sign: 1 | -1,
): Promise<void> {
  const times = (factor: 1 | -1) =>
    sql`${sql.lit(factor)} as participations,
      ${sql.join(counted.map((name) => sql`${sql.lit(factor)} * s.${sql.ref(name)} as ${sql.ref(name)}`))}`;
  const these = sql`o.repository_id = ${repository_id} and o.user_id = any(${users}::int[]) and o.number = any(${numbers}::int[])`;
  await sql`
    with difference as materialized (
      select s.user_id, s.person_id, s.month, ${times(sign)}
      from lens_facts o join lens_participations s using (repository_id, user_id, number) where ${these}
      union all
      select o.user_id, s.person_id, s.month, ${times(sign === 1 ? -1 : 1)}
      from lens_facts o join participations s using (repository_id, number) where ${these}
    ),
    of_months as (
      insert into lens_months as m (repository_id, user_id, person_id, span, month, participations, ${list(months)})
      select ${repository_id}::int, spans.* from (
        ${spansOf('difference', { keys: sql`user_id, person_id`, rows: sql`sum(participations)` })}) spans
      on conflict (repository_id, user_id, span, month, person_id) do update set
        participations = m.participations + excluded.participations, ${changed('m', '+', 'excluded', months)}
    )
    insert into lens_totals as t (repository_id, user_id, person_id, ${list(ofAllTime)})
    select ${repository_id}::int, user_id, coalesce(person_id, 0) as person, ${sumsOf(ofAllTime)}
    from difference group by user_id, person
    on conflict (repository_id, user_id, person_id) do update set ${changed('t', '+', 'excluded', ofAllTime)}`.execute(
    transaction,
  );
}

/** Leaves to the worker those of these pull requests whose figures depend on somebody whom these users mark as something else than we do. */
export async function awaitRecount(
  transaction: Transaction<Database>,
  repository_id: number,
  users: readonly number[],
  numbers: readonly number[],
): Promise<void> {
  if (users.length === 0) return;
  await sql`
    insert into lens_pending (repository_id, user_id, number, person_id)
    select m.repository_id, m.user_id, part.number, m.person_id
    from (${partsAndNamesIn(sql`repository_id = ${repository_id} and number = any(${numbers}::int[])`)}) part
    join lens_marks m on m.repository_id = ${repository_id} and m.person_id = part.person_id
    join people person on person.id = m.person_id and person.kind <> m.kind
    on conflict do nothing`.execute(transaction);
}

/** Lets the worker begin from nothing with every lens on the repository: everybody's participations are computed again as a whole. */
export async function forgetLenses(db: Kysely<Database>, repository_id: number): Promise<void> {
  await sql`delete from lenses where repository_id = ${repository_id}`.execute(db);
}

/**
 * Who takes part in pull requests: rows of `number person_id`. `chosen` is a condition on `repository_id` and `number`; `person` may name
 * the one who is looked for, so that no index is read in vain.
 */
export function partsIn(chosen: RawBuilder<unknown>, person?: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = (
    [
      ['pull_requests', 'author_id'],
      ['commits', 'author_id'],
      ['reviews', 'author_id'],
      ['comments', 'author_id'],
      ['events', 'actor_id'],
      ['pull_request_facts', 'credited_id'],
      ['review_threads', 'resolved_by_id'],
    ] as const
  ).map(([table, column]) => {
    const named = isPerson(sql.ref(column), person);
    // Who is credited as the author takes part as that.
    const who = column === 'credited_id' ? sql`${named} and credit_by <> 'author'` : named;
    return sql`select number, ${sql.ref(column)} as person_id from ${sql.table(table)} where ${chosen} and ${who}`;
  });
  return sql.join(parts, sql` union `);
}

/**
 * Of whom it changes figures of pull requests what they are: who takes part in them, and whom an agent's names as who may have started it
 * (docs/server.md#who-started-it). Rows and parameters as above. Which ones an agent wrote is asked of the facts, and where somebody is
 * looked for of those in lenses, too: without these rows the author takes part, whom that user marks. Where somebody is looked for, those
 * as well whose lists of reviewers alone change, since their review is requested now; what is stored again is noted as changed by that.
 */
export function partsAndNamesIn(chosen: RawBuilder<unknown>, person?: RawBuilder<unknown>): RawBuilder<unknown> {
  const written = (table: 'pull_request_facts' | 'lens_facts') =>
    sql`select number from ${sql.table(table)} where ${chosen} and authorship = 'agent'`;
  const agents =
    person === undefined
      ? written('pull_request_facts')
      : sql`${written('pull_request_facts')} union ${written('lens_facts')}`;
  // As `namedAccounts` finds them.
  const called = (condition: RawBuilder<unknown>) => sql`(select max(called.id) from people called
    join repositories home on home.id = repository_id and home.host = called.host where ${condition})`;
  const byLogin = called(sql`lower(called.login) = lower(named.login)`);
  const byId = called(sql`called.host_id = named.id`);
  const named = (
    [
      [sql`reviewer_id`, sql`events`, sql`type = 'review_requested'`],
      [sql`(named->>'person_id')::int`, sql`pull_requests cross join jsonb_array_elements(assignees) named`],
      [sql`named`, sql`clues cross join unnest(person_ids) named`],
      [
        byLogin,
        sql`pull_requests cross join jsonb_array_elements_text(description_marks->'requested_by') named (login)`,
      ],
      [
        sql`case when named.id is null then ${byLogin} else ${byId} end`,
        sql`commits cross join jsonb_to_recordset(trailers->'co_authors') named (id text, login text)`,
      ],
    ] as const
  ).map(
    ([who, from, condition = sql`true`]) => sql`
      select number, ${who} as person_id from ${from}
      where ${chosen} and number in (${agents}) and ${condition} and ${isPerson(who, person)}`,
  );
  const asked =
    person === undefined
      ? []
      : [sql`select number, person_id from review_requests where ${chosen} and person_id = ${person}`];
  return sql.join([partsIn(chosen, person), ...named, ...asked], sql` union `);
}

function isPerson(id: RawBuilder<unknown>, person: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  return person === undefined ? sql`${id} is not null` : sql`${id} = ${person}`;
}
