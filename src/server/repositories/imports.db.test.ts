import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aConnection, aRepository, aUser } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { cancelSession, startSession } from '../sync/sessions.ts';
import { importsOf, resumeAbandoned } from './imports.ts';

let database: OpenDatabase;
let first: number;
let second: number;
let repository: number;
/** The sync that the first person began, and that the second person's import waits for. */
let session: string;
const now = new Date('2026-03-02T12:00:00Z');

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('users').execute();
  [first, second] = [await aUser(db), await aUser(db)];
  repository = await aRepository(db, `acme/${randomUUID()}`, [first, second]);
  session = await begin(first);
  for (const user of [first, second]) await anImport(user);
});
afterAll(async () => {
  await database.close();
});

async function begin(user_id: number): Promise<string> {
  const request = {
    repository_id: repository,
    user_id,
    mode: 'smart',
    asked_by: 'person',
    page_size_limit: null,
  } as const;
  return (await startSession(database.db, request, now))!.id;
}

async function anImport(user_id: number): Promise<void> {
  const id = randomUUID();
  await database.db
    .insertInto('imports')
    .values({ id, user_id, state: 'running', sync: true, started_at: now })
    .execute();
  await database.db
    .insertInto('import_repositories')
    .values({
      ...{ import_id: id, position: 0, owner: 'acme', name: 'web', status: 'connected' },
      ...{ repository_id: repository, session_id: session },
    })
    .execute();
}

const resume = (
  startSync: Parameters<typeof resumeAbandoned>[0]['startSync'],
  stepFailed: (error: unknown) => void = (error) => {
    throw error;
  },
) => {
  const { db } = database;
  const stop = async (id: string) => void (await cancelSession(db, id, now));
  return resumeAbandoned({ db, startSync, stepFailed, cancelSession: stop });
};
const ends = (change: object) =>
  database.db.updateTable('sync_sessions').set(change).where('id', '=', session).execute();
const loses = (user_id: number) =>
  database.db
    .updateTable('connections')
    .set({ readable: false, lost_at: now, lost_reason: 'not_found' })
    .where('user_id', '=', user_id)
    .execute();
const of = async (user: number) => (await importsOf(database.db, user))[0]!;
const failed = { status: 'failed', error: 'Your sign-in lacks a permission.', error_kind: 'missing_scope' } as const;

test('what the host says to whoever began the sync is told to nobody else', async () => {
  await ends(failed);

  expect(await of(first)).toMatchObject({
    state: 'done',
    failed: [{ full_name: 'acme/web', reason: 'Your sign-in lacks a permission.' }],
  });
  expect(await of(second)).toMatchObject({ state: 'running', waiting: 1, failed: [] });
});

test.each(['failed', 'cancelled'] as const)(
  'a sync of somebody else that has %s goes on with the token of whoever imports it too, once',
  async (status) => {
    await ends({ status, error_kind: status === 'failed' ? 'not_found' : null });
    if (status === 'failed') await loses(first);
    else await database.db.updateTable('imports').set({ state: 'cancelled' }).where('user_id', '=', first).execute();
    const started: number[] = [];
    const start = async (user_id: number) => {
      started.push(user_id);
      return { id: await begin(user_id) };
    };

    await resume(start);
    await resume(start);

    expect(started).toEqual([second]);
    expect(await of(second)).toMatchObject({ state: 'running', waiting: 1 });
    await ends({ ...failed, user_id: second });
    await loses(second);
    await resume(start);
    expect(started, 'their own failure is told, and not tried again').toEqual([second]);
    expect((await of(second)).failed).toHaveLength(1);
  },
);

test('one that cannot be gone on with keeps no other waiting', async () => {
  const { db } = database;
  const third = await aUser(db);
  await aConnection(db, third, repository);
  await anImport(third);
  await ends({ status: 'cancelled' });
  await db
    .updateTable('imports')
    .set({ started_at: new Date(now.getTime() + 1000) })
    .where('user_id', '=', third)
    .execute();
  const errors: unknown[] = [];

  await resume(
    async (user_id) => {
      if (user_id === second) throw new Error('Not this one.');
      return { id: await begin(user_id) };
    },
    (error) => void errors.push(error),
  );

  expect(errors).toEqual([new Error('Not this one.')]);
  expect(await of(third)).toMatchObject({ state: 'running', waiting: 1 });
  const newest = await db.selectFrom('sync_sessions').select('user_id').orderBy('sequence', 'desc').executeTakeFirst();
  expect(newest).toEqual({ user_id: third });
});

test('is not gone on with in an import that was paused while the sync was about to begin', async () => {
  await ends({ status: 'cancelled' });
  await database.db.updateTable('imports').set({ state: 'cancelled' }).where('user_id', '=', first).execute();

  await resume(async (user_id) => {
    const begun = await begin(user_id);
    await database.db.updateTable('imports').set({ state: 'paused' }).where('user_id', '=', user_id).execute();
    return { id: begun };
  });

  expect(await of(second)).toMatchObject({ state: 'paused', done: 0, running: 0, waiting: 0, failed: [] });
});

test('what the host can give to nobody is not tried again with one token after the other', async () => {
  await ends({ ...failed, error_kind: 'too_heavy' });

  await resume(() => Promise.reject(new Error('It was begun.')));

  expect((await of(second)).failed).toEqual([{ full_name: 'acme/web', reason: 'The import failed.' }]);
});

test('a sync that its person cancelled alone has failed in their import, and is none of a paused one', async () => {
  await ends({ status: 'cancelled' });

  expect((await of(first)).failed).toEqual([{ full_name: 'acme/web', reason: 'Its sync was cancelled.' }]);
  await database.db.updateTable('imports').set({ state: 'paused' }).where('user_id', '=', first).execute();
  expect(await of(first)).toMatchObject({ state: 'paused', done: 0, running: 0, waiting: 0, failed: [] });
});

test('is done where the history is here, whatever became of that sync', async () => {
  await ends(failed);
  await database.db
    .updateTable('repositories')
    .set({ history_completed_at: now })
    .where('id', '=', repository)
    .execute();

  expect([await of(first), await of(second)]).toMatchObject([
    { state: 'done', done: 1, failed: [] },
    { state: 'done', done: 1, failed: [] },
  ]);
});

test('of what its person may no longer read, or has removed, nothing is told of how far it is', async () => {
  await loses(second);

  expect(await of(second)).toMatchObject({
    ...{ state: 'done', total: 1, done: 0, running: 0, waiting: 0 },
    failed: [{ full_name: 'acme/web', reason: 'Your account can no longer read it.' }],
  });
  await database.db.deleteFrom('connections').where('user_id', '=', second).execute();
  expect(await of(second)).toMatchObject({ total: 1, done: 0, running: 0, waiting: 0, failed: [] });
  await aConnection(database.db, second, repository, now);
  expect(await of(second)).toMatchObject({ waiting: 1 });
});
