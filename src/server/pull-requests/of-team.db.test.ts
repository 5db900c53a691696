import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aPullRequest, approves, asks, hour, merged, pending } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import { aGroup, aTeam } from '../../../test/support/teams.ts';
import { listContributors } from '../contributors/list-contributors.ts';
import type { OpenDatabase } from '../db/open.ts';
import { withNumbers } from '../metrics/person-numbers.ts';
import { scopeOf, type TeamQuery } from '../metrics/scope.ts';
import { stuckPullRequests } from '../team/stuck-pull-requests.ts';
import { teamViewOf } from '../teams/team-view.ts';
import { exportPullRequests } from './export-pull-requests.ts';
import { filtersOf, type PullRequestListRequest } from './filters.ts';
import { listPullRequests } from './list-pull-requests.ts';
import { countsInScope, keptCounts, type MatchCounts, scannedCounts, sumsOf } from './match-counts.ts';

/** Both see the repository; the second not the secret team. */
const now = new Date(hour(24 * 10));
let database: OpenDatabase;
let insider: number;
let outsider: number;
let core: number;
let secret: number;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  [insider, outsider] = [await aUser(db), await aUser(db)];
  const web = await aRepository(db, 'acme/web', [insider, outsider]);
  const api = await aRepository(db, 'acme/api', [insider]);
  const agent = { author: aPerson('agent-x') };
  // Said to be bo's, and to be ada's.
  const corrected = [
    { ...aPullRequest({ number: 11, createdAt: hour(12) }), updatedAt: hour(11) },
    { ...aPullRequest({ number: 12, author: aPerson('bo'), createdAt: hour(12) }), updatedAt: hour(12) },
  ];
  await store(db, web, now.getTime(), [
    // Ada is a member from the hour 10 up to the hour 20.
    { ...aPullRequest({ number: 1, createdAt: hour(10) - 1 }), updatedAt: hour(1) },
    { ...aPullRequest({ number: 2, createdAt: hour(10) }, merged(30)), updatedAt: hour(2) },
    { ...aPullRequest({ number: 3, createdAt: hour(20) - 1 }), updatedAt: hour(3) },
    { ...aPullRequest({ number: 4, createdAt: hour(20) }), updatedAt: hour(4) },
    { ...aPullRequest({ number: 5, createdAt: hour(12), author: aPerson('bot-x') }), updatedAt: hour(5) },
    { ...aPullRequest({ number: 6, createdAt: hour(12), ...agent }, asks(13, 'ada', 'agent-x')), updatedAt: hour(6) },
    { ...aPullRequest({ number: 7, createdAt: hour(12), ...agent }), updatedAt: hour(7) },
    { ...aPullRequest({ number: 8, createdAt: hour(12), author: null }), updatedAt: hour(8) },
    // Reviewed by a member, and by one who is none any more.
    { ...aPullRequest({ number: 9, author: aPerson('bo') }, approves(12, 'ada')), updatedAt: hour(9) },
    { ...aPullRequest({ number: 10, author: aPerson('bo') }, approves(20, 'ada')), updatedAt: hour(10) },
    ...corrected,
    { ...aPullRequest({ number: 13, author: aPerson('cy') }, pending('dee')), updatedAt: hour(13) },
    { ...aPullRequest({ number: 14, author: aPerson('cy') }, pending('@Acme/Secret')), updatedAt: hour(14) },
    { ...aPullRequest({ number: 15, author: aPerson('cy') }, pending('@acme/core')), updatedAt: hour(15) },
    { ...aPullRequest({ number: 16, author: aPerson('cy') }, pending('ada')), updatedAt: hour(16) },
    { ...aPullRequest({ number: 17, author: aPerson('cy'), draft: true }, pending('dee')), updatedAt: hour(17) },
    { ...aPullRequest({ number: 18, author: aPerson('dee') }, approves(1, 'cy')), updatedAt: hour(18) },
  ]);
  await store(db, api, now.getTime(), [
    { ...aPullRequest({ number: 1, author: aPerson('dee') }), updatedAt: hour(19) },
  ]);
  const people = new Map(
    (await db.selectFrom('people').select(['id', 'login']).execute()).map(({ id, login }) => [login, id]),
  );
  for (const [number, login] of [
    [11, 'bo'],
    [12, 'ada'],
  ] as const) {
    const said = { subject: 'credit', person_id: people.get(login)!, set_by: insider, set_at: now } as const;
    await db
      .insertInto('corrections')
      .values({ repository_id: web, number, ...said })
      .execute();
  }
  await store(db, web, now.getTime(), corrected);
  const member = (login: string, from: number | null = null, to: number | null = null) => ({
    person: people.get(login)!,
    from,
    to,
  });
  core = await aTeam(
    db,
    'core',
    [insider, outsider],
    [member('ada', hour(10), hour(20)), member('bot-x'), member('agent-x')],
  );
  secret = await aTeam(db, 'secret', [insider], [member('dee')]);
});
afterAll(() => database.close());

const everything: PullRequestListRequest = { limit: 50, offset: 0, sortBy: 'updated_at', sortOrder: 'ASC' };
async function numbersOf(user: number, team: TeamQuery, request: Partial<PullRequestListRequest> = {}) {
  const scope = await scopeOf(database.db, user, undefined, team);
  const { prs, total } = await listPullRequests(database.db, scope, { ...everything, ...request }, now);
  expect(total).toBe(prs.length);
  return prs.map(({ repo_name, pr_number }) => (repo_name === 'web' ? pr_number : `${repo_name} ${pr_number}`));
}

test('a pull request is the team’s of whom it is credited to, from the instant they join and not at the one they leave', async () => {
  expect(await numbersOf(outsider, { team: core })).toEqual([2, 3, 6, 12]);
  expect(await numbersOf(outsider, { team: core, team_as: 'reviewer' })).toEqual([9]);
});

const asker = (id: number) => ({ id, host: HOST, login: 'me', time_zone: 'UTC', own_marks: false });

/** What the export gives, as `numbersOf`, with the cursor of the last line; `most` lines an answer. */
async function exported(user: number, query: object, most = 50) {
  const deps = { db: database.db, now: () => now, settled_after: 0, most, at_once: 2 };
  const lines = [];
  for await (const part of await exportPullRequests(deps, asker(user), query)) lines.push(...part);
  return {
    numbers: lines.map(({ repo_name, pr_number }) => (repo_name === 'web' ? pr_number : `${repo_name} ${pr_number}`)),
    cursor: lines.at(-1)?.cursor,
  };
}

test('the export of a team has what belongs to it, answer by answer', async () => {
  const { numbers, cursor } = await exported(outsider, { team: core });
  expect(numbers.toSorted()).toEqual([12, 2, 3, 6]);
  expect((await exported(outsider, { team: core, cursor })).numbers).toEqual([]);
  expect((await exported(outsider, { team: core, team_as: 'reviewer' })).numbers).toEqual([9]);
  expect((await exported(insider, { team: secret })).numbers).toEqual([18, 'api 1']);
  await expect(exported(outsider, { team: secret })).rejects.toMatchObject({ status: 404, message: 'Team not found' });
  await expect(exported(outsider, { team_as: 'author' })).rejects.toMatchObject({ status: 400 });

  const loaded = [];
  for (let last: string | undefined; loaded.length < 10; ) {
    const answer = await exported(outsider, { team: core, cursor: last }, 1);
    if (answer.cursor === undefined) break;
    loaded.push(...answer.numbers);
    last = answer.cursor;
  }
  expect(loaded).toEqual(numbers);
});

test('filters, states and counts are over the team’s pull requests', async () => {
  expect(await numbersOf(outsider, { team: core }, { state: 'merged' })).toEqual([2]);
  expect(await numbersOf(outsider, { team: core }, { agents: 'only' })).toEqual([6]);
  expect(await numbersOf(outsider, { team: core }, { agents: 'hide', bots: 'hide', state: 'open' })).toEqual([3, 12]);
  expect(await numbersOf(outsider, { team: core }, { q: 'bo' })).toEqual([12]);
  const scope = await scopeOf(database.db, outsider, undefined, { team: core });
  const page = await listPullRequests(database.db, scope, { ...everything, limit: 1, offset: 1, q: 'pull' }, now);
  expect(page).toMatchObject({ total: 4, hasMore: true, counts: { all: 4, open: 3, merged: 1, closed: 0 } });
  expect(page.prs.map(({ pr_number }) => pr_number)).toEqual([3]);
});

test('kept totals count of a team what a scan counts, whoever belongs to it always or for a while, and whomever it is credited to', async () => {
  const { db } = database;
  const { id } = await db.selectFrom('people').select('id').where('login', '=', 'ada').executeTakeFirstOrThrow();
  const always = await aTeam(db, 'ada for ever', [insider], [{ person: id, from: null, to: null }]);
  const sorted = (counts: readonly MatchCounts[]) =>
    counts
      .map((of) => ({ ...of, numbers: of.numbers?.toSorted((a, b) => a - b) ?? null }))
      .toSorted((a, b) => a.repository_id - b.repository_id);
  let listed = 0;
  for (const [team, team_as] of [core, secret, always].flatMap(
    (id) =>
      [
        [id, 'author'],
        [id, 'reviewer'],
      ] as const,
  ))
    for (const agents of [undefined, 'hide', 'only'] as const)
      for (const bots of [undefined, 'hide', 'only'] as const) {
        const scope = await withNumbers(db, await scopeOf(db, insider, undefined, { team, team_as }));
        const counted = await countsInScope(db, scope);
        const asked = await filtersOf(db, scope, { ...everything, agents, bots }, now);
        const filters = Object.values(asked).filter((filter) => filter !== null);
        const kept = sorted(await keptCounts(db, scope, filters, counted));
        // The numbers of what machines wrote come with it.
        const most = kept.some(({ numbers }) => numbers !== null) ? 100 : 0;
        expect(kept, `${team} as ${team_as}, agents ${agents} bots ${bots}`).toEqual(
          sorted(await scannedCounts(db, scope, filters, null, most)),
        );
        listed += sumsOf(kept).all;
      }
  expect(listed).toBeGreaterThan(0);
  expect(await numbersOf(insider, { team: always })).toEqual([1, 2, 3, 4, 6, 12]);
});

test('what is asked of a team waits for reviewers, of a member now or of itself, whoever wrote it; beside a team both hold', async () => {
  // Ada has left; the draft waits for its author.
  expect(await numbersOf(insider, {}, { asked: core })).toEqual([15]);
  expect(await numbersOf(insider, {}, { asked: secret })).toEqual([13, 14]);
  expect(await numbersOf(insider, { team: core }, { asked: core })).toEqual([]);
  const everybody = await scopeOf(database.db, insider);
  const stuck = await stuckPullRequests(database.db, everybody, now, { asked: secret });
  expect(stuck.map(({ pr_number }) => pr_number)).toEqual([13, 14]);
});

test('a group is to each what its parts are that they see, and a team of another is not found', async () => {
  const group = await aGroup(database.db, insider, [core, secret], 'everyone');

  expect(await numbersOf(insider, { team: group })).toEqual([2, 3, 6, 12, 18, 'api 1']);
  // Nor another repository.
  expect(await numbersOf(outsider, { team: group })).toEqual([2, 3, 6, 12]);
  expect(await numbersOf(insider, {}, { asked: group })).toEqual([13, 14, 15]);
  expect(await numbersOf(outsider, {}, { asked: group })).toEqual([15]);
  for (const asked of [secret, 2_147_483_647])
    await expect(numbersOf(outsider, {}, { asked })).rejects.toMatchObject({ status: 404, message: 'Team not found' });
});

test('people of a team are listed by what they did themselves as members, whomever it is credited to', async () => {
  const listed = async (user: number, team: number) => {
    const scope = await scopeOf(database.db, user, undefined, { team });
    return (await listContributors(database.db, scope, now, true)).map((row) => [
      row.username,
      row.total_prs_opened,
      row.total_prs_merged,
      row.current_open_prs,
      row.repository_count,
    ]);
  };

  expect(await listed(outsider, core)).toEqual([['ada', 3, 1, 2, 1]]);
  expect(await listed(insider, secret)).toEqual([['dee', 2, 0, 2, 2]]);
});

test('a corrected membership changes the answers at once', async () => {
  const { db } = database;
  const wanted = sql`team_id = ${core} and person_id = (select id from people where login = 'ada')`;
  const until = async (moment: Date) => {
    await sql`update team_members set "to" = ${moment} where ${wanted}`.execute(db);
    await sql`update team_people set "to" = ${moment} where ${wanted}`.execute(db);
  };

  await until(new Date(hour(20) + 1));
  expect(await numbersOf(outsider, { team: core })).toEqual([2, 3, 4, 6, 12]);
  await until(new Date(hour(20)));
  expect(await numbersOf(outsider, { team: core })).toEqual([2, 3, 6, 12]);
});

test('a team that is gone is asked nothing: its address may be another’s', async () => {
  const gone = await aTeam(database.db, 'Core', [insider], []);
  expect(await numbersOf(insider, {}, { asked: gone })).toEqual([15]);
  await database.db.updateTable('teams').set({ archived_at: now }).where('id', '=', gone).execute();

  expect(await numbersOf(insider, {}, { asked: gone })).toEqual([]);
  expect(await numbersOf(insider, {}, { asked: core })).toEqual([15]);
});

test('one that is deleted while the view of a team is read takes no other’s place in its lists', async () => {
  const { db } = database;
  const before = (await teamViewOf(db, asker(outsider), core, {}, now)).nobody_asked.items;
  const between: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => 'waiting_since' in row))
        await db.deleteFrom('pull_requests').where('number', '=', before[0]!.pr_number).execute();
      return result;
    },
  };

  const after = (await teamViewOf(db.withPlugin(between), asker(outsider), core, {}, now)).nobody_asked.items;
  expect(new Set(before.map(({ since }) => since)).size).toBeGreaterThan(1);
  expect(after).toEqual(before.slice(1));
});
