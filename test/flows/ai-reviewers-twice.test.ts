import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { PersonRef } from '#domain/pull-request.ts';
import { reviewerExplanations } from '../../src/server/ai/explain-reviewers.ts';
import { aiRoutes } from '../../src/server/ai/routes.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { explainRoutes } from '../../src/server/explain/routes.ts';
import { readAgain } from '../../src/server/sync/read-again.ts';
import { marksAtHost, pullAtHost } from '../support/at-host.ts';
import { noAttribution } from '../support/builders.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RandomHistory, type RandomPullRequest, zones } from '../support/random-history.ts';
import { agents, bot, humans, randomFrom, randomReviewed } from '../support/random-reviewed.ts';
import { RECORDING, recordedPullRequests } from '../support/recorded-pull-requests.ts';
import {
  between,
  narrowed,
  type Query,
  type Question,
  type StoredReviews,
  storedReviews,
  withTeam,
} from '../support/reviews.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing } from '../support/syncing.ts';
import { type AskedOfReviewers, fatesByPull, inDepth, reviewersOf, sizeOf } from '../twin/ai-reviewers.ts';
import { rounded } from '../twin/arithmetic.ts';
import { readAll } from '../twin/pull-request.ts';

/*
 * What AI reviewers give, and people beside them, asked of the server and counted by plain loops.
 */

const SEED = Number(process.env.AI_SEED ?? 20_261_125);
const RUNS = Number(process.env.AI_RUNS ?? 2);
const HOUR = 3_600_000;
const DAY = 24 * 3_600_000;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const seeds = Array.from({ length: RUNS }, (_, index) => SEED + index);

/** One call, its answer held against the contract. */
async function ask<Name extends 'listAiReviewers' | 'getAiReviewer'>(
  view: StoredReviews,
  name: Name,
  query: Query,
  params: object = {},
) {
  const routes = aiRoutes({ db: database.db, now: () => new Date(view.now) });
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const answer = await routes[name]({ user, params, query: endpoints[name].query.parse(query) } as never);
  return endpoints[name].answer.parse(JSON.parse(JSON.stringify(answer))) as ReturnType<
    (typeof endpoints)[Name]['answer']['parse']
  >;
}

/** What became of the findings of each pull request, as `ai.acted_on` explains itself. */
async function explained(view: StoredReviews, query: Query) {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => new Date(view.now) }, reviewerExplanations);
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const found = new Map<string, object>();
  for (let offset = 0, hasMore = true; hasMore; offset += 100) {
    const asked = endpoints.explainMetric.query.parse({ ...query, limit: '100', offset: String(offset) });
    const answer = await explainMetric({ user, params: { metric: 'ai.acted_on' }, query: asked } as never);
    const page = endpoints.explainMetric.answer.parse(JSON.parse(JSON.stringify(answer)));
    for (const { repo_owner, repo_name, pr_number, fates } of page.items)
      found.set(`${repo_owner}/${repo_name}#${pr_number}`, fates!);
    hasMore = page.hasMore;
  }
  return found;
}

/** Every reviewer in the list, and each in depth; answers how many findings were told. */
async function expectReviewers(view: StoredReviews, question: Question): Promise<number> {
  const { query, pulls, mine } = narrowed(view, question);
  const kinds = query.author_kind?.split(',');
  const wantedSizes = query.size?.split(',');
  const asked: AskedOfReviewers = {
    ...{ pulls, now: view.now, zone: view.zone, window: question },
    isWanted: (on) =>
      mine.has(on) &&
      (kinds === undefined || kinds.includes(on.pull.author?.kind ?? 'ghost')) &&
      (wantedSizes === undefined || wantedSizes.includes(sizeOf(on))),
  };
  const expected = reviewersOf(asked);
  const rows = expected.map(({ row }) => row);
  const told = (await ask(view, 'listAiReviewers', query)).map(withoutPicture);
  expect(rounded(told, rows), JSON.stringify(query)).toEqual(rows);
  for (const { tool, row } of expected) {
    const deep = { ...row, ...inDepth(asked, tool) };
    const answer = withoutPicture(await ask(view, 'getAiReviewer', query, { login: row.reviewer }));
    expect(rounded(answer, deep), `${row.reviewer} ${JSON.stringify(query)}`).toEqual(deep);
    expectParts(answer);
  }
  const [first] = expected;
  for (const tool of [first?.tool ?? null, null]) {
    const reviewer = tool === null ? {} : { reviewer: first!.row.reviewer };
    expect(await explained(view, { ...query, ...reviewer }), `explained ${tool}`).toEqual(fatesByPull(asked, tool));
  }
  return rows.reduce((sum, { acted_on }) => sum + acted_on.n, 0);
}

/** Each finding has one fate; what is told by size, and by week, adds up to the whole. */
function expectParts(
  answer: Pick<AiReviewerInDepth, 'fates' | 'acted_on' | 'coverage' | 'control' | 'sizes' | 'series'>,
) {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const parts = [answer.sizes, answer.series];
  expect(sum(Object.values(answer.fates))).toBe(answer.acted_on.n);
  expect(sum(Object.values(answer.control.fates))).toBe(answer.control.acted_on.n);
  for (const part of parts) {
    for (const fate of ['changed', 'resolved', 'answered', 'dismissed_by_hand', 'ignored'] as const) {
      expect(sum(part.map(({ fates }) => fates[fate]))).toBe(answer.fates[fate]);
      expect(sum(part.map(({ control }) => control.fates[fate]))).toBe(answer.control.fates[fate]);
    }
    expect(sum(part.map(({ coverage }) => coverage.n))).toBe(answer.coverage.n);
  }
}

const withoutPicture = <T extends object>(row: T) => ({ ...row, avatar_url: null });

test.each(seeds)('what AI reviewers give is what plain loops give (seed %i)', async (seed) => {
  const random = randomFrom(seed);
  const view = await storedReviews(database.db, randomReviewed(seed), random.of(zones));
  const { now } = view;
  const findings = await expectReviewers(view, between(now - 290 * DAY, now));
  expect(findings).toBeGreaterThan(100);
  await expectReviewers(view, { query: {}, from: now - 30 * DAY + 1, to: now + 1 });
  const from = random.of([45, 90, 120.5, 200]);
  const window = between(now - from * DAY, now - random.of([1, 7, 29.25]) * DAY);
  const some = [
    { author_kind: 'human' },
    { author_kind: 'bot,agent' },
    { size: '0-50,51-200' },
    { size: '1000+', author_kind: 'human,ghost' },
  ];
  await expectReviewers(view, { ...window, query: { ...window.query, ...random.of(some) }, only: 'Acme/Web' });
  await expectReviewers(view, { ...between(now - 200 * DAY, now), team: await withTeam(database.db, view, seed) });
});

test('people and an agent who do the same are told the same: where their kinds are swapped, the figures are', async () => {
  const { now, repositories } = randomReviewed(SEED);
  const [ada, author] = [humans[0]!, humans[2]!];
  const house = agents.at(-1)!;
  const asIf = (kinds: ReadonlyMap<PersonRef, PersonRef['kind']>): RandomHistory => {
    const by = (person: PersonRef | null) => {
      const one = person?.kind === 'human' ? ada : person?.kind === 'agent' ? house : null;
      return one && { ...one, kind: kinds.get(one)! };
    };
    // Only the author answers and resolves.
    const again = (pull: RandomPullRequest): RandomPullRequest => {
      const answers = new Set(
        pull.comments.flatMap(({ inReplyTo, reviewId }) => (inReplyTo === null ? [] : [reviewId])),
      );
      return {
        ...pull,
        author,
        mergedBy: null,
        attribution: noAttribution,
        events: pull.events.map((event) => ({ ...event, actor: by(event.actor), reviewer: by(event.reviewer) })),
        commits: pull.commits.map((commit) => ({ ...commit, author: by(commit.author), authorIsBot: false })),
        reviews: pull.reviews.map((review) => ({
          ...review,
          author: answers.has(review.id) ? author : by(review.author),
        })),
        comments: pull.comments.map((comment) => ({
          ...comment,
          author: comment.reviewId !== null && answers.has(comment.reviewId) ? author : by(comment.author),
        })),
        threads: Object.fromEntries(
          Object.entries(pull.threads ?? {}).map(([id, thread]) => [id, { ...thread, by: thread.by && author }]),
        ),
      };
    };
    return { now, repositories: repositories.map(({ pulls, ...names }) => ({ ...names, pulls: pulls.map(again) })) };
  };
  const told = async (kinds: readonly [PersonRef, PersonRef['kind']][]) => {
    const view = await storedReviews(database.db, asIf(new Map(kinds)), 'UTC');
    const question = between(now - 290 * DAY, now);
    await expectReviewers(view, question);
    return await ask(view, 'listAiReviewers', question.query);
  };

  const [one] = await told([
    [ada, 'human'],
    [house, 'agent'],
  ]);
  const [other] = await told([
    [ada, 'agent'],
    [house, 'human'],
  ]);

  expect([one!.reviewer, other!.reviewer]).toEqual([house.login, ada.login]);
  expect(one!.acted_on.n).toBeGreaterThan(50);
  expect(one!.control).not.toEqual(other!.control);
  expect(one).toMatchObject(other!.control);
  expect(other).toMatchObject(one!.control);
  expect(one!.lift).toBe(-other!.lift!);
});

describe('of a host that tells what became of comments and threads', () => {
  let simulator: RunningSimulator;
  let syncing: Syncing;
  let view: StoredReviews;
  let history: RandomHistory;
  let repository: number;
  const now = Math.floor(Date.now() / HOUR) * HOUR;

  beforeAll(async () => {
    simulator = await startSimulator({ world: 'tiny' });
    history = randomReviewed(SEED, now);
    const { db } = database;
    await sql`truncate repositories, users, people, account_kinds, teams cascade`.execute(db);
    syncing = openSyncing(db, simulator);
    for (const { login, kind } of [...humans, ...agents, bot]) {
      const type = login.endsWith('[bot]') ? 'Bot' : 'User';
      const { id } = (await simulator.control('accounts', { login, type })) as { id: number };
      // The host does not say that it is a bot; somebody does.
      if (type === 'User' && kind !== 'human')
        await db
          .insertInto('account_kinds')
          .values({ host: syncing.host.key, host_id: String(id), kind: 'agent', set_by: null, set_at: new Date(0) })
          .execute();
    }
    const [{ owner, name, pulls }] = history.repositories as [RandomHistory['repositories'][0]];
    await simulator.control('repos', {
      ...{ id: 77_003, owner: 'octo-org', name: 'told', private: true, readers: ['ada'], admins: [], archived: false },
      ...{ defaultBranch: 'main', createdAt: now - 400 * DAY },
      pullRequests: pulls.map((pull) => pullAtHost(pull, now)),
    });
    const user = await syncing.user('ada');
    repository = await syncing.connect(user, 'octo-org/told');
    const { status, error } = await syncing.run(user, repository, 'full');
    expect([status, error]).toEqual(['completed', null]);
    await readAgain(syncing.context, { until: null }, new AbortController().signal);
    const ids = new Map([['octo-org/told', repository]]);
    view = { user, host: syncing.host.key, pulls: [], now, zone: 'Europe/Oslo', ids };
    history = { now, repositories: [{ owner: 'octo-org', name: 'told', pulls }] };
    expect([owner, name]).toEqual(['Acme', 'Web']);
  });
  afterAll(async () => {
    await syncing.stop();
    await simulator.stop();
  });

  const seen = () => ({ ...view, pulls: readAll(history, ['octo-org/told']) });
  /** What happened at the host since is read, and what is due beside it. */
  async function synced(): Promise<void> {
    const { status } = await syncing.run(view.user, repository, 'full');
    expect(status).toBe('completed');
    await readAgain(syncing.context, { until: null }, new AbortController().signal);
  }
  const isEnded = ({ state }: RandomPullRequest) => state !== 'open';
  const withInline = ({ comments }: RandomPullRequest) =>
    comments.some(({ kind, author }) => kind === 'inline' && author?.kind === 'agent');
  /** Everything became otherwise. */
  function turned(pull: RandomPullRequest): RandomPullRequest {
    const roots = pull.comments.filter(({ kind, inReplyTo }) => kind === 'inline' && inReplyTo === null);
    return {
      ...pull,
      marks: Object.fromEntries(
        pull.comments
          .filter(({ kind }) => kind === 'inline')
          .map(({ id }, index) => {
            // The host shows nothing again that was minimised.
            const minimized = index % 3 === 0 ? 'spam' : (pull.marks?.[id]?.minimized ?? null);
            return [id, { outdated: true, minimized, up: 5, down: 6 }];
          }),
      ),
      threads: Object.fromEntries(roots.map(({ id }, index) => [id, { resolved: index % 2 === 0, by: humans[0]! }])),
    };
  }
  const tellOf = async (number: number, entries: readonly object[]) =>
    await simulator.control(`repos/octo-org/told/pulls/${number}/entries`, entries);

  test('is told of each reviewer and of people, as by an own reading of what happened there', async () => {
    const findings = await expectReviewers(seen(), between(now - 290 * DAY, now + DAY));
    expect(findings).toBeGreaterThan(40);
  });

  test('stays as it was first read after the end, and is read again after a reopening', async () => {
    const [{ pulls }] = history.repositories as [RandomHistory['repositories'][0]];
    const changing = pulls.filter((pull) => isEnded(pull) && withInline(pull));
    expect(changing.length).toBeGreaterThan(10);
    for (const pull of changing)
      await tellOf(pull.number, [{ kind: 'comment', by: 'renovate[bot]' }, ...marksAtHost(turned(pull), now)]);
    await synced();
    const later = { ...view, now: Date.now() };
    view = later;
    await expectReviewers(seen(), between(now - 290 * DAY, now + DAY));

    const at = Math.floor(Date.now() / 1000) * 1000;
    const reopened = changing.filter(({ state }) => state === 'closed').slice(0, 5);
    expect(reopened.length).toBeGreaterThan(1);
    for (const { number } of reopened)
      await tellOf(number, [
        { kind: 'reopened', at, by: 'ada' },
        { kind: 'closed', at, by: 'ada' },
      ]);
    const event = { reviewer: null, team: null, reviewId: null, previousState: null, at, actor: humans[0]! };
    history = {
      now: at,
      repositories: [
        {
          ...{ owner: 'octo-org', name: 'told' },
          pulls: pulls.map((pull) =>
            reopened.includes(pull)
              ? {
                  ...turned(pull),
                  closedAt: at,
                  events: [
                    ...pull.events,
                    { ...event, id: '9001', type: 'reopened' },
                    { ...event, id: '9002', type: 'closed' },
                  ],
                }
              : pull,
          ),
        },
      ],
    };
    await synced();
    view = { ...view, now: at };
    await expectReviewers(seen(), between(now - 290 * DAY, now + DAY));
  });
});

const isRecorded = existsSync(RECORDING);
if (!isRecorded)
  console.warn('SKIPPED: what AI reviewers give in a recorded repository, because its recording is not there.');

test.skipIf(!isRecorded)('of bitcoin-core/gui, in which the agents that were seen are told, too', async () => {
  const pulls = recordedPullRequests();
  const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + HOUR;
  const history = { now, repositories: [{ owner: 'bitcoin-core', name: 'gui', pulls }] };
  const view = await storedReviews(database.db, history, 'Europe/Oslo');
  await expectReviewers(view, between(now - 365 * DAY, now));
  await expectReviewers(view, between(now - 1390 * DAY, now - 1000 * DAY));
});
