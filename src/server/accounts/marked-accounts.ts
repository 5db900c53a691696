import { type Kysely, sql, type Transaction } from 'kysely';
import type { MarkedAccount } from '#contract/accounts.ts';
import { accountKind } from '#domain/account-kind.ts';
import type { AccountKindColumn, Database } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';

/** An account of the host that a team may mark. */
export interface SeenAccount {
  readonly id: number;
  readonly host: string;
  readonly host_id: string;
  readonly login: string;
  readonly type: 'user' | 'bot' | 'mannequin' | 'organization';
  readonly kind: AccountKindColumn;
}

/**
 * Sees to it that every pull request on which this account did something is counted anew, by whichever process works: within the
 * transaction that changes what it is, so that neither happens without the other.
 */
export type RecountAccount = (transaction: Transaction<Database>, account: { readonly id: number }) => Promise<void>;

/** The marked accounts that appear in scope, by login. */
export async function listMarkedAccounts(db: Kysely<Database>, scope: Scope): Promise<MarkedAccount[]> {
  const { rows } = await sql<Omit<MarkedAccount, 'set_at'> & { set_at: Date }>`
    select person.login as username, person.name as display_name, person.avatar_url, mark.kind,
      setter.login as set_by, mark.set_at
    from account_kinds mark
    join people person on person.host = mark.host and person.host_id = mark.host_id
    left join users setter on setter.id = mark.set_by
    where ${appearsIn(scope)}
    order by lower(person.login) collate "C", person.id`.execute(db);
  return rows.map((row) => ({ ...row, set_at: row.set_at.toISOString() }));
}

/** The account of that login that took part in a pull request in scope, or whose review is requested there; else null. */
export async function findAccount(db: Kysely<Database>, scope: Scope, username: string): Promise<SeenAccount | null> {
  const { rows } = await sql<SeenAccount>`
    select person.id, person.host, person.host_id, person.login, person.type, person.kind
    from people person
    where lower(person.login) = lower(${username}) and ${appearsIn(scope)}
    order by person.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Sets what an account is, or with `kind` null takes the mark back: type, suffix and the list of known automation then decide
 * (metric definitions, section 0, "Accounts"). Where that is another kind than before, its figures are counted anew.
 */
export async function mark(
  db: Kysely<Database>,
  account: SeenAccount,
  kind: AccountKindColumn | null,
  by: { readonly user_id: number; readonly at: Date },
  recount: RecountAccount,
): Promise<void> {
  const next = kind ?? kindByItself(account);
  await db.transaction().execute(async (transaction) => {
    if (kind === null) {
      await transaction
        .deleteFrom('account_kinds')
        .where('host', '=', account.host)
        .where('host_id', '=', account.host_id)
        .execute();
    } else {
      const set = { kind, set_by: by.user_id, set_at: by.at };
      await transaction
        .insertInto('account_kinds')
        .values({ host: account.host, host_id: account.host_id, ...set })
        .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet(set))
        .execute();
    }
    await transaction.updateTable('people').set({ kind: next }).where('id', '=', account.id).execute();
    if (next !== account.kind) await recount(transaction, account);
  });
}

function kindByItself({ type, login, host_id }: SeenAccount): AccountKindColumn {
  const types = { user: 'User', bot: 'Bot', mannequin: 'Mannequin', organization: 'Organization' } as const;
  const kind = accountKind({ type: types[type], login, databaseId: Number(host_id) });
  return kind === 'ghost' ? 'human' : kind;
}

function appearsIn(scope: Scope) {
  return sql`(
    exists (select from contributor_totals t
      where t.repository_id = any(${scope.repository_ids}::int[]) and t.person_id = person.id)
    or exists (select from review_requests request
      where request.repository_id = any(${scope.repository_ids}::int[]) and request.person_id = person.id))`;
}
