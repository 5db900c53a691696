import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { CodeHost, RepositoryName } from '../host/host.ts';
import type { Log } from '../log.ts';
import type { DemoHost } from './demo-host.ts';

/** What the demo needs of the rest of the server. */
export interface Exploring {
  readonly process: DemoHost;
  readonly host: CodeHost;
  readonly db: Kysely<Database>;
  readonly connect: (
    user: { id: number; host: string },
    name: RepositoryName,
  ) => Promise<{ added: boolean; repository: { id: number } }>;
  readonly startSync: (user_id: number, repository_id: number) => Promise<void>;
  /** Has the host deliver the repository's events here, so that the demo's life is seen as it happens. */
  readonly deliver: (user_id: number, repository_id: number) => Promise<void>;
  readonly log: Log;
}

/** How long a browser waits for the demo's host, in milliseconds; its world takes seconds to build. */
const PATIENCE = 20_000;

/** "Explore the demo" (server specification, section 3): the very calls that connect and sync any host's repositories. */
export function exploring({ process, host, db, connect, startSync, deliver, log }: Exploring) {
  async function connected(): Promise<{ user_id: number; repository_id: number; owner: string; name: string }[]> {
    return await db
      .selectFrom('connections')
      .innerJoin('repositories', 'repositories.id', 'connections.repository_id')
      .select(['connections.user_id', 'connections.repository_id', 'repositories.owner', 'repositories.name'])
      .where('repositories.host', '=', host.key)
      .where('connections.readable', '=', true)
      .execute();
  }

  async function tryToDeliver(user_id: number, repository_id: number): Promise<void> {
    try {
      await deliver(user_id, repository_id);
    } catch (error) {
      // Without it the hourly sync still brings what happened.
      log.warn({ err: error, repository_id }, 'the demo’s events will not be delivered');
    }
  }

  return {
    /** Whom to sign in as and where, as soon as the host answers; null when it takes too long. */
    async ready(): Promise<{ host: CodeHost; token: string } | null> {
      const world = await process.ready(PATIENCE);
      return world && { host, token: `ghp_${world.login}` };
    },

    /** Connects the demo's repositories that the user has not connected yet, and starts to sync them. */
    async connect(user: { id: number; host: string }): Promise<void> {
      const world = await process.ready(PATIENCE);
      const already = (await connected()).filter(({ user_id }) => user_id === user.id);
      const missing = (world?.repositories ?? []).filter(
        ({ owner, name }) => !already.some((one) => one.owner === owner && one.name === name),
      );
      const repository_ids: number[] = [];
      for (const name of missing) {
        const { repository } = await connect(user, name);
        await tryToDeliver(user.id, repository.id);
        repository_ids.push(repository.id);
      }
      // The first sync keeps a small machine busy; whoever signs in does not wait for it.
      for (const repository_id of repository_ids) await startSync(user.id, repository_id);
    },

    /** After a start: the simulated host has forgotten its webhooks with its process. */
    async deliverAgain(): Promise<void> {
      const before = await connected();
      if (before.length === 0 || (await process.ready(10 * PATIENCE)) === null) return;
      for (const { user_id, repository_id } of before) await tryToDeliver(user_id, repository_id);
    },
  };
}
