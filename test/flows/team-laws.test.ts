import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { everyFigure, inLines } from '../support/every-figure.ts';
import { people, type RandomHistory, type RandomPullRequest, randomHistory } from '../support/random-history.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';

/*
 * What holds of every call that takes a team, whatever it returns. Calls are found in the contract: one that is added is among them.
 */

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
let simulator: RunningSimulator;
let app: TestApp;
let mona: string;
/** Holds everybody, for ever. */
let all: number;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  const { now, repositories } = history();
  app = await openTestApp({ host_url: simulator.url, now: () => new Date(now) });
  mona = await app.signIn('mona');
  const { id } = (await app.ask('GET', '/auth/me', { as: mona })).body as { id: number };
  const { db } = app.database;
  for (const [index, pulls] of repositories.entries())
    await store(db, await aRepository(db, ['acme/Web', 'acme/api'][index]!, [id]), now, pulls);
  // What is stored by hand is of a host of its own.
  for (const table of ['people', 'repositories'] as const)
    await db.updateTable(table).set({ host: simulator.url }).execute();
  const rows = await db.selectFrom('people').select('id').execute();
  const members = rows.map(({ id: person }) => ({ person, from: null, to: null }));
  all = await aTeam(db, 'Everybody', [id], members);
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

const agent = people.find(({ kind }) => kind === 'agent')!;

/** The fullest of a few histories, in which people alone open: nobody else's belongs to a team. An agent reviews some. */
function history() {
  const many = ({ repositories }: RandomHistory) => repositories[0]!.pulls.length * repositories[1]!.pulls.length;
  const all = fc.sample(randomHistory, { seed: SEED, numRuns: 8 });
  const { now, repositories } = all.toSorted((a, b) => many(b) - many(a))[0]!;
  const ofPeople = (pull: RandomPullRequest): RandomPullRequest => ({
    ...pull,
    author: pull.author?.kind === 'human' ? pull.author : people[5]!,
    reviews: [
      ...pull.reviews.map((review) => ({ ...review, author: review.author ?? people[1]! })),
      ...pull.reviews.slice(0, 1).map((review) => ({ ...review, id: `${review.id}-agent`, author: agent })),
    ],
  });
  return { now, repositories: repositories.slice(0, 2).map(({ pulls }) => pulls.map(ofPeople)) };
}

const callsWith = (parameter: string) =>
  Object.values<Endpoint>(endpoints).filter(
    ({ method, query }) => method === 'GET' && query !== undefined && parameter in ((query as z.ZodObject).shape ?? {}),
  );
const calls = callsWith('team');
const pathsOf = ({ path }: Endpoint) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`);
  return [...everyFigure, ...inLines].filter((asked) => pattern.test(asked) && !asked.includes('accounts=all'));
};

test.each(calls.map((endpoint) => [endpoint.path, endpoint] as const))(
  'one team that holds everybody for ever gives what %s gives without it, byte for byte',
  async (_, endpoint) => {
    const paths = pathsOf(endpoint);
    expect(paths.length, 'test/support/every-figure.ts asks for none').toBeGreaterThan(0);
    let answered = 0;
    for (const path of paths) {
      const [whole, narrowed] = await Promise.all(
        ['', `${path.includes('?') ? '&' : '?'}team=${all}`].map((more) => app.ask('GET', path + more, { as: mona })),
      );
      answered += whole!.status === 200 ? 1 : 0;
      expect(narrowed!.status, path).toBe(whole!.status);
      if (whole!.status === 200) expect(JSON.stringify(narrowed!.body), path).toBe(JSON.stringify(whole!.body));
    }
    expect(answered).toBeGreaterThan(0);
  },
);

test.each([
  ['team=first', 400],
  ['team=0', 400],
  ['team=12345', 404],
  ['team=1&team_as=owner', 400],
  ['team_as=author', 400],
] as const)('every call that takes a team refuses %s with %i', async (asked, status) => {
  for (const endpoint of calls)
    for (const path of pathsOf(endpoint).slice(0, 1)) {
      const answer = await app.ask('GET', `${path}${path.includes('?') ? '&' : '?'}${asked}`, { as: mona });
      expect(answer.status, path).toBe(status);
    }
});

test.each(['team', 'repository'])('every call that takes a %s takes digits alone for one', async (parameter) => {
  for (const endpoint of callsWith(parameter))
    for (const path of pathsOf(endpoint).slice(0, 1))
      for (const value of ['', 'first', '0', '-1', '0x1', '1e1', '%201', '1%20', '1.0', '1,', '1,x']) {
        const asked = `${path}${path.includes('?') ? '&' : '?'}${parameter}=${value}`;
        expect([(await app.ask('GET', asked, { as: mona })).status, asked]).toEqual([400, asked]);
      }
});
