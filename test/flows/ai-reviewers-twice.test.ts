import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { Explanation } from '#contract/explain.ts';
import { humanTimeFigures } from '#domain/ai-reviewers.ts';
import type { PersonRef } from '#domain/pull-request.ts';
import { reviewerExplanations } from '../../src/server/ai/explain-reviewers.ts';
import { aiRoutes } from '../../src/server/ai/routes.ts';
import { lensOf } from '../../src/server/db/lens.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { explainRoutes } from '../../src/server/explain/routes.ts';
import { readAgain } from '../../src/server/sync/read-again.ts';
import { trendRoutes } from '../../src/server/trends/routes.ts';
import { marksAtHost, pullAtHost } from '../support/at-host.ts';
import { noAttribution } from '../support/builders.ts';
import { casesOf, empty, openTestDatabase } from '../support/database.ts';
import { followMarks } from '../support/follow-marks.ts';
import { type RandomHistory, type RandomPullRequest, zones } from '../support/random-history.ts';
import { agents, bot, humans, randomFrom, randomReviewed } from '../support/random-reviewed.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
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
import {
  type AskedOfReviewers,
  beforeAfterExplained,
  fatesByPull,
  groupsExplained,
  inDepth,
  liftExplained,
  reviewersOf,
  sizeOf,
  type TwinDifference,
  weeksOf,
} from '../twin/ai-reviewers.ts';
import { rounded } from '../twin/arithmetic.ts';
import { readAll } from '../twin/pull-request.ts';

/*
 * What AI reviewers give, and people beside them, asked of the server and counted by plain loops.
 */

const SEED = Number(process.env.AI_SEED ?? 20_261_125);
const RUNS = Number(process.env.AI_RUNS ?? casesOf(2));
const HOUR = 3_600_000;
const DAY = 24 * 3_600_000;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const seeds = Array.from({ length: RUNS }, (_, index) => SEED + index);

/** The database as the user of a view sees it. */
const seenBy = ({ byOwnMarks, user }: StoredReviews) =>
  byOwnMarks === true ? lensOf(database.pool, user) : database.db;

/** One call, its answer held against the contract. */
async function ask<Name extends 'listAiReviewers' | 'getAiReviewer'>(
  view: StoredReviews,
  name: Name,
  query: Query,
  params: object = {},
) {
  const routes = aiRoutes({ db: seenBy(view), now: () => new Date(view.now) });
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const answer = await routes[name]({ user, params, query: endpoints[name].query.parse(query) } as never);
  return endpoints[name].answer.parse(JSON.parse(JSON.stringify(answer))) as ReturnType<
    (typeof endpoints)[Name]['answer']['parse']
  >;
}

/** An explanation with all of its items. */
async function explained(view: StoredReviews, metric: string, query: Query): Promise<Explanation> {
  const { explainMetric } = explainRoutes({ db: seenBy(view), now: () => new Date(view.now) }, reviewerExplanations);
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const items: Explanation['items'] = [];
  for (;;) {
    const asked = endpoints.explainMetric.query.parse({ ...query, limit: '100', offset: String(items.length) });
    const answer = await explainMetric({ user, params: { metric }, query: asked } as never);
    const page = endpoints.explainMetric.answer.parse(JSON.parse(JSON.stringify(answer)));
    items.push(...page.items);
    if (!page.hasMore) return { ...page, items };
  }
}

/** What became of the findings of each pull request, as `ai.acted_on` explains itself. */
async function explainedFates(view: StoredReviews, query: Query) {
  const { items } = await explained(view, 'ai.acted_on', query);
  return new Map(
    items.map(({ repo_owner, repo_name, pr_number, fates }) => [`${repo_owner}/${repo_name}#${pr_number}`, fates!]),
  );
}

/** A difference by its two sides: its number, those of both, all pull requests with what each contributes, and how many are left out. */
async function expectDifference(view: StoredReviews, metric: string, query: Query, expected: TwinDifference) {
  const told = await explained(view, metric, query);
  const { value, n, sides, things, leftOut } = expected;
  const numbers = {
    ...{ value: told.value, n: told.n, total: told.total },
    sides: told.sides!.map(({ name: _, ...side }) => side),
    leftOut: told.left_out.map(({ count }) => count),
  };
  const counted = { value, n, total: things.length, sides, leftOut };
  expect(rounded(numbers, counted), `${metric} ${JSON.stringify(query)}`).toEqual(counted);
  const line = (part: string | undefined, place: string, its: number | null) => `${part} ${place} ${its?.toFixed(6)}`;
  expect(
    told.items.map((it) => line(it.part, `${it.repo_owner}/${it.repo_name}#${it.pr_number}`, it.value)).toSorted(),
    `the pull requests of ${metric}`,
  ).toEqual(things.map(({ on, part, value: its }) => line(part, `${on.repository}#${on.pull.number}`, its)).toSorted());
}

/** The lift of every reviewer, week by week. */
async function expectLifts(
  view: StoredReviews,
  query: Query,
  asked: AskedOfReviewers,
  reviewers: readonly { readonly tool: string; readonly lift: number | null; readonly n: number }[],
) {
  const { getTrends } = trendRoutes({ db: seenBy(view), now: () => new Date(view.now) });
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const window = { from: new Date(asked.window.from).toISOString(), to: new Date(asked.window.to).toISOString() };
  const of = async (bucket: string) => {
    const parsed = endpoints.getTrends.query.parse({
      ...query,
      ...window,
      figure: 'ai_lift',
      split: 'reviewer',
      bucket,
    });
    const answer = await getTrends({ user, query: parsed } as never);
    const [trend] = endpoints.getTrends.answer.parse(JSON.parse(JSON.stringify(answer))).items;
    return new Map(trend!.lines.map(({ key, points }) => [key, points] as const));
  };
  const [whole, weeks] = [await of('whole'), await of('week')];
  for (const { tool, lift, n } of reviewers) {
    // Who has no finding in the window has no line.
    if (!whole.has(tool)) continue;
    const expected = [{ value: lift, n }];
    expect(rounded(whole.get(tool), expected), `lift of ${tool}`).toEqual(expected);
    const byWeek = weeksOf(asked).map((week) => {
      const { value, n: findings } = liftExplained({ ...asked, window: week }, tool);
      return { value, n: findings };
    });
    expect(rounded(weeks.get(tool), byWeek), `lift of ${tool} by week`).toEqual(byWeek);
  }
}

/** Every reviewer in the list, and each in depth; what it opens to where `opens`. Answers how many findings were told. */
async function expectReviewers(view: StoredReviews, question: Question, opens = false): Promise<number> {
  const { query, pulls, mine } = narrowed(view, question);
  const kinds = query.author_kind?.split(',');
  const wantedSizes = query.size?.split(',');
  const asked: AskedOfReviewers = {
    ...{ pulls, complete: view.complete, now: view.now, zone: view.zone, window: question },
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
    expect(await explainedFates(view, { ...query, ...reviewer }), `explained ${tool}`).toEqual(
      fatesByPull(asked, tool),
    );
  }
  if (opens) await expectOpened(view, query, asked, expected);
  return rows.reduce((sum, { acted_on }) => sum + acted_on.n, 0);
}

/** The differences of the first reviewer and the last to people, and the lift of all of them over time. */
async function expectOpened(
  view: StoredReviews,
  query: Query,
  asked: AskedOfReviewers,
  reviewers: ReturnType<typeof reviewersOf>,
): Promise<void> {
  for (const { tool, row } of new Set([reviewers[0]!, reviewers.at(-1)!])) {
    const its = { ...query, reviewer: row.reviewer };
    await expectDifference(view, 'ai.lift', its, liftExplained(asked, tool));
    for (const figure of humanTimeFigures) {
      await expectDifference(view, `ai.groups.${figure}`, its, groupsExplained(asked, tool, figure));
      await expectDifference(view, `ai.before_after.${figure}`, its, beforeAfterExplained(asked, tool, figure));
    }
  }
  const lifts = reviewers.map(({ tool, row }) => ({
    ...{ tool, lift: row.lift },
    n: row.acted_on.n + row.control.acted_on.n,
  }));
  await expectLifts(view, query, asked, lifts);
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
  const findings = await expectReviewers(view, between(now - 290 * DAY, now), true);
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
  const { db } = database;
  await db.updateTable('repositories').set({ history_completed_at: null }).where('name', '=', 'Web').execute();
  await expectReviewers({ ...view, complete: new Set(['acme/api']) }, between(now - 290 * DAY, now), true);
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
    // Only the author answers and resolves; comments in the conversation count of people, not of an agent in no list.
    const again = (pull: RandomPullRequest): RandomPullRequest => {
      const answers = new Set(
        pull.comments.flatMap(({ inReplyTo, reviewId }) => (inReplyTo === null ? [] : [reviewId])),
      );
      const comments = pull.comments
        .filter(({ kind }) => kind === 'inline')
        .map((comment) => ({
          ...comment,
          author: comment.reviewId !== null && answers.has(comment.reviewId) ? author : by(comment.author),
        }));
      // Threads are read where an agent commented: whichever of the two is one here.
      const isReadOfBoth = [ada, house].every(({ id }) => comments.some((comment) => comment.author?.id === id));
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
        comments,
        threads: Object.fromEntries(
          Object.entries(isReadOfBoth ? pull.threads! : {}).map(([id, thread]) => [
            id,
            { ...thread, by: thread.by && author },
          ]),
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
    await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
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
    view = { user, host: syncing.host.key, pulls: [], now, zone: 'Europe/Oslo', ids, complete: new Set(ids.keys()) };
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
    const findings = await expectReviewers(seen(), between(now - 290 * DAY, now + DAY), true);
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

  test('is told by one’s own marks, too, of what was read for them; nobody else sees a change', async () => {
    const { db } = database;
    const question = between(now - 290 * DAY, now + DAY);
    const toEverybody = await ask(view, 'listAiReviewers', question.query);
    const threads = async () =>
      (await db.selectFrom('review_threads').select('comment_id').distinct().execute()).length;
    const before = await threads();
    const bo = humans[1]!;
    await sql`
      insert into own_account_kinds (user_id, host, host_id, kind, set_at)
      select ${view.user}::int, host, host_id, 'agent', now() from people where login = ${bo.login}`.execute(db);
    const { signal } = new AbortController();
    await followMarks(syncing.context, signal);
    await readAgain(syncing.context, { until: null }, signal);
    await followMarks(syncing.context, signal);

    expect(await threads()).toBeGreaterThan(before);
    const marked: RandomHistory = JSON.parse(JSON.stringify(history), (_, it) =>
      it?.id === bo.id && it.login === bo.login ? { ...it, kind: 'agent' } : it,
    );
    await expectReviewers({ ...view, byOwnMarks: true, pulls: readAll(marked, ['octo-org/told']) }, question, true);
    const [own] = (await ask({ ...view, byOwnMarks: true }, 'listAiReviewers', question.query)).filter(
      ({ reviewer }) => reviewer === bo.login,
    );
    expect(own!.fates.resolved).toBeGreaterThan(0);
    await expectReviewers(seen(), question, true);
    expect(await ask(view, 'listAiReviewers', question.query)).toEqual(toEverybody);

    // A second time nothing is asked for.
    const due = await db.selectFrom('clues').select('number').where('due_at', 'is not', null).execute();
    expect(due).toEqual([]);
  });
});

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
