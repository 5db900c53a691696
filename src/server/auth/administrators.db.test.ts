import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { administratorsIn } from './administrators.ts';

let host: RunningSimulator;
let app: TestApp;

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: host.url, config: { admin_logins: ['mona'] } });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});

const administrator = async (of: TestApp, as: string) =>
  ((await of.ask('GET', '/auth/me', { as })).body as { administrator: boolean }).administrator;

async function rowOf(login: string) {
  return await app.database.db
    .selectFrom('users')
    .selectAll()
    .where('host', '=', host.url)
    .where('login', '=', login)
    .executeTakeFirstOrThrow();
}

test('an account that ADMIN_LOGINS lists is an administrator, nobody else is', async () => {
  expect(await administrator(app, await app.signIn('mona'))).toBe(true);
  expect(await administrator(app, await app.signIn('octo'))).toBe(false);
});

test('what needs an administrator is refused to everybody else, and where nobody is one says how to make one', async () => {
  await app.signIn('mona');
  await app.signIn('octo');
  const set = administratorsIn(app.database.db, host.url, ['mona']);
  const unset = administratorsIn(app.database.db, host.url, []);

  await expect(set.require(await rowOf('mona'))).resolves.toBeUndefined();
  await expect(set.require(await rowOf('octo'))).rejects.toMatchObject({
    status: 403,
    message: 'Only administrators can do that.',
  });
  await expect(unset.require(await rowOf('mona'))).rejects.toMatchObject({
    status: 403,
    message: 'Set ADMIN_LOGINS',
  });
});

test('an account of another host with a listed login is no administrator', async () => {
  const { db } = app.database;
  const time = new Date();
  await db
    .insertInto('users')
    .values({ host: 'demo', host_id: '1', login: 'mona', created_at: time, signed_in_at: time })
    .execute();
  const [stranger] = await db.selectFrom('users').selectAll().where('host', '=', 'demo').execute();

  expect(await administratorsIn(db, host.url, ['mona']).includes(stranger!)).toBe(false);
});

test('whoever takes over a listed login after a rename at the host is no administrator', async () => {
  await app.signIn('mona');
  const { db } = app.database;
  const time = new Date();
  const administrators = administratorsIn(db, host.url, ['mona', 'fresh']);
  await db
    .insertInto('users')
    .values({ host: host.url, host_id: 'another', login: 'Mona', created_at: time, signed_in_at: time })
    .execute();

  const taken = await rowOf('Mona');
  expect(await administrators.includes(taken)).toBe(false);
  // Also once the one before has signed in with the new name.
  const before = await rowOf('mona');
  await db.updateTable('users').set({ login: 'mona-2' }).where('id', '=', before.id).execute();
  expect(await administrators.includes(taken)).toBe(false);
  expect(await administrators.ids()).toEqual(new Set());
});

test('a login that was taken off the list and is listed again means whoever has it then', async () => {
  const { db } = app.database;
  const time = new Date();
  await db
    .insertInto('users')
    .values({ host: host.url, host_id: 'handed', login: 'handed', created_at: time, signed_in_at: time })
    .execute();
  const started = (admin_logins: string[]) =>
    openTestApp({ host_url: host.url, database: app.database, config: { admin_logins } });
  const first = await started(['handed']);
  expect((await administratorsIn(db, host.url, ['handed']).ids()).size).toBe(1);
  await first.stop();
  await db.updateTable('users').set({ login: 'handed-over' }).where('host_id', '=', 'handed').execute();
  await db
    .insertInto('users')
    .values({ host: host.url, host_id: 'heir', login: 'handed', created_at: time, signed_in_at: time })
    .execute();

  await (await started([])).stop();
  const again = await started(['handed']);

  expect(await administratorsIn(db, host.url, ['handed']).includes(await rowOf('handed'))).toBe(true);
  await again.stop();
});
