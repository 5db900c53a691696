import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { featureOverrides, SyncResponse } from '#contract/sync.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HttpError, type Issue, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { isVisible, scopeWithoutFigures } from '../metrics/scope.ts';
import type { SyncDeps } from './context.ts';
import type { SyncEvents } from './events.ts';
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
 * The calls that start, watch and stop syncs (docs/server.md#sync-modes-phases-and-sessions). `nudge` tells this process's
 * worker, if it has one, that there is something to do; a stream of events ends when the session that opened it does (`sessionIdOf`).
 */
export function syncRoutes(
  context: Pick<SyncDeps, 'db' | 'now'>,
  nudge: () => void,
  events: SyncEvents,
  sessionIdOf: (request: FastifyRequest) => string | undefined,
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
    return syncResponseOf(session, user.id, now());
  }

  /** @throws HttpError 403 for a session that uses somebody else's token */
  async function ownSession(user: SignedIn, id: string): Promise<SyncSession> {
    const session = await visibleSession(user, id);
    if (session.user_id !== user.id) throw new HttpError('not_your_sync', 'started by somebody else');
    return session;
  }

  /** @throws HttpError 404 for one of a repository that the user doesn't see */
  async function visibleSession(user: SignedIn, id: string): Promise<SyncSession> {
    const session = await sessionById(db, id);
    if (session === null || !(await sees(db, user.id, session.repository_id)))
      throw notFound('There is no such sync session.');
    return session;
  }

  return {
    startSync: async ({ user, body: { mode, featureOverrides: overrides, ...wanted } }) => {
      refuseIneligible(overrides);
      return await start(user, wanted, mode ?? 'smart', chunkSizeIn(overrides));
    },
    startFallbackSync: async ({ user, body }) => await start(user, body, 'smart', null),
    getSync: async ({ user, query }) => {
      const repository_id = await repositoryOf(db, user, query);
      return syncResponseOf(await newestSession(db, repository_id), user.id, now());
    },
    getSyncProgress: async ({ user, params }) =>
      syncResponseOf(await visibleSession(user, params.sessionId), user.id, now()),
    resumeSync: async ({ user, params }) => {
      const session = await ownSession(user, params.sessionId);
      const resumed = await resumeSession(db, session.id, user.id, 'person', now());
      if (resumed === null) throw new HttpError('nothing_to_resume');
      nudge();
      return syncResponseOf(resumed, user.id, now());
    },
    cancelSync: async ({ user, params }) => {
      const session = await ownSession(user, params.sessionId);
      const cancelled = await cancelSession(db, session.id, now());
      return syncResponseOf(cancelled ?? (await visibleSession(user, session.id)), user.id, now());
    },
    watchSyncs: ({ user, request, gone }) => events.watch(user.id, sessionIdOf(request) ?? '', gone),
  };
}

/** A page of one costs as much of a quota as a large one: a long history in such pages would keep a repository busy for hours. */
const SMALLEST_CHUNK = 5;

function chunkSizeIn(overrides: z.output<typeof featureOverrides> | undefined): number | null {
  const wanted = overrides?.MAX_CHUNK_SIZE;
  return wanted === undefined ? null : Math.max(wanted, SMALLEST_CHUNK);
}

function refuseIneligible(overrides: z.output<typeof featureOverrides> | undefined): void {
  if (overrides?.USE_GRAPHQL === false || overrides?.ROLLOUT_PERCENTAGE === 0)
    throw new HttpError('not_eligible', 'not eligible');
}

/**
 * The user's repository by its id, or by owner and name.
 * @throws HttpError 400 when neither is given, 404 when it is unknown or not theirs
 */
async function repositoryOf(db: Kysely<Database>, user: SignedIn, wanted: WantedRepository): Promise<number> {
  const { repoId, owner = '', name = '' } = wanted;
  if (repoId === undefined && (owner.trim() === '' || name.trim() === ''))
    throw new HttpError('invalid_request', 'Name the repository: by repoId, or by owner and name.', {
      issues: issuesOf(owner, name),
    });
  const row = await db
    .selectFrom('connections as c')
    .innerJoin('repositories as r', 'r.id', 'c.repository_id')
    .select('r.id')
    .where('c.user_id', '=', user.id)
    .where(isVisible)
    .$if(repoId !== undefined, (query) => query.where('r.id', '=', repoId!))
    .$if(repoId === undefined, (query) =>
      query.where(sql<boolean>`lower(r.owner) = lower(${owner.trim()}) and lower(r.name) = lower(${name.trim()})`),
    )
    .executeTakeFirst();
  if (row === undefined) throw notFound('Repository not found');
  return row.id;
}

/** What is missing where neither an id nor a whole name was given. */
function issuesOf(owner: string, name: string): Issue[] {
  const issues: Issue[] = [];
  if (owner.trim() === '' && name.trim() === '')
    issues.push({ path: 'repoId', message: 'is missing, as are owner and name' });
  if (owner.trim() === '') issues.push({ path: 'owner', message: 'is missing' });
  if (name.trim() === '') issues.push({ path: 'name', message: 'is missing' });
  return issues;
}

async function sees(db: Kysely<Database>, user_id: number, repository_id: number): Promise<boolean> {
  return (await scopeWithoutFigures(db, user_id)).repository_ids.includes(repository_id);
}
