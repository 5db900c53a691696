import dns from 'node:dns';
import { type AddressInfo, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { HostError } from '../host/errors.ts';
import { type OpenDatabase, openDatabase } from './open.ts';
import { isDatabaseAway } from './statement-limits.ts';

const nowhere = 'postgresql://nobody@127.0.0.1:1/none';
let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the database is the one that the test project names', () => {
  expect(database.kind).toBe(process.env.TEST_DATABASE);
});

test('a count arrives as a number, a bigint that a number cannot hold as text', async () => {
  const { rows } = await database.pool.query(
    'select count(*) as few, 9007199254740991::int8 as most, 9007199254740993::int8 as too_many from people',
  );

  expect(rows).toEqual([{ few: 0, most: 9007199254740991, too_many: '9007199254740993' }]);
});

test('days are those of UTC, wherever the server stands', async () => {
  const { rows } = await sql<{ zone: string }>`select current_setting('timezone') as zone`.execute(database.db);

  expect(rows).toEqual([{ zone: 'UTC' }]);
});

test('the process goes on while a long statement runs', async () => {
  await database.pool.query('select 1');
  const order: string[] = [];

  const statement = database.pool
    .query('select count(*) from generate_series(1, 2000000)')
    .then(() => order.push('the statement ends'));
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((later) => setTimeout(later, 1));
    order.push('the process goes on');
  }
  await statement;

  expect(order).toEqual([...Array(3).fill('the process goes on'), 'the statement ends']);
});

test('an answer of many megabytes arrives whole, and so does such a question', async () => {
  const long = 'ü'.repeat(2_000_000);

  const { rows } = await database.pool.query('select g, $1 || g as text from generate_series(1, 5) g', [long]);
  const many = await database.pool.query('select g from generate_series(1, 50000) g');

  expect(rows.map(({ g, text }) => [g, text === `${long}${g}`])).toEqual([1, 2, 3, 4, 5].map((g) => [g, true]));
  expect(many.rows.map(({ g }) => g)).toEqual(Array.from({ length: 50_000 }, (_, index) => index + 1));
});

test('a query that failed does not take the next ones down', async () => {
  await expect(database.pool.query('select no_such_column from people')).rejects.toThrow('no_such_column');
  await expect(sql`select nothing()`.execute(database.db)).rejects.toThrow('nothing()');

  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a connection that broke inside a transaction leaves none open behind', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query("insert into people (host, host_id, login, type, kind) values ('h', '1', 'ada', 'user', 'human')");
  client.release(new Error('broken'));

  const { rows } = await database.pool.query('select count(*) as people from people');

  expect(rows).toEqual([{ people: 0 }]);
});

test('a connection that breaks between two queries of a transaction fails the second, not the process', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  // The wire's other end goes away without a word.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy();
  await expect.poll(() => stream.closed).toBe(true);

  await expect(client.query('select 1')).rejects.toThrow();
  client.release(true);
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a client that is given up in the midst of a statement is replaced', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  const statement = client.query(
    "insert into people (host, host_id, login, type, kind) select 'h', g, 'ada', 'user', 'human' from generate_series(1, 20000) g",
  );
  client.release(new Error('out of patience'));

  await expect(statement).rejects.toThrow('Connection terminated');
  expect((await database.pool.query('select count(*) as people from people')).rows).toEqual([{ people: 0 }]);
});

test('a transaction that throws stores nothing', async () => {
  const person = { host: 'h', host_id: '2', login: 'bo', type: 'user', kind: 'human' } as const;

  const attempt = database.db.transaction().execute(async (trx) => {
    await trx.insertInto('people').values(person).execute();
    throw new Error('stop here');
  });

  await expect(attempt).rejects.toThrow('stop here');
  expect(await database.db.selectFrom('people').select('id').execute()).toEqual([]);
});

test('a server that cannot be reached is named in one line', async () => {
  const attempt = openDatabase({ kind: 'postgresql', url: nowhere }, () => undefined);

  await expect(attempt).rejects.toThrow(/^DATABASE_URL: the database cannot be reached \(.+\)\.$/);
});

test.each([
  ['whose name nobody knows', 'postgresql://nobody@db.invalid/none', /^getaddrinfo E/],
  ['whose socket is not there', 'postgresql://nobody@%2Fnonexistent/none', /^connect ENOENT/],
  ['that ends the connection before TLS begins', null, /^Client network socket disconnected/],
])('a server %s is away: asking again later can succeed', async (_, url, reason) => {
  const server = createServer((client) => {
    client.once('data', () => {
      client.write('S');
      client.once('data', () => client.end());
    });
    client.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address =
    url ?? `postgresql://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none?sslmode=no-verify`;
  const error = await refusalOf(address);
  server.close();

  expect((error.cause as Error).message).toMatch(reason);
  expect(isDatabaseAway(error.cause)).toBe(true);
});

test('a server of several addresses that all refuse is away, for the reason of the first', async () => {
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((
    _: string,
    __: object,
    told: (...answer: unknown[]) => void,
  ) =>
    told(
      null,
      ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
    )) as unknown as typeof dns.lookup);
  const error = await refusalOf('postgresql://nobody@db.invalid:1/none');
  lookup.mockRestore();

  expect(error.cause).toBeInstanceOf(AggregateError);
  expect(error.message).toBe('DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:1).');
  expect(isDatabaseAway(error.cause)).toBe(true);
});

test('what fails at the network elsewhere says nothing about the database', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const left = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const missing = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' });
  const of_host = new HostError('unavailable', 'GitHub cannot be reached.', { cause: refused });

  expect([refused, left, missing, of_host].map(isDatabaseAway)).toEqual([true, false, false, false]);
});

const refusalOf = (url: string): Promise<Error> =>
  openDatabase({ kind: 'postgresql', url }, () => undefined).then(
    () => Promise.reject(new Error('The database was reached.')),
    (error: Error) => error,
  );

test.each([
  [{ url: 'postgresql://ada:pass/word#1@db/m' }, 'DATABASE_URL: cannot be used (Invalid URL).'],
  [{ url: 'postgresql://ada:pass/word#1@db/m', url_setting: 'DATABASE_DIRECT_URL' }, 'DATABASE_DIRECT_URL: cannot be'],
  [{ url: nowhere, direct_url: 'postgresql://ada:pass/word#1@db/m' }, 'DATABASE_DIRECT_URL: cannot be used'],
  [
    { url: nowhere, direct_url: 'postgresql://db/m?sslmode=verify-full&sslrootcert=/nonexistent' },
    /^DATABASE_DIRECT_URL: cannot be used \(ENOENT[^\n]+\/nonexistent'\)\.$/,
  ],
  [{ url: nowhere, replica: { url: 'postgresql://db:99999/m', max_lag: 10 } }, 'DATABASE_REPLICA_URL: cannot be used'],
  [{ url: nowhere, url_setting: 'DATABASE_DIRECT_URL' }, 'DATABASE_DIRECT_URL: the database cannot be reached'],
])('an address that cannot be used is refused by its variable before anything needs it: %j', async (place, says) => {
  await expect(openDatabase({ kind: 'postgresql', ...place }, () => undefined)).rejects.toThrow(says);
});
