import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PersonRef } from '#domain/pull-request.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { scopeOf } from '../../src/server/metrics/scope.ts';
import {
  countsOf,
  itemsOf,
  openWork,
  type PlacedWork,
  placedWorkOfSeveral,
} from '../../src/server/my-work/person-work.ts';
import { openAt } from '../support/as-of.ts';
import { casesOf, empty, openTestDatabase } from '../support/database.ts';
import { cargoPullRequests } from '../support/judged-signals.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { type AskableTeam, inOrder, waitsForNobody, workList } from '../twin/my-work.ts';
import { isHuman, readPull } from '../twin/pull-request.ts';

/*
 * What everybody's open pull requests were to them at random moments of recorded projects, asked of the database and told a second time by
 * plain loops. Requests of teams and checks, which are not recorded, are made up.
 */

const MOMENTS = Number(process.env.MY_WORK_MOMENTS ?? casesOf(200, 6));
/** The people who are asked about at each moment, at most; all with MY_WORK_PEOPLE=1000. */
const PEOPLE = Number(process.env.MY_WORK_PEOPLE ?? 5);
const SEED = Number(process.env.MY_WORK_SEED ?? 20_261_126);
const HOUR = 3_600_000;
/** It ends what hangs. A database that is split into parts plans each question for all of them, which takes fourteen times as long (docs/scaling.md). */
const PATIENCE = process.env.MERGELIGHT_TEST_PARTITIONS ? HOUR : 600_000;
const OUTCOMES = ['success', 'success', 'failure', 'timed_out', 'cancelled', 'stale', 'neutral', null] as const;

type Recorded = ReturnType<typeof recordedPullRequests>[number];
type Open = Recorded & { readonly updatedAt: number };

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

if (!isRecorded) console.error('The recorded pull requests are not here: what they were to people is LEFT OUT.');

describe.skipIf(!isRecorded)('what open pull requests were to everybody', () => {
  test('of bitcoin-core/gui', { timeout: PATIENCE }, async () => {
    await compare('bitcoin-core/gui', recordedPullRequests());
  });

  test('of rust-lang/cargo', { timeout: PATIENCE }, async () => {
    const pulls = cargoPullRequests().slice(-1500);
    await compare(
      'rust-lang/cargo',
      pulls.map((pull) => ({ ...pull, updatedAt: pull.createdAt })),
    );
  });
});

async function compare(name: string, recorded: readonly Recorded[]): Promise<void> {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
  const random = randomFrom(SEED);
  const [from, to] = [Math.min(...recorded.map(({ createdAt }) => createdAt)), lastMomentOf(recorded)];
  const accounts = new Map<string, PersonRef>();
  for (const pull of recorded)
    for (const person of [
      pull.author,
      ...pull.reviews.map(({ author }) => author),
      ...pull.events.map((e) => e.reviewer),
    ])
      if (isHuman(person)) accounts.set(person.id, person);
  const everybody = [...accounts.values()];
  const teams = ['core', 'docs'].map((slug) => ({
    handle: `@acme/${slug}`,
    members: new Set(everybody.filter(() => random() < 0.1).map(({ id }) => id)),
  }));
  const seen = { items: 0, kinds: new Set<string>() };
  let users: Map<string, number> | null = null;
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const now = from + Math.floor((random() * (to - from)) / 1000) * 1000;
    const pulls = recorded.flatMap((pull) => {
      const open = openAt(pull, now);
      return open === null ? [] : [withMore({ ...open, updatedAt: now }, teams, now, random)];
    });
    const [owner = '', repository = ''] = name.split('/');
    const repository_id = await aRepository(db, `${owner}/${repository}-${moment}`);
    await store(db, repository_id, now, pulls);
    users ??= await usersOf(teams, everybody);
    const twins = pulls.map((pull) => readPull({ owner, name: repository, pulls }, pull, now));
    const involved = everybody.filter((me) => random() < 0.02 || workList(twins, me, teams, now).length > 0);
    const first = Math.floor(random() * involved.length);
    const alone = new Map<number, readonly PlacedWork[]>();
    for (const me of [...involved.slice(first), ...involved.slice(0, first)].slice(0, PEOPLE)) {
      const expected = workList(twins, me, teams, now);
      const user_id = users.get(me.id)!;
      await aConnection(db, user_id, repository_id);
      const at = new Date(now);
      const scope = await scopeOf(db, user_id, repository_id);
      const { placed, waiting_for_nobody } = await openWork(db, scope, at);
      expect(byNumber(placed.map(plain)), `${me.login} at ${at.toISOString()}`).toEqual(
        byNumber(expected.map(({ overdue: _, checks: __, ...work }) => work)),
      );
      const items = await itemsOf(db, placed, at);
      for (const section of new Set(items.map((one) => one.section)))
        expect(
          items.filter((one) => one.section === section).map(({ item }) => shown(item)),
          `${section} of ${me.login} at ${at.toISOString()}`,
        ).toEqual(
          inOrder(expected.filter(({ kind }) => sectionOf(kind) === section)).map(({ number, overdue, checks }) => ({
            ...{ number, overdue, checks },
          })),
        );
      expect(countsOf(placed).turn).toBe(expected.filter(({ kind }) => isTurn(kind)).length);
      alone.set(user_id, placed);
      seen.items += expected.length;
      for (const { kind, reason } of expected) seen.kinds.add(`${kind} ${reason}`);
      expect(waiting_for_nobody).toBe(twins.filter((on) => waitsForNobody(on, now)).length);
    }
    const together = await placedWorkOfSeveral(
      db,
      new Map([...alone.keys()].map((id) => [id, [repository_id]])),
      new Date(now),
    );
    for (const [user_id, placed] of alone)
      expect(byNumber(together.get(user_id) ?? []), `of several at ${now}`).toEqual(byNumber(placed));
    await db.deleteFrom('connections').execute();
  }
  console.info(`${name}: ${seen.items} items at ${MOMENTS} moments, of ${[...seen.kinds].sort().join(', ')}.`);
  expect(seen.items).toBeGreaterThan(MOMENTS);
}

const sectionOf = (kind: string) => (kind === 'review_again' ? 'review' : kind);
const isTurn = (kind: string) => ['author', 'merge', 'review', 'review_again', 'team_review'].includes(kind);
const byNumber = <T extends { number: number }>(all: readonly T[]) => all.toSorted((a, b) => a.number - b.number);
const plain = ({ number, work }: Awaited<ReturnType<typeof openWork>>['placed'][number]) => {
  const { kind, reason, since, askedAt: asked_at, team } = work;
  return { number, kind, reason, since, asked_at, team };
};
const shown = ({ pr_number, overdue, checks }: { pr_number: number; overdue: boolean; checks: string | null }) => ({
  ...{ number: pr_number, overdue, checks },
});

/** Users of these accounts, by the host's ids, and the teams that all of them see. */
async function usersOf(teams: readonly AskableTeam[], everybody: readonly PersonRef[]): Promise<Map<string, number>> {
  const { db } = database;
  const users = new Map<string, number>();
  for (const { id } of everybody) {
    users.set(id, await aUser(db));
    await db.updateTable('users').set({ host_id: id }).where('id', '=', users.get(id)!).execute();
  }
  for (const { id, login } of everybody)
    await sql`
      insert into people (host, host_id, login, type, kind) values (${HOST}, ${id}, ${login}, 'user', 'human')
      on conflict do nothing`.execute(db);
  const people = await db.selectFrom('people').select(['id', 'host_id']).execute();
  for (const { handle, members } of teams)
    await aTeam(
      db,
      handle.split('/')[1]!,
      [...users.values()],
      people.flatMap(({ id, host_id }) => (members.has(host_id!) ? [{ person: id, from: null, to: null }] : [])),
    );
  return users;
}

/** Some requests of teams and some checks. */
function withMore(pull: Open, teams: readonly AskableTeam[], now: number, random: () => number): Open {
  const asked = teams.filter(() => random() < 0.25).map(({ handle }) => handle);
  const told = asked.flatMap((team, index) => {
    const at = pull.createdAt + Math.floor((random() * (now - pull.createdAt)) / 1000) * 1000;
    const event = { id: `${900_000 + index}`, type: 'review_requested' as const, at, actor: pull.author, team };
    // Of some the host does not say when.
    return random() < 0.2 ? [] : [{ ...event, reviewer: null, reviewId: null, previousState: null }];
  });
  const checks = ['build', 'build', 'lint'].flatMap((name, index) =>
    random() < 0.5
      ? []
      : [
          {
            ...{ id: String(index + 1), name, outcome: OUTCOMES[Math.floor(random() * OUTCOMES.length)]! },
            // What waits for a machine has not begun.
            ...{ startedAt: random() < 0.3 ? null : now - (index + 2) * HOUR, completedAt: now - HOUR },
          },
        ],
  );
  return {
    ...pull,
    events: [...pull.events, ...told],
    requested: [...pull.requested, ...asked.map((team) => ({ team }))],
    checks: checks.map((check) => (check.outcome === null ? { ...check, completedAt: null } : check)),
  };
}

function lastMomentOf(pulls: readonly Recorded[]): number {
  return Math.max(...pulls.map(({ createdAt, mergedAt, closedAt }) => mergedAt ?? closedAt ?? createdAt));
}

/** Numbers from 0 up to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
