import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  checked,
  closed,
  comments,
  type Happening,
  hour,
  merged,
  noAttribution,
  pushed,
  says,
} from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST, type StoredExtras, store } from '../../../test/support/stored.ts';
import { aTeam } from '../../../test/support/teams.ts';
import type { OpenDatabase } from '../db/open.ts';
import { explainRoutes } from '../explain/routes.ts';
import { fillSignals } from '../sync/fill-signals.ts';
import { authorshipExplanations } from './explain-authorship.ts';
import { aiRoutes } from './routes.ts';

/*
 * Pull requests of each group on both sides of the rules, and what is told of them. The window is hours 0 to 720 of the builders' clock,
 * that is 2 March to 1 April 2026, 09:00 UTC.
 */

const SECOND = 1 / 3600;
const window = { from: '2026-03-02T09:00:00Z', to: '2026-04-01T09:00:00Z' };
const NOW = new Date('2026-05-20T12:00:00Z');
/** On the builders' clock. */
const hoursTo = (text: string) => (Date.parse(text) - Date.parse(window.from)) / 3_600_000;

let database: OpenDatabase;
let user: number;
let web: number;
let numbers = 0;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
  user = await aUser(db);
  web = await aRepository(db, 'acme/web', [user]);
});

type Pull = PullRequestRecord & StoredExtras;

/** A pull request of its own number with these differences. */
function of(more: Partial<Pull>, ...happenings: Happening[]): Pull {
  numbers += 1;
  return { ...aPullRequest({ number: numbers }, ...happenings), ...more };
}
const human = (...happenings: Happening[]) => of({}, ...happenings);
const withTrace = {
  attribution: { ...noAttribution, labels: ['claude-code-assisted'] },
} satisfies Partial<Pull>;
const assisted = (...happenings: Happening[]) => of(withTrace, ...happenings);
/** Copilot's, which asked bo for a review: who started it. */
const COPILOT = 'agent-copilot';
const agent = (...happenings: Happening[]) => of({ author: aPerson(COPILOT) }, asks(0.1, 'bo', COPILOT), ...happenings);
const bot = (...happenings: Happening[]) => of({ author: aPerson('bot-renovate') }, ...happenings);
const lines = (pull: Pull, additions: number): Pull => ({ ...pull, additions, deletions: 0 });

async function keep(...pulls: Pull[]) {
  await store(database.db, web, NOW.getTime(), pulls);
}

async function ask(query: object = {}, timeZone = 'UTC'): Promise<AiAuthorship> {
  const { getAiAuthorship } = aiRoutes({ db: database.db, now: () => NOW });
  const parsed = endpoints.getAiAuthorship.query.parse({ ...window, ...query });
  const as = { id: user, host: HOST, login: 'me', time_zone: timeZone };
  return endpoints.getAiAuthorship.answer.parse(
    JSON.parse(JSON.stringify(await getAiAuthorship({ user: as, query: parsed } as never))),
  );
}

const groupOf = ({ groups }: Pick<AiAuthorship, 'groups'>, key: string) => groups.find((group) => group.key === key)!;
const countsOf = ({ groups }: Pick<AiAuthorship, 'groups'>) =>
  groups.map(({ key, n_opened, n_merged }) => [key, n_opened, n_merged]);

async function explainFigure(figure: string, query: object = {}) {
  const routes = explainRoutes({ db: database.db, now: () => NOW }, authorshipExplanations);
  const parsed = endpoints.explainMetric.query.parse({ ...window, ...query });
  const as = { id: user, host: HOST, login: 'me', time_zone: 'UTC' };
  return endpoints.explainMetric.answer.parse(
    await routes.explainMetric({ user: as, params: { metric: `ai.${figure}` }, query: parsed } as never),
  );
}

describe('groups', () => {
  test('are people, people with an agent, and agents; bots where they are asked for; deleted accounts never', async () => {
    await keep(human(merged(5)), human(), assisted(merged(5)), agent(merged(5)), bot(merged(5)), of({ author: null }));

    const without = await ask();
    expect(countsOf(without)).toEqual([
      ['human', 2, 1],
      ['assisted', 1, 1],
      ['agent', 1, 1],
    ]);
    expect(groupOf(without, 'human').figures).toMatchObject({
      share_opened: { value: 0.5, n: 4 },
      share_merged: { value: 1 / 3, n: 3 },
    });
    const withBots = await ask({ bots: 'true' });
    expect(countsOf(withBots)[3]).toEqual(['bot', 1, 1]);
    expect(groupOf(withBots, 'human').figures.share_opened).toEqual({ value: 0.4, n: 5 });
  });

  test('by tool count a pull request with each of its tools, what has none last, and shares of each pull request once', async () => {
    const both = { ...withTrace, headRef: 'cursor/task' };
    await keep(human(), of(both), assisted(), agent(), agent(), agent(merged(3)));

    const told = await ask({ by: 'tool' });
    expect(countsOf(told)).toEqual([
      [COPILOT, 3, 1],
      ['claude', 2, 0],
      ['cursor', 1, 0],
      ['none', 1, 0],
    ]);
    expect(groupOf(told, 'claude').figures.share_opened).toEqual({ value: 2 / 6, n: 6 });
    expect(groupOf(told, COPILOT).figures.merged_on_own_word).toEqual({ value: 1, n: 1 });
  });

  test('of nothing have no values', async () => {
    const { groups, series, within_sizes, bots_with_trace, credited } = await ask();
    expect(groups.map(({ key, tried }) => [key, tried])).toEqual([
      ['human', 0],
      ['assisted', 0],
      ['agent', 0],
    ]);
    for (const { figures } of groups)
      for (const figure of Object.values(figures)) expect(figure).toMatchObject({ value: null, n: 0 });
    expect(within_sizes.map(({ size }) => size)).toEqual(['0-50', '51-200', '201-500', '501-1000', '1000+']);
    expect(series).toHaveLength(5 * 3);
    expect(bots_with_trace).toBe(0);
    expect(credited).toMatchObject({ n: 0, of: 0 });
  });
});

test('a pull request counts by its own moment, from the first instant of the window and before the last', async () => {
  await keep(
    of({ createdAt: hour(-SECOND) }, merged(0)),
    of({ createdAt: hour(-SECOND) }, merged(-SECOND / 2)),
    of({ createdAt: hour(0) }, merged(720 - SECOND)),
    of({ createdAt: hour(720 - SECOND) }, merged(720)),
    of({ createdAt: hour(720) }),
  );
  expect(countsOf(await ask())[0]).toEqual(['human', 2, 2]);
});

test('durations and sizes have their mean and percentiles', async () => {
  await keep(
    lines(human(approves(1, 'bo'), merged(10)), 10),
    lines(human(approves(3, 'bo'), merged(20)), 20),
    lines(human(merged(60)), 600),
  );
  const { figures } = groupOf(await ask(), 'human');
  expect(figures.lines_changed).toEqual({ value: 210, n: 3, p50: 20, p75: 310, p90: 484 });
  expect(figures.time_to_merge).toMatchObject({ value: 30, n: 3, p50: 20, p75: 40 });
  expect(figures.time_to_first_review).toMatchObject({ value: 2, n: 2, p50: 2, p75: 2.5 });
  expect(figures.changed_files).toMatchObject({ value: 1, n: 3, p50: 1, p90: 1 });
  // Waited until the approval, or all the time.
  expect(figures.waiting_for_review_time).toMatchObject({ value: (1 + 3 + 60) / 3, n: 3, p50: 3 });
});

test('commits by agents are the median of the shares, of those with commits', async () => {
  const trace = { byAgent: true };
  const messages = (pull: Pull) => ({
    ...pull,
    messages: Object.fromEntries(
      pull.commits.map(({ sha, byAgent }) => [
        sha,
        byAgent ? 'x\n\nCo-authored-by: Claude <noreply@anthropic.com>' : 'x',
      ]),
    ),
  });
  await keep(
    messages(of({}, pushed(0, 'ada', trace))),
    messages(of({}, pushed(0, 'ada', trace), pushed(1))),
    messages(of({}, pushed(0, 'ada', trace), pushed(1), pushed(2), pushed(3))),
    assisted(),
  );
  const { figures, n_opened } = groupOf(await ask(), 'assisted');
  expect([n_opened, figures.commits_by_agent]).toEqual([4, { value: 0.5, n: 3 }]);
});

test('what is merged on one’s own word is told of agents’ alone, with the reviews by others', async () => {
  await keep(
    agent(merged(5, 'bo')),
    agent(approves(1, 'bo'), merged(5, 'bo')),
    agent(approves(1, 'cy'), approves(2, 'di'), merged(5, 'bo')),
    agent(says(5, 'cy'), merged(5, 'bo')),
    agent(closed(5, 'bo')),
    human(merged(5)),
    assisted(merged(5)),
  );
  const told = await ask();
  expect(groupOf(told, 'agent').figures).toMatchObject({
    merged_on_own_word: { value: 0.5, n: 4 },
    independent_reviews: { value: 0.5, n: 4 },
    // Bo is a person, too.
    merged_unreviewed: { value: 0.25, n: 4 },
  });
  for (const key of ['human', 'assisted'])
    expect(groupOf(told, key).figures.merged_on_own_word).toEqual({ value: null, n: 0 });
});

test('what was merged unreviewed counts on every base and also of bots; trivial ones are left out', async () => {
  await keep(
    of({ baseRef: 'next' }, merged(5)),
    of({}, approves(1, 'bo'), merged(5)),
    lines(of({}, merged(5)), 9),
    bot(merged(5)),
  );
  const told = await ask({ bots: 'true' });
  expect(groupOf(told, 'human').figures.merged_unreviewed).toEqual({ value: 0.5, n: 2 });
  expect(groupOf(told, 'bot').figures.merged_unreviewed).toEqual({ value: 1, n: 1 });
});

test('what was reverted is told of what was merged 30 days earlier, what was followed up of 7 days', async () => {
  const day = 24;
  const original = agent(merged(-30 * day));
  await keep(
    original,
    agent(merged(-30 * day - SECOND)),
    agent(merged(-7 * day)),
    agent(merged(-7 * day - SECOND)),
    agent(merged(-SECOND)),
    agent(merged(0)),
    of({ title: 'Revert', headRef: `revert-${original.number}-x` }, merged(-10 * day)),
  );
  const { reverted, followed_up } = groupOf(await ask(), 'agent').figures;
  expect([reverted, followed_up]).toEqual([
    { value: 0.25, n: 4 },
    { value: 0, n: 3 },
  ]);
});

test('of a window of dates that begins at midnight what was followed up is told of from midnight on, across a clock change too', async () => {
  const merge = (text: string) => of({ createdAt: Date.parse('2026-03-20T09:00:00Z') }, merged(hoursTo(text)));
  await keep(merge('2026-03-22T22:59:59Z'), merge('2026-03-22T23:00:00Z'));

  const told = await ask({ from: '2026-03-30', to: '2026-04-06' }, 'Europe/Oslo');
  expect(groupOf(told, 'human').figures.followed_up).toEqual({ value: 0, n: 1 });
});

test('of those that ended, the share merged, review cycles where there was a review, findings by people and failing checks', async () => {
  await keep(
    human(comments(1, 'bo', { threads: 2 }), pushed(2), approves(3, 'bo'), checked(4, 'failure'), merged(5)),
    human(approves(1, 'bo'), checked(4), merged(5)),
    human(says(1, 'bo'), closed(50)),
    human(comments(1, 'bo', { threads: 5 })),
  );
  const { figures, tried } = groupOf(await ask(), 'human');
  expect(figures).toMatchObject({
    merge_rate: { value: 2 / 3, n: 3 },
    review_cycles: { value: 1.5, n: 2 },
    human_findings: { value: 2 / 3, n: 3 },
    failing_at_last_push: { value: 0.5, n: 2 },
  });
  expect(tried).toBe(0);
});

test('tried is what was closed within 24 hours of its opening, unmerged and without a review that counts', async () => {
  await keep(
    agent(closed(24, COPILOT)),
    agent(closed(24 + SECOND, COPILOT)),
    agent(approves(1, 'bo'), closed(2, 'bo')),
    agent(approves(1, 'bot-ci'), says(1, 'bo'), closed(2, 'bo')),
    agent(merged(2, 'bo')),
    agent(),
  );
  const { tried, figures } = groupOf(await ask(), 'agent');
  expect([tried, figures.merge_rate]).toEqual([2, { value: 1 / 5, n: 5 }]);
});

test('within sizes the same is told of pull requests of one size, shares of those of the size', async () => {
  await keep(
    lines(human(merged(10)), 50),
    lines(human(merged(20)), 51),
    lines(agent(merged(30)), 51),
    lines(agent(merged(40)), 200),
    lines(agent(merged(50)), 1001),
  );
  const { within_sizes, groups } = await ask();
  expect(within_sizes.map((of) => [of.size, ...countsOf(of).map(([, opened]) => opened)])).toEqual([
    ['0-50', 1, 0, 0],
    ['51-200', 1, 0, 2],
    ['201-500', 0, 0, 0],
    ['501-1000', 0, 0, 0],
    ['1000+', 0, 0, 1],
  ]);
  const medium = groupOf(within_sizes[1]!, 'agent').figures;
  expect(medium.share_opened).toEqual({ value: 2 / 3, n: 3 });
  expect(medium.time_to_merge).toMatchObject({ value: 35, n: 2 });
  expect(groups.map(({ key }) => key)).toEqual(within_sizes[2]!.groups.map(({ key }) => key));
});

test('the series goes by weeks from Monday of the viewer’s zone, those that the window cuts too', async () => {
  // Sunday 8 March, 23:30 UTC, is Monday in Oslo.
  await keep(of({ createdAt: Date.parse('2026-03-08T23:30:00Z') }, merged(24 * 14)));
  const weeks = async (timeZone: string) =>
    (await ask({}, timeZone)).series.filter(({ group }) => group === 'human').map(({ group: _, ...week }) => week);

  const inUtc = await weeks('UTC');
  expect(inUtc.map(({ week }) => week)).toEqual(['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30']);
  expect(inUtc.map(({ opened, merged: of }) => [opened, of])).toEqual([
    [1, 0],
    [0, 0],
    [0, 1],
    [0, 0],
    [0, 0],
  ]);
  expect((await weeks('Europe/Oslo')).map(({ opened }) => opened)).toEqual([0, 1, 0, 0, 0]);
});

test('a bot’s stays a bot’s whatever its traces, and these are counted beside', async () => {
  await keep(of({ author: aPerson('bot-actions'), headRef: 'claude/task', ...withTrace }, merged(5)), bot());

  const told = await ask({ bots: 'true' });
  expect(countsOf(told).slice(1)).toEqual([
    ['assisted', 0, 0],
    ['agent', 0, 0],
    ['bot', 2, 1],
  ]);
  expect([told.bots_with_trace, (await ask()).bots_with_trace]).toEqual([1, 1]);
  expect(countsOf(await ask({ by: 'tool', bots: 'true' }))).toEqual([
    ['claude', 1, 1],
    ['none', 1, 0],
  ]);
});

test('credited are agents’ pull requests whose starter is known, by rule', async () => {
  const corrected = agent();
  const undone = agent();
  const assigned = of({
    author: aPerson(COPILOT),
    attribution: { ...noAttribution, assignments: [{ person: aPerson('cy'), at: hour(0.1), until: null }] },
  });
  const pulls = [agent(), agent(), assigned, corrected, undone, of({ author: aPerson(COPILOT) }), human(), bot()];
  await keep(...pulls);
  const { id } = await database.db
    .selectFrom('people')
    .select('id')
    .where('login', '=', 'cy')
    .executeTakeFirstOrThrow();
  const said = { repository_id: web, subject: 'credit', set_by: user, set_at: NOW } as const;
  await database.db
    .insertInto('corrections')
    .values([
      { ...said, number: corrected.number, person_id: id },
      { ...said, number: undone.number, person_id: null },
    ])
    .execute();
  await keep(...pulls);

  expect((await ask()).credited).toEqual({
    n: 4,
    of: 6,
    by: { session: 0, trailer: 0, line: 0, assignee: 1, asked: 2, issue: 0, corrected: 1 },
  });
});

test('whom somebody says to have started an agent’s is who reviews it without being independent', async () => {
  const pull = agent(approves(1, 'cy'), merged(5, 'bo'));
  await keep(pull);
  expect(groupOf(await ask(), 'agent').figures.merged_on_own_word).toEqual({ value: 0, n: 1 });
  const cy = await database.db.selectFrom('people').select('id').where('login', '=', 'cy').executeTakeFirstOrThrow();
  const said = { repository_id: web, subject: 'credit', set_by: user, set_at: NOW } as const;
  await database.db
    .insertInto('corrections')
    .values({ ...said, number: pull.number, person_id: cy.id })
    .execute();
  await keep(pull);

  expect(groupOf(await ask(), 'agent').figures).toMatchObject({
    merged_on_own_word: { value: 1, n: 1 },
    independent_reviews: { value: 0, n: 1 },
  });
});

test('what was stored before counts as not known, until it is filled behind the running server', async () => {
  await keep(
    agent(pushed(0, COPILOT), merged(5, 'bo')),
    human(comments(1, 'bo', { threads: 2 }), checked(4, 'failure'), closed(50)),
  );
  const { db } = database;
  const known = await ask();
  await sql`update pull_request_facts set commits_by_agent = null, independent_reviews = null, merged_on_own_word = null,
    human_findings = null, failing_at_last_push = null, acts = 0`.execute(db);

  const before = await ask();
  expect(groupOf(before, 'agent').figures.merged_on_own_word).toEqual({ value: null, n: 0 });
  expect(groupOf(before, 'human').figures).toMatchObject({
    human_findings: { value: null, n: 0 },
    failing_at_last_push: { value: null, n: 0 },
    merge_rate: { value: 0, n: 1 },
  });
  const stepFailed = (_: string, error: unknown) => {
    throw error;
  };
  await fillSignals({ db, now: () => NOW, stepFailed }, new AbortController().signal);
  expect(await ask()).toEqual(known);
});

test('a team narrows it to what is credited to its people', async () => {
  await keep(human(), agent(), agent(), of({ author: aPerson('cy') }));
  const bo = await database.db.selectFrom('people').select('id').where('login', '=', 'bo').executeTakeFirstOrThrow();
  const team = await aTeam(database.db, 'core', [user], [{ person: bo.id, from: null, to: null }]);

  const told = await ask({ team: String(team) });
  expect(countsOf(told)).toEqual([
    ['human', 0, 0],
    ['assisted', 0, 0],
    ['agent', 2, 0],
  ]);
  expect(told.credited).toMatchObject({ n: 2, of: 2 });
});

test('the window is the last 30 days unless said, and at most 400 days long', async () => {
  await keep(
    of({ createdAt: NOW.getTime() - 30 * 24 * 3_600_000 + 1000 }),
    of({ createdAt: NOW.getTime() - 30 * 24 * 3_600_000 }),
  );
  const { from, to, ...none } = { ...window, from: undefined, to: undefined };
  expect(countsOf(await ask({ ...none, from, to }))[0]).toEqual(['human', 1, 0]);
  await expect(ask({ from: '2025-02-25', to: '2026-04-01' })).resolves.toBeDefined();
  for (const bad of [
    { from: '2025-02-24', to: '2026-04-01' },
    { from: '2026-04-01', to: '2026-04-01' },
    { from: '2026-04-02', to: '2026-04-01' },
  ])
    await expect(ask(bad)).rejects.toMatchObject({ status: 400 });
  for (const bad of [{ by: 'author' }, { bots: 'yes' }])
    expect(endpoints.getAiAuthorship.query.safeParse(bad).success).toBe(false);
});

test('who started agents’ pull requests opens to those of the window, by rule, and page by page to those of nobody', async () => {
  const byNobody = (at: number) => of({ author: aPerson(COPILOT), createdAt: hour(at), draft: at === 3 });
  const [first, second, third] = [byNobody(1), byNobody(2), byNobody(3)];
  const credited = agent();
  await keep(first, second, third, credited, byNobody(-SECOND), byNobody(720), human(), assisted(), bot());
  const { credited: told } = await ask();
  const numbersIn = ({ items }: Awaited<ReturnType<typeof explainFigure>>) => items.map(({ pr_number }) => pr_number);

  const nobody = await explainFigure('credited', { part: 'none', limit: 2 });
  expect(nobody).toMatchObject({
    ...{ value: 0.75, n: told.of - told.n, total: 3, hasMore: true },
    left_out: [{ reason: 'Credited to a person', count: told.n }],
  });
  expect(numbersIn(nobody)).toEqual([third.number, second.number]);
  expect(nobody.items.map(({ agents, draft }) => [agents, draft])).toEqual([
    [[COPILOT], true],
    [[COPILOT], false],
  ]);
  const rest = await explainFigure('credited', { part: 'none', limit: 2, offset: 2 });
  expect([numbersIn(rest), rest.hasMore]).toEqual([[first.number], false]);

  expect(await explainFigure('credited')).toMatchObject({ value: told.n / told.of, n: told.of, part: null });
  const asked = await explainFigure('credited', { part: 'asked' });
  expect(asked).toMatchObject({ value: 0.25, n: told.by.asked, part: 'asked' });
  expect(numbersIn(asked)).toEqual([credited.number]);
  expect(await explainFigure('credited', { part: 'session' })).toMatchObject({ value: 0, n: 0 });
  await expect(explainFigure('credited', { part: 'author' })).rejects.toMatchObject({ status: 400 });
});

describe('a figure within the same sizes', () => {
  const small = (pull: Pull) => lines(pull, 10);
  const large = (pull: Pull) => lines(pull, 100);
  /** Of small ones enough on both sides, of large ones too few by agents. */
  async function keepBoth() {
    const agents = [2, 4, 6, 8, 10, 12].map((at) => small(agent(merged(at, 'bo'))));
    const people = [1, 2, 3, 4, 5].map((at) => small(human(merged(at))));
    const others = [
      ...[1, 2, 3, 4, 5].map(() => large(human(merged(100)))),
      ...[1, 2, 3, 4].map(() => large(agent(merged(200, 'bo')))),
      small(agent(closed(50, 'bo'))),
    ];
    await keep(...agents, ...people, ...others);
    return { agents, people };
  }

  test('opens to both sides, what each size comes to and weighs, and the pull requests of the sizes that count', async () => {
    const { agents, people } = await keepBoth();
    const told = await explainFigure('within_sizes.time_to_merge', { group: 'agent' });
    expect(told).toMatchObject({
      ...{ metric: 'ai.within_sizes.time_to_merge', name: 'Time to merge, within the same sizes', unit: 'hours' },
      ...{ part: 'agent', value: 4, n: 11, total: 11, hasMore: false },
      sides: [
        { part: 'group', name: 'By an agent', value: 7, n: 6, total: 6 },
        { part: 'no_trace', name: 'No trace of one', value: 3, n: 5, total: 5 },
      ],
      left_out: [
        { reason: 'Closed without merging: By an agent', count: 1 },
        { reason: 'Of sizes with fewer than 5 on one side: By an agent', count: 4 },
        { reason: 'Closed without merging: No trace of one', count: 0 },
        { reason: 'Of sizes with fewer than 5 on one side: No trace of one', count: 5 },
      ],
    });
    const [smallest, next, ...rest] = told.sizes!;
    expect(smallest).toEqual({
      ...{ size: '0-50', weight: 5 },
      sides: [
        { part: 'group', value: 7, n: 6 },
        { part: 'no_trace', value: 3, n: 5 },
      ],
    });
    expect(next).toMatchObject({ size: '51-200', weight: 0, sides: [{ n: 4 }, { n: 5 }] });
    expect(rest.map(({ weight, sides }) => [weight, ...sides.map(({ n }) => n)])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(told.items.map(({ pr_number, part }) => `${part} ${pr_number}`).sort()).toEqual(
      [...agents.map(({ number }) => `group ${number}`), ...people.map(({ number }) => `no_trace ${number}`)].sort(),
    );
    const side = await explainFigure('within_sizes.time_to_merge', { group: 'agent', part: 'no_trace', limit: 2 });
    expect([side.total, side.items.length, side.hasMore]).toEqual([5, 2, true]);
  });

  test('is the percentile that is chosen, of a tool, too, and of shares the share', async () => {
    await keepBoth();
    const valuesOf = async (figure: string, query: object) =>
      (await explainFigure(figure, query)).sides!.map(({ value, n }) => [value, n]);
    const query = { group: COPILOT, by: 'tool', statistic: 'p75' };
    expect(await valuesOf('within_sizes.time_to_merge', query)).toEqual([
      [9.5, 6],
      [4, 5],
    ]);
    expect(await valuesOf('within_sizes.merge_rate', query)).toEqual([
      [6 / 7, 7],
      [1, 5],
    ]);
    expect(await explainFigure('time_to_merge', { part: 'human', statistic: 'p90' })).toMatchObject({
      ...{ name: 'Time to merge, p90', value: 100, median: 52.5, n: 10 },
    });
  });

  test('has no value where no size has enough of both, and says how many there are', async () => {
    await keep(...[1, 2, 3, 4].map((at) => small(agent(merged(at, 'bo')))), small(human(merged(1))));
    expect(await explainFigure('within_sizes.time_to_merge', { group: 'agent' })).toMatchObject({
      ...{ value: null, n: 0, total: 0, items: [] },
      sides: [
        { value: null, n: 0 },
        { value: null, n: 0 },
      ],
      left_out: [{ count: 0 }, { count: 4 }, { count: 0 }, { count: 1 }],
    });
  });

  test('needs a group that is compared', async () => {
    for (const query of [{}, { group: 'human' }, { group: 'bot' }, { group: 'nobody' }, { by: 'tool' }])
      await expect(explainFigure('within_sizes.merge_rate', query)).rejects.toMatchObject({ status: 400 });
    await expect(explainFigure('within_sizes.merge_rate', { group: 'bot', bots: 'true' })).resolves.toMatchObject({
      part: 'bot',
    });
    await expect(explainFigure('within_sizes.lines_changed', { group: 'agent' })).rejects.toMatchObject({
      status: 404,
    });
    expect(endpoints.explainMetric.query.safeParse({ statistic: 'p99' }).success).toBe(false);
  });
});

describe('every figure opens', () => {
  test('to what it is over, of a group, a tool or all, and of sizes', async () => {
    const pulls = [
      lines(human(merged(10)), 10),
      lines(agent(merged(20, 'bo')), 10),
      lines(agent(merged(30, 'bo')), 100),
    ];
    await keep(...pulls, bot(merged(5)));
    const numbersIn = ({ items }: Awaited<ReturnType<typeof explainFigure>>) => items.map(({ pr_number }) => pr_number);

    const told = await explainFigure('time_to_merge', { part: 'agent' });
    expect(told).toMatchObject({
      metric: 'ai.time_to_merge',
      part: 'agent',
      value: 25,
      median: 25,
      n: 2,
      unit: 'hours',
    });
    expect(numbersIn(told)).toEqual([pulls[2]!.number, pulls[1]!.number]);
    expect(await explainFigure('time_to_merge')).toMatchObject({ part: null, value: 20, n: 3 });
    expect(await explainFigure('time_to_merge', { bots: 'true' })).toMatchObject({ n: 4 });
    expect(await explainFigure('time_to_merge', { part: 'agent', size: '0-50' })).toMatchObject({ value: 20, n: 1 });
    expect(await explainFigure('time_to_merge', { part: COPILOT, by: 'tool' })).toMatchObject({ value: 25, n: 2 });
    expect(await explainFigure('share_opened', { part: 'agent' })).toMatchObject({
      value: 2 / 3,
      n: 2,
      left_out: [{ reason: 'Of the other groups', count: 1 }],
    });
    expect(await explainFigure('merged_on_own_word', { part: 'agent' })).toMatchObject({ value: 1, n: 2 });
    expect(await explainFigure('reverted')).toMatchObject({
      n: 0,
      window: { from: '2026-01-31T09:00:00.000Z', to: '2026-03-02T09:00:00.000Z' },
    });
    await expect(explainFigure('tried', { part: 'bot' })).rejects.toMatchObject({ status: 400 });
  });
});
