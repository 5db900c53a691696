import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportedPullRequest, PullRequestDetail, PullRequestList } from '../../src/contract/pull-requests.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { changedNames } from '../../src/server/sync/changed-names.ts';
import { savePeople } from '../../src/server/sync/people.ts';
import { rebuild } from '../../src/server/sync/rebuild-facts.ts';
import { savePullRequests } from '../../src/server/sync/save.ts';
import { type Answer, openTestApp, type TestApp } from '../support/app.ts';
import { aPerson } from '../support/builders.ts';
import { openTestDatabase } from '../support/database.ts';
import { followMarks } from '../support/follow-marks.ts';
import { randomReviewed } from '../support/random-reviewed.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, HOST, hostPullRequest, store } from '../support/stored.ts';

/** What a nightly load of pull requests is promised. */
const MOMENT = Date.parse('2026-03-29T01:00:00Z');
const { repositories } = randomReviewed(11, MOMENT);
const [webPulls, apiPulls] = [repositories[0]!.pulls.slice(0, 40), repositories[1]!.pulls.slice(0, 20)];

let simulator: RunningSimulator;
let database: OpenDatabase;
let app: TestApp;
/** The same with 7 lines an answer. */
let small: TestApp;
let mona: string;
let web: number;
let api: number;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  database = await openTestDatabase();
  const open = async (most: number) =>
    await openTestApp({
      ...{ host_url: simulator.url, database, now: () => new Date(MOMENT) },
      exporting: { settled_after: 0, most, at_once: 3 },
    });
  [app, small] = [await open(5000), await open(7)];
  mona = await app.signIn('mona');
  const id = ((await app.ask('GET', '/auth/me', { as: mona })).body as { id: number }).id;
  web = await aRepository(database.db, 'acme/Web', [id]);
  api = await aRepository(database.db, 'acme/api', [id]);
  await store(database.db, web, MOMENT, webPulls);
  await store(database.db, api, MOMENT, apiPulls);
});
afterAll(async () => {
  await app?.stop();
  await small?.stop();
  await database?.close();
  await simulator?.stop();
});

const fetched = { asked_at: new Date(MOMENT), answered_at: new Date(MOMENT) };
/** Stores a pull request again, as the host tells it now, in a transaction that stays open until `until`. */
async function save(
  repository_id: number,
  pull: (typeof webPulls)[number],
  title: string,
  until: () => unknown = () => undefined,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await savePullRequests(
      transaction,
      { id: repository_id, host: HOST },
      [hostPullRequest({ ...pull, title })],
      fetched,
    );
    await until();
  });
}

/** What a worker does when people and repositories are called otherwise. */
async function noteNames(): Promise<void> {
  const stepFailed = (_step: string, error: unknown) => {
    throw error;
  };
  await changedNames({ db: database.db, now: () => new Date(), stepFailed })(new AbortController().signal);
}

const PATH = '/api/export/pull-requests';
const ask = async (query = '', on = app): Promise<Answer> => await on.ask('GET', `${PATH}${query}`, { as: mona });
const linesIn = ({ status, body }: Answer): ExportedPullRequest[] => {
  expect([status, typeof body === 'string' || body === null]).toEqual([200, true]);
  const text = (body ?? '') as string;
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ExportedPullRequest);
};
const after = (cursor: string | undefined) => (cursor === undefined ? '' : `?cursor=${cursor}`);
const named = ({ repo_name, pr_number }: { repo_name: string; pr_number: number }) => `${repo_name}#${pr_number}`;

/** Asks with the last cursor until there is nothing more. */
async function loadedAfter(cursor?: string, on = app): Promise<ExportedPullRequest[]> {
  const loaded: ExportedPullRequest[] = [];
  for (;;) {
    const lines = linesIn(await ask(after(loaded.at(-1)?.cursor ?? cursor), on));
    if (lines.length === 0) return loaded;
    loaded.push(...lines);
  }
}
/** What is told after all that is known, of whatever `act` does. */
async function toldOf(act: () => Promise<unknown>): Promise<string[]> {
  const before = (await loadedAfter()).at(-1)!.cursor;
  await act();
  return (await loadedAfter(before)).map(named).sort();
}

test('each line has the columns of the list and the time metrics, when it changed and where it stands', async () => {
  const answer = await ask();
  const lines = linesIn(answer);
  const list = (await app.ask('GET', '/api/prs?limit=500', { as: mona })).body as PullRequestList;

  expect(answer.headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(lines.map(named).sort()).toEqual(list.prs.map(named).sort());
  expect(lines.some(({ state }) => state === 'open')).toBe(true);
  for (const line of lines) {
    const { repo_owner, repo_name, pr_number } = line;
    const path = `/api/pr/${repo_owner}/${repo_name}/${pr_number}`;
    const { phases: _, ...times } = ((await app.ask('GET', path, { as: mona })).body as PullRequestDetail).time_metrics;
    const row = list.prs.find((each) => named(each) === named(line));
    const { changed_at, cursor, ...columns } = line;
    expect(columns, named(line)).toEqual({ ...row, ...times });
    expect([Date.parse(changed_at) > 0, cursor]).toEqual([true, expect.stringMatching(/^[\w-]+$/)]);
  }
  expect(lines.map(({ changed_at }) => changed_at)).toEqual(lines.map(({ changed_at }) => changed_at).sort());
});

test('what the host, whose clock is ahead, dates later than now was created now', async () => {
  const open = webPulls.find(({ state }) => state === 'open')!;
  const ahead = { ...open, number: 900, createdAt: MOMENT + 2 * 3_600_000 };
  await save(web, { ...ahead, ...{ reviews: [], comments: [], commits: [], events: [] } }, 'From the future');
  const line = linesIn(await ask()).find(({ pr_number }) => pr_number === 900)!;
  const { time_metrics } = (await app.ask('GET', '/api/pr/acme/Web/900', { as: mona })).body as PullRequestDetail;

  expect(line).toMatchObject({ business_hours_spent: 0, after_hours_time: 0 });
  expect(line.after_hours_time).toBe(time_metrics.after_hours_time);
  await sql`delete from pull_requests where repository_id = ${web} and number = 900`.execute(database.db);
});

test('answer by answer, by the last cursor, each line comes once and in one order', async () => {
  expect(linesIn(await ask('', small))).toHaveLength(7);
  expect(await loadedAfter(undefined, small)).toEqual(linesIn(await ask()));
  const lines = linesIn(await ask());
  const since = lines[30]!.changed_at;
  expect(linesIn(await ask(`?since=${since}`)).map(named)).toEqual(
    lines.filter(({ changed_at }) => changed_at >= since).map(named),
  );
  expect(
    linesIn(await ask(`?repository=${api}`))
      .map(named)
      .sort(),
  ).toEqual(apiPulls.map(({ number }) => `api#${number}`).sort());
  expect((await ask(after(lines.at(-1)!.cursor))).body).toBeNull();
});

test('what is no cursor is 400, and so is what is no instant', async () => {
  const { cursor } = linesIn(await ask())[0]!;
  const of = (text: string) => Buffer.from(text).toString('base64url');
  for (const bad of [
    'x',
    `${cursor}A`,
    cursor.slice(1),
    of('1.2'),
    of('1.2.3.4'),
    of('1.99999999999.1'),
    of('1.2147483648.1'),
    of('-1.1.1'),
    of("1.1.1'"),
    of('99999999999999999.1.1'),
  ])
    expect(await ask(`?cursor=${bad}`), bad).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ path: 'cursor' }] },
    });
  expect(await ask('?since=yesterday')).toMatchObject({ status: 400, body: { issues: [{ path: 'since' }] } });
  expect((await ask('?repository=2000000')).status).toBe(404);
  expect(await ask('?format=csv')).toMatchObject({ status: 406, body: { code: 'no_table' } });
  expect((await app.ask('GET', PATH)).status).toBe(401);
});

test('any instant is understood, however it is written, and a line is of the millisecond that it names', async () => {
  const lines = linesIn(await ask());
  for (const since of [
    '0000-01-01T00:00:00Z',
    '2020-03-29T10:00:00%2B18:00',
    `2020-03-29T10:00:00.${'9'.repeat(120)}Z`,
  ])
    expect(linesIn(await ask(`?since=${since}`)), since).toHaveLength(lines.length);
  for (const since of ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59Z'])
    expect(linesIn(await ask(`?since=${since}`)), since).toEqual([]);
  const { changed_at } = lines[30]!;
  expect(linesIn(await ask(`?since=${changed_at.replace('Z', '9Z')}`)).map(named)).toEqual(
    linesIn(await ask(`?since=${changed_at}`)).map(named),
  );
});

test('a token of one repository gets no other, whatever cursor it comes with', async () => {
  const body = { name: 'web alone', scopes: ['read:figures'], repositories: [web] };
  const { token } = (await app.ask('POST', '/api/tokens', { as: mona, body })).body as { token: string };
  const byToken = async (query: string) =>
    linesIn(await app.ask('GET', `${PATH}${query}`, { headers: { authorization: `Bearer ${token}` } }));
  const all = linesIn(await ask());

  expect(await byToken('')).toEqual(all.filter(({ repo_name }) => repo_name === 'Web'));
  for (const { cursor, repo_name } of all.filter((_, at) => at % 9 === 0)) {
    const place = all.findIndex((line) => line.cursor === cursor);
    const rest = all.slice(place + 1).filter((line) => line.repo_name === 'Web');
    expect(await byToken(`?cursor=${cursor}`), repo_name).toEqual(rest);
  }
  expect(
    (await app.ask('GET', `${PATH}?repository=${api}`, { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(404);
  const mine = { name: 'mine', scopes: ['read:mine'], repositories: 'all' };
  const other = ((await app.ask('POST', '/api/tokens', { as: mona, body: mine })).body as { token: string }).token;
  expect((await app.ask('GET', PATH, { headers: { authorization: `Bearer ${other}` } })).status).toBe(403);
});

test('whatever changes a line has it told again', async () => {
  const { db } = database;
  const [first, second] = webPulls;
  expect(await toldOf(async () => await save(web, first!, 'Another title'))).toEqual([`Web#${first!.number}`]);
  expect(await toldOf(async () => await rebuild(db, web, [second!.number], new Date(MOMENT)))).toEqual([
    `Web#${second!.number}`,
  ]);
  expect(await toldOf(async () => undefined)).toEqual([]);

  const known = await loadedAfter();
  const { author } = known.find(({ author_kind }) => author_kind === 'human')!;
  const shown = known.filter(
    (line) => line.author === author || line.credited_to === author || line.reviewers.includes(author),
  );
  const renamed = async () => {
    const pull = [...webPulls, ...apiPulls].find((each) => each.author?.login === author)!;
    const account = { ...hostPullRequest(pull).author!, name: 'Another Name' };
    await db.transaction().execute(async (transaction) => await savePeople(transaction, HOST, [account]));
    await noteNames();
  };
  const told = await toldOf(renamed);
  expect(shown.length).toBeGreaterThan(1);
  expect(told).toEqual(expect.arrayContaining(shown.map(named)));
  const names = (await loadedAfter()).flatMap((line) => (line.author === author ? [line.author_display_name] : []));
  expect(new Set(names)).toEqual(new Set(['Another Name']));
  expect(await toldOf(async () => await noteNames())).toEqual([]);

  const ofApi = apiPulls.map(({ number }) => `moved#${number}`).sort();
  const move = async () => {
    await sql`update repositories set name = 'moved', renamed_at = ${new Date(MOMENT)} where id = ${api}`.execute(db);
    await noteNames();
  };
  expect(await toldOf(move)).toEqual(ofApi);
});

test('whom the person marks as a bot is left out of the reviewers who are asked, which is told, and is back with the mark gone', async () => {
  const { db } = database;
  const asked = aPerson('asked-alone');
  const quiet = { reviews: [], comments: [], commits: [], events: [], requested: [{ person: asked }] };
  const open = webPulls.find(({ state }) => state === 'open')!;
  await save(web, { ...open, ...quiet, number: 901 }, 'Asked alone');
  const reviewers = async () => linesIn(await ask()).find(({ pr_number }) => pr_number === 901)?.reviewers;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const path = `/api/account-kinds/${asked.login}`;
  const follow = async () => await followMarks({ db, log, now: () => new Date(MOMENT) }, new AbortController().signal);

  const mark = async () => {
    expect((await app.ask('PUT', path, { as: mona, body: { kind: 'bot' } })).status).toBe(200);
    await follow();
  };
  expect(await reviewers()).toEqual([asked.login]);
  expect(await toldOf(mark)).toEqual(['Web#901']);
  expect(await reviewers()).toEqual([]);
  const unmark = async () => {
    expect((await app.ask('DELETE', path, { as: mona })).status).toBe(204);
    await follow();
  };
  expect(await toldOf(unmark)).toEqual(['Web#901']);
  expect(await reviewers()).toEqual([asked.login]);
  await sql`delete from pull_requests where repository_id = ${web} and number = 901`.execute(db);
});

test('while a repository is being recounted nothing is told, so that nothing is missed', async () => {
  const { db } = database;
  await sql`insert into recounts (repository_id, sums, facts, unusable, total) values (${api}, true, false, true, 1)`.execute(
    db,
  );
  try {
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'updating' } });
    expect((await ask(`?repository=${web}`)).status).toBe(200);
  } finally {
    await sql`delete from recounts`.execute(db);
  }
});

test('a change in a transaction that stays open is not overtaken', async () => {
  const start = (await loadedAfter()).at(-1)!.cursor;
  const held = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  const long = save(web, webPulls[5]!, 'Late', async () => {
    saved.resolve();
    await held.promise;
  });
  await saved.promise;
  // The embedded database has one connection: there it only begins when the other has ended.
  const short = save(api, apiPulls[0]!, 'Early');
  await Promise.race([short, sleep(500)]);
  const asked = loadedAfter(start);
  await sleep(200);
  held.resolve();
  await Promise.all([long, short]);
  const loaded = await asked;
  loaded.push(...(await loadedAfter(loaded.at(-1)?.cursor ?? start)));

  expect(new Set(loaded.map(({ title }) => title))).toEqual(new Set(['Late', 'Early']));
});

test('a load among saves that end in another order than they began misses none', async () => {
  const { db } = database;
  const copy = new Map((await loadedAfter()).map((line) => [named(line), line]));
  let cursor = [...copy.values()].at(-1)!.cursor;
  let saving = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let turn = 0; turn < 12; turn += 1) {
      const pulls = webPulls.filter(({ number }) => number % 4 === writer).slice(turn % 5, (turn % 5) + 2);
      await db.transaction().execute(async (transaction) => {
        const told = pulls.map((pull) => hostPullRequest({ ...pull, title: `${writer} wrote ${turn}` }));
        await savePullRequests(transaction, { id: web, host: HOST }, told, fetched);
        await sleep(((writer * 7 + turn * 13) % 5) * 12);
      });
    }
  });
  const load = async () => {
    const lines = await loadedAfter(cursor, small);
    for (const line of lines) copy.set(named(line), line);
    cursor = lines.at(-1)?.cursor ?? cursor;
  };
  const loader = (async () => {
    while (saving) {
      await load();
      await sleep(3);
    }
  })();
  await Promise.all(writers);
  saving = false;
  await loader;
  await load();

  const now = new Map((await loadedAfter()).map((line) => [named(line), line]));
  expect(copy).toEqual(now);
});

test('what changed is found by the index of changes', async () => {
  const { db } = database;
  const plan = await db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    await sql`set local enable_bitmapscan = off`.execute(transaction);
    // Of a few rows it might sort as well. Where no index has them in order it still does.
    await sql`set local enable_sort = off`.execute(transaction);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off)
      select number from pull_request_changes c where repository_id = ${web} and changed_at < now() and changed_at >= 'epoch'
      order by changed_at, number limit 5000`.execute(transaction);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  // A part of a split table names its index by its columns.
  expect(plan).toMatch(/using pull_request_changes_(order|\w*changed_at\w*) /);
  expect(plan).not.toContain('Sort');
});

// The embedded database has one connection: nothing is stored there while a transaction is open.
test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'what changes while a person’s other name is stored in a transaction that stays open is told by that name in the end',
  async () => {
    const { db } = database;
    const people = await db.selectFrom('people').select(['host_id', 'name']).execute();
    const names = new Map(people.map(({ host_id, name }) => [host_id, name]));
    const pull = apiPulls.find((each) => {
      const { author } = hostPullRequest(each);
      return author !== null && names.get(author.id) === author.name;
    })!;
    const start = (await loadedAfter()).at(-1)!.cursor;
    const held = Promise.withResolvers<void>();
    const saved = Promise.withResolvers<void>();
    const long = db.transaction().execute(async (transaction) => {
      await savePeople(transaction, HOST, [{ ...hostPullRequest(pull).author!, name: 'Third Name' }]);
      saved.resolve();
      await held.promise;
    });
    await saved.promise;
    await save(api, pull, 'Meanwhile');
    const loaded = await loadedAfter(start);
    held.resolve();
    await long;
    await noteNames();
    loaded.push(...(await loadedAfter(loaded.at(-1)?.cursor ?? start)));

    expect(loaded.findLast(({ title }) => title === 'Meanwhile')?.author_display_name).toBe('Third Name');
  },
);
