import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { knownUserAutomation } from '#domain/known-automation.ts';
import { changeAccountKinds } from '../db/account-kinds-lock.ts';
import type { Database } from '../db/database.ts';
import type { SyncDeps } from './context.ts';
import { kindOf } from './people.ts';
import { markFactsOf } from './rebuild-facts.ts';

interface Account {
  readonly host: string;
  readonly host_id: string;
}

/**
 * Leaves to `settleAccountKinds` the accounts that are something else by the list of known automation of this version than by the one they were
 * stored with: what they take part in may never be stored again. Marked ones are what their mark says.
 */
export async function noteRelisted(db: Kysely<Database>): Promise<void> {
  const listed = knownUserAutomation.map(({ login }) => login.toLowerCase());
  const { rows } = await sql<Account & Pick<Selectable<Database['people']>, 'login' | 'type' | 'kind'>>`
    select p.host, p.host_id, p.login, p.type, p.kind from people p
    where (p.type = 'bot' or p.kind <> 'human' or lower(p.login) = any(${listed}::text[]))
      and not exists (select from account_kinds mark where mark.host = p.host and mark.host_id = p.host_id)`.execute(
    db,
  );
  const others = rows.flatMap(({ host, host_id, login, type, kind }) =>
    kindOf(host, { id: host_id, login, type }) === kind ? [] : [{ host, host_id }],
  );
  if (others.length === 0) return;
  await db
    .insertInto('account_recounts')
    .values(others)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Gives each account whose mark for everyone has changed the kind that it has now, and leaves the pull requests in which it takes part
 * or is named to `rebuildFacts`. However often a mark was changed, only what it is now counts.
 */
export async function settleAccountKinds(
  { db, log }: Pick<SyncDeps, 'db' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const accounts = await db.selectFrom('account_recounts').selectAll().orderBy('host').orderBy('host_id').execute();
  for (const account of accounts) {
    if (signal.aborted) return;
    try {
      // Two transactions, so that nobody who stores pull requests waits until their facts are marked.
      await db.transaction().execute((transaction) => settle(transaction, account));
      await db.transaction().execute((transaction) => markFacts(transaction, account));
    } catch (err) {
      log.error({ host_id: account.host_id, err }, 'failed to settle what an account is');
    }
  }
}

/** Whoever has computed facts by what it was before has ended then, and whoever begins finds the new kind. */
async function settle(transaction: Transaction<Database>, account: Account): Promise<void> {
  await changeAccountKinds(transaction);
  const person = await personOf(transaction, account);
  if (person === null || person.kind === person.settled) return;
  await transaction.updateTable('people').set({ kind: person.settled }).where('id', '=', person.id).execute();
}

async function markFacts(transaction: Transaction<Database>, account: Account): Promise<void> {
  // First of all: whoever marks it meanwhile waits, and leaves it to be settled once more.
  const row = await transaction
    .selectFrom('account_recounts')
    .select('host_id')
    .where('host', '=', account.host)
    .where('host_id', '=', account.host_id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return;
  const person = await personOf(transaction, account);
  // Marked as something else since: to be settled first.
  if (person !== null && person.kind !== person.settled) return;
  if (person !== null) await markFactsOf(transaction, person.id);
  await transaction
    .deleteFrom('account_recounts')
    .where('host', '=', account.host)
    .where('host_id', '=', account.host_id)
    .execute();
}

/** `settled` is the kind that it is to have. */
async function personOf(
  transaction: Transaction<Database>,
  { host, host_id }: Account,
): Promise<(Record<'kind' | 'settled', Database['people']['kind']> & { id: number }) | null> {
  const person = await transaction
    .selectFrom('people')
    .leftJoin('account_kinds as mark', (join) =>
      join.onRef('mark.host', '=', 'people.host').onRef('mark.host_id', '=', 'people.host_id'),
    )
    .select(['people.id', 'people.login', 'people.type', 'people.kind', 'mark.kind as mark'])
    .where('people.host', '=', host)
    .where('people.host_id', '=', host_id)
    .executeTakeFirst();
  if (person === undefined) return null;
  const { id, login, type, kind, mark } = person;
  return { id, kind, settled: mark ?? kindOf(host, { id: host_id, login, type }) };
}
