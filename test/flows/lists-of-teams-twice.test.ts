import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WaitingOn } from '../../src/domain/whose-turn.ts';
import { contributorPullRequests } from '../../src/server/contributors/contributor-pull-requests.ts';
import { asMember, findContributor } from '../../src/server/contributors/find-contributor.ts';
import { listContributors } from '../../src/server/contributors/list-contributors.ts';
import { stalePullRequests } from '../../src/server/contributors/stale-pull-requests.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { type Scope, scopeOf } from '../../src/server/metrics/scope.ts';
import type { PullRequestListRequest } from '../../src/server/pull-requests/filters.ts';
import { listPullRequests } from '../../src/server/pull-requests/list-pull-requests.ts';
import { countStuck, stuckPullRequests } from '../../src/server/team/stuck-pull-requests.ts';
import { casesOf, empty, openTestDatabase } from '../support/database.ts';
import { people, type RandomHistory, randomHistory } from '../support/random-history.ts';
import { aRepository, aScope, store } from '../support/stored.ts';
import { aTeam, type Membership } from '../support/teams.ts';
import * as contributorsTwin from '../twin/contributors.ts';
import { belongs, isMember, lastActivityAsMember, memberList, openedAsMember, type TwinTeam } from '../twin/members.ts';
import { exists } from '../twin/people.ts';
import { readAll, STUCK, type TwinPull } from '../twin/pull-request.ts';
import * as twin from '../twin/pull-requests.ts';

const SEED = Number(process.env.TWIN_SEED ?? 20_261_125);
const RUNS = Number(process.env.TWIN_RUNS ?? casesOf(12));

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Somebody's times in a team: between moments of the history, by place, each time to the next; the first may have no beginning. */
interface RandomMember {
  readonly who: number;
  readonly cuts: readonly number[];
  readonly always: boolean;
  readonly inPart: boolean;
}

const members = fc.uniqueArray(
  fc.record<RandomMember>({
    who: fc.integer({ min: 0, max: people.length - 1 }),
    cuts: fc.uniqueArray(fc.nat(9999), { maxLength: 4 }),
    always: fc.boolean(),
    inPart: fc.boolean(),
  }),
  { selector: ({ who }) => who, minLength: 2 },
);

/** The very instants at which people of a history did something. */
function momentsOf(pulls: readonly TwinPull[], now: number): number[] {
  const moments = pulls.flatMap(({ pull, createdAt, counting }) => [
    createdAt,
    ...counting.map(({ at }) => at),
    ...pull.comments.map(({ createdAt }) => createdAt),
  ]);
  return [...new Set(moments.filter((at) => at <= now))].sort((a, b) => a - b);
}

function timesOf(
  { cuts, always }: RandomMember,
  moments: readonly number[],
): (readonly [number | null, number | null])[] {
  const at = [...new Set(cuts.map((cut) => moments[cut % moments.length]!))].sort((a, b) => a - b);
  const ends: (number | null)[] = always ? [null, ...at] : at;
  return Array.from({ length: Math.ceil(ends.length / 2) }, (_, index) => [
    ends[2 * index]!,
    ends[2 * index + 1] ?? null,
  ]);
}

interface Stored {
  readonly scope: Scope;
  readonly pulls: readonly TwinPull[];
  readonly team: TwinTeam;
  readonly id: number;
}

async function stored(history: RandomHistory, moved: readonly RandomMember[]): Promise<Stored> {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
  const names: string[] = [];
  const ids: number[] = [];
  for (const { owner, name, pulls } of history.repositories) {
    const id = await aRepository(db, `${owner}/${name}`);
    await store(db, id, history.now, pulls);
    ids.push(id);
    names.push(`${owner}/${name}`);
  }
  const { user_id } = await aScope(db, ids);
  const pulls = readAll(history, names);
  const moments = momentsOf(pulls, history.now);
  const known = new Map(
    (await db.selectFrom('people').select(['id', 'login']).execute()).map(({ id, login }) => [login, id]),
  );
  const team = new Map<string, (readonly [number | null, number | null])[]>();
  const ofWhole: Membership[] = [];
  const ofPart: Membership[] = [];
  for (const member of moments.length === 0 ? [] : moved) {
    const { login } = people[member.who]!;
    const person = known.get(login);
    if (person === undefined) continue;
    team.set(login, timesOf(member, moments));
    for (const [from, to] of team.get(login)!) (member.inPart ? ofPart : ofWhole).push({ person, from, to });
  }
  const id = await aTeam(db, 'Core', [user_id], ofWhole);
  await aTeam(db, 'part', [user_id], ofPart, id);
  return { scope: await scopeOf(db, user_id, undefined, { team: id }), pulls, team, id };
}

async function holds(expected: (stored: Stored, now: number) => Promise<void>): Promise<void> {
  const property = fc.asyncProperty(randomHistory, members, async (history, moved) => {
    await expected(await stored(history, moved), history.now);
  });
  const run = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  if (run.failed) throw new Error(`seed ${run.seed}, path "${run.counterexamplePath}"`, { cause: run.errorInstance });
}

const address = (row: { repo_owner: string; repo_name: string; pr_number: number }) =>
  `${row.repo_owner}/${row.repo_name}#${row.pr_number}`;

test('a team’s people are listed by what they did as members, whenever they came and left', async () => {
  await holds(async ({ scope, pulls, team }, now) => {
    const { db } = database;
    const moment = new Date(now);
    const rows = (await listContributors(db, scope, moment, true)).map(
      ({ display_name: _, avatar_url: __, kind: ___, repository_count: ____, ...row }) => row,
    );
    expect(rows).toEqual(memberList(team, pulls, now));

    for (const person of people) {
      const anybody = await findContributor(db, scope, person.login, moment);
      expect(anybody !== null, `whether ${person.login} exists`).toBe(exists(pulls, person));
      if (anybody === null) continue;
      const found = await asMember(db, scope, anybody, moment);
      const theirs = openedAsMember(team, pulls, person);
      expect([found.current_open_prs, found.last_active?.toISOString() ?? null]).toEqual([
        theirs.filter(({ pull }) => pull.state === 'open').length,
        lastActivityAsMember(team, pulls, person, now),
      ]);
      const listed = await contributorPullRequests(db, scope, found.id, null);
      expect(listed.map(address)).toEqual(contributorsTwin.pullsOf(theirs, person, null));
      const stale = (await stalePullRequests(db, scope.ofEverybody, found.id, moment)).filter(({ repo, pr_number }) =>
        theirs.some(({ repository, pull }) => repository === repo && pull.number === pr_number),
      );
      expect(await stalePullRequests(db, scope, found.id, moment)).toEqual(stale);
    }
  });
});

test('a team’s pull requests are those of who wrote or reviewed them as members, page by page in every order', async () => {
  await holds(async ({ scope, pulls, team, id }, now) => {
    const { db } = database;
    for (const as of ['author', 'reviewer'] as const) {
      const of = await scopeOf(db, scope.user_id, undefined, { team: id, team_as: as });
      const its = pulls.filter((on) => belongs(team, on, as));
      const isStuck = ({ pull, createdAt }: TwinPull) => pull.state === 'open' && now - createdAt > STUCK;
      const stuck = await stuckPullRequests(db, of, new Date(now));
      expect(stuck.map(address).toSorted()).toEqual(
        its
          .filter(isStuck)
          .map(({ repository, pull }) => `${repository}#${pull.number}`)
          .toSorted(),
      );
      const ofTurn = (turn: WaitingOn) => stuck.filter(({ waiting_on }) => waiting_on === turn).length;
      expect(await countStuck(db, of, new Date(now))).toEqual({
        all: stuck.length,
        reviewers: ofTurn('reviewers'),
        author: ofTurn('author'),
        merge: ofTurn('merge'),
      });
      const counts = Object.fromEntries(
        (['open', 'merged', 'closed'] as const).map((state) => [
          state,
          its.filter(({ pull }) => pull.state === state).length,
        ]),
      );
      for (const [index, sortBy] of (['updated_at', 'created_at', 'lines_changed', 'title'] as const).entries()) {
        const request = {
          sortBy,
          sortOrder: index % 2 === pulls.length % 2 ? ('ASC' as const) : ('DESC' as const),
          state: [undefined, 'open' as const, 'merged' as const, 'closed' as const][(index + pulls.length) % 4],
          q: ['', ' E', 'ada', 'GHOST'][index]!,
        };
        const expected = twin.listed(its, request);
        const limit = 2;
        const pages: string[] = [];
        for (let offset = 0; offset <= expected.length; offset += limit) {
          const page = await listPullRequests(db, of, { ...request, limit, offset }, new Date(now));
          expect(page).toMatchObject({ total: expected.length, hasMore: offset + limit < expected.length });
          expect(page.counts).toEqual({ all: its.length, ...counts });
          pages.push(...page.prs.map(address));
        }
        expect(pages, `${as} ${sortBy}`).toEqual(expected);
      }
    }
  });
});

test('what is asked of a team waits for reviewers and is asked of a member, of the team or of a part of it', async () => {
  await holds(async ({ scope, pulls, team, id }, now) => {
    const { db } = database;
    const ask = async (request: Partial<PullRequestListRequest>) =>
      (
        await listPullRequests(
          db,
          scope.ofEverybody,
          { limit: 500, offset: 0, sortBy: 'title', sortOrder: 'ASC', ...request },
          new Date(now),
        )
      ).prs.map(address);
    const asked = pulls
      .filter(({ pull }) =>
        pull.requested.some((request) =>
          'person' in request ? isMember(team, request.person, now) : request.team === '@acme/core',
        ),
      )
      .map(({ repository, pull }) => `${repository}#${pull.number}`);
    const expected = (await ask({ turn: 'reviewers' })).filter((one) => asked.includes(one));

    expect(await ask({ asked: id })).toEqual(expected);
    const stuck = (await stuckPullRequests(db, scope.ofEverybody, new Date(now))).map(address);
    expect((await stuckPullRequests(db, scope.ofEverybody, new Date(now), { asked: id })).map(address)).toEqual(
      stuck.filter((one) => expected.includes(one)),
    );
  });
});
