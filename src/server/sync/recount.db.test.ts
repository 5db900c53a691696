import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FACTS_VERSION } from '#domain/facts.ts';
import { aPerson, aPullRequest, approves, hour, merged } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { recountProgress, recountSentence } from '../db/recounts.ts';
import { lastOfSum, sumParticipations } from '../metrics/participations.ts';
import { scopeOf, scopeWithoutFigures } from '../metrics/scope.ts';
import { rebuildFacts } from './rebuild-facts.ts';
import { recount } from './recount.ts';
import { retriesBy } from './retries.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

let user_id: number;
let web: number;
let api: number;
const now = () => new Date(hour(5000));
const goOn = new AbortController().signal;
/** More than fit into two batches. */
const MAX_SORTED_MATCHES = 230;

beforeEach(async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users');
  user_id = await aUser(db);
  web = await aRepository(db, 'acme/web', [user_id]);
  api = await aRepository(db, 'acme/api', [user_id]);
  await store(
    db,
    web,
    hour(4000),
    Array.from({ length: MAX_SORTED_MATCHES }, (_, index) =>
      aPullRequest(
        { number: index + 1, author: aPerson(index % 3 === 0 ? 'ada' : 'ben') },
        approves(2, 'cara'),
        merged(9),
      ),
    ),
  );
  await store(db, api, hour(4000), [aPullRequest({ number: 1 }, merged(3))]);
});

async function toBeCounted(
  repository_id: number,
  more: { unusable?: boolean; sums?: boolean; facts?: boolean; total?: number } = {},
) {
  const task = { sums: true, facts: false, unusable: false, total: MAX_SORTED_MATCHES, ...more, repository_id };
  await database.db.insertInto('recounts').values(task).execute();
}

async function sums() {
  const tables = ['participations', 'contributor_totals', 'contributor_months'];
  return await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<{ row: object }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(
        database.db,
      );
      return rows.map(({ row }) => JSON.stringify(row)).sort();
    }),
  );
}

/** Lets a recount run until it has committed so many batches, as if its process died then; returns what it counted. */
async function diesAfter(batches: number): Promise<number> {
  const signal = new AbortController();
  let before = 0;
  const dying = {
    get aborted() {
      before += 1;
      return before > batches;
    },
  };
  const counted = await recount(database.db, now, dying as AbortSignal);
  signal.abort();
  return counted;
}

test('a recount goes on where a process died, and comes to what saving came to', async () => {
  const before = await sums();
  await toBeCounted(web);
  await sql`update contributor_totals set opened = opened + 7 where repository_id = ${web}`.execute(database.db);

  const before_it_died = await diesAfter(3);
  const halfway = await recountProgress(database.db);
  const counted = await recount(database.db, now, goOn);

  expect(before_it_died).toBeGreaterThan(0);
  expect(halfway?.percentage).toBe(Math.floor((before_it_died / MAX_SORTED_MATCHES) * 100));
  expect(counted).toBe(MAX_SORTED_MATCHES - before_it_died);
  expect(await sums()).toEqual(before);
  expect(await recountProgress(database.db)).toBeNull();
});

test('whoever sees the repository again is answered by the primary until a replica has what was counted', async () => {
  const other = await aUser(database.db);
  await aRepository(database.db, 'acme/docs', [other]);
  await toBeCounted(web);
  const people = async () => {
    const rows = await database.db.selectFrom('users').select(['id', 'written_lsn']).orderBy('id').execute();
    return rows.map(({ id, written_lsn }) => [id, written_lsn !== null]);
  };

  await diesAfter(1);
  expect(await people()).toEqual([
    [user_id, false],
    [other, false],
  ]);
  await recount(database.db, now, goOn);
  expect(await people()).toEqual([
    [user_id, true],
    [other, false],
  ]);
});

test.each([
  ['sums', {}],
  ['facts', { facts: true, total: 2 * MAX_SORTED_MATCHES }],
])('what is saved while its %s are recounted is counted once', async (_, more) => {
  const { db } = database;
  const changed = [
    aPullRequest({ number: 3, author: aPerson('dora') }, merged(20)),
    aPullRequest({ number: 229, author: aPerson('dora') }),
    aPullRequest({ number: 500, author: aPerson('dora') }),
  ];
  await toBeCounted(web, more);

  for (const [batches, pull] of changed.entries()) {
    await diesAfter(batches + 2);
    await store(db, web, hour(4500), [pull]);
  }
  await recount(db, now, goOn);

  const after = await sums();
  await toBeCounted(web);
  await recount(db, now, goOn);
  expect(await sums()).toEqual(after);
});

test('sums are made again some people at a time, and what is saved between two of these steps is counted once', async () => {
  const { db } = database;
  await sql`update contributor_totals set opened = opened + 7 where repository_id = ${web}`.execute(db);
  await sql`delete from contributor_months where repository_id = ${web}`.execute(db);
  const { rows } = await sql<{ id: number }>`
    select distinct person_id as id from participations where repository_id = ${web} order by id`.execute(db);
  const [first, second, third] = rows.map(({ id }) => id);
  const ends = [await lastOfSum(db, web, 0, 1), await lastOfSum(db, web, second!, 10_000)];
  const step = (above: number, upTo: number | null) =>
    db.transaction().execute((within) => sumParticipations(within, web, [above, upTo]));

  await step(0, first!);
  await store(db, web, hour(4500), [
    aPullRequest({ number: 3, author: aPerson('ada') }, approves(3, 'ben'), merged(20)),
  ]);
  await step(first!, second!);
  await store(db, web, hour(4501), [aPullRequest({ number: 4, author: aPerson('dora') }, approves(3, 'ada'))]);
  await step(second!, null);

  const after = await sums();
  expect([rows.length, third !== undefined, ends]).toEqual([3, true, [first, null]]);
  await toBeCounted(web);
  await recount(db, now, goOn);
  expect(await sums()).toEqual(after);
});

test('progress is over everything that was to be counted, from the first repository to the last', async () => {
  await toBeCounted(web);
  await toBeCounted(api, { total: 1 });
  const seen: number[] = [];
  for (;;) {
    await diesAfter(1);
    const progress = await recountProgress(database.db);
    if (progress === null) break;
    seen.push(progress.percentage);
  }

  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(99);
  expect(await database.db.selectFrom('recounts_done').selectAll().execute()).toEqual([]);
});

test('old sums are shown until the recount of their repository begins, then it is left out, and nothing half counted is ever seen', async () => {
  const { db } = database;
  await toBeCounted(web);
  expect((await scopeOf(db, user_id)).repository_ids).toEqual([web, api]);

  await diesAfter(1);
  expect((await scopeOf(db, user_id)).repository_ids).toEqual([api]);
  expect((await scopeWithoutFigures(db, user_id)).repository_ids).toEqual([web, api]);
  await expect(scopeOf(db, user_id, web)).rejects.toMatchObject({
    ...{ status: 503, code: 'updating', retry_after: 5 },
    message: 'Recounting sums: 0 %.',
  });

  await recount(db, now, goOn);
  expect((await scopeOf(db, user_id)).repository_ids).toEqual([web, api]);
});

test('sums that this version cannot use are never shown', async () => {
  await toBeCounted(web, { unusable: true });

  expect((await scopeOf(database.db, user_id)).repository_ids).toEqual([api]);
});

test.each([
  ['while the sums are good', { sums: false, unusable: false }],
  ['with the sums', { sums: true, unusable: false }],
  ['where the sums are of no use', { sums: true, unusable: true }],
])('facts of another version are computed repository by repository, each withheld meanwhile, %s', async (_, more) => {
  const { db } = database;
  const before = await sums();
  await sql`update pull_request_facts set version = ${FACTS_VERSION + 1}, time_to_merge = 0, author_id = null`.execute(
    db,
  );
  if (more.unusable) {
    await sql`delete from contributor_totals where repository_id = ${web}`.execute(db);
    await sql`delete from contributor_months where repository_id = ${web}`.execute(db);
  }
  await toBeCounted(web, { ...more, facts: true, total: 2 * MAX_SORTED_MATCHES });

  expect(
    await rebuildFacts(db, now, goOn, (error) => {
      throw error;
    }),
  ).toBe(1);
  await diesAfter(3);
  expect((await scopeOf(db, user_id)).repository_ids).toEqual([api]);
  await recount(db, now, goOn);

  const { rows } = await sql`
    select distinct version, time_to_merge > 0 as computed, author_id is null as lost from pull_request_facts
    where repository_id = ${web}`.execute(db);
  expect(rows).toEqual([{ version: FACTS_VERSION, computed: true, lost: false }]);
  expect(await sums()).toEqual(before);
  expect((await scopeOf(db, user_id)).repository_ids).toEqual([web, api].toSorted((one, other) => one - other));
});

test('one repository that cannot be counted stops no other: it is said once and tried again after growing pauses', async () => {
  const { db } = database;
  const before = await sums();
  await toBeCounted(web);
  await toBeCounted(api, { total: 1 });
  await sql`alter table participations add constraint broken check (repository_id <> ${sql.lit(web)}) not valid`.execute(
    db,
  );
  const minute = 60_000;
  let time = hour(5000);
  const clock = () => new Date(time);
  const failures: [number, boolean][] = [];
  const retries = retriesBy(clock);
  const look = () => recount(db, clock, goOn, (_, id, again) => failures.push([id, again]), retries);

  await look();
  const others = await db.selectFrom('recounts').select('repository_id').execute();
  for (const minutes of [0.5, 0.6, 1, 1.1]) {
    time += minutes * minute;
    await look();
  }
  const visible = (await scopeOf(db, user_id)).repository_ids;
  await sql`alter table participations drop constraint broken`.execute(db);
  time += 4 * minute;
  await look();

  expect(others).toEqual([{ repository_id: web }]);
  // After one minute, and after two more.
  expect(failures).toEqual([
    [web, false],
    [web, true],
    [web, true],
  ]);
  expect(visible).toEqual([api]);
  expect(await recountProgress(db)).toBeNull();
  expect(await sums()).toEqual(before);
});

test('one that is removed meanwhile is forgotten', async () => {
  await toBeCounted(web);
  await diesAfter(4);
  await database.db.deleteFrom('repositories').where('id', '=', web).execute();

  expect(await recount(database.db, now, goOn)).toBe(0);
});

test.each([
  [{ percentage: 41, seconds_left: 170 }, 'Recounting sums: 41 %, about 3 minutes'],
  [{ percentage: 99, seconds_left: 4 }, 'Recounting sums: 99 %, about 1 minute'],
  [{ percentage: 0, seconds_left: null }, 'Recounting sums: 0 %'],
])('%o reads %s', (progress, sentence) => {
  expect(recountSentence(progress)).toBe(sentence);
});
