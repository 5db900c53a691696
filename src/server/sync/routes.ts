import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { featureOverrides, SyncResponse } from '#contract/sync.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import type { SyncContext } from './context.ts';
import { LOOK_EVERY, watchSyncs } from './events.ts';
import type { SyncMode } from './plan.ts';
import { syncResponseOf } from './progress.ts';
import {
  cancelSession,
  newestSession,
  resumeSession,
  type SyncSession,
  sessionById,
  startSession,
} from './sessions.ts';

type SyncCalls =
  | 'startSync'
  | 'getSync'
  | 'getSyncProgress'
  | 'startFallbackSync'
  | 'resumeSync'
  | 'cancelSync'
  | 'watchSyncs';

interface WantedRepository {
  readonly repoId?: number | undefined;
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * The calls that start, watch and stop syncs (server specification, section 5). `nudge` tells this process's worker, if it has
 * one, that there is something to do; a stream of events ends when the session that opened it does (`stillSignedIn`).
 */
export function syncRoutes(
  context: Pick<SyncContext, 'db' | 'now' | 'sleep'>,
  nudge: () => void,
  stillSignedIn: (request: FastifyRequest) => Promise<boolean>,
): Handlers<SyncCalls> {
  const { db, now } = context;

  async function start(
    user: SignedIn,
    wanted: WantedRepository,
    mode: SyncMode,
    page_size_limit: number | null,
  ): Promise<SyncResponse> {
    const repository_id = await repositoryOf(db, user, wanted);
    const request = { repository_id, user_id: user.id, mode, asked_by: 'person', page_size_limit } as const;
    const session = await startSession(db, request, now());
    if (session === null) throw notFound('Repository not found');
    nudge();
    return syncResponseOf(session, now());
  }

  async function theirs(user: SignedIn, id: string): Promise<SyncSession> {
    const session = await sessionById(db, id);
    if (session === null || !(await sees(db, user.id, session.repository_id)))
      throw notFound('There is no such sync session.');
    return session;
  }

  return {
    startSync: async ({ user, body: { mode, featureOverrides: overrides, ...wanted } }) => {
      refuseIneligible(overrides);
      return await start(user, wanted, mode ?? 'smart', overrides?.MAX_CHUNK_SIZE ?? null);
    },
    startFallbackSync: async ({ user, body }) => await start(user, body, 'smart', null),
    getSync: async ({ user, query }) => {
      const repository_id = await repositoryOf(db, user, query);
      return syncResponseOf(await newestSession(db, repository_id), now());
    },
    getSyncProgress: async ({ user, params }) => syncResponseOf(await theirs(user, params.sessionId), now()),
    resumeSync: async ({ user, params }) => {
      const session = await theirs(user, params.sessionId);
      const resumed = await resumeSession(db, session.id, user.id, 'person', now());
      if (resumed === null) throw new HttpError(409, 'nothing_to_resume', 'There is nothing to resume in this sync.');
      nudge();
      return syncResponseOf(resumed, now());
    },
    cancelSync: async ({ user, params }) => {
      const session = await theirs(user, params.sessionId);
      return syncResponseOf((await cancelSession(db, session.id, now())) ?? (await theirs(user, session.id)), now());
    },
    watchSyncs: ({ user, request, gone }) =>
      watchSyncs(db, user.id, now, async () => {
        await context.sleep(LOOK_EVERY, gone);
        return !gone.aborted && (await stillSignedIn(request));
      }),
  };
}

function refuseIneligible(overrides: z.output<typeof featureOverrides> | undefined): void {
  if (overrides?.USE_GRAPHQL === false || overrides?.ROLLOUT_PERCENTAGE === 0)
    throw new HttpError(409, 'not_eligible', 'not eligible');
}

/**
 * The user's repository by its id, or by owner and name.
 * @throws HttpError 400 when neither is given, 404 when it is unknown or not theirs
 */
async function repositoryOf(db: Kysely<Database>, user: SignedIn, wanted: WantedRepository): Promise<number> {
  const { repoId, owner = '', name = '' } = wanted;
  if (repoId === undefined && (owner.trim() === '' || name.trim() === ''))
    throw new HttpError(400, 'invalid_request', 'Name the repository: by repoId, or by owner and name.');
  const row = await db
    .selectFrom('connections as c')
    .innerJoin('repositories as r', 'r.id', 'c.repository_id')
    .select('r.id')
    .where('c.user_id', '=', user.id)
    .where('c.readable', '=', true)
    .$if(repoId !== undefined, (query) => query.where('r.id', '=', repoId!))
    .$if(repoId === undefined, (query) =>
      query.where(sql<boolean>`lower(r.owner) = lower(${owner.trim()}) and lower(r.name) = lower(${name.trim()})`),
    )
    .executeTakeFirst();
  if (row === undefined) throw notFound('Repository not found');
  return row.id;
}

async function sees(db: Kysely<Database>, user_id: number, repository_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('readable')
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .executeTakeFirst();
  return row?.readable ?? false;
}
