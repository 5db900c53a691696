import { type Kysely, sql } from 'kysely';
import type { SyncResponse } from '../../src/contract/sync.ts';
import type { PersonalClient } from '../../src/server/context.ts';
import type { Database } from '../../src/server/db/database.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import { addresses } from '../../src/server/host/github/addresses.ts';
import { githubHost } from '../../src/server/host/github/host.ts';
import type { CodeHost } from '../../src/server/host/host.ts';
import { checkAccess } from '../../src/server/repositories/access.ts';
import type { NoteSecurityEvent } from '../../src/server/security-events.ts';
import { sleep } from '../../src/server/sleep.ts';
import type { SyncDeps } from '../../src/server/sync/context.ts';
import type { SyncMode } from '../../src/server/sync/plan.ts';
import { syncResponseOf } from '../../src/server/sync/progress.ts';
import { newestSession, sessionById, startSession } from '../../src/server/sync/sessions.ts';
import { type SyncWorker, startSyncWorker, workerDefaults } from '../../src/server/sync/worker.ts';
import type { RunningSimulator } from './simulator.ts';
import { aConnection } from './stored.ts';

/** Waiting in tests is so much faster than in the product; dates that the host names stay as they are. */
const FASTER = 50;
/** How often its worker looks for what comes due by itself, in milliseconds: what is to be done at once it is told. */
const POLL = 200;
/** A session that does not move for so long sticks, in milliseconds. */
const STALLED = 60_000;

/** The sync of one server beside a simulated host: real database, real HTTP, tokens of the host's people. */
export interface Syncing {
  readonly db: Kysely<Database>;
  readonly host: CodeHost;
  readonly context: SyncDeps;
  /** Looks for work at once. */
  nudge(): void;
  /** Everything that was logged. */
  readonly logged: { level: string; fields: object; message: string }[];
  /** A user of the product with the host's account of this login, by the row id. */
  user(login: string): Promise<number>;
  /** The repository, connected by this user, by the row id. */
  connect(user_id: number, full_name: string): Promise<number>;
  /** Starts a person's session and answers its id. */
  start(user_id: number, repository_id: number, mode: SyncMode, limit?: number | null): Promise<string>;
  /** Waits for a session to reach one of these, by default an end. */
  until(session_id: string, ...statuses: SyncResponse['status'][]): Promise<SyncResponse>;
  /** Starts a person's session and waits for its end. */
  run(user_id: number, repository_id: number, mode: SyncMode, limit?: number | null): Promise<SyncResponse>;
  stop(): Promise<void>;
}

export interface SyncingSettings {
  /** Replaces the real clock. */
  readonly now?: () => Date;
  /** False: nothing works here. */
  readonly working?: boolean;
  readonly at_once?: number;
  readonly turn?: number;
  /** How long the host is waited for, in milliseconds; as in the product unless told. */
  readonly timeout?: number;
  /** How much faster than in the product it waits. */
  readonly faster?: number;
  /** In front of each user's client. */
  readonly client?: (client: HostClient, login: string) => HostClient;
}

export function openSyncing(db: Kysely<Database>, simulator: { url: string }, settings: SyncingSettings = {}): Syncing {
  const now = settings.now ?? (() => new Date());
  const faster = settings.faster ?? FASTER;
  const host = githubHost({
    ...{ key: simulator.url, label: 'GitHub', ...addresses(simulator.url), oauth: null, now },
    ...(settings.timeout !== undefined && { timeout: settings.timeout }),
  });
  const logged: Syncing['logged'] = [];
  const note = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message });
  const clients = new Map<number, HostClient>();
  const clientFor = async (user_id: number): Promise<PersonalClient | null> => {
    const row = await db
      .selectFrom('users')
      .innerJoin('credentials', 'credentials.user_id', 'users.id')
      .select(['login', 'grant_id'])
      .where('users.id', '=', user_id)
      .where('rejected_at', 'is', null)
      .executeTakeFirst();
    return row === undefined
      ? null
      : { client: clients.get(user_id) ?? host.as(`ghp_${row.login}`), grant_id: row.grant_id };
  };
  const rejectToken = async (user_id: number) => {
    await db.updateTable('credentials').set({ rejected_at: now() }).where('user_id', '=', user_id).execute();
    return true;
  };
  const noteSecurityEvent: NoteSecurityEvent = async (event) => note('info')(event, 'security event');
  const context: SyncDeps = {
    db,
    stepFailed: (step, err, fields) => note('error')({ ...fields, step, err }, 'upkeep step failed'),
    hostWaited: () => undefined,
    noteSecurityEvent,
    served: [host.key],
    hostLabel: () => host.label,
    clientFor,
    clientForSync: clientFor,
    rejectToken,
    checkAccess: (user_id, repository_id, deleted) =>
      checkAccess({ db, clientFor, rejectToken, now, noteSecurityEvent }, user_id, repository_id, deleted),
    now,
    sleep: (milliseconds, signal) => sleep(milliseconds / faster, signal),
    random: () => 0.5,
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  };
  const worker: SyncWorker | null =
    settings.working === false
      ? null
      : startSyncWorker(context, {
          ...workerDefaults,
          poll: POLL * faster,
          rebuild: 2 * POLL * faster,
          at_once: settings.at_once ?? workerDefaults.at_once,
          turn: settings.turn ?? 0,
        });

  const until: Syncing['until'] = async (session_id, ...statuses) => {
    const wanted = statuses.length === 0 ? ['completed', 'failed', 'cancelled'] : statuses;
    for (let deadline = Date.now() + STALLED, moved = 0; ; ) {
      const session = await sessionById(db, session_id);
      if (session !== null && session.updated_at.getTime() !== moved) {
        moved = session.updated_at.getTime();
        deadline = Date.now() + STALLED;
      }
      if (session !== null && wanted.includes(session.status)) return syncResponseOf(session, session.user_id, now());
      if (Date.now() > deadline)
        throw new Error(
          `The session is still ${session?.status}: ${JSON.stringify(session)}\n${JSON.stringify(logged.slice(-5))}`,
        );
      await sleep(25);
    }
  };
  const start: Syncing['start'] = async (user_id, repository_id, mode, limit = null) => {
    const request = { repository_id, user_id, mode, asked_by: 'person', page_size_limit: limit } as const;
    const session = await startSession(db, request, now());
    if (session === null) throw new Error('There is no such repository.');
    worker?.nudge();
    return session.id;
  };

  return {
    db,
    host,
    context,
    nudge: () => worker?.nudge(),
    logged,
    async user(login) {
      const moment = now();
      const { id } = await db
        .insertInto('users')
        .values({ host: host.key, host_id: login, login, created_at: moment, signed_in_at: moment, seen_at: moment })
        .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet({ login }))
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('credentials')
        .values({ user_id: id, token_encrypted: `sealed ghp_${login}`, updated_at: moment })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ rejected_at: null }))
        .execute();
      const client = host.as(`ghp_${login}`);
      clients.set(id, settings.client?.(client, login) ?? client);
      return id;
    },
    async connect(user_id, full_name) {
      const [owner = '', name = ''] = full_name.split('/');
      const found = await clients.get(user_id)!.repository(owner, name);
      const moment = now();
      const described = {
        owner: found.owner,
        name: found.name,
        url: found.url,
        private: found.private,
        archived: found.archived,
      };
      const { id } = await db
        .insertInto('repositories')
        .values({
          host: host.key,
          host_id: found.id,
          ...described,
          webhook_key: `key of ${full_name}`,
          webhook_secret_encrypted: `secret of ${full_name}`,
          changed_at: moment,
          created_at: moment,
        })
        .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet(described))
        .returning('id')
        .executeTakeFirstOrThrow();
      await aConnection(db, user_id, id, moment);
      return id;
    },
    start,
    until,
    async run(user_id, repository_id, mode, limit = null) {
      return await until(await start(user_id, repository_id, mode, limit));
    },
    stop: async () => await worker?.stop(10_000),
  };
}

/** What the newest session of a repository says. */
export async function stateOf(
  db: Kysely<Database>,
  repository_id: number,
  now: Date = new Date(),
): Promise<SyncResponse> {
  const session = await newestSession(db, repository_id);
  return syncResponseOf(session, session?.user_id ?? 0, now);
}

/**
 * Everything that is stored of a repository's pull requests, row by row, without what says when it was read: two repositories that
 * were read from the same host by different ways must be equal. People are named by the host's ids.
 */
export async function everythingStored(
  db: Kysely<Database>,
  repository_id: number,
): Promise<Record<string, unknown[]>> {
  const { rows } = await sql<{
    id: number;
    host_id: string;
    login: string;
    kind: string;
    name: string | null;
    type: string;
  }>`
    select id, host_id, login, kind, name, type from people`.execute(db);
  const people = new Map(
    rows.map((row) => [row.id, `${row.host_id} ${row.login} ${row.type} ${row.kind} ${row.name}`]),
  );
  const stored: Record<string, unknown[]> = {};
  for (const table of storedTables) {
    const found = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where repository_id = ${repository_id}`.execute(db);
    stored[table] = found.rows.map((row) => comparable(row, people)).sort((a, b) => (a < b ? -1 : 1));
  }
  return stored;
}

const storedTables = [
  'pull_requests',
  'commits',
  'reviews',
  'comments',
  'events',
  'checks',
  'review_requests',
  'changed_files',
  'pull_request_facts',
  'participations',
  'contributor_totals',
  'contributor_months',
  'number_states',
  'person_numbers',
] as const;
const readingTimes = new Set(['repository_id', 'fetched_at', 'answered_at', 'settled', 'sweep_fingerprint']);

function comparable(row: Record<string, unknown>, people: ReadonlyMap<number, string>): string {
  const entries = Object.entries(row)
    .filter(([name]) => !readingTimes.has(name))
    .map(([name, value]) => {
      if (name === 'reviewer_ids') return [name, (value as number[]).map((id) => people.get(id))];
      const person = ['person_id', 'author_id', 'merged_by_id', 'actor_id', 'reviewer_id'].includes(name);
      return [name, person && value !== null ? people.get(value as number) : value];
    });
  return JSON.stringify(Object.fromEntries(entries));
}

/** Requests and points that the simulated host has counted for GraphQL since `forget`. */
export async function asked(
  simulator: RunningSimulator,
): Promise<{ requests: number; points: number; operations: Record<string, number> }> {
  const report = (await simulator.control('counters')) as {
    kinds: Record<string, { requests: number; points: number }>;
    operations: Record<string, number>;
  };
  return { requests: 0, points: 0, ...report.kinds.graphql, operations: report.operations };
}

export async function forget(simulator: RunningSimulator): Promise<void> {
  await simulator.control('counters', undefined, 'DELETE');
}
