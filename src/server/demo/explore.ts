import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { makeGroup } from '#contract/teams.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import type { Database } from '../db/database.ts';
import type { CodeHost } from '../host/host.ts';
import type { RepositoryName } from '../host/repository.ts';
import type { Log } from '../log.ts';
import { isVisible } from '../metrics/scope.ts';
import { deleteUsers } from '../metrics/team-people.ts';
import { checkoutGroup } from './checkout-group.ts';
import type { DemoHost, DemoWorld } from './demo-host.ts';

/** What the demo needs of the rest of the server. */
export interface DemoDeps {
  readonly process: DemoHost;
  readonly host: CodeHost;
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  /** Makes or finds the user of a token of the demo's host. */
  readonly signIn: (token: string) => Promise<{ readonly id: number; readonly host: string }>;
  readonly connect: (
    user: { id: number; host: string },
    name: RepositoryName,
  ) => Promise<{ added: boolean; repository: { id: number } }>;
  readonly startSync: (user_id: number, repository_id: number) => Promise<void>;
  /** Has the host deliver the repository's events here, so that the demo's life is seen as it happens. */
  readonly deliver: (user_id: number, repository_id: number) => Promise<void>;
  /** Imports all teams of an organisation; throws where it has none that the user is shown. */
  readonly importTeams: (user: { id: number; host: string }, organisation: string) => Promise<void>;
  /** Notes which imported teams the user is shown. */
  readonly readTeams: (user: { id: number; host: string }) => Promise<void>;
  readonly makeGroup: (user: { id: number; host: string }, group: BodyOf<typeof makeGroup>) => Promise<void>;
  /** Has the user begin with something snoozed; false as long as their work is not stored. */
  readonly snooze: (user_id: number) => Promise<boolean>;
  /** Ends early when the server stops. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/** How long a browser waits for the demo's host, in milliseconds; its world takes seconds to build. */
const PATIENCE = 20_000;
/** How often it is tried whether a new visitor's work is stored, in milliseconds, and how many times. */
const TRY_AGAIN_AFTER = 3000;
const MOST_TRIES = 400;
/** A visitor is forgotten this long after their last request, in milliseconds. */
const FORGOTTEN_AFTER = 24 * 3_600_000;
/** So many visitors at once; one more takes the place of whoever was away longest. */
const MOST_VISITORS = 200;
/** Whoever made a request within this time keeps their place, in milliseconds. */
const KEEPS_PLACE = 15 * 60_000;

/**
 * "View Demo": the very calls that connect and sync any host's repositories and import its teams. Nobody signs in as the resident, who keeps
 * them and the webhooks, so that they are imported once; each visitor is a user with connections and a group of their own.
 */
export function exploring(demo: DemoDeps) {
  const { process, host, db, now, log } = demo;
  let settling: Promise<unknown> = Promise.resolve();
  const ownersWithTeams = new Set<string>();
  const unsynced: { user_id: number; repository_id: number }[] = [];

  const tokenOf = (login: string) => `ghp_${login}`;

  async function connectedBy(user_id: number): Promise<{ repository_id: number; owner: string; name: string }[]> {
    return await db
      .selectFrom('connections as c')
      .innerJoin('repositories', 'repositories.id', 'c.repository_id')
      .select(['c.repository_id', 'repositories.owner', 'repositories.name'])
      .where('c.user_id', '=', user_id)
      .where('repositories.host', '=', host.key)
      .where(isVisible)
      .execute();
  }

  async function tryToDeliver(user_id: number, repository_id: number): Promise<void> {
    try {
      await demo.deliver(user_id, repository_id);
    } catch (error) {
      // Without it the hourly sync still brings what happened.
      log.warn({ err: error, repository_id }, 'the demo’s events will not be delivered');
    }
  }

  async function tryToImportTeams(resident: { id: number; host: string }, owner: string): Promise<void> {
    if (ownersWithTeams.has(owner)) return;
    try {
      await demo.importTeams(resident, owner);
      ownersWithTeams.add(owner);
    } catch (error) {
      // The next visitor brings another try.
      log.warn({ err: error, owner }, 'the demo’s teams could not be imported');
    }
  }

  async function groupsOf(user_id: number): Promise<number> {
    const groups = await db.selectFrom('teams').select('id').where('created_by', '=', user_id).execute();
    return groups.length;
  }

  async function tryToMakeGroup(visitor: { id: number; host: string }): Promise<void> {
    try {
      await demo.makeGroup(visitor, checkoutGroup(process.since));
    } catch (error) {
      // A visitor can make groups without it.
      log.warn({ err: error }, 'a visitor of the demo begins without a group');
    }
  }

  /** Visitors have done nothing at the company: they are shown what waits for somebody who has. */
  async function tryToSeat(user_id: number, { desk }: DemoWorld): Promise<void> {
    if (desk === null) return;
    try {
      const { account } = await host.as(tokenOf(desk)).viewer();
      await db.updateTable('users').set({ work_of: account.id }).where('id', '=', user_id).execute();
    } catch (error) {
      // Without it nothing waits for them, and all else is there.
      log.warn({ err: error }, 'a visitor of the demo is shown nobody’s work');
    }
  }

  /** Whoever sees the snoozed ones knows what snoozing does. The first visitor comes before anything is imported. */
  async function tryToSnooze(user_id: number): Promise<void> {
    try {
      for (let tries = 0; tries < MOST_TRIES && !(await demo.snooze(user_id)); tries += 1)
        await demo.sleep(TRY_AGAIN_AFTER);
    } catch (error) {
      log.warn({ err: error }, 'a visitor of the demo begins with nothing snoozed');
    }
  }

  /** Connects what the user has not connected yet; returns those repositories. */
  async function connectMissing(user: { id: number; host: string }, world: DemoWorld): Promise<number[]> {
    const already = await connectedBy(user.id);
    const missing = world.repositories.filter(
      ({ owner, name }) => !already.some((one) => one.owner === owner && one.name === name),
    );
    const ids: number[] = [];
    for (const name of missing) ids.push((await demo.connect(user, name)).repository.id);
    return ids;
  }

  async function settle(world: DemoWorld): Promise<void> {
    const resident = await demo.signIn(tokenOf(world.login));
    // Earlier versions let everybody sign in as this user.
    await db.deleteFrom('sessions').where('user_id', '=', resident.id).execute();
    const repository_ids = await connectMissing(resident, world);
    for (const repository_id of repository_ids) await tryToDeliver(resident.id, repository_id);
    for (const owner of new Set(world.repositories.map((repository) => repository.owner)))
      await tryToImportTeams(resident, owner);
    unsynced.push(...repository_ids.map((repository_id) => ({ user_id: resident.id, repository_id })));
  }

  /** One after the other: the first visitors may come together. */
  async function residentSettled(world: DemoWorld): Promise<void> {
    const mine = settling.catch(() => undefined).then(() => settle(world));
    settling = mine;
    await mine;
  }

  return {
    host,

    /**
     * The token of a visitor, new unless `login` is already one, with the demo's repositories in place behind it. Null while the demo's
     * host does not answer, or while it is full. `countNew` may refuse a new one by throwing.
     */
    async admit(login: string | null, countNew: () => void): Promise<{ token: string } | 'not_ready' | 'full'> {
      const world = await process.ready(PATIENCE);
      if (world === null) return 'not_ready';
      await residentSettled(world);
      if (login?.startsWith('visitor-')) return { token: tokenOf(login) };
      countNew();
      const { count } = await db
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('host', '=', host.key)
        .where('login', 'like', 'visitor-%')
        .executeTakeFirstOrThrow();
      const at = now().getTime();
      if (count >= MOST_VISITORS && (await forget(db, new Date(at - KEEPS_PLACE), count - MOST_VISITORS + 1)) === 0)
        return 'full';
      return { token: tokenOf(`visitor-${randomBytes(6).toString('hex')}`) };
    },

    /** Connects the demo's repositories for a visitor who has just signed in. */
    async connect(user: { id: number; host: string }): Promise<void> {
      const world = await process.ready(PATIENCE);
      const isNew = (await connectedBy(user.id)).length === 0 && (await groupsOf(user.id)) === 0;
      if (world !== null) {
        await connectMissing(user, world);
        await tryToSeat(user.id, world);
      }
      await demo.readTeams(user);
      if (isNew) {
        await tryToMakeGroup(user);
        void tryToSnooze(user.id);
      }
      // The first sync keeps a small machine busy; whoever signs in does not wait for it.
      for (const { user_id, repository_id } of unsynced.splice(0)) await demo.startSync(user_id, repository_id);
    },

    /** After a start: the simulated host has forgotten its webhooks with its process. */
    async deliverAgain(): Promise<void> {
      const known = await db.selectFrom('users').select('id').where('host', '=', host.key).limit(1).executeTakeFirst();
      const world = known === undefined ? null : await process.ready(10 * PATIENCE);
      if (world === null) return;
      const resident = await demo.signIn(tokenOf(world.login));
      for (const { repository_id } of await connectedBy(resident.id)) await tryToDeliver(resident.id, repository_id);
    },
  };
}

/**
 * Forgets the visitors who have been away for a day, with all that was theirs. Where the demo is not among the hosts that are served, also who
 * keeps its repositories, and so these and its teams: it is set up from the start once it is switched on again.
 */
export async function forgetVisitors(db: Kysely<Database>, served: readonly string[], now: Date): Promise<void> {
  await forget(db, new Date(now.getTime() - FORGOTTEN_AFTER), null, served.includes(DEMO_HOST) ? 'visitor-%' : '%');
}

async function forget(db: Kysely<Database>, before: Date, most: number | null, logins = 'visitor-%'): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from users where host = ${DEMO_HOST} and login like ${logins} and seen_at < ${before}
    order by seen_at limit ${most}`.execute(db);
  await deleteUsers(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}
