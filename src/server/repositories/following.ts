import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { RequestOrigin } from '../security-events.ts';
import { joinableRepositories } from './available.ts';
import { type ConnectDeps, noteConnected, storeUnlessRemoved } from './connect.ts';
import { answerOf, type ownList } from './own-list.ts';

export type FollowingDeps = ConnectDeps & Parameters<typeof ownList>[0];

/** What owners have that somebody imported is connected for whoever follows them, once a day, in one process. */
export const followQueue: Queue = { name: 'follow-owners', cron: '17 * * * *', time_limit: 3600, daily: true };

/** The owners that somebody follows, by name. */
export async function followingOf(db: Kysely<Database>, user_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('followed_owners')
    .select('owner')
    .where('user_id', '=', user_id)
    .orderBy('owner')
    .execute();
  return rows.map(({ owner }) => owner);
}

/** Replaces the list, and connects what is here. Owners that nobody knows are kept: nothing tells whether they exist. */
export async function saveFollowing(
  deps: FollowingDeps,
  user: { readonly id: number; readonly host: string },
  owners: readonly string[],
  request: RequestOrigin,
): Promise<string[]> {
  const { db } = deps;
  const unique = [...new Map(owners.map((owner) => [owner.toLowerCase(), owner])).values()];
  await db.transaction().execute(async (within) => {
    await within.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    await within.deleteFrom('followed_owners').where('user_id', '=', user.id).execute();
    if (unique.length > 0)
      await within
        .insertInto('followed_owners')
        .values(unique.map((owner) => ({ user_id: user.id, owner })))
        .execute();
  });
  await connectFollowed(deps, user, request);
  return await followingOf(db, user.id);
}

/**
 * Connects what the owners that somebody follows have here and their token lists, save what they removed by hand. Nothing is imported:
 * it is here. A host that fails is asked again the next day.
 */
export async function connectFollowed(
  deps: FollowingDeps,
  user: { readonly id: number; readonly host: string },
  request: RequestOrigin | null = null,
): Promise<void> {
  const owners = new Set((await followingOf(deps.db, user.id)).map((owner) => owner.toLowerCase()));
  if (owners.size === 0) return;
  const personal = await deps.clientFor(user.id);
  if (personal === null) return;
  try {
    for (const { listed } of await joinableRepositories(deps, user))
      if (owners.has(listed.owner.toLowerCase())) {
        const stored = await storeUnlessRemoved(deps, user, answerOf(listed, personal.grant_id));
        if (stored?.added) await noteConnected(deps, user.id, stored.row, request);
      }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  await deps.db.updateTable('followed_owners').set({ looked_at: deps.now() }).where('user_id', '=', user.id).execute();
}

/**
 * Does that for everybody who follows somebody; one person's failure stops no other's. For whom it was done since the job was sent, `sent_at`
 * by the database's clock, is left out: so one that is retried goes on.
 */
export async function connectFollowedOfAll(
  deps: FollowingDeps,
  signal: AbortSignal,
  sent_at: Date,
  failed: (error: unknown, user_id: number) => void,
): Promise<void> {
  const now = deps.now();
  const since = sent_at < now ? sent_at : now;
  const { rows } = await sql<{ id: number; host: string }>`
    select u.id, u.host from users u where exists (select from followed_owners f where f.user_id = u.id
      -- A moment that has not come is one of before the clock was set back.
      and (f.looked_at is null or f.looked_at <= ${since} or f.looked_at > ${now}))
    order by u.id`.execute(deps.db);
  for (const user of rows) {
    if (signal.aborted) return;
    await connectFollowed(deps, user).catch((error: unknown) => failed(error, user.id));
  }
}
