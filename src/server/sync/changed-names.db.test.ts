import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aPerson, aPullRequest } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, HOST, store } from '../../../test/support/stored.ts';
import { columnsExcept, list } from '../db/columns.ts';
import type { OpenDatabase } from '../db/open.ts';
import { changedNames } from './changed-names.ts';
import { savePeople } from './people.ts';

const MANY = 2500;
/** What one transaction notes at most. */
const MOST = 1000;
const generated = ['ended_at', 'lines_changed'] as const;
const goOn = new AbortController().signal;
let database: OpenDatabase;
let web: number;
let api: number;
/** The fields of what failed. */
let failed: object[] = [];
let elapsed = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`drop function if exists refuse_change cascade`.execute(database.db);
  await empty(database.db, 'repositories', 'people');
  failed = [];
  elapsed = 0;
  const author = aPerson('ada');
  [web, api] = [await aRepository(database.db, 'acme/web'), await aRepository(database.db, 'acme/api')];
  for (const repository of [web, api])
    await store(database.db, repository, Date.now(), [aPullRequest({ number: 1, author })]);
  const copied = list(columnsExcept('pull_requests', 'number', 'host_id', 'node_id', ...generated));
  await sql`
    insert into pull_requests (number, host_id, node_id, ${copied})
    select n, n::text, 'node ' || n, ${copied} from pull_requests, generate_series(2, ${MANY}) n
    where repository_id = ${web}`.execute(database.db);
  await sql`
    insert into pull_request_changes (repository_id, number, changed_at)
    select repository_id, number, now() - interval '1 day' from pull_requests
    on conflict (repository_id, number) do update set changed_at = excluded.changed_at`.execute(database.db);
});

/** As a worker that has just started does. */
const worker = () =>
  changedNames({
    db: database.db,
    now: () => new Date(Date.now() + elapsed),
    stepFailed: (_step, _error, fields) => void failed.push(fields),
  });
const rename = (...ids: string[]) =>
  database.db.transaction().execute(async (transaction) => {
    const accounts = ids.map((id) => ({
      ...{ id, login: id },
      type: 'user' as const,
      name: 'Another Name',
      avatar_url: null,
    }));
    await savePeople(transaction, HOST, accounts);
  });
const move = (repository: number) =>
  sql`update repositories set name = name || '-moved', renamed_at = now() - interval '1 hour' where id = ${repository}`.execute(
    database.db,
  );
/** Of how many pull requests it was noted, by the transaction that noted it, the earliest first. */
const noted = async (repository: number) => {
  const { rows } = await sql<{ at: string; count: number }>`
    select changed_at::text as at, count(*)::int as count from pull_request_changes
    where repository_id = ${repository} and changed_at > now() - interval '1 hour' group by 1 order by 1`.execute(
    database.db,
  );
  return rows;
};
const sizes = async (repository: number) => (await noted(repository)).map(({ count }) => count);
const total = async (repository: number) => (await sizes(repository)).reduce((sum, size) => sum + size, 0);
/** Has what is noted of one pull request fail until `end` is called. */
async function refuse(repository: number, number: number): Promise<{ end: () => Promise<unknown> }> {
  for (const statement of [
    "create function refuse_change() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$",
    `create trigger refuse_change before update on pull_request_changes for each row
      when (new.repository_id = ${repository} and new.number = ${number}) execute function refuse_change()`,
  ])
    await sql.raw(statement).execute(database.db);
  return { end: async () => await sql.raw('drop function refuse_change cascade').execute(database.db) };
}
/** Notes as of different days, so that the pull requests are noted by their numbers. */
const inOrder = () =>
  sql`update pull_request_changes set changed_at = changed_at + number * interval '1 second' where repository_id = ${web}`.execute(
    database.db,
  );

test.each(['a person', 'a repository'])(
  'of %s with another name it is noted of many pull requests in several transactions',
  async (whose) => {
    await (whose === 'a person' ? rename('ada') : move(web));

    await worker()(goOn);

    expect(Math.max(...(await sizes(web)))).toBeLessThanOrEqual(MOST);
    expect(await total(web)).toBe(MANY);
    expect(await total(api)).toBe(whose === 'a person' ? 1 : 0);
    const before = await noted(web);
    await worker()(goOn);
    expect(await noted(web)).toEqual(before);
  },
);

test('whose pull requests cannot be noted stops no other person and no repository, and is tried again after a while', async () => {
  await inOrder();
  const note = worker();
  const { end } = await refuse(web, 2200);
  await store(database.db, api, Date.now(), [aPullRequest({ number: 2, author: aPerson('zoe') })]);
  await sql`update pull_request_changes set changed_at = now() - interval '1 day' where repository_id = ${api}`.execute(
    database.db,
  );
  await rename('ada', 'zoe');
  await move(api);

  await note(goOn);
  const first = [await total(web), await total(api)];
  await note(goOn);
  const times = failed.length;
  await end();
  const before = await noted(web);
  elapsed = 61_000;
  await note(goOn);

  expect(first).toEqual([expect.any(Number), 2]);
  expect(first[0]).toBeLessThan(2200);
  expect(times).toBe(1);
  expect(failed).toEqual([{ person_id: expect.any(Number) }]);
  // What was noted before it failed is not noted again.
  expect((await noted(web)).slice(0, before.length)).toEqual(before);
  expect(await total(web)).toBe(MANY);
  expect(await sql`select from changed_people`.execute(database.db)).toMatchObject({ rows: [] });
});

test('a repository that failed in between goes on where it was', async () => {
  await inOrder();
  const note = worker();
  await move(web);
  const { end } = await refuse(web, 2200);
  await note(goOn);
  const before = await noted(web);
  await end();
  elapsed = 61_000;
  await note(goOn);

  expect(failed).toEqual([{ repository_id: web }]);
  expect(before.length).toBeGreaterThan(0);
  expect((await noted(web)).slice(0, before.length)).toEqual(before);
  expect(await total(web)).toBe(MANY);
});

test('a process that ends in between is followed by one that goes on with a person', async () => {
  await inOrder();
  await rename('ada');
  const { end } = await refuse(web, 2200);
  await worker()(goOn);
  const before = await noted(web);
  await end();
  await worker()(goOn);

  expect(before.length).toBeGreaterThan(0);
  expect((await noted(web)).slice(0, before.length)).toEqual(before);
  expect(await total(web)).toBe(MANY);
});

// The embedded database has a single connection.
test.skipIf(process.env.TEST_DATABASE === 'embedded')(
  'several processes side by side note all of them, and none fails',
  async () => {
    await rename('ada');
    await move(web);

    await Promise.all([worker()(goOn), worker()(goOn), worker()(goOn)]);
    await worker()(goOn);

    expect(await total(web)).toBe(MANY);
    expect(failed).toEqual([]);
  },
);
