import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { noteReadable } from '../db/sight.ts';
import type { HostRepository } from '../host/repository.ts';
import type { StoredRepository } from './sessions.ts';

const noted = ['node_id', 'owner', 'owner_id', 'name', 'url', 'private', 'archived', 'default_branch'] as const;
/** Whose it is the host does not always say, nor its default branch to every token: null then says nothing. */
const notAlwaysTold: readonly string[] = ['owner_id', 'default_branch'];
const changed = (answer: HostRepository, stored: StoredRepository) =>
  noted.filter(
    (field) => answer[field] !== stored[field] && (answer[field] !== null || !notAlwaysTold.includes(field)),
  );

/** Whether the host tells anything else about the repository itself than what is stored. */
export function differsFrom(answer: HostRepository, stored: StoredRepository): boolean {
  return changed(answer, stored).length > 0;
}

type Noted = Partial<
  Pick<
    StoredRepository,
    (typeof noted)[number] | 'former_owner' | 'former_name' | 'renamed_at' | 'former_default_branches'
  >
>;

/**
 * What changed about the repository itself, by an answer that came with this user's token: they may read it with that credential. When it has become
 * private, everybody else's access is to be checked again at once.
 * Nothing when the answer (null) said nothing about it.
 */
export async function noteAnswer(
  transaction: Transaction<Database>,
  stored: StoredRepository,
  answer: HostRepository | null,
  asker: { readonly user_id: number; readonly grant_id: number },
  { asked_at, now }: { readonly asked_at: Date; readonly now: Date },
): Promise<Noted> {
  if (answer === null || answer.id !== stored.host_id) return {};
  await noteReadable(transaction, { ...asker, repository_id: stored.id }, answer, now, asked_at);
  if (answer.private && !stored.private) {
    await sql`
      update connections set check_due_at = ${now}
      where repository_id = ${stored.id} and user_id <> ${asker.user_id}`.execute(transaction);
  }
  const renamed = answer.owner !== stored.owner || answer.name !== stored.name;
  return {
    ...Object.fromEntries(changed(answer, stored).map((field) => [field, answer[field]])),
    ...(stored.default_branch !== null &&
      answer.default_branch !== null &&
      answer.default_branch !== stored.default_branch && {
        former_default_branches: [...new Set([...stored.former_default_branches, stored.default_branch])],
      }),
    ...(renamed && { former_owner: stored.owner, former_name: stored.name, renamed_at: now }),
  };
}
