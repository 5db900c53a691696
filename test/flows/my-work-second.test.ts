import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { scopeOf } from '../../src/server/metrics/scope.ts';
import { placedWork } from '../../src/server/my-work/person-work.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  comments,
  dismisses,
  draft,
  type Happening,
  hour,
  pending,
  pushed,
  ready,
  requestsChanges,
  says,
} from '../support/builders.ts';
import { openTestDatabase } from '../support/database.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { workList } from '../twin/my-work.ts';
import { readPull } from '../twin/pull-request.ts';

/*
 * What happens within one second, two and three things at a time in every order in which the host may list them, each after what may have
 * been before: asked of the database, and told a second time by plain loops.
 */

const CORE = '@acme/core';
const now = hour(24);

/** In the hour 10. */
const things: Readonly<Record<string, Happening>> = {
  push: pushed(10),
  'comment of the author': says(10, 'ada'),
  'request to bo': asks(10, 'bo'),
  'request to the team': asks(10, CORE),
  'comment of bo': comments(10, 'bo'),
  'approval of bo': approves(10, 'bo'),
  'request for changes of bo': requestsChanges(10, 'bo'),
  'approval of cy': approves(10, 'cy'),
  dismissal: dismisses(10, '55'),
  'end of the draft': ready(10),
};
const everywhere = Object.keys(things).filter((name) => name !== 'dismissal' && name !== 'end of the draft');

/** What was before, what can have happened then, and how many things at once. */
const before: readonly (readonly [readonly Happening[], readonly string[], readonly number[]])[] = [
  [[], everywhere, [2, 3]],
  [[comments(1, 'bo')], everywhere, [2]],
  [[requestsChanges(1, 'bo')], everywhere, [2]],
  [[approves(1, 'bo', { id: '55' })], [...everywhere, 'dismissal'], [2, 3]],
  [[asks(1, 'bo'), draft(2)], [...everywhere, 'end of the draft'], [2]],
];
/** Reviews of one second are told apart by the host's order alone. */
const isReview = (name: string) => name.endsWith('of bo') || name.endsWith('of cy');

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('within a second the order in which things are listed changes nothing', async () => {
  const { db } = database;
  const users = new Map<string, number>();
  for (const login of ['ada', 'bo', 'cy']) {
    users.set(login, await aUser(db));
    await db.updateTable('users').set({ host_id: login, login }).where('id', '=', users.get(login)!).execute();
    await db.insertInto('people').values({ host: HOST, host_id: login, login, type: 'user', kind: 'human' }).execute();
  }
  const cy = await db.selectFrom('people').select('id').where('host_id', '=', 'cy').executeTakeFirstOrThrow();
  await aTeam(db, 'core', [...users.values()], [{ person: cy.id, from: null, to: null }]);
  const repository = await aRepository(db, 'acme/web');
  for (const id of users.values()) await aConnection(db, id, repository);

  const cases = before.flatMap(([earlier, names, many], at) =>
    many
      .flatMap((count) => choices(names, count))
      .filter((chosen) => chosen.filter((name) => name.endsWith('of bo')).length < 2)
      .flatMap(orders)
      .map((order) => {
        const others = order.filter((name) => !isReview(name)).sort();
        return { earlier, order, same: `${at}: ${[...others, ...order.filter(isReview)].join(', ')}` };
      }),
  );
  const pulls = cases.map(({ earlier, order }, at) => {
    const isAsked = order.includes('request to bo') || earlier.length === 2;
    const requested = [...(isAsked ? ['bo'] : []), ...(order.includes('request to the team') ? [CORE] : [])];
    const isDraft = earlier.length === 2 && !order.includes('end of the draft');
    const what = [...earlier, ...order.map((name) => things[name]!), pending(...requested)];
    return { ...aPullRequest({ number: at + 1, draft: isDraft }, ...what), title: '', updatedAt: hour(10) };
  });
  for (let from = 0; from < pulls.length; from += 200) await store(db, repository, now, pulls.slice(from, from + 200));

  const twins = pulls.map((pull) => readPull({ owner: 'acme', name: 'web', pulls: [] }, pull, now));
  const teams = [{ handle: CORE, members: new Set(['cy']) }];
  const wrong: string[] = [];
  const outcomes = new Map<string, string>();
  for (const [login, user_id] of users) {
    const placed = await placedWork(db, await scopeOf(db, user_id), new Date(now));
    const found = new Map(placed.map(({ number, work }) => [number, words({ ...work, asked_at: work.askedAt })]));
    const twice = new Map(workList(twins, aPerson(login), teams, now).map((one) => [one.number, words(one)]));
    for (const [at, { order, same }] of cases.entries()) {
      const [one, other] = [found.get(at + 1) ?? 'nothing', twice.get(at + 1) ?? 'nothing'];
      const key = `${login} ${same}`;
      const first = outcomes.get(key) ?? one;
      outcomes.set(key, first);
      if (one !== other || one !== first)
        wrong.push(`${key} as ${order.join(', ')}: ${one}, not ${other} as the loops, ${first} in another order`);
    }
  }
  console.info(`${cases.length} orders of what happened within a second, ${new Set(outcomes.values()).size} outcomes.`);
  expect(wrong).toEqual([]);
  expect(cases.length).toBeGreaterThan(500);
});

interface Worded {
  readonly kind: string;
  readonly reason: string;
  readonly since: number;
  readonly asked_at: number | null;
  readonly team: string | null;
}

const words = ({ kind, reason, since, asked_at, team }: Worded) =>
  [kind, reason, since, asked_at ?? 'not asked', team ?? ''].join(' ');

/** All ways to choose a number of them, whatever their order. */
function choices<T>(of: readonly T[], many: number): T[][] {
  if (many === 0) return [[]];
  return of.flatMap((one, at) => choices(of.slice(at + 1), many - 1).map((rest) => [one, ...rest]));
}

function orders<T>(of: readonly T[]): T[][] {
  if (of.length < 2) return [[...of]];
  return of.flatMap((one, at) => orders(of.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
