import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { HostRepository } from '../host/host.ts';
import type { StoredRepository } from './sessions.ts';

const noted = ['owner', 'name', 'url', 'private', 'archived', 'default_branch'] as const;

/**
 * What changed about the repository itself, by an answer that came with this user's token: they may read it. When it has become
 * private, everybody else's access is to be checked again at once.
 * Nothing when the answer (null) said nothing about it.
 */
export async function noteAnswer(
  transaction: Transaction<Database>,
  stored: StoredRepository,
  answer: HostRepository | null,
  user_id: number,
  now: Date,
): Promise<Partial<Pick<StoredRepository, (typeof noted)[number]>>> {
  if (answer === null || answer.id !== stored.host_id) return {};
  await transaction
    .updateTable('connections')
    .set({ readable: true, checked_at: now })
    .where('repository_id', '=', stored.id)
    .where('user_id', '=', user_id)
    .execute();
  if (answer.private && !stored.private) {
    await sql`update connections set checked_at = 'epoch' where repository_id = ${stored.id} and user_id <> ${user_id}`.execute(
      transaction,
    );
  }
  return Object.fromEntries(
    noted.filter((field) => answer[field] !== stored[field]).map((field) => [field, answer[field]]),
  );
}
