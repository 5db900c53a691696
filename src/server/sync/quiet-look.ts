import type { Kysely } from 'kysely';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HostError } from '../host/errors.ts';
import type { DetailFingerprints, RepositoryLook } from '../host/pages.ts';
import { neededOf, unstorableOf } from './changes.ts';
import type { SyncDeps } from './context.ts';
import { eachAlone } from './each-alone.ts';
import { scanFloor } from './plan.ts';
import { differsFrom, noteAnswer } from './repository.ts';
import type { StoredRepository } from './sessions.ts';
import { closedToLookAt, detailFingerprints, inTurn, openToLookAt } from './sweep.ts';
import { unreadOf, untoldSince } from './unread.ts';

/**
 * What one point pays for: 149 lists (GitHub documentation, GraphQL rate limits). A look at a repository is two, what is left of a point
 * is shared for closer looks: five each where twenty repositories share it.
 */
const LISTS_OF_A_POINT = 149;
const LISTS_OF_A_LOOK = 2;
const REPOSITORIES_A_POINT = 20;

/**
 * Looks at repositories with one person's token, many in a request, and notes of which nothing changed: those are read, as after a sync.
 * Answers their row ids; all others are to be synced (docs/server.md#sync-order-cursors-and-pauses). A host that fails leaves all
 * of them to their syncs, which know how to wait.
 */
export async function lookAtQuiet(
  context: SyncDeps,
  user_id: number,
  repositories: readonly StoredRepository[],
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const quiet = new Set<number>();
  const clients = new Map<number, { personal: PersonalClient; stored: StoredRepository[] }>();
  await eachAlone(
    repositories,
    signal,
    async (repository) => {
      const personal = await context.clientForSync(user_id, repository.id);
      if (personal === null) return;
      const group = clients.get(personal.grant_id) ?? { personal, stored: [] };
      group.stored.push(repository);
      clients.set(personal.grant_id, group);
    },
    (error, { id }) => context.stepFailed('find_token', error, { user_id, repository_id: id }),
  );
  for (const { personal, stored } of clients.values()) {
    // A sync of one asks for no more than a look at it.
    if (stored.length < 2 || signal.aborted) continue;
    const started = context.now();
    const looks = await looksAt(context.db, personal, stored, started, signal).catch((error: unknown) => {
      if (!(error instanceof HostError)) throw error;
      context.log.debug({ user_id, kind: error.kind }, 'the host does not look at many repositories at once');
      return [];
    });
    await eachAlone(
      stored.map((repository, index) => ({ repository, look: looks[index] ?? null })),
      signal,
      async ({ repository, look }) => {
        if (look === null || !(await isQuiet(context.db, repository, look, started))) return;
        await noteQuiet(context.db, repository, look, { user_id, grant_id: personal.grant_id }, started);
        quiet.add(repository.id);
      },
      (error, { repository }) => context.stepFailed('look', error, { user_id, repository_id: repository.id }),
    );
  }
  return quiet;
}

async function looksAt(
  db: Kysely<Database>,
  { client }: PersonalClient,
  stored: readonly StoredRepository[],
  now: Date,
  signal: AbortSignal,
): Promise<readonly (RepositoryLook | null)[]> {
  const points = Math.ceil(stored.length / REPOSITORIES_A_POINT);
  const share = Math.floor((points * LISTS_OF_A_POINT) / stored.length) - LISTS_OF_A_LOOK;
  const requests = [];
  for (const { id, owner, name } of stored)
    requests.push({ of: { owner, name }, closer: someOf(await detailFingerprints(db, id, now), share, now) });
  return await client.look(requests, signal);
}

/** `most` of the closer looks, others each hour. */
function someOf(
  { threads, checks }: DetailFingerprints<readonly string[]>,
  most: number,
  now: Date,
): DetailFingerprints<string[]> {
  const all = [
    ...threads.map((key) => ({ key, of: 'threads' as const })),
    ...checks.map((key) => ({ key, of: 'checks' as const })),
  ];
  const some = inTurn(all, now, most).slice(0, most);
  const keys = (wanted: 'threads' | 'checks') => some.flatMap(({ key, of }) => (of === wanted ? key : []));
  return { threads: keys('threads'), checks: keys('checks') };
}

/** Whether a look tells that all is as it is stored: the repository itself, what changed last, what is open and what ended lately. */
async function isQuiet(
  db: Kysely<Database>,
  repository: StoredRepository,
  look: RepositoryLook,
  started: Date,
): Promise<boolean> {
  if (look.repository.id !== repository.host_id || differsFrom(look.repository, repository) || !look.all_open)
    return false;
  const floor = scanFloor(repository.watermark ?? new Date(0));
  const within = look.changes.filter(({ updated_at }) => updated_at >= floor);
  if (within.length === look.changes.length && !look.all_changes) return false;
  if ((await neededOf(db, repository.id, within, floor)).length > 0) return false;
  if ((await unreadOf(db, repository.id, started)).length > 0) return false;
  if ((await untoldSince(db, repository.id, started)) !== null) return false;
  const unstorable = await unstorableOf(db, repository.id);
  const looked = [
    ...(await openToLookAt(db, repository.id, look.open, look, started)),
    ...(await closedToLookAt(db, repository.id, started)),
  ];
  return looked.every(({ number }) => unstorable.has(number));
}

async function noteQuiet(
  db: Kysely<Database>,
  repository: StoredRepository,
  look: RepositoryLook,
  asker: { readonly user_id: number; readonly grant_id: number },
  started: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await noteAnswer(transaction, repository, look.repository, asker, { asked_at: started, now: started });
    await transaction
      .updateTable('repositories')
      .set({ last_synced_at: started, swept_at: started })
      .where('id', '=', repository.id)
      .execute();
  });
}
