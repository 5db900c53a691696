import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Explanation, explainMetric as endpoint } from '#contract/explain.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  hour,
  merged,
  OPENED_AT,
  pending,
  replies,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import { contributorMetrics } from '../contributors/contributor-metrics.ts';
import { findContributor } from '../contributors/find-contributor.ts';
import type { OpenDatabase } from '../db/open.ts';
import { scopeOf } from '../metrics/scope.ts';
import { findRepository, pullRequestDetail } from '../pull-requests/pull-request-detail.ts';
import { explainRoutes } from './routes.ts';

/** Monday, 30 March 2026, midday in Oslo, the day after its clocks went on. */
const NOW = Date.parse('2026-03-30T10:00:00Z');
const ZONE = 'Europe/Oslo';
const DAY = 24 * 3_600_000;
let database: OpenDatabase;
let user: number;
let next = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  user = await aUser(database.db, ZONE);
});
afterAll(() => database.close());

/** A new repository, mine unless somebody else’s, with its pull requests numbered in their order. */
async function aHistory(pulls: readonly PullRequestRecord[], whose = user): Promise<{ id: number; name: string }> {
  next += 1;
  const name = `acme/web-${next}`;
  const id = await aRepository(database.db, name, [whose]);
  await store(
    database.db,
    id,
    NOW,
    pulls.map((pull, index) => ({ ...pull, number: index + 1 })),
  );
  return { id, name };
}

async function explained(metric: string, query: object, timeZone = ZONE, as = user): Promise<Explanation> {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => new Date(NOW) });
  const asked = {
    params: { metric },
    query: { limit: 100, offset: 0, ...query },
    user: { id: as, host: 'h', login: 'me', time_zone: timeZone },
  };
  const answer = await explainMetric(asked as unknown as Parameters<typeof explainMetric>[0]);
  return endpoint.answer.parse(answer);
}

const numbers = ({ items }: Explanation) => items.map(({ pr_number }) => pr_number).sort((a, b) => a - b);
const at = (text: string, overrides: Partial<PullRequestRecord> = {}) =>
  aPullRequest({ createdAt: Date.parse(text), ...overrides });
const of = (days: number) => NOW - days * DAY;
/** Merged so many days ago after an hour, and so many lines long. */
const mergedBefore = (days: number, overrides: Partial<PullRequestRecord> = {}) =>
  aPullRequest({
    createdAt: of(days) - 3_600_000,
    state: 'merged',
    mergedAt: of(days),
    closedAt: of(days),
    ...overrides,
  });

test('an empty size, day, hour and folder is 0 of nothing, and of nobody’s merges N/A', async () => {
  const { id } = await aHistory([aPullRequest({ createdAt: of(1) })]);
  for (const [metric, part] of [
    ['contributor.pr_size_distribution', '1000+'],
    ['contributor.activity_calendar', '2026-03-01'],
    ['contributor.review_heatmap', '7-23'],
    ['contributor.velocity_opened', '2026-02-16'],
  ] as const)
    expect(await explained(metric, { username: 'ada', part, repository: id }), metric).toMatchObject({
      value: 0,
      n: 0,
      items: [],
      total: 0,
      hasMore: false,
      mean: null,
      median: null,
    });
  const area = { username: 'ada', part: 'src/web', repository: id };
  expect(await explained('contributor.code_ownership_areas', area)).toMatchObject({ value: null, n: 0, items: [] });
});

test('a day has 23 hours where clocks go on, 25 where they go back, and the next begins at its midnight', async () => {
  const { id } = await aHistory([
    at('2026-03-28T22:59:59Z'),
    at('2026-03-28T23:00:00Z'),
    at('2026-03-29T21:59:59Z'),
    at('2026-03-29T22:00:00Z'),
    // Later than now: the host’s clock is ahead.
    at('2026-04-02T08:00:00Z'),
  ]);
  const day = (part: string, timeZone?: string) =>
    explained('contributor.activity_calendar', { username: 'ada', part, repository: id }, timeZone);

  const short = await day('2026-03-29');
  expect(numbers(short)).toEqual([2, 3]);
  expect(short.window).toEqual({ from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' });
  expect(numbers(await day('2026-03-28'))).toEqual([1]);
  const today = await day('2026-03-30');
  expect(numbers(today)).toEqual([4, 5]);
  expect(today.window).toEqual({ from: '2026-03-29T22:00:00.000Z', to: new Date(NOW).toISOString() });
  expect(today.items[0]).toMatchObject({ at: new Date(NOW).toISOString() });
  const week = { username: 'ada', part: '2026-03-23', repository: id };
  expect(numbers(await explained('contributor.velocity_opened', week))).toEqual([1, 2, 3, 4, 5]);
  // In Sydney the same moments lie on other days.
  expect(numbers(await day('2026-03-29', 'Australia/Sydney'))).toEqual([1, 2]);
});

test('hours are those of the clock on the wall, before and after it changes', async () => {
  const author = aPerson('bo');
  const review = (text: string) => approves((Date.parse(text) - OPENED_AT) / 3_600_000, 'ada');
  const { id } = await aHistory([
    // Sunday, half past nine by the clock of Oslo in both weeks.
    aPullRequest({ author }, review('2026-03-22T08:30:00Z')),
    aPullRequest(
      { author },
      review('2026-03-29T07:30:00Z'),
      replies((Date.parse('2026-03-29T07:40:00Z') - OPENED_AT) / 3_600_000, 'ada'),
    ),
    aPullRequest({ author }, review('2026-03-29T08:00:00Z')),
    aPullRequest({ author, createdAt: of(100) }, review(new Date(of(90)).toISOString())),
    // Later than now, which is Monday at noon.
    aPullRequest({ author }, review('2026-04-02T03:00:00Z')),
  ]);
  const at = async (part: string) =>
    numbers(await explained('contributor.review_heatmap', { username: 'ada', part, repository: id }));
  const cell = await explained('contributor.review_heatmap', { username: 'ada', part: '7-9', repository: id });

  expect(numbers(cell)).toEqual([1, 2]);
  expect(cell.left_out).toContainEqual({ reason: 'Replies in threads', count: 1 });
  expect(await at('7-10')).toEqual([3]);
  expect(await at('1-12')).toEqual([5]);
  // Ninety days ago to the moment.
  expect(await at('2-11')).toEqual([]);
});

test('a reviewer’s reviews are those that count, without replies and without any by bots', async () => {
  const { id } = await aHistory([
    aPullRequest({}, approves(1, 'bo'), replies(2, 'bo'), approves(3, 'bot-x'), approves(4, 'cy')),
    aPullRequest({ author: aPerson('dee') }, approves(5, 'bo')),
  ]);
  const by = (part: string) =>
    explained('contributor.top_reviewed_by', { username: 'ada', part, repository: id, period: '1y' });

  const bo = await by('BO');
  expect(bo).toMatchObject({ value: 1, n: 1, items: [{ pr_number: 1, at: new Date(hour(1)).toISOString() }] });
  expect(bo.left_out).toEqual([{ reason: 'Replies in threads', count: 1 }]);
  expect((await by('bot-x')).n).toBe(0);
});

test('a hundred and one pull requests of one moment come in two pages that never change', async () => {
  const { id } = await aHistory(Array.from({ length: 101 }, () => aPullRequest({ createdAt: of(2) })));
  const page = (offset: number, limit = 100) =>
    explained('contributor.pr_size_distribution', { username: 'ada', part: '0-50', repository: id, offset, limit });

  const [first, second] = [await page(0), await page(100)];
  expect(first).toMatchObject({ n: 101, value: 101, total: 101, hasMore: true });
  expect(first.items.map(({ pr_number }) => pr_number)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(second).toMatchObject({ n: 101, hasMore: false, items: [{ pr_number: 101 }] });
  expect((await page(1, 100)).hasMore).toBe(false);
  expect((await page(0, 99)).items).toEqual(first.items.slice(0, 99));
  for (const beyond of [101, Number.MAX_SAFE_INTEGER])
    expect(await page(beyond)).toMatchObject({ items: [], n: 101, hasMore: false });
});

test('of one moment the items stand by repository, number and value, and a deleted author is a ghost', async () => {
  const mine = await aUser(database.db);
  const two = () => Array.from({ length: 2 }, () => aPullRequest({ createdAt: of(2), author: null }));
  const [first, second] = [(await aHistory(two(), mine)).name, (await aHistory(two(), mine)).name];
  const { items } = await explained('team.total_prs', {}, ZONE, mine);

  expect(items.map(({ repo_owner, repo_name, pr_number }) => `${repo_owner}/${repo_name}#${pr_number}`)).toEqual(
    [first, second].sort().flatMap((name) => [`${name}#1`, `${name}#2`]),
  );
  expect(new Set(items.map(({ author }) => author))).toEqual(new Set(['ghost']));
  const { id } = await aHistory([aPullRequest({}, asks(3, 'cy'), approves(5, 'bo'), approves(5, 'cy'))]);
  const reviews = await explained('team.total_reviews', { repository: id });
  expect(reviews.items.map(({ value }) => value)).toEqual([2, 5]);
});

test('what counts once is named by its latest pull request, the first of those equally late', async () => {
  const { id } = await aHistory([2.1, 2, 2].map((days) => aPullRequest({ createdAt: of(days) })));
  const { n, items } = await explained('contributor.active_days', { username: 'ada', repository: id });

  expect([n, items.map(({ pr_number }) => pr_number)]).toEqual([1, [2]]);
});

test('the active days begin with the first instant of the first of thirty', async () => {
  const days = async (opening: string) => {
    const { id } = await aHistory([at(opening)]);
    return (await explained('contributor.active_days', { username: 'ada', repository: id })).n;
  };

  expect([await days('2026-02-28T22:59:59Z'), await days('2026-02-28T23:00:00Z')]).toEqual([0, 1]);
});

test('every review that does not count is left out for one reason', async () => {
  const bots = [approves(4, 'bot-x'), approves(5, 'bot-x'), approves(6, 'agent-y')];
  const { id } = await aHistory([
    aPullRequest({}, approves(1, 'bo'), approves(2, 'cy'), replies(3, 'bo'), ...bots, approves(7, 'ada')),
  ]);

  expect(await explained('team.total_reviews', { repository: id })).toMatchObject({
    n: 2,
    left_out: [
      { reason: 'Replies in threads', count: 1 },
      { reason: 'Reviews by bots and agents', count: 3 },
      { reason: 'Reviews by the author or a deleted account, or after the end', count: 1 },
    ],
  });
});

test('the sums of the review load are of the people in its list, or with all accounts of bots and agents, too', async () => {
  const inHours = (days: number) => (of(days) - OPENED_AT) / 3_600_000;
  const { id } = await aHistory([
    aPullRequest({}, pending('bo', 'cy', 'bot-x', '@core')),
    aPullRequest({ draft: true }, pending('bo', 'bot-x')),
    aPullRequest(
      {},
      requestsChanges(inHours(1), 'dee'),
      approves(inHours(1), 'bo'),
      requestsChanges(inHours(7), 'eve'),
    ),
    aPullRequest({}, requestsChanges(inHours(2), 'agent-y'), requestsChanges(inHours(2), null)),
    mergedBefore(6, { author: aPerson('fay') }),
    mergedBefore(7, { author: aPerson('gil') }),
    aPullRequest({}, pending('bo'), merged(inHours(8))),
  ]);
  const sum = (name: string, accounts?: string) => explained(`team.${name}`, { repository: id, accounts });

  const outstanding = await sum('outstanding_reviews');
  expect([outstanding.value, numbers(outstanding)]).toEqual([2, [1, 1]]);
  expect(outstanding.left_out).toEqual([
    { reason: 'Requested on drafts', count: 1 },
    { reason: 'Requested of teams', count: 1 },
  ]);
  expect((await sum('outstanding_reviews', 'all')).value).toBe(3);
  const complex = await sum('complex_reviews');
  expect([complex.value, numbers(complex), complex.left_out[0]?.count]).toEqual([1, [3], 1]);
  expect(numbers(await sum('complex_reviews', 'all'))).toEqual([3, 4]);
  // Bo and Dee reviewed; Cy is only asked, Fay only merged.
  const active = await sum('active_reviewers');
  expect([active.value, numbers(active)]).toEqual([2, [3, 3]]);
  expect((await sum('active_reviewers', 'all')).value).toBe(3);
});

test('a first review thirty days ago to the moment is outside the window, one a second later inside', async () => {
  const reviewedAt = (at: number) => aPullRequest({ createdAt: of(31) }, approves((at - OPENED_AT) / 3_600_000, 'bo'));
  const { id } = await aHistory([reviewedAt(of(30)), reviewedAt(of(30) + 1000)]);

  expect(numbers(await explained('team.avg_review_time_hours', { repository: id }))).toEqual([2]);
});

test('sizes begin and end where the buckets say', async () => {
  const lines = [0, 50, 51, 200, 201, 500, 501, 1000, 1001];
  const { id } = await aHistory(lines.map((additions) => aPullRequest({ createdAt: of(1), additions, deletions: 0 })));
  const buckets: Record<string, number[]> = {};
  for (const part of ['0-50', '51-200', '201-500', '501-1000', '1000+'])
    buckets[part] = numbers(
      await explained('contributor.pr_size_distribution', { username: 'ada', part, repository: id }),
    );

  expect(buckets).toEqual({ '0-50': [1, 2], '51-200': [3, 4], '201-500': [5, 6], '501-1000': [7, 8], '1000+': [9] });
});

test('four others say nothing, five do, and nobody else’s are among them', async () => {
  const four = [1, 2, 3, 4].map((days) => mergedBefore(days, { author: aPerson('bo') }));
  const unseen = await aUser(database.db);
  await aHistory([mergedBefore(1), mergedBefore(2), mergedBefore(3)], unseen);
  const [few, enough] = [
    await aHistory([aPullRequest(), ...four]),
    await aHistory([aPullRequest(), mergedBefore(5), ...four]),
  ];
  const median = (name: string, repository: number) =>
    explained('pull_request.team_p50_cycle_time', { pull_request: `${name}/1`, repository });

  expect(await median(few.name, few.id)).toMatchObject({ value: null, mean: null, median: null, n: 4 });
  expect(await median(enough.name, enough.id)).toMatchObject({ value: 1, mean: 1, median: 1, n: 5 });
});

test('the window of a comparison leaves its first moment out and holds its last', async () => {
  const others = [90, 89.999, 1, 0.999].map((days) => mergedBefore(1 + days, { author: aPerson('bo') }));
  const others180 = [180, 179.999, 0].map((days) => mergedBefore(1 + days));
  const { name, id } = await aHistory([
    mergedBefore(1),
    ...others,
    mergedBefore(0.5),
    mergedBefore(3, { author: aPerson('bot-x') }),
    mergedBefore(3, { author: null }),
    mergedBefore(3, { state: 'closed', mergedAt: null }),
    ...others180,
    mergedBefore(2, { author: aPerson('bo') }),
  ]);
  const asked = { pull_request: `${name.toUpperCase()}/1`, repository: id };
  const team = await explained('pull_request.size_percentile', asked);

  expect(numbers(team)).toEqual([3, 4, 5, 12, 13]);
  // All are as long and as large as it.
  expect([team.value, (await explained('pull_request.cycle_time_percentile', asked)).value]).toEqual([0, 0]);
  expect(team.window).toEqual({ from: new Date(of(91)).toISOString(), to: new Date(of(1)).toISOString() });
  expect(team.left_out).toEqual([
    { reason: 'Merged, by bots, agents and deleted accounts', count: 2 },
    { reason: 'Closed without merging', count: 1 },
  ]);
  const author = await explained('pull_request.author_avg_pr_size', asked);
  expect(numbers(author)).toEqual([11, 12]);
  expect(author.value).toBe(10);
  expect(await explained('pull_request.author_avg_pr_size', { ...asked, pull_request: `${name}/8` })).toMatchObject({
    value: null,
    n: 0,
  });
});

test('another repository’s pull request of the same number is an other', async () => {
  const mine = await aUser(database.db);
  const here = await aHistory([mergedBefore(1)], mine);
  await aHistory([mergedBefore(2), mergedBefore(3)], mine);
  const scope = await scopeOf(database.db, mine);
  const repository = (await findRepository(database.db, scope, 'acme', here.name.slice(5)))!;
  const detail = (await pullRequestDetail(database.db, scope, repository, 1, new Date(NOW), ZONE))!;

  expect(detail.comparative_metrics).toMatchObject({ comparison_set_size: 2, author_set_size: 2 });
  const asked = { pull_request: `${here.name}/1` };
  expect(numbers(await explained('pull_request.author_avg_pr_size', asked, ZONE, mine))).toEqual([1, 2]);
});

test('what ends later than now counts as ending now, in the comparison and in its explanation', async () => {
  const ahead = [1, 2, 3, 4, 5, 6].map((hours) => mergedBefore(-hours / 24, { createdAt: of(1) }));
  const { name, id } = await aHistory(ahead);
  const scope = await scopeOf(database.db, user, id);
  const repository = (await findRepository(database.db, scope, 'acme', name.slice(5)))!;
  const detail = (await pullRequestDetail(database.db, scope, repository, 1, new Date(NOW), ZONE))!;

  expect(detail.comparative_metrics.comparison_set_size).toBe(5);
  const explanation = await explained('pull_request.cycle_time_percentile', {
    pull_request: `${name}/1`,
    repository: id,
  });
  expect(explanation).toMatchObject({ n: 5, value: detail.comparative_metrics.cycle_time_percentile });
  expect(explanation.window.to).toBe(new Date(NOW).toISOString());
});

test.each([
  ['kim', [[1], [9, 8]], 1],
  ['lee', [[9, 8], [1]], 1],
  ['max', [[20, 1], [9]], 2],
])(
  'of two who were called %s the page and its explanations are of the one active last',
  async (login, days, opened) => {
    // Whoever was seen first has the lower id.
    for (const [place, theirs] of days.entries()) {
      const author = { ...aPerson(login), id: `${login}-${place}` };
      for (const ago of theirs) await aHistory([aPullRequest({ createdAt: of(ago), author })]);
    }
    const scope = await scopeOf(database.db, user);
    const person = (await findContributor(database.db, scope, login.toUpperCase(), new Date(NOW)))!;
    const metrics = await contributorMetrics(database.db, scope, person, '30d', new Date(NOW), ZONE);

    expect(metrics.total_prs_opened).toBe(opened);
    expect((await explained('contributor.total_prs_opened', { username: login })).n).toBe(opened);
  },
);

test('of two who were called alike, of whom one only commented, the other is meant, although active before', async () => {
  const known = (place: number) => ({ ...aPerson('moe'), id: `moe-${place}` });
  const comment = {
    id: '1',
    kind: 'general',
    reviewId: null,
    inReplyTo: null,
    path: null,
    bodyWords: 3,
    marks: null,
    resolvedBy: null,
  } as const;
  await aHistory([aPullRequest({ createdAt: of(9), author: known(1) })]);
  await aHistory([aPullRequest({ createdAt: of(9), comments: [{ ...comment, author: known(2), createdAt: of(1) }] })]);
  const scope = await scopeOf(database.db, user);
  const person = (await findContributor(database.db, scope, 'moe', new Date(NOW)))!;

  expect(person.current_open_prs).toBe(1);
  expect((await explained('contributor.total_prs_opened', { username: 'moe' })).n).toBe(1);
});

test.each([
  ['contributor.pr_size_distribution', undefined, /must be a size: 0-50, 51-200, 201-500, 501-1000, 1000\+/],
  ['contributor.pr_size_distribution', '50', /must be a size/],
  ['contributor.activity_calendar', ' ', /one of the last 84 days: 2026-01-06 to 2026-03-30/],
  ['contributor.activity_calendar', '2026-01-05', /one of the last 84 days/],
  ['contributor.activity_calendar', '2026-03-31', /one of the last 84 days/],
  ['contributor.activity_calendar', 'yesterday', /one of the last 84 days/],
  ['contributor.velocity_opened', '2026-03-24', /one of the last six weeks: 2026-02-16, .*, 2026-03-23/],
  ['contributor.velocity_merged', '', /one of the last six weeks/],
  ['contributor.review_heatmap', '0-10', /a weekday and an hour/],
  ['contributor.review_heatmap', '8-10', /a weekday and an hour/],
  ['contributor.review_heatmap', '1-24', /a weekday and an hour/],
  ['contributor.review_heatmap', '1-010', /a weekday and an hour/],
  ['contributor.code_ownership_areas', 'src/web/panels', /at most two levels/],
  ['contributor.code_ownership_areas', 'src/', /at most two levels/],
  ['contributor.top_reviewed_by', undefined, /the login of a reviewer/],
])('%s of the part %s is refused in words', async (metric, part, words) => {
  await aHistory([aPullRequest({ createdAt: of(1) })]);
  const refused = { status: 400, message: expect.stringMatching(words) };
  await expect(explained(metric, { username: 'ada', part })).rejects.toMatchObject(refused);
});

test('whoever or whatever is unknown, or somebody else’s, is not found', async () => {
  const stranger = await aUser(database.db);
  const foreign = await aHistory(
    [aPullRequest({ author: aPerson('foreigner') }, merged(4)), aPullRequest({ author: null }, pending('asked'))],
    stranger,
  );
  const mine = await aHistory([aPullRequest({}, approves(1, 'bo'), merged(2))]);
  const missing = { status: 404 };

  for (const username of ['nobody', 'foreigner', 'asked'])
    await expect(explained('contributor.review_heatmap', { username, part: '1-1' })).rejects.toMatchObject(missing);
  for (const part of ['nobody', 'foreigner'])
    await expect(explained('contributor.top_reviewed_by', { username: 'ada', part })).rejects.toMatchObject(missing);
  for (const pull_request of [`${foreign.name}/1`, `${mine.name}/2`, `${mine.name}/99999999999`, 'no/where/1'])
    await expect(explained('pull_request.size_percentile', { pull_request }), pull_request).rejects.toMatchObject(
      missing,
    );
  for (const pull_request of [undefined, '', 'acme/web', 'acme/web/0', 'acme/web/one', 'a/b/c/1'])
    await expect(explained('pull_request.size_percentile', { pull_request })).rejects.toMatchObject({ status: 400 });
});
