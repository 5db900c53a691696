import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { humanTimeFigures, reviewerFigures } from '#domain/ai-reviewers.ts';
import type { PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import { fates } from '#domain/reviewer-acts.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  comments,
  finds,
  type Happening,
  hour,
  merged,
  pushed,
  says,
} from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST, type StoredExtras, store } from '../../../test/support/stored.ts';
import type { SignedIn } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { explainRoutes } from '../explain/routes.ts';
import { fillSignals } from '../sync/fill-signals.ts';
import { trendRoutes } from '../trends/routes.ts';
import { reviewerExplanations } from './explain-reviewers.ts';
import { aiRoutes } from './routes.ts';

const DAY = 24;
/** In hours after the pull requests were opened. */
const NOW = 20 * DAY;
const A = 'agent-a';
const outdated = { outdated: true };

type Pull = PullRequestRecord & StoredExtras;

let database: OpenDatabase;
let user: SignedIn;
let repository: number;
let numbers = 0;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await empty(database.db, 'repositories', 'users', 'people', 'account_kinds');
  const id = await aUser(database.db, 'Europe/Oslo');
  user = { id, host: HOST, login: 'me', time_zone: 'Europe/Oslo', own_marks: false };
  repository = await aRepository(database.db, 'acme/web', [id]);
  numbers = 0;
});

/** One of its own number. */
function of(more: Partial<Pull>, ...happenings: Happening[]): Pull {
  numbers += 1;
  return { ...aPullRequest({ number: numbers }, ...happenings), ...more };
}
const life = (...happenings: Happening[]) => of({}, ...happenings, merged(10));
const keep = async (pulls: readonly Pull[], at = NOW, into = repository) =>
  await store(database.db, into, hour(at), pulls);

async function list(query: object = {}, at = NOW) {
  const { listAiReviewers } = aiRoutes({ db: database.db, now: () => new Date(hour(at)) });
  const asked = endpoints.listAiReviewers.query.parse(query);
  return endpoints.listAiReviewers.answer.parse(await listAiReviewers({ user, query: asked } as never));
}
async function detail(login: string, query: object = {}, at = NOW) {
  const { getAiReviewer } = aiRoutes({ db: database.db, now: () => new Date(hour(at)) });
  const asked = endpoints.getAiReviewer.query.parse(query);
  return endpoints.getAiReviewer.answer.parse(await getAiReviewer({ user, query: asked, params: { login } } as never));
}
async function opened(metric: string, query: object = {}, at = NOW) {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => new Date(hour(at)) }, reviewerExplanations);
  const asked = endpoints.explainMetric.query.parse(query);
  return endpoints.explainMetric.answer.parse(await explainMetric({ user, params: { metric }, query: asked } as never));
}

describe('an AI reviewer', () => {
  it('is told with people beside it, over the same pull requests and by the same rules', async () => {
    await keep([
      life(finds(1, A, outdated), finds(1, A), pushed(2), approves(3, 'rita')),
      life(finds(1, A, { thumbsDown: 1 }), finds(2, 'rita', outdated), pushed(3)),
      life(approves(2, A)),
      life(says(2, 'rita')),
      life(),
      of({ author: aPerson('bot-b') }, finds(1, A, outdated), pushed(2, 'bot-b'), merged(10)),
      of({}, finds(4, A)),
    ]);

    const [row] = await list();

    expect(row).toMatchObject({
      reviewer: A,
      tools: [A],
      first_seen: new Date(hour(1)).toISOString(),
      last_seen: new Date(hour(4)).toISOString(),
      coverage: { value: 5 / 7, n: 7 },
      time_to_agent_review: { value: 1, n: 5, p90: expect.closeTo(3.2) },
      before_human: { value: 1, n: 1 },
      on_automation: { value: 1 / 4, n: 4 },
      acted_on: { value: 2 / 4, n: 4 },
      noise: { value: 2 / 4, n: 4 },
      silent: { value: 1 / 4, n: 4 },
      talkative: { value: 0, n: 4 },
      findings_per_pr: { value: 1, n: 4, p50: 1, p90: expect.closeTo(1.7) },
      findings_per_100_lines: { value: 10, n: 4 },
      fates: { changed: 2, resolved: 0, answered: 0, dismissed_by_hand: 0, ignored: 2 },
      thumbs: { up: 0, down: 1 },
      resolution: null,
      control: { acted_on: { value: 1, n: 1 }, silent: { value: 2 / 3, n: 3 } },
      lift: null,
    });
  });

  it('is a tool with all its accounts, which does not review what these opened', async () => {
    const bot = (login: string): PersonRef => aPerson(login, { kind: 'agent' });
    const [reviewer, coder] = [bot('copilot-pull-request-reviewer[bot]'), bot('copilot-swe-agent[bot]')];
    const by = (who: PersonRef, pull: Pull): Pull => ({
      ...pull,
      comments: pull.comments.map((comment) => ({ ...comment, author: who })),
    });
    await keep([
      by(reviewer, life(finds(1, A))),
      by(coder, life(finds(2, A))),
      by(reviewer, of({ author: coder }, finds(1, A), merged(10))),
    ]);

    const told = await list();

    expect(told).toMatchObject([
      { reviewer: coder.login, tools: ['copilot'], coverage: { value: 1, n: 2 }, acted_on: { n: 2 } },
    ]);
    for (const login of ['copilot-pull-request-reviewer', 'Copilot-SWE-Agent[bot]'])
      expect(await detail(login)).toMatchObject(told[0]!);
  });

  it('comes by coverage, then login, where it acted in the window', async () => {
    await keep([
      life(approves(1, 'agent-c'), approves(1, 'agent-b'), approves(1, A)),
      life(approves(1, 'agent-c')),
      // Reviewed before, after, and in the midst of some hours.
      life(approves(1, 'agent-d'), approves(5, 'agent-d'), approves(9, 'agent-d')),
    ]);
    const between = (from: number, to: number) => ({
      from: new Date(hour(from)).toISOString(),
      to: new Date(hour(to)).toISOString(),
    });
    const names = async (query: object) => (await list(query)).map(({ reviewer }) => reviewer);

    expect(await names({})).toEqual(['agent-c', A, 'agent-b', 'agent-d']);
    expect(await names(between(4, 6))).toEqual(['agent-d']);
    expect(await names(between(6, 8))).toEqual([]);
    expect(await names(between(1, 2))).toHaveLength(4);
    expect(await names(between(2, 4))).toEqual([]);
  });

  it('is told of pull requests of some sizes, authors and repositories', async () => {
    const other = await aRepository(database.db, 'acme/api', [user.id]);
    const hidden = await aRepository(database.db, 'acme/hidden');
    await keep([life(finds(1, A)), of({ author: aPerson('bot-b') }, finds(1, A), finds(2, A), merged(10))]);
    await keep([of({ additions: 300 }, finds(1, A), merged(10))], NOW, other);
    await keep([life(finds(1, 'agent-unseen'))], NOW, hidden);
    const n = async (query: object) => (await list(query))[0]?.acted_on.n;

    expect(await n({})).toBe(4);
    expect(await n({ size: '0-50' })).toBe(3);
    expect(await n({ author_kind: 'bot' })).toBe(2);
    expect(await n({ author_kind: 'ghost,agent' })).toBeUndefined();
    expect(await n({ repository: String(other) })).toBe(1);
    expect((await detail(A)).sizes.map(({ size, acted_on }) => [size, acted_on.n])).toEqual([
      ['0-50', 3],
      ['51-200', 0],
      ['201-500', 1],
      ['501-1000', 0],
      ['1000+', 0],
    ]);
    expect(await list()).toHaveLength(1);
    await expect(detail('agent-unseen')).rejects.toMatchObject({ status: 404 });
    await expect(detail('ada')).rejects.toMatchObject({ status: 404 });
  });

  it('is asked for over 400 days at most, from before to', async () => {
    await expect(list({ from: '2025-01-01', to: '2026-02-06' })).rejects.toMatchObject({ status: 400 });
    expect(await list({ from: '2025-01-01', to: '2026-02-05' })).toEqual([]);
    await expect(list({ from: '2026-01-02', to: '2026-01-02' })).rejects.toMatchObject({ status: 400 });
  });

  it('lifts what is acted on by so much, where both sides have twenty findings', async () => {
    const twenty = (by: string, changed: number) =>
      Array.from({ length: 20 }, (_, at) => finds(1, by, { outdated: at < changed }));
    await keep([life(...twenty(A, 15), pushed(2)), life(...twenty('rita', 5).slice(0, 19), pushed(2))]);
    expect((await list())[0]!.lift).toBeNull();
    await keep([life(finds(1, 'rita'))]);
    expect((await list())[0]!.lift).toBeCloseTo(0.5);
  });

  it('follows by weeks, which hold together what the window holds', async () => {
    await keep([
      life(finds(1, A, outdated), pushed(2)),
      of({}, finds(2, A), merged(8 * DAY)),
      of({}, finds(2, 'rita'), merged(9 * DAY)),
    ]);

    const { series, fates, acted_on } = await detail(A);

    expect(series.flatMap(({ week, acted_on }) => (acted_on.n > 0 ? [[week, acted_on.value]] : []))).toEqual([
      ['2026-03-02', 1],
      ['2026-03-09', 0],
    ]);
    expect(series.reduce((sum, week) => sum + week.acted_on.n, 0)).toBe(acted_on.n);
    expect(series.reduce((sum, week) => sum + week.fates.ignored, 0)).toBe(fates.ignored);
    expect(series.reduce((sum, { control }) => sum + control.acted_on.n, 0)).toBe(1);
  });
});

describe('what became of findings', () => {
  /** Some findings of A's and of rita's, of every fate that does not ask who they are. */
  const history = () => [
    life(finds(1, A, outdated), finds(2, 'rita', outdated), finds(5, 'rita', outdated), pushed(3)),
    life(finds(1, A, { minimized: 'spam' }), finds(1, A, { thumbsUp: 2 }), approves(2, 'rita')),
    life(comments(2, 'rita', { threads: 12 })),
    life(finds(1, A, {}, { id: 'f' }), finds(2, 'ada', {}, { id: 'g', inReplyTo: 'f' })),
    of({}, finds(1, A)),
  ];

  it('adds up to the findings on ended pull requests', async () => {
    await keep(history());
    const [row] = await list();
    const sum = (fates: object) => Object.values(fates).reduce((all, one: number) => all + one, 0);
    expect(sum(row!.fates)).toBe(4);
    expect(sum(row!.fates)).toBe(row!.acted_on.n);
    expect(row!.findings_per_pr.value! * row!.findings_per_pr.n).toBeCloseTo(4);
    expect(sum(row!.control.fates)).toBe(row!.control.acted_on.n);
    expect(row!.control.acted_on.n).toBe(14);
  });

  it('is counted of people as of AI reviewers: when kinds are swapped, figures are', async () => {
    const compared = ({
      acted_on,
      noise,
      silent,
      talkative,
      findings_per_pr,
      findings_per_100_lines,
      fates,
    }: Compared) => ({
      ...{ acted_on, noise, silent, talkative, findings_per_pr, findings_per_100_lines, fates },
    });
    type Compared = Awaited<ReturnType<typeof list>>[number]['control'];
    await keep(history());
    const [before] = await list();
    const swapped = (person: PersonRef | null) =>
      person?.id === A
        ? aPerson(A, { kind: 'human' })
        : person?.id === 'rita'
          ? aPerson('rita', { kind: 'agent' })
          : person;
    numbers = 0;
    await empty(database.db, 'repositories', 'people', 'account_kinds');
    repository = await aRepository(database.db, 'acme/web', [user.id]);
    await keep(
      history().map((pull) => ({
        ...pull,
        reviews: pull.reviews.map((review) => ({ ...review, author: swapped(review.author) })),
        comments: pull.comments.map((comment) => ({ ...comment, author: swapped(comment.author) })),
      })),
    );
    const [after] = await list();

    expect(after!.reviewer).toBe('rita');
    expect(compared(after!)).toEqual(compared(before!.control));
    expect(compared(after!.control)).toEqual(compared(before!));
  });

  it('stays as it was first read after the end, and is read again after another end', async () => {
    const pull = (marks: object, at: number, closed = 10): Pull => ({
      ...aPullRequest({ number: 1, state: 'closed', closedAt: hour(closed) }, finds(1, A, marks), pushed(2)),
      updatedAt: hour(at),
    });
    const fates = async () => (await list())[0]!.fates;
    await keep([pull({}, 10)]);
    await keep([pull({ outdated: true }, 12)], NOW + 1);
    expect(await fates()).toMatchObject({ changed: 0, ignored: 1 });
    await keep([{ ...pull({}, 13), state: 'open', closedAt: null }], NOW + 2);
    await keep([pull({ outdated: true }, 14, 14)], NOW + 3);
    expect(await fates()).toMatchObject({ changed: 1, ignored: 0 });
  });

  it('follows the threads that were read after the end', async () => {
    const pull: Pull = life(finds(1, A, {}, { id: 'f' }), finds(1, A, {}, { id: 'g' }), finds(1, A, {}, { id: 'h' }));
    const threads = {
      f: { resolved: true, by: aPerson('ada') },
      g: { resolved: true, by: aPerson(A) },
      h: { resolved: false, by: aPerson('ada') },
    };
    await keep([{ ...pull, threads, reviews: [...pull.reviews, ...life(approves(9, 'ada')).reviews] }]);
    expect((await list())[0]!.fates).toMatchObject({ resolved: 1, ignored: 2 });
  });

  it('is not told where it was not read', async () => {
    await keep([life(finds(1, A))]);
    const { db } = database;
    await sql`update comments set outdated = null`.execute(db);
    await sql`update pull_request_facts set acts = 0`.execute(db);
    await sql`delete from reviewer_acts`.execute(db);
    expect(await list()).toEqual([]);

    const failed = (_step: string, error: unknown) => {
      throw error;
    };
    await fillSignals(
      { db, now: () => new Date(hour(NOW)), stepFailed: failed as never },
      new AbortController().signal,
    );

    expect(await list()).toMatchObject([{ acted_on: { value: null, n: 0 }, findings_per_pr: { value: 1, n: 1 } }]);
  });
});

describe('the time of people beside it', () => {
  const HOURS = { first: 4, without: 8 };
  const by = (reviewer: boolean, lines: number, rita: number) =>
    of({ additions: lines, deletions: 0 }, ...(reviewer ? [approves(1, A)] : []), approves(rita, 'rita'), merged(10));
  const many = (count: number, make: () => Pull) => Array.from({ length: count }, make);

  it('is compared within sizes that have five on both sides, weighted by the smaller count', async () => {
    await keep([
      ...many(5, () => by(true, 10, HOURS.first)),
      ...many(9, () => by(false, 10, HOURS.without)),
      ...many(7, () => by(true, 100, 2)),
      ...many(6, () => by(false, 100, 6)),
      ...many(9, () => by(true, 300, 2)),
      ...many(4, () => by(false, 300, 9)),
      // A person was first.
      of({}, says(1, 'rita'), approves(2, A), merged(10)),
    ]);

    const { groups } = await detail(A);

    expect(groups).toMatchObject({ reviewed_first: 21, not_reviewed: 19 });
    const { reviewed_first, not_reviewed } = groups.within_sizes;
    expect(reviewed_first.time_to_first_review).toEqual({ value: expect.closeTo((5 * 4 + 6 * 2) / 11), n: 12 });
    expect(not_reviewed.time_to_first_review).toEqual({ value: expect.closeTo((5 * 8 + 6 * 6) / 11), n: 15 });
    expect(reviewed_first.reviews).toEqual({ value: 1, n: 12 });

    for (const figure of humanTimeFigures) {
      const told = await opened(`ai.groups.${figure}`, { reviewer: A });
      const [first, without] = [reviewed_first[figure], not_reviewed[figure]];
      expect(told, figure).toMatchObject({
        value: expect.closeTo(first.value! - without.value!),
        n: first.n + without.n,
        total: first.n + without.n,
        sides: [
          { part: 'reviewed_first', ...first, total: first.n },
          { part: 'not_reviewed', ...without, total: without.n },
        ],
        // A person was first; no value; too few of a size.
        left_out: [{ count: 1 }, { count: 0 }, { count: 13 }],
      });
      expect(told.items).toHaveLength(27);
    }
    const without = await opened('ai.groups.time_to_first_review', {
      reviewer: A,
      part: 'not_reviewed',
      order: 'value',
    });
    expect(without.items.map(({ value }) => value)).toEqual([...Array(9).fill(8), ...Array(6).fill(6)]);
  });

  it('is compared before and after the first act, where both times are complete and have twenty', async () => {
    const at = (day: number, rita: number, ...more: Happening[]) =>
      aPullRequest(
        { number: of({}).number, createdAt: hour(day * DAY) },
        ...more,
        approves(day * DAY + rita, 'rita'),
        merged(day * DAY + 10),
      );
    const first = 100;
    const pulls = [
      at(0, 9),
      ...many(20, () => at(50, 8)),
      ...many(19, () => at(120, 4)),
      at(first, 4, approves(first * DAY + 1, A)),
    ];
    const later = (first + 90) * DAY + 1;
    await keep(pulls, later);
    const asked = async (now: number) => (await detail(A, { period: '7d' }, now)).before_after;
    const { db } = database;

    // While the import goes on, the first act and what was before it may still come.
    expect(await asked(later)).toEqual({ together: null, repositories: [] });
    expect(
      await opened('ai.before_after.time_to_merge', { reviewer: A, period: '7d' }, later),
      'an import that is not done',
    ).toMatchObject({ value: null, n: 0, total: 0, left_out: [{ count: 0 }, { count: 40 }] });
    await db
      .updateTable('repositories')
      .set({ history_completed_at: new Date(hour(later)) })
      .execute();
    expect(await asked(later - 1)).toEqual({ together: null, repositories: [] });
    expect(await asked(later)).toMatchObject({
      together: { before: { time_to_first_review: { value: 8, n: 20 } }, after: { reviews: { value: 1, n: 20 } } },
      repositories: [
        {
          repository: 'acme/web',
          first_act: new Date(hour(first * DAY + 1)).toISOString(),
          before: { n: 20 },
          after: { n: 20, time_to_first_review: { value: 4, n: 20 } },
        },
      ],
    });
    const open = async (figure: string, at = later) =>
      await opened(`ai.before_after.${figure}`, { reviewer: A, period: '7d' }, at);
    expect(await open('time_to_first_review', later - 1)).toMatchObject({
      value: null,
      n: 0,
      total: 0,
      left_out: [{ count: 0 }, { count: 40 }],
    });
    expect(await open('time_to_first_review')).toMatchObject({
      value: -4,
      n: 40,
      window: {
        from: new Date(hour((first - 90) * DAY + 1)).toISOString(),
        to: new Date(hour((first + 90) * DAY + 1)).toISOString(),
      },
      sides: [
        { part: 'after', value: 4, n: 20, total: 20 },
        { part: 'before', value: 8, n: 20, total: 20 },
      ],
      left_out: [{ count: 0 }, { count: 0 }],
    });
    // With one fewer after it, or where history does not reach back.
    await sql`delete from pull_requests where number = 22`.execute(db);
    expect((await asked(later)).together).toBeNull();
    await keep([pulls[21]!], later);
    expect((await asked(later)).together).not.toBeNull();
    await sql`delete from pull_requests where created_at = ${new Date(hour(0))}`.execute(db);
    expect((await asked(later)).together).toBeNull();
  });
});

describe('every figure opens', () => {
  it('to its number and its pull requests, those of findings with what became of these', async () => {
    await keep([
      life(finds(1, A, outdated), finds(1, A), pushed(2), approves(3, 'rita')),
      life(finds(2, 'rita')),
      life(approves(1, A), says(2, 'rita')),
      of({}, finds(1, A)),
    ]);
    const [row] = await list();
    for (const figure of reviewerFigures)
      expect(await opened(`ai.${figure}`, { reviewer: A.toUpperCase() }), figure).toMatchObject(
        Object.fromEntries((['value', 'n'] as const).map((key) => [key, row![figure][key]])),
      );

    expect(await opened('ai.acted_on', { reviewer: A })).toMatchObject({
      part: A,
      n: 2,
      total: 1,
      left_out: [{ count: 1 }],
      items: [{ pr_number: 1, value: 0.5, fates: { changed: 1, ignored: 1 } }],
    });
    expect(await opened('ai.coverage', { reviewer: A })).toMatchObject({ n: 4, total: 4 });
    expect(await opened('ai.acted_on')).toMatchObject({ part: null, n: 1, items: [{ pr_number: 2 }] });
    await expect(opened('ai.coverage')).rejects.toMatchObject({ status: 400 });
    await expect(opened('ai.acted_on', { reviewer: 'rita' })).rejects.toMatchObject({ status: 404 });
  });

  it('fates and thumbs to the findings and the pull requests that have them', async () => {
    await keep([
      life(finds(1, A, { outdated: true, thumbsUp: 3 }), finds(1, A, { thumbsUp: 1, thumbsDown: 2 }), pushed(2)),
      life(finds(2, 'rita')),
      life(approves(1, A)),
    ]);
    const [row] = await list();
    for (const fate of fates) {
      expect(await opened(`ai.${fate}`, { reviewer: A }), fate).toMatchObject({
        value: row!.fates[fate],
        n: 2,
        total: 1,
      });
      expect(await opened(`ai.${fate}`), fate).toMatchObject({ value: row!.control.fates[fate], n: 1, part: null });
    }
    const thumbs = { n: 2, total: 1, left_out: [{ count: 1 }], items: [{ pr_number: 1, fates: { changed: 1 } }] };
    expect(await opened('ai.thumbs_up', { reviewer: A })).toMatchObject({ ...thumbs, value: 4 });
    expect(await opened('ai.thumbs_down', { reviewer: A })).toMatchObject({ ...thumbs, value: 2 });
    await expect(opened('ai.thumbs_up')).rejects.toMatchObject({ status: 400 });
  });

  it('the lift to both sides and their pull requests, each with its own fates', async () => {
    const twenty = (by: string, changed: number) =>
      Array.from({ length: 20 }, (_, at) => finds(1, by, { outdated: at < changed }));
    await keep([life(...twenty(A, 15), pushed(2)), life(...twenty('rita', 5), pushed(2)), life(approves(1, A))]);
    const lift = await opened('ai.lift', { reviewer: A });
    expect(lift).toMatchObject({
      value: expect.closeTo((await list())[0]!.lift!),
      n: 40,
      total: 2,
      sides: [
        { part: 'reviewer', name: A, value: 0.75, n: 20, total: 1 },
        { part: 'people', name: 'People', value: 0.25, n: 20, total: 1 },
      ],
    });
    expect(lift.left_out.map(({ count }) => count)).toEqual([1, 0]);
    expect(lift.items.map(({ pr_number, part, fates }) => [pr_number, part, fates?.changed])).toEqual([
      [1, 'reviewer', 15],
      [2, 'people', 5],
    ]);
    expect(await opened('ai.lift', { reviewer: A, part: 'people' })).toMatchObject({
      total: 1,
      items: [{ pr_number: 2 }],
    });
    await expect(opened('ai.lift', { reviewer: A, part: 'rita' })).rejects.toMatchObject({ status: 400 });
    await expect(opened('ai.lift')).rejects.toMatchObject({ status: 400 });
    await expect(opened('ai.lift', { reviewer: 'rita' })).rejects.toMatchObject({ status: 404 });
  });

  it('and is followed over time, of all AI reviewers together', async () => {
    await keep([
      life(finds(1, A, outdated), finds(1, 'agent-b'), pushed(2)),
      life(approves(3, A), approves(1, 'agent-b')),
      life(says(1, 'rita')),
    ]);
    const { getTrends } = trendRoutes({ db: database.db, now: () => new Date(hour(NOW)) });
    const query = endpoints.getTrends.query.parse({
      figure: 'ai_coverage,ai_acted_on,ai_silent,ai_time_to_agent_review,ai_findings_per_pr',
      bucket: 'whole',
    });
    const { items } = await getTrends({ user, query } as never);
    expect(items.map(({ figure, lines }) => [figure, lines[0]!.points[0]])).toEqual([
      ['ai_coverage', { value: expect.closeTo(2 / 3), n: 3 }],
      ['ai_acted_on', { value: 0.5, n: 2 }],
      ['ai_silent', { value: 0.5, n: 2 }],
      ['ai_time_to_agent_review', { value: 1, n: 2 }],
      ['ai_findings_per_pr', { value: 1, n: 2 }],
    ]);
  });

  it('and the lift, with both sides of each point', async () => {
    const many = (by: string, changed: number, count = 20) =>
      Array.from({ length: count }, (_, at) => finds(1, by, { outdated: at < changed }));
    await keep([
      life(...many(A, 15), pushed(2)),
      life(...many('agent-b', 2, 4), pushed(2)),
      life(...many('rita', 5), pushed(2)),
    ]);
    const { getTrends, explainTrendPoint } = trendRoutes({ db: database.db, now: () => new Date(hour(NOW)) });
    const lift = async (more: object) => {
      const query = endpoints.getTrends.query.parse({ figure: 'ai_lift', bucket: 'whole', ...more });
      const { items } = await getTrends({ user, query } as never);
      return items[0]!;
    };
    const together = await lift({});
    expect(together.lines.map(({ key, points }) => [key, points[0]])).toEqual([
      ['all', { value: expect.closeTo(17 / 24 - 0.25), n: 44 }],
    ]);
    // With fewer than 20 of one nothing is said: that is no 0.
    const asked = { bucket: 'whole', split: 'reviewer' };
    const apart = await lift(asked);
    expect(apart.lines.map(({ key, points }) => [key, points[0]])).toEqual([
      [A, { value: 0.5, n: 40 }],
      ['agent-b', { value: null, n: 24 }],
    ]);
    const behind = async (more: object) => {
      const query = endpoints.explainTrendPoint.query.parse({ point: apart.buckets[0], ...more });
      return await explainTrendPoint({ user, params: { figure: 'ai_lift' }, query } as never);
    };
    expect(await behind({ ...asked, line: A })).toMatchObject({
      ...{ metric: 'ai_lift', unit: 'points', part: A, value: 0.5, n: 40, total: 2 },
      sides: [
        { part: 'reviewer', name: A, value: 0.75, n: 20, total: 1 },
        { part: 'people', name: 'People', value: 0.25, n: 20, total: 1 },
      ],
    });
    expect(await behind({ ...asked, line: 'agent-b', part: 'reviewer' })).toMatchObject({
      ...{ value: null, n: 24, total: 1 },
      items: [{ pr_number: 2, value: 0.5, part: 'reviewer' }],
    });
    expect(await behind({ bucket: 'whole', part: 'people' })).toMatchObject({
      ...{ n: 44, total: 1, items: [{ pr_number: 3, part: 'people' }] },
    });
    await expect(behind({ bucket: 'whole', part: 'rita' })).rejects.toMatchObject({ status: 400 });
    // By what is asked of pull requests people stand beside on the same ones.
    const bySize = await lift({ split: 'size' });
    expect(bySize.lines.reduce((sum, { points }) => sum + points[0]!.n, 0)).toBe(44);
  });

  it('and told apart by reviewer, each without its own pull requests, with people beside what they are told by, too', async () => {
    const bot = (login: string): PersonRef => aPerson(login, { kind: 'agent' });
    await keep([
      life(finds(1, A, outdated), finds(1, 'agent-b'), pushed(2), finds(2, 'rita')),
      life(approves(3, A)),
      of({ author: bot('agent-b') }, finds(1, A), merged(10)),
    ]);
    const { getTrends, explainTrendPoint } = trendRoutes({ db: database.db, now: () => new Date(hour(NOW)) });
    const asked = { bucket: 'whole', split: 'reviewer' };
    const query = endpoints.getTrends.query.parse({ figure: 'ai_coverage,ai_acted_on,ai_changed,ai_silent', ...asked });
    const { items } = await getTrends({ user, query } as never);
    const lines = items.map(({ lines }) => lines.map(({ key, points: [point] }) => [key, point!.value, point!.n]));
    expect(lines).toEqual([
      [
        [A, 1, 3],
        ['agent-b', 0.5, 2],
      ],
      [
        [A, 0.5, 2],
        ['agent-b', 0, 1],
        ['people', 0, 1],
      ],
      [
        [A, 1, 2],
        ['agent-b', 0, 1],
        ['people', 0, 1],
      ],
      [
        [A, 1 / 3, 3],
        ['agent-b', 0, 1],
        ['people', 0, 1],
      ],
    ]);
    expect(items[1]!.lines.at(-1)!.name).toBe('People');

    const point = items[0]!.buckets[0]!;
    const behind = endpoints.explainTrendPoint.query.parse({ ...asked, point, line: 'agent-b' });
    expect(await explainTrendPoint({ user, params: { figure: 'ai_coverage' }, query: behind } as never)).toMatchObject({
      value: 0.5,
      n: 2,
      total: 2,
      items: [{ pr_number: 1 }, { pr_number: 2 }],
    });
    const other = endpoints.getTrends.query.parse({ ...asked, figure: 'opened' });
    await expect(getTrends({ user, query: other } as never)).rejects.toMatchObject({ status: 400 });
  });
});
