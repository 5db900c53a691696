import { type Kysely, sql, type Transaction } from 'kysely';
import type { MarkedAccount } from '#contract/accounts.ts';
import { changeOwnAccountKinds } from '../db/account-kinds-lock.ts';
import type { Database } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { appearsIn } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';

/** An account of the host, by its row id and the host's. */
export interface SeenAccount {
  readonly id: number;
  readonly host: string;
  readonly host_id: string;
  readonly login: string;
}

/** So many accounts can one person mark for themselves. */
export const MOST_OWN_MARKS = 500;

/** Whose mark an account has: an administrator's, which holds for everyone, or the person's own, which wins for that person. */
export type MarkScope = 'everyone' | 'own';

/** The marks that hold for the user of accounts that appear in scope, by login; `person_id` narrows it to one of them. */
export async function listMarkedAccounts(
  db: Kysely<Database>,
  scope: Scope,
  person_id: number | null = null,
): Promise<MarkedAccount[]> {
  const { rows } = await sql<Omit<MarkedAccount, 'set_at'> & { set_at: Date }>`
    select person.login as username, person.name as display_name, person.avatar_url, mark.kind,
      setter.login as set_by, mark.set_at, mark.own,
      case when mark.own then ${ownIsCounting(scope)} else ${isCounting(scope)} end as counting
    from (
      select host, host_id, kind, user_id as set_by, set_at, true as own
      from own_account_kinds where user_id = ${scope.user_id}
      union all
      select host, host_id, kind, set_by, set_at, false
      from account_kinds everyone where not exists (select from own_account_kinds own
        where own.user_id = ${scope.user_id} and own.host = everyone.host and own.host_id = everyone.host_id)
    ) mark
    join people person on person.host = mark.host and person.host_id = mark.host_id
    left join users setter on setter.id = mark.set_by
    where ${appearsIn(scope, sql`person.id`)} and (${person_id}::int is null or person.id = ${person_id})
    order by lower(person.login) collate "C", person.id`.execute(db);
  return rows.map((row) => ({ ...row, set_at: row.set_at.toISOString() }));
}

/** The account of that login that took part in a pull request in scope, or whose review is requested there; else null. */
export async function findAccount(db: Kysely<Database>, scope: Scope, username: string): Promise<SeenAccount | null> {
  const { rows } = await sql<SeenAccount>`
    select person.id, person.host, person.host_id, person.login
    from people person
    where lower(person.login) = lower(${username}) and ${appearsIn(scope, sql`person.id`)}
    order by person.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Whose mark of this account holds for the user; null without any. */
export async function markScopeOf(
  db: Kysely<Database>,
  user_id: number,
  { host, host_id }: SeenAccount,
): Promise<MarkScope | null> {
  const { rows } = await sql<{ own: boolean; everyone: boolean }>`
    select exists (select from own_account_kinds
        where user_id = ${user_id} and host = ${host} and host_id = ${host_id}) as own,
      exists (select from account_kinds where host = ${host} and host_id = ${host_id}) as everyone`.execute(db);
  return rows[0]!.own ? 'own' : rows[0]!.everyone ? 'everyone' : null;
}

/**
 * Sets what an account is to the user alone, or takes their mark back with `kind` null. The worker computes their figures of it; here
 * nothing is counted.
 * @throws HttpError 409 beyond `MOST_OWN_MARKS`
 */
export async function markForOneself(
  db: Kysely<Database>,
  user_id: number,
  { host, host_id }: SeenAccount,
  kind: Database['people']['kind'] | null,
  set_at: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Two calls at once count one after the other, and none changes what figures are just being counted by.
    await changeOwnAccountKinds(transaction, user_id);
    await sql`
      insert into own_mark_changes (user_id, change_id) values (${user_id}, gen_random_uuid())
      on conflict (user_id) do update set change_id = excluded.change_id`.execute(transaction);
    if (kind === null) {
      await transaction
        .deleteFrom('own_account_kinds')
        .where('user_id', '=', user_id)
        .where('host', '=', host)
        .where('host_id', '=', host_id)
        .execute();
      return;
    }
    await transaction
      .insertInto('own_account_kinds')
      .values({ user_id, host, host_id, kind, set_at })
      .onConflict((conflict) => conflict.columns(['user_id', 'host', 'host_id']).doUpdateSet({ kind, set_at }))
      .execute();
    const { rows } = await sql<{ marks: number }>`
      select count(*)::int as marks from own_account_kinds where user_id = ${user_id}`.execute(transaction);
    if (rows[0]!.marks > MOST_OWN_MARKS)
      throw new HttpError(
        'too_many_marks',
        `You have marked ${MOST_OWN_MARKS} accounts, the most there can be. Take a mark back first.`,
      );
  });
}

/**
 * Sets what an account is to everyone, or with `kind` null takes that mark back: type, suffix and the list of known automation then
 * decide. The worker counts its pull requests again; here nothing is counted.
 */
export async function markForEveryone(
  db: Kysely<Database>,
  user_id: number,
  { host, host_id }: SeenAccount,
  kind: Database['people']['kind'] | null,
  set_at: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows: before } = await sql<{ kind: Database['people']['kind'] }>`
      select kind from account_kinds where host = ${host} and host_id = ${host_id} for update`.execute(transaction);
    if (kind === null) {
      await transaction.deleteFrom('account_kinds').where('host', '=', host).where('host_id', '=', host_id).execute();
    } else {
      const set = { kind, set_by: user_id, set_at };
      await transaction
        .insertInto('account_kinds')
        .values({ host, host_id, ...set })
        .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet(set))
        .execute();
    }
    if ((before[0]?.kind ?? null) !== kind) await settleLater(transaction, [{ host, host_id }]);
  });
}

/**
 * Makes the marks that administrators once set for themselves, before they were listed or before marks had owners, what an
 * administrator's marks are: valid for everyone. Of two for the same account the later one stands.
 */
export async function adoptMarks(db: Kysely<Database>, administrators: ReadonlySet<number>): Promise<void> {
  if (administrators.size === 0) return;
  await db.transaction().execute(async (transaction) => {
    const own = await transaction
      .deleteFrom('own_account_kinds')
      .where('user_id', 'in', [...administrators])
      .returningAll()
      .execute();
    for (const { user_id, host, host_id, kind, set_at } of own)
      await sql`
        insert into account_kinds as k (host, host_id, kind, set_by, set_at)
        values (${host}, ${host_id}, ${kind}, ${user_id}, ${set_at})
        on conflict (host, host_id) do update set kind = excluded.kind, set_by = excluded.set_by, set_at = excluded.set_at
        where k.set_at < excluded.set_at`.execute(transaction);
    await settleLater(transaction, own);
  });
}

async function settleLater(
  transaction: Transaction<Database>,
  accounts: readonly { host: string; host_id: string }[],
): Promise<void> {
  await sql`
    insert into account_recounts (host, host_id)
    select distinct host, host_id from unnest(${accounts.map(({ host }) => host)}::text[],
      ${accounts.map(({ host_id }) => host_id)}::text[]) account (host, host_id)
    order by host, host_id
    -- A row that is being settled at this moment is one again, of what is stored now.
    on conflict (host, host_id) do update set host = excluded.host`.execute(transaction);
}

/** Whether figures of the person's own do not show the mark yet. */
function ownIsCounting(scope: Scope) {
  return sql<boolean>`(
    exists (select from connections c join repositories r on r.id = c.repository_id and r.host = mark.host
      where c.user_id = ${scope.user_id} and not exists (select from lens_marks seen
        where seen.repository_id = c.repository_id and seen.user_id = c.user_id and seen.person_id = person.id
          and seen.kind = mark.kind))
    or exists (select from lens_pending p where p.user_id = ${scope.user_id} and p.person_id = person.id))`;
}

/** Whether everybody's figures do not show the mark yet. */
function isCounting(scope: Scope) {
  return sql<boolean>`(
    exists (select from account_recounts waiting where waiting.host = mark.host and waiting.host_id = mark.host_id)
    or exists (select from pull_request_facts f
      join participations p on p.repository_id = f.repository_id and p.number = f.number
      where f.version = 0 and ${scope.filter('f')} and p.person_id = person.id))`;
}
