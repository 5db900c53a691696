import type { SyncDeps } from './context.ts';
import { kindOf } from './people.ts';
import { markFactsOf } from './rebuild-facts.ts';

/**
 * Gives each account whose mark for everyone has changed the kind that it has now, and leaves the pull requests in which it takes part
 * to `rebuildFacts`. However often a mark was changed, only what it is now counts.
 */
export async function settleAccountKinds(
  { db, log }: Pick<SyncDeps, 'db' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const accounts = await db.selectFrom('account_recounts').selectAll().orderBy('host').orderBy('host_id').execute();
  for (const { host, host_id } of accounts) {
    if (signal.aborted) return;
    try {
      await db.transaction().execute(async (transaction) => {
        // First of all: whoever marks it meanwhile waits, and leaves it to be settled once more.
        const { numDeletedRows } = await transaction
          .deleteFrom('account_recounts')
          .where('host', '=', host)
          .where('host_id', '=', host_id)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return;
        const person = await transaction
          .selectFrom('people')
          .leftJoin('account_kinds as mark', (join) =>
            join.onRef('mark.host', '=', 'people.host').onRef('mark.host_id', '=', 'people.host_id'),
          )
          .select(['people.id', 'people.login', 'people.type', 'mark.kind as mark'])
          .where('people.host', '=', host)
          .where('people.host_id', '=', host_id)
          .executeTakeFirst();
        if (person === undefined) return;
        const kind = person.mark ?? kindOf({ id: host_id, login: person.login, type: person.type });
        await transaction.updateTable('people').set({ kind }).where('id', '=', person.id).execute();
        await markFactsOf(transaction, person.id);
      });
    } catch (err) {
      log.error({ host_id, err }, 'failed to settle what an account is');
    }
  }
}
