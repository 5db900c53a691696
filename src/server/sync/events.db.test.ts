import { setTimeout as pause } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { WorkCounts } from '#contract/my-work.ts';
import type { SyncEvent } from '#contract/sync.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { startFrozenProxy } from '../../../test/support/frozen-proxy.ts';
import { aRepository, aUser } from '../../../test/support/stored.ts';
import { livingSessions, startSession } from '../auth/sessions.ts';
import { type Notifications, notificationsFrom, type Told } from '../db/notifications.ts';
import type { OpenDatabase } from '../db/open.ts';
import { openLog } from '../log.ts';
import { SyncEvents, type SyncEventsDeps } from './events.ts';

let database: OpenDatabase;
let questions = 0;
/** Goes on with whatever waits for the next look. */
let tick: () => void;
const waiting = new Set<() => void>();
const running: SyncEvents[] = [];

const counting: KyselyPlugin = {
  transformQuery({ node }) {
    questions += 1;
    return node;
  },
  async transformResult({ result }) {
    if (result.rows.some((row) => 'seen_id' in row)) await whenRead();
    return result;
  },
};
/** Happens when a look has read what there is to see. */
let whenRead = async () => {};

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await Promise.all(running.map((events) => events.stop()));
  await database.close();
});
beforeEach(() => {
  [counts, counted, later] = [nothing, 0, 0];
  tick = () => {
    for (const go of waiting) go();
  };
});

function sleep(_milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const go = () => {
      waiting.delete(go);
      resolve();
    };
    waiting.add(go);
    signal.addEventListener('abort', go, { once: true });
  });
}

const nothing: WorkCounts = { turn: 0, review: 0, author: 0, merge: 0, team_review: 0, snoozed: 0 };
/** What waits for everybody; null while it can't be said. */
let counts: WorkCounts | null;
let counted: number;
/** How far the clock has gone on, in milliseconds. */
let later: number;

const everywhere: SyncEventsDeps['workCounts'] = async (asked) => {
  counted += asked.size;
  const own = counts;
  return new Map([...asked].map(([user, ids]) => [user, own && new Map(ids.map((id) => [id, own]))]));
};

function open(notifications: Notifications | null = null, workCounts = everywhere): SyncEvents {
  const db = database.db.withPlugin(counting);
  const events = new SyncEvents({
    ...{ db, sleep, notifications, now: () => new Date(Date.now() + later), log: openLog('silent') },
    livingSessions: (ids) => livingSessions(db, ids, new Date()),
    beforeTelling: async () => undefined,
    workCounts,
  });
  running.push(events);
  return events;
}

/** With what is counted, for whom and in which repositories, question by question. */
function openNotingCounts(): { events: SyncEvents; asked: [number, readonly number[]][][] } {
  const asked: [number, readonly number[]][][] = [];
  const events = open(null, async (wanted) => {
    asked.push([...wanted]);
    return new Map([...wanted].map(([user, ids]) => [user, new Map(ids.map((id) => [id, { ...nothing, turn: 1 }]))]));
  });
  return { events, asked };
}

interface Stream {
  readonly heard: SyncEvent[];
  /** How many events came together, of each time. */
  readonly pieces: number[];
  ended: boolean;
  readonly leave: () => void;
}

async function watch(events: SyncEvents, user_id: number): Promise<Stream & { session: string }> {
  const credential = database.db.selectFrom('credentials').select('grant_id').where('user_id', '=', user_id);
  const { grant_id } = await credential.executeTakeFirstOrThrow();
  const session = await startSession(database.db, { id: user_id, grant_id }, null, new Date());
  const gone = new AbortController();
  const stream: Stream & { session: string } = {
    ...{ heard: [], pieces: [], ended: false },
    leave: () => gone.abort(),
    session,
  };
  void (async () => {
    for await (const news of events.watch(user_id, session, gone.signal)) {
      stream.heard.push(...news);
      stream.pieces.push(news.length);
    }
    stream.ended = true;
  })();
  return stream;
}

async function change(repository_id: number): Promise<void> {
  await sql`update repositories set changed_at = changed_at + interval '1 second' where id = ${repository_id}`.execute(
    database.db,
  );
}

/** Until no look is under way and everything waits. */
async function quiet(): Promise<void> {
  let before = -1;
  await expect
    .poll(
      () => {
        const still = before === questions && waiting.size > 0;
        before = questions;
        return still;
      },
      { interval: 60 },
    )
    .toBe(true);
}

test('200 streams of 100 people cost no more questions than one', async () => {
  const { db } = database;
  const people = await Promise.all(Array.from({ length: 100 }, () => aUser(db)));
  const shared = await aRepository(db, 'acme/shared', people);
  const events = open();
  const first = await watch(events, people[0]!);
  await quiet();
  const perLook = async () => {
    const before = questions;
    await change(shared);
    tick();
    await quiet();
    return questions - before;
  };
  const alone = await perLook();
  const others: Stream[] = [];
  for (let n = 1; n < 200; n += 1) others.push(await watch(events, people[n % 100]!));
  await quiet();

  const together = await perLook();

  expect([alone, together]).toEqual([2, 2]);
  for (const stream of [first, ...others])
    expect(stream.heard.at(-1)).toMatchObject({ type: 'changed', repository_id: shared });
  for (const stream of [first, ...others]) stream.leave();
  await expect.poll(() => others.every(({ ended }) => ended)).toBe(true);
  const before = questions;
  tick();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(questions, 'nobody watches, nobody looks').toBe(before);
});

test('what a look finds comes together', async () => {
  const { db } = database;
  const person = await aUser(db);
  const repositories = [await aRepository(db, 'acme/one', [person]), await aRepository(db, 'acme/two', [person])];
  const events = open();
  const stream = await watch(events, person);
  await quiet();
  await Promise.all(repositories.map(change));
  tick();
  await quiet();

  expect(new Set(stream.heard.map((event) => 'repository_id' in event && event.repository_id))).toEqual(
    new Set(repositories),
  );
  expect(stream.pieces).toEqual([2]);
  stream.leave();
});

test('the stream of whoever loses sight of a repository ends without a word of it, and others go on hearing', async () => {
  const { db } = database;
  const [stays, goes] = [await aUser(db), await aUser(db)];
  const id = await aRepository(db, 'acme/private', [stays, goes]);
  const events = open();
  const [staying, going] = [await watch(events, stays), await watch(events, goes)];
  await quiet();
  await change(id);
  tick();
  await expect.poll(() => [staying.heard.length, going.heard.length]).toEqual([1, 1]);

  await db.updateTable('connections').set({ readable: false }).where('user_id', '=', goes).execute();
  await change(id);
  tick();

  await expect.poll(() => [staying.heard.length, going.ended]).toEqual([2, true]);
  expect(going.heard).toHaveLength(1);
  expect(staying.ended).toBe(false);
  staying.leave();
});

test('whoever loses sight of a repository is told before the stream ends how much waits without it', async () => {
  const { db } = database;
  const person = await aUser(db);
  const [lost] = [await aRepository(db, 'acme/lost', [person]), await aRepository(db, 'acme/kept', [person])];
  const { events } = openNotingCounts();
  const stream = await watch(events, person);
  await quiet();

  await db.updateTable('connections').set({ readable: false }).where('repository_id', '=', lost).execute();
  tick();

  await expect.poll(() => stream.ended).toBe(true);
  expect(stream.heard).toEqual([{ type: 'my-work', counts: { ...nothing, turn: 1 } }]);
});

test('a stream begins with what changed while its page was asking, and with nothing that is older', async () => {
  const { db } = database;
  const person = await aUser(db);
  const [old, fresh, own] = [
    await aRepository(db, 'acme/old', [person]),
    await aRepository(db, 'acme/fresh', [person]),
    await aRepository(db, 'acme/own', [person]),
  ];
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const setChanged = (id: number, changed_at: Date) =>
    db.updateTable('repositories').set({ changed_at }).where('id', '=', id).execute();
  await setChanged(old, ago(60));
  const changed_at = ago(2);
  await setChanged(fresh, changed_at);
  await db.insertInto('lenses').values({ repository_id: own, user_id: person, changed_at }).execute();
  const events = open();
  const stream = await watch(events, person);
  await quiet();

  expect(stream.heard).toHaveLength(2);
  for (const repository_id of [fresh, own])
    expect(stream.heard).toContainEqual({ type: 'changed', repository_id, changed_at: changed_at.toISOString() });
  await setChanged(old, new Date());
  tick();
  await quiet();
  expect(stream.heard.slice(2)).toMatchObject([{ type: 'changed', repository_id: old }]);
  stream.leave();
});

test('a stream ends with the session that opened it, and another one of the same person goes on', async () => {
  const { db } = database;
  const person = await aUser(db);
  const events = open();
  const [one, other] = [await watch(events, person), await watch(events, person)];
  await quiet();

  await sql`delete from sessions where created_at = (select min(created_at) from sessions where user_id = ${person})
    and user_id = ${person}`.execute(db);
  tick();

  await expect.poll(() => [one.ended, other.ended]).toEqual([true, false]);
  other.leave();
});

test('a database that fails for a moment ends no stream', async () => {
  const { db } = database;
  const person = await aUser(db);
  const id = await aRepository(db, 'acme/steady', [person]);
  const events = open();
  const stream = await watch(events, person);
  await quiet();
  await sql`alter table sync_sessions rename to sync_sessions_away`.execute(db);
  tick();
  await quiet();
  await sql`alter table sync_sessions_away rename to sync_sessions`.execute(db);
  await change(id);
  tick();

  await expect.poll(() => stream.heard).toMatchObject([{ type: 'changed', repository_id: id }]);
  expect(stream.ended).toBe(false);
  stream.leave();
});

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'PostgreSQL tells of changes at once, also after the connection that listens was cut',
  async () => {
    const { db } = database;
    const person = await aUser(db);
    const id = await aRepository(db, 'acme/told', [person]);
    const broken: Error[] = [];
    const notifications = await listeningTo(database, (error) => broken.push(error));
    const events = open(notifications);
    const stream = await watch(events, person);
    await expect.poll(() => notifications.listening).toBe(true);
    await quiet();
    tick();
    await quiet();
    // Past the second between two looks: from here on only a notification wakes it.
    tick();
    await quiet();
    await change(id);
    await expect.poll(() => waiting.size > 0).toBe(true);
    tick();
    await expect.poll(() => stream.heard.length).toBe(1);

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'
      and datname = current_database()`.execute(db);
    await expect.poll(() => notifications.listening).toBe(false);
    await expect.poll(() => notifications.listening, { timeout: 10_000 }).toBe(true);
    await change(id);
    await quiet();
    tick();
    await expect.poll(() => stream.heard.length).toBe(2);
    expect(broken).toHaveLength(1);
    stream.leave();
  },
);

async function listeningTo({ db }: OpenDatabase, log: (error: Error) => void): Promise<Notifications> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const address = Object.assign(new URL(inject('postgresql').url), { pathname: `/${rows[0]!.name}` });
  return notificationsFrom(address.href, log);
}

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'PostgreSQL tells of what there is to see, and when others may see it, and not of leases and checks',
  async () => {
    const { db } = database;
    const person = await aUser(db);
    const id = await aRepository(db, 'acme/kinds', [person]);
    const heard: Told[] = [];
    const notifications = await listeningTo(database, () => undefined);
    notifications.start((what) => heard.push(what));
    await expect.poll(() => notifications.listening).toBe(true);
    const connections = db.updateTable('connections').where('user_id', '=', person);

    await connections.set({ check_due_at: new Date(), checked_at: new Date() }).execute();
    await sql`update sync_sessions set heartbeat_at = clock_timestamp()`.execute(db);
    await change(id);
    await connections.set({ readable: false }).execute();
    await db.updateTable('credentials').set({ rejected_at: new Date() }).where('user_id', '=', person).execute();
    await change(id);

    // The first when it began to listen.
    await expect.poll(() => heard).toEqual(['sight', 'figures', 'sight', 'sight', 'figures']);
    await notifications.stop();
  },
);

/** Two people with a stream each, of events that PostgreSQL prompts, in a repository that `loseSight` takes from the second. */
async function watchedByTwo(name: string) {
  const { db } = database;
  const [stays, goes] = [await aUser(db), await aUser(db)];
  const id = await aRepository(db, name, [stays, goes]);
  const notifications = await listeningTo(database, () => undefined);
  const events = open(notifications);
  const [staying, going] = [await watch(events, stays), await watch(events, goes)];
  await expect.poll(() => notifications.listening).toBe(true);
  await quiet();
  const loseSight = async () => {
    await db.updateTable('connections').set({ readable: false }).where('user_id', '=', goes).execute();
  };
  return { id, staying, going, loseSight };
}

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'where PostgreSQL tells of changes, the stream of whoever loses sight ends at the next look without a word',
  async () => {
    const { id, staying, going, loseSight } = await watchedByTwo('acme/told-private');
    await change(id);
    tick();
    await expect.poll(() => [staying.heard.length, going.heard.length]).toEqual([1, 1]);
    await quiet();

    await loseSight();
    await change(id);
    await quiet();
    tick();
    await quiet();
    tick();

    await expect.poll(() => [staying.heard.length, going.ended]).toEqual([2, true]);
    expect(going.heard).toHaveLength(1);
    staying.leave();
  },
);

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'whoever loses sight while a look is under way hears nothing of what it found',
  async () => {
    const { id, staying, going, loseSight } = await watchedByTwo('acme/lost-meanwhile');
    tick();
    await quiet();
    whenRead = async () => {
      whenRead = async () => {};
      await loseSight();
    };

    await change(id);
    const ended = () => {
      tick();
      return [staying.heard.length, going.ended];
    };
    await expect.poll(ended).toEqual([1, true]);

    expect(going.heard).toEqual([]);
    staying.leave();
  },
);

test('a listener whose address cannot be used says so, and ends nothing', async () => {
  const told: string[] = [];
  const listener = notificationsFrom('postgresql://db/m?sslrootcert=/nonexistent', ({ message }) => told.push(message));

  listener.start(() => undefined);

  await expect.poll(() => told).toEqual([expect.stringMatching(/^Nothing listens for changes: ENOENT/)]);
  await listener.stop();
});

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'a listener that cannot connect says so once, and one whose server is gone without a word stops in a moment',
  async () => {
    const told: string[] = [];
    const nowhere = notificationsFrom('postgresql://nobody@127.0.0.1:1/none', ({ message }) => told.push(message));
    nowhere.start(() => undefined);
    const began = performance.now();
    const proxy = await startFrozenProxy(Number(new URL(inject('postgresql').url).port));
    const through = Object.assign(new URL(inject('postgresql').url), { port: String(proxy.port) });
    const frozen = notificationsFrom(through.href, ({ message }) => told.push(message));
    frozen.start(() => undefined);
    await expect.poll(() => frozen.listening).toBe(true);
    proxy.freeze();

    const stopped = await Promise.race([frozen.stop().then(() => 'in time'), pause(5000, 'too late')]);
    await proxy.stop();
    // By then it has tried again.
    await pause(Math.max(0, began + 2500 - performance.now()));
    await nowhere.stop();
    expect(stopped).toBe('in time');
    expect(told).toEqual(['Nothing listens for changes: connect ECONNREFUSED 127.0.0.1:1']);
  },
);

test('every page of a person hears how much waits for them, with the next look and only when it became another', async () => {
  const { db } = database;
  const [mona, other] = [await aUser(db), await aUser(db)];
  const repository = await aRepository(db, 'acme/work', [mona, other]);
  const events = open();
  const pages = [await watch(events, mona), await watch(events, mona)];
  await quiet();
  const look = async () => {
    for (const { heard } of pages) heard.length = 0;
    counted = 0;
    tick();
    await quiet();
    return pages.map(({ heard }) => heard.filter(({ type }) => type === 'my-work'));
  };

  expect(await look(), 'nothing changed').toEqual([[], []]);
  expect(counted).toBe(0);
  await change(repository);
  expect(await look(), 'it changed, and as much waits').toEqual([[], []]);
  expect(counted, 'once for both pages').toBe(1);
  counts = { ...nothing, turn: 1, review: 1 };
  await change(repository);
  const event = { type: 'my-work', counts };
  expect(await look()).toEqual([[event], [event]]);
  counts = null;
  await change(repository);
  expect(await look(), 'nobody can say').toEqual([[], []]);
  counts = { ...nothing, turn: 2, review: 2 };
  const again = { type: 'my-work', counts };
  expect(await look(), 'it is tried again').toEqual([[again], [again]]);

  counts = nothing;
  later = 49_000;
  expect(await look(), 'by the clock alone, not before its time').toEqual([[], []]);
  later = 51_000;
  expect(await look()).toEqual([[{ type: 'my-work', counts: nothing }], [{ type: 'my-work', counts: nothing }]]);

  counts = { ...nothing, snoozed: 1 };
  const moment = new Date();
  const snooze = { number: 1, until: null, until_change: true, kind: 'review', since: moment, changed_at: moment };
  await db
    .insertInto('snoozes')
    .values([
      { ...snooze, user_id: mona, repository_id: repository },
      { ...snooze, user_id: other, repository_id: repository },
    ])
    .execute();
  expect(await look()).toEqual([[{ type: 'my-work', counts }], [{ type: 'my-work', counts }]]);
  await db.deleteFrom('snoozes').where('user_id', '=', other).execute();
  await look();
  expect(counted, 'somebody else’s snooze').toBe(0);
  for (const { leave } of pages) leave();
});

test('whoever is counted in everything takes along those who would be before long', async () => {
  const { db } = database;
  const [mona, octo, ada] = [await aUser(db), await aUser(db), await aUser(db)];
  const repository = await aRepository(db, 'acme/along', [mona, octo, ada]);
  const { events, asked } = openNotingCounts();
  const streams: Stream[] = [];
  const comes = async (user: number, milliseconds: number) => {
    later = milliseconds;
    streams.push(await watch(events, user));
    await quiet();
    return asked.splice(0);
  };
  const looks = async (milliseconds: number) => {
    later = milliseconds;
    tick();
    await quiet();
    return asked.splice(0);
  };
  const all = [repository];

  expect(await comes(mona, 0)).toEqual([[[mona, all]]]);
  expect(await comes(octo, 10_000), 'mona was counted a moment ago').toEqual([[[octo, all]]]);
  expect(await comes(ada, 36_000)).toEqual([
    [
      [mona, all],
      [octo, all],
      [ada, all],
    ],
  ]);
  expect(await looks(60_000), 'nobody is due').toEqual([]);
  expect(await looks(90_000)).toEqual([expect.arrayContaining([mona, octo, ada].map((user) => [user, all]))]);
  for (const { leave } of streams) leave();
});

test('whoever comes during a look is told of no other number than there is', async () => {
  const { db } = database;
  const [first, second] = [await aUser(db), await aUser(db)];
  const repository = await aRepository(db, 'acme/late', [first, second]);
  counts = { ...nothing, turn: 3, review: 3 };
  const events = open();
  const early = await watch(events, first);
  await quiet();
  await change(repository);
  tick();
  const late = await watch(events, second);
  await quiet();
  for (let look = 0; look < 3; look += 1) {
    await change(repository);
    tick();
    await quiet();
  }
  expect([...early.heard, ...late.heard].filter(({ type }) => type === 'my-work')).toEqual([]);
  early.leave();
  late.leave();
});

test('where something changed, what waits there is counted again for all who read it, in one question, and nothing else is', async () => {
  const { db } = database;
  const people = await Promise.all(Array.from({ length: 20 }, () => aUser(db)));
  const [one] = [await aRepository(db, 'acme/one', people), await aRepository(db, 'acme/two', people)];
  const { events, asked } = openNotingCounts();
  const streams = await Promise.all(people.map((person) => watch(events, person)));
  await quiet();
  tick();
  await quiet();
  asked.length = 0;

  await change(one);
  tick();
  await quiet();

  expect(asked).toEqual([expect.arrayContaining(people.map((person) => [person, [one]]))]);
  expect(streams.flatMap(({ heard }) => heard).filter(({ type }) => type === 'my-work')).toEqual([]);
  for (const { leave } of streams) leave();
});
