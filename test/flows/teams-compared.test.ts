import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonRef } from '#domain/pull-request.ts';
import { endpoints } from '../../src/contract/endpoints.ts';
import type { TeamRow, TeamView, WholeTeam } from '../../src/contract/teams.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { expandTeams } from '../../src/server/metrics/team-people.ts';
import { compareTeamsOf } from '../../src/server/teams/compare-teams.ts';
import { teamViewOf } from '../../src/server/teams/team-view.ts';
import { wholeTeam } from '../../src/server/teams/whole-team.ts';
import { casesHere, casesOf, openTestDatabase } from '../support/database.ts';
import { type RandomHistory, randomHistory } from '../support/random-history.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { rounded } from '../twin/arithmetic.ts';
import { readAll, type TwinPull } from '../twin/pull-request.ts';
import * as twin from '../twin/teams.ts';

/*
 * The comparison and the view of teams, counted a second time by plain loops over memberships and pull requests in memory, for somebody who
 * sees everything and for somebody who sees a part of the repositories and of the teams.
 */

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Numbers from 0 to 1, always the same. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface World {
  readonly now: number;
  readonly pulls: readonly TwinPull[];
  readonly creditedOf: twin.CreditedOf;
  readonly humans: readonly PersonRef[];
  /** By its id, the name of a repository in it. */
  readonly repositories: ReadonlyMap<string, number>;
  /** Row id of each team by its name; who belonged to it itself, and what it holds. */
  readonly teams: ReadonlyMap<
    string,
    { readonly id: number; readonly own: twin.TwinTeam['members']; readonly parts: readonly string[] }
  >;
}

const roots = ['Alpha', 'beta', 'Gamma'];
const children = ['Delta', 'Epsilon'];
const groups = ['Zeta'];

/** Stores a history with teams between which people move at random: two children of the first root, and a group of the second and of one child. */
async function worldOf(history: RandomHistory, users: readonly number[], seed: number): Promise<World> {
  const { db } = database;
  await db.deleteFrom('teams').execute();
  await db.deleteFrom('repositories').execute();
  const repositories = new Map<string, number>();
  for (const [at, { owner, name, pulls }] of history.repositories.entries()) {
    const id = await aRepository(db, `${owner}/${name}`);
    repositories.set(`${owner}/${name}`, id);
    await store(db, id, history.now, pulls);
    // The first one is imported to its end, the second is not, and so on.
    if (at % 2 === 0)
      await db
        .updateTable('repositories')
        .set({ history_completed_at: new Date(history.now) })
        .where('id', '=', id)
        .execute();
  }
  const people = await db
    .selectFrom('people')
    .select(['id', 'host_id', 'kind'])
    .where('host', '=', HOST)
    .orderBy('id')
    .execute();
  const random = chance(seed);
  const first = Math.min(...history.repositories.flatMap(({ pulls }) => pulls.map(({ createdAt }) => createdAt)));
  const moment = () => first + Math.floor((random() * (history.now - first)) / 1000) * 1000;
  const teams = new Map<string, { id: number; own: twin.TwinTeam['members']; parts: string[] }>();
  for (const name of [...roots, ...children]) {
    const own = people.flatMap(({ id, host_id }) => {
      if (random() > 0.45) return [];
      const [a, b, c] = [moment(), moment(), moment()].sort((left, right) => left - right) as [number, number, number];
      const periods =
        random() < 0.4
          ? [{ from: null, to: null }]
          : random() < 0.5
            ? [{ from: null, to: a }, ...(b < c ? [{ from: b, to: c }] : [])]
            : [{ from: b, to: null }];
      return periods.map((period) => ({ row: id, person: host_id, ...period }));
    });
    const parent = children.includes(name) ? teams.get('Alpha')!.id : null;
    const members = own.map(({ row: person, from, to }) => ({ person, from, to }));
    // Who sees a part does not see one of the children.
    const readers = name === 'Epsilon' ? users.slice(0, 1) : users;
    teams.set(name, { id: await aTeam(db, name, readers, members, parent), own, parts: [] });
  }
  teams.get('Alpha')!.parts.push(...children);
  const group = await db
    .insertInto('teams')
    .values({
      host: HOST,
      source: 'own',
      name: 'Zeta',
      visibility: 'everyone',
      created_by: users[0]!,
      created_at: new Date(0),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const parts = ['beta', 'Epsilon'];
  await db
    .insertInto('team_parts')
    .values(parts.map((part) => ({ group_id: group.id, team_id: teams.get(part)!.id })))
    .execute();
  teams.set('Zeta', { id: group.id, own: [], parts });
  await db.transaction().execute((within) => expandTeams(within, [teams.get('Alpha')!.id, group.id]));

  const pulls = readAll(history, [...repositories.keys()]);
  const { rows } = await sql<{ repository: string; number: number; host_id: string; kind: 'human' }>`
    select r.owner || '/' || r.name as repository, f.number, p.host_id, p.kind from pull_request_facts f
    join repositories r on r.id = f.repository_id join people p on p.id = f.credited_id`.execute(db);
  const credited = new Map(
    rows.map(({ repository, number, host_id, kind }) => [
      `${repository}#${number}`,
      { id: host_id, login: host_id, kind, displayName: null, avatarUrl: null },
    ]),
  );
  const creditedOf = (of: TwinPull) => credited.get(`${of.repository}#${of.pull.number}`) ?? of.pull.author;
  const humans = people
    .filter(({ kind }) => kind === 'human')
    .map(({ host_id, kind }) => ({ id: host_id, login: host_id, kind, displayName: null, avatarUrl: null }));
  return { now: history.now, pulls, creditedOf, humans, repositories, teams };
}

/** A team with what it holds, but for the parts that are not to be seen. */
function teamCalled(world: World, name: string, hidden: readonly string[]): twin.TwinTeam {
  const { own, parts } = world.teams.get(name)!;
  const held = parts.filter((part) => !hidden.includes(part));
  return { members: [...own, ...held.flatMap((part) => teamCalled(world, part, hidden).members)] };
}

async function expectTheSame(
  world: World,
  user_id: number,
  seen: readonly string[],
  hidden: readonly string[],
): Promise<void> {
  const { db } = database;
  const { now, creditedOf } = world;
  const pulls = world.pulls.filter(({ repository }) => seen.includes(repository));
  const user = { id: user_id, host: HOST, login: 'me', time_zone: 'UTC', own_marks: false };
  const visible = [...world.teams.keys()].filter((name) => !hidden.includes(name));
  const belongs = (of: TwinPull) =>
    visible.some((name) => twin.isMember(teamCalled(world, name, hidden), creditedOf(of), of.pull.createdAt));
  const peopleNow = (name: string) => {
    return world.humans.filter((one) => twin.isMember(teamCalled(world, name, hidden), one, now)).length;
  };
  const level = {
    roots: [...roots, ...groups].filter((name) => visible.includes(name)),
    children: children.filter((name) => visible.includes(name)),
  };
  for (const [days, window] of [
    [30, '30d'],
    [90, '90d'],
    [365, '1y'],
  ] as const)
    for (const parent of [undefined, world.teams.get('Alpha')!.id]) {
      const query = endpoints.compareTeams.query.parse({ window, parent });
      const answer = endpoints.compareTeams.answer.parse(await compareTeamsOf(db, user, query, new Date(now)));
      const first = Math.min(...pulls.map(({ pull }) => pull.createdAt));
      expect(answer.compared_with).toEqual({
        from: new Date(now - 2 * days * 86_400_000).toISOString(),
        history_begins: pulls.length === 0 ? null : new Date(first).toISOString(),
        import_complete: seen.every((name) => [...world.repositories.keys()].indexOf(name) % 2 === 0),
      });
      const names = parent === undefined ? level.roots : level.children;
      const byName = [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
      const row = (of: readonly TwinPull[]) => twin.comparedRow(of, now, days);
      const expected = [
        ...byName.map((name) => ({
          ...row(twin.pullsOf(teamCalled(world, name, hidden), pulls, creditedOf)),
          ...{ key: 'team', name, people_now: peopleNow(name) },
        })),
        { ...row(pulls.filter((of) => !belongs(of))), key: 'none', name: null, people_now: null },
        { ...row(pulls), key: 'scope', name: null, people_now: null },
      ];
      const told = answer.rows.map(({ team, ...rest }: TeamRow) => ({ ...rest, name: team?.name ?? null }));
      expect(rounded(told, expected)).toEqual(expected);
      for (const sort of ['opened', 'time_to_merge'] as const) {
        const sorted = await compareTeamsOf(db, user, { ...query, sort, order: 'desc' }, new Date(now));
        const values = sorted.rows.slice(0, -2).map((one) => one[sort].value ?? Number.NEGATIVE_INFINITY);
        expect(values).toEqual([...values].sort((a, b) => b - a));
        expect(sorted.rows.slice(-2).map(({ key }) => key)).toEqual(['none', 'scope']);
      }
    }
  for (const name of visible) {
    const { id } = world.teams.get(name)!;
    const query = endpoints.getTeamView.query.parse({ period: '1y' });
    const answer: TeamView = endpoints.getTeamView.answer.parse(await teamViewOf(db, user, id, query, new Date(now)));
    const expected = twin.teamView(teamCalled(world, name, hidden), pulls, creditedOf, now, 365);
    const addresses = (items: TeamView['nobody_asked']['items']) =>
      items.map(({ repo_owner, repo_name, pr_number }) => `${repo_owner}/${repo_name}#${pr_number}`).sort();
    const { open, waits, from_outside, to_outside } = answer;
    const told = {
      ...{ open, waits, from_outside, to_outside },
      ready_to_merge: addresses(answer.ready_to_merge.items),
      nobody_asked: addresses(answer.nobody_asked.items),
    };
    expect(rounded(told, expected), name).toEqual(expected);
    const whole: WholeTeam = endpoints.getTeam.answer.parse(await wholeTeam(db, user, id, new Date(now), false));
    expect(whole.members_now).toBe(peopleNow(name));
  }
}

async function compareTwice(history: RandomHistory, seed: number): Promise<void> {
  const { db } = database;
  await db.deleteFrom('users').execute();
  const [all, some] = [await aUser(db), await aUser(db)];
  const world = await worldOf(history, [all, some], seed);
  const names = [...world.repositories.keys()];
  const part = names.slice(0, Math.ceil(names.length / 2));
  for (const name of names) await aConnection(db, all, world.repositories.get(name)!);
  for (const name of part) await aConnection(db, some, world.repositories.get(name)!);
  await expectTheSame(world, all, names, []);
  await expectTheSame(world, some, part, ['Epsilon']);
}

test('over random histories teams are compared, and told what they wait for, as by plain loops', async () => {
  for (const [index, history] of fc.sample(randomHistory, { seed: SEED, numRuns: casesOf(12) }).entries())
    if (history.repositories.some(({ pulls }) => pulls.length > 0)) await compareTwice(history, SEED + index);
}, 300_000);

if (!isRecorded) console.warn('SKIPPED: teams over recorded pull requests, because their recordings are not there.');

test.skipIf(!isRecorded)(
  'and over a real repository, with random moves',
  async () => {
    const pulls = recordedPullRequests().map((pull) => ({ ...pull, files: [] }));
    const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + 3_600_000;
    const repositories = ['gui', 'GUI-tests', 'gui-docs'].map((name, part) => ({
      owner: 'bitcoin-core',
      name,
      pulls: pulls.filter((_, index) => index % 3 === part),
    }));
    for (const seed of casesHere([SEED, SEED + 1], 2)) await compareTwice({ now, repositories }, seed);
  },
  300_000,
);
