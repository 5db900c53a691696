import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deletePullRequests } from '../../src/server/sync/save.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { casesHere, casesOf } from '../support/database.ts';
import { edgeHistory } from '../support/edge-history.ts';
import { everyFigure } from '../support/every-figure.ts';
import { followMarks } from '../support/follow-marks.ts';
import { people, randomHistory } from '../support/random-history.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { rounded } from '../twin/arithmetic.ts';

/**
 * Two installations that hold the same: in the first one mona marks accounts for herself, in the second one she is an administrator and
 * marks them for everyone. All that she is told has to be the same, and octo, who shares her repositories, must not notice in the first.
 */
const MOMENT = Date.parse('2026-03-29T01:00:00Z');
const patient = new AbortController().signal;
const kinds = ['human', 'bot', 'agent'] as const;

interface Installation {
  readonly app: TestApp;
  readonly mona: string;
  readonly octo: string;
  readonly web: number;
  readonly api: number;
  /** Some always, some since or until a while ago; a bot and an agent are members, too. */
  readonly team: number;
}

let simulator: RunningSimulator;
let own: Installation;
let global: Installation;
const logged: string[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  own = await install([]);
  global = await install(['mona']);
});
afterAll(async () => {
  for (const { app } of [own, global]) await app.stop();
  await simulator.stop();
  expect(logged).toEqual([]);
});

async function install(admin_logins: string[]): Promise<Installation> {
  const app = await openTestApp({ host_url: simulator.url, now: () => new Date(MOMENT), config: { admin_logins } });
  const { db } = app.database;
  const [mona, octo] = [await app.signIn('mona'), await app.signIn('octo')];
  const users = [await idOf(app, mona), await idOf(app, octo)];
  const web = await aRepository(db, 'acme/Web', users);
  const api = await aRepository(db, 'acme/api', users);
  const { repositories } = fc.sample(randomHistory, { seed: 5, numRuns: 1 })[0]!;
  await store(db, web, MOMENT, repositories[0]!.pulls);
  await store(db, api, MOMENT, edgeHistory(MOMENT, 'UTC').repositories[2]!.pulls);
  const members = await db.selectFrom('people').select('id').orderBy('login').execute();
  const times = [
    [null, null],
    [MOMENT - 20 * 86_400_000, null],
    [null, MOMENT - 20 * 86_400_000],
  ] as const;
  const team = await aTeam(
    db,
    'core',
    users,
    members.map(({ id: person }, place) => ({ person, from: times[place % 3]![0], to: times[place % 3]![1] })),
  );
  return { app, mona, octo, web, api, team };
}

async function idOf(app: TestApp, session: string): Promise<number> {
  const { body } = await app.ask('GET', '/auth/me', { as: session });
  return (body as { id: number }).id;
}

/** What a process that works does, until nothing is left. */
async function aWorkerLooks({ app }: Installation): Promise<void> {
  const say = (fields: object, message: string) =>
    void logged.push(`${message} ${String((fields as { err?: unknown }).err)}`);
  const log = { debug: say, info: say, warn: say, error: say };
  await followMarks({ db: app.database.db, log, now: () => new Date(MOMENT) }, patient);
}

/** What is asked; `TEAM` is the team's number. */
const asked = casesHere([
  ...everyFigure,
  ...['/api/contributors?team=TEAM', '/api/stuck-prs?team=TEAM', '/api/contributors/ada/prs?team=TEAM'],
  ...['/api/prs?sortBy=title&team=TEAM', '/api/prs?q=fix&team=TEAM', '/api/prs?agents=only&team=TEAM'],
  ...['/api/prs?team_as=reviewer&team=TEAM', '/api/prs?asked=TEAM'],
]);

async function answers({ app, team }: Installation, as: string): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const path of asked.map((path) => path.replace('TEAM', String(team)))) {
    const { status, body } = await app.ask('GET', path, { as });
    if (status === 500) throw new Error(app.logged.findLast((line) => line.includes('"err"')));
    // Each error has an id of its own.
    all[path] = status === 200 ? body : status;
  }
  for (const { login } of people.slice(0, 2)) {
    const body = { username: login, format: 'json', period: '1y', repository: null };
    all[`export of ${login}`] = (await app.ask('POST', '/api/contributors/export', { as, body })).body;
  }
  return all;
}

/** One by one, so that a difference is shown alone. */
async function expectTheSameAsForEveryone(): Promise<void> {
  for (const installation of [own, global]) await aWorkerLooks(installation);
  const seen = await answers(own, own.mona);
  const expected = await answers(global, global.mona);
  for (const [path, answer] of Object.entries(expected))
    expect({ [path]: rounded(seen[path], answer) }).toEqual({ [path]: answer });
}

async function mark(login: string, kind: (typeof kinds)[number] | null): Promise<void> {
  for (const { app, mona } of [own, global]) {
    const path = `/api/account-kinds/${login}`;
    const { status } =
      kind === null
        ? await app.ask('DELETE', path, { as: mona })
        : await app.ask('PUT', path, { as: mona, body: { kind } });
    expect([200, 204]).toContain(status);
  }
}

/** In both installations. */
async function inBoth(act: (installation: Installation) => Promise<unknown>): Promise<void> {
  for (const installation of [own, global]) await act(installation);
}

test('what a person sees who marks accounts is what everybody would see if an administrator did; nobody else sees a change', async () => {
  const before = await answers(own, own.octo);
  expect(await answers(own, own.mona)).toEqual(before);

  const marks = fc.sample(
    fc.array(fc.tuple(fc.constantFrom(...people.map(({ login }) => login)), fc.constantFrom(...kinds)), {
      minLength: 1,
      maxLength: 4,
    }),
    { seed: 3, numRuns: casesOf(4) },
  );
  for (const round of marks) {
    for (const [login, kind] of round) await mark(login, kind);
    await expectTheSameAsForEveryone();
  }

  expect(await answers(own, own.octo)).toEqual(before);
  expect(await answers(own, own.mona)).not.toEqual(before);
});

test('what is stored, changed and deleted afterwards is counted by one’s own marks, too', async () => {
  await mark('Bo', 'bot');
  await mark('renovator', 'human');
  const { repositories } = fc.sample(randomHistory, { seed: 11, numRuns: 1 })[0]!;
  const changed = (index: number) => repositories[index]!.pulls.map((pull) => ({ ...pull, updatedAt: MOMENT }));
  await inBoth(({ app, web }) => store(app.database.db, web, MOMENT, changed(0)));
  await inBoth(({ app, api }) => store(app.database.db, api, MOMENT, changed(1)));
  await expectTheSameAsForEveryone();

  // The first two are asked for by their numbers.
  const gone = repositories[0]!.pulls.slice(2, 5).map(({ number }) => number);
  await inBoth(({ app, web }) =>
    app.database.db.transaction().execute((transaction) => deletePullRequests(transaction, web, gone)),
  );
  await expectTheSameAsForEveryone();

  // A definition has changed.
  await inBoth(({ app }) => sql`update pull_request_facts set version = -1`.execute(app.database.db));
  await expectTheSameAsForEveryone();
});

test('a repository that is connected later is counted by one’s own marks, and one that is removed leaves nothing behind', async () => {
  const { repositories } = fc.sample(randomHistory, { seed: 23, numRuns: 1 })[0]!;
  const added = await Promise.all(
    [own, global].map(async ({ app, mona }) => {
      const id = await aRepository(app.database.db, 'acme/later', [await idOf(app, mona)]);
      await store(app.database.db, id, MOMENT, repositories[2]!.pulls);
      return id;
    }),
  );
  await expectTheSameAsForEveryone();

  await inBoth(async ({ app, mona }) => {
    expect((await app.ask('DELETE', `/api/repos/${added[0]}`, { as: mona })).status).toBe(204);
  });
  await expectTheSameAsForEveryone();
  expect(await lensRows(added[0]!)).toEqual([0, 0]);
});

test('marks that are taken back leave nothing behind, and everything looks as it does to everybody', async () => {
  for (const { login } of people) await own.app.ask('DELETE', `/api/account-kinds/${login}`, { as: own.mona });
  const untouched = await answers(own, own.octo);
  expect(await answers(own, own.mona)).toEqual(untouched);

  await aWorkerLooks(own);

  expect(await answers(own, own.mona)).toEqual(untouched);
  expect(await lensRows(own.web)).toEqual([0, 0]);
});

/** How many lenses and rows of theirs are kept of a repository in the first installation. */
async function lensRows(repository_id: number): Promise<number[]> {
  const { rows } = await sql<{ lenses: number; facts: number }>`
    select (select count(*) from lenses where repository_id = ${repository_id})::int as lenses,
      (select count(*) from lens_facts where repository_id = ${repository_id})::int as facts`.execute(
    own.app.database.db,
  );
  return Object.values(rows[0]!);
}
