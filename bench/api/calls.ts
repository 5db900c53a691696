import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { accountRoutes } from '../../src/server/accounts/routes.ts';
import { authorshipExplanations } from '../../src/server/ai/explain-authorship.ts';
import { reviewerExplanations } from '../../src/server/ai/explain-reviewers.ts';
import { aiRoutes } from '../../src/server/ai/routes.ts';
import { contributorExports, contributorRoutes } from '../../src/server/contributors/routes.ts';
import type { Database } from '../../src/server/db/database.ts';
import { explainRoutes } from '../../src/server/explain/routes.ts';
import { exportRoutes } from '../../src/server/exports/routes.ts';
import { healthRoutes } from '../../src/server/health/routes.ts';
import { scopeOf } from '../../src/server/metrics/scope.ts';
import { workExplanations, workRoutes } from '../../src/server/my-work/routes.ts';
import { pullRequestRoutes } from '../../src/server/pull-requests/routes.ts';
import { connectedRepositories } from '../../src/server/repositories/connected-repositories.ts';
import { teamRoutes } from '../../src/server/team/routes.ts';
import { compareTeamsOf } from '../../src/server/teams/compare-teams.ts';
import { teamViewOf } from '../../src/server/teams/team-view.ts';
import { trendRoutes } from '../../src/server/trends/routes.ts';
import { type Browser, browserOf } from './app.ts';
import { HOST, NOW } from './fill.ts';
import { LARGEST_TEAM } from './teams.ts';

type Ask = (db: Kysely<Database>) => Promise<unknown>;

export const waysToBelong = ['author', 'reviewer'] as const;

export interface Call {
  readonly name: string;
  readonly ask: Ask;
  /** The same narrowed to the largest team, by each way in which pull requests belong to it, where the call takes a team. */
  readonly askOfTeam?: Readonly<Record<(typeof waysToBelong)[number], Ask>>;
  /**
   * What it looks at by its nature, where that is no period: it may grow with that, not exceed the limit. Of what is open, of any age, there
   * is more in a longer history: one pull request in two hundred is never closed.
   */
  readonly window?: 'all of history' | 'all that is open';
  /** The limit in milliseconds, of what looks at years at once; null: a whole screen, of which only the growth is told. */
  readonly limit?: number | null;
}

type Asks = Record<string, (asked: object) => Promise<unknown>>;

const nobody = { includes: async () => false, require: async () => undefined };

/** Makes calls as a browser does; `of` are their handlers, to be asked without HTTP around them. */
export function callsOf(user_id: number) {
  const user = { id: user_id, host: HOST, login: 'bench', time_zone: 'Europe/Oslo' };
  const handlersOf = (db: Kysely<Database>) => {
    const context = { db, now: () => NOW };
    return {
      ...teamRoutes(context),
      ...trendRoutes(context),
      ...contributorRoutes(context),
      ...pullRequestRoutes(context, async () => false),
      ...explainRoutes(context, { ...workExplanations, ...authorshipExplanations, ...reviewerExplanations }),
      ...workRoutes(context, db),
      ...healthRoutes(context),
      ...aiRoutes(context),
      ...accountRoutes({ ...context, nudge: () => undefined, administrators: nobody }),
      ...exportRoutes(context, contributorExports(context)),
    };
  };
  const of = (db: Kysely<Database>) => handlersOf(db) as unknown as Asks;
  const browsers = new WeakMap<Kysely<Database>, Promise<Browser>>();
  const browserAt = async (db: Kysely<Database>) => {
    const browser = browsers.get(db) ?? browserOf(db, user_id, handlersOf(db));
    browsers.set(db, browser);
    return await browser;
  };
  const call = (name: string, endpoint: EndpointName, query: object = {}, params: object = {}): Call => {
    const ask = (more: object) => async (db: Kysely<Database>) =>
      await (await browserAt(db)).call(endpoint, { ...query, ...more }, params);
    return { name, ask: ask({}), ...ofTeam(endpoint, ask) };
  };
  return { user, of, call };
}

/** The same of the largest team, where the call takes one. */
function ofTeam(name: EndpointName, ask: (more: object) => Ask): Pick<Call, 'askOfTeam'> {
  const { query, body }: Endpoint = endpoints[name];
  const takesTeam = [query, body].some((shape) => shape instanceof z.ZodObject && 'team' in shape.shape);
  if (!takesTeam) return {};
  const [author, reviewer] = waysToBelong.map((team_as) => ask({ team: LARGEST_TEAM, team_as }));
  return { askOfTeam: { author: author!, reviewer: reviewer! } };
}

/** Every call. `newest` is the highest number in the first repository. */
export function calls(user_id: number, newest: number): Call[] {
  const { user, of, call } = callsOf(user_id);
  const whole = (one: Call): Call => ({ ...one, window: 'all of history' });
  // Every match is counted, of one person every pull request is told, and every one that is stuck: of a million within this limit.
  const limited = (one: Call): Call => ({ ...one, ...(newest > 50_000 && { limit: 300 }) });
  const counted = (one: Call): Call => limited(whole(one));
  const open = (one: Call): Call => ({ ...one, window: 'all that is open' });
  const page = { limit: 50, offset: 0, sortBy: 'updated_at', sortOrder: 'DESC' };
  const list = (name: string, query: object) => call(`prs, ${name}`, 'listPullRequests', { ...page, ...query });
  const search = (q: string) => ({ limit: 500, q });
  const someone = { username: 'person-7' };
  const metrics = (period: string) =>
    call(`contributor metrics, ${period}`, 'getContributorMetrics', { period }, someone);
  /** With the pull requests of agents as those of whoever started them. */
  const started = (name: string, endpoint: EndpointName, query: object = {}, params: object = {}) =>
    call(`${name}, with started ones`, endpoint, { ...query, credit: 'started' }, params);
  const explain = (metric: string, query: object = {}) =>
    call(`explain ${metric}`, 'explainMetric', { limit: 20, offset: 0, ...query }, { metric });
  const detail = (name: string, repoName: string, prNumber: number) =>
    call(`pr detail, ${name}`, 'getPullRequest', {}, { repoOwner: 'acme', repoName, prNumber });
  const weeks = { from: new Date(NOW.getTime() - 104 * 7 * 86_400_000).toISOString(), bucket: 'week' };
  const monday = new Date(NOW.getTime() - (14 + ((NOW.getUTCDay() + 6) % 7)) * 86_400_000).toISOString().slice(0, 10);
  // Two years reach back behind the shorter history.
  const trend = (figure: string, aggregate: string, split: string): Call => ({
    ...whole(
      call(`104 weeks of ${figure}, ${aggregate}, by ${split}`, 'getTrends', {
        figure: [figure],
        aggregate,
        split,
        ...weeks,
      }),
    ),
    limit: split === 'none' ? 300 : 600,
  });
  /** A week of such a trend and its pull requests. */
  const point = (figure: string, aggregate: string, more: object = {}) =>
    call(
      `a point of ${figure}, ${aggregate}`,
      'explainTrendPoint',
      { aggregate, ...weeks, point: monday, limit: 20, offset: 0, ...more },
      { figure },
    );
  const download = (format: string): Call => {
    const ask = (more: object) => async (db: Kysely<Database>) => {
      const body = { username: 'person-7', period: '1y', format, ...more };
      const { content } = (await of(db).exportContributor!({ user, body })) as { content: AsyncIterable<unknown> };
      for await (const chunk of content) return String(chunk).length;
      return 0;
    };
    return { name: `export as ${format}, first byte`, ask: ask({}), ...ofTeam('exportContributor', ask) };
  };
  const viewer = { ...user, own_marks: false };
  const compared = (window: '30d' | '1y'): Call => ({
    name: `200 teams compared, ${window}`,
    ask: async (db) => await compareTeamsOf(db, viewer, { window, sort: 'name', order: 'asc' }, NOW),
    window: 'all that is open',
    limit: window === '1y' ? 900 : 300,
  });
  return [
    call('team-stats', 'getTeamStats'),
    limited(open(call('stuck-prs', 'listStuckPullRequests'))),
    open(call('stuck-prs, first rows', 'listStuckPullRequests', { limit: 9 })),
    open(call('stuck-prs, counts', 'countStuckPullRequests')),
    open(call('my-work', 'getMyWork')),
    call('reviewer-stats', 'listReviewerStats'),
    call('developer-stats', 'listDeveloperStats'),
    call('developer-stats, bots and agents too', 'listDeveloperStats', { accounts: 'all' }),
    open(call('review-load', 'listReviewLoad')),
    { name: 'repos', ask: async (db) => await connectedRepositories(db, await scopeOf(db, user_id)) },
    call('marked accounts', 'listMarkedAccounts'),
    compared('30d'),
    compared('1y'),
    open({ name: 'view of a team', ask: async (db) => await teamViewOf(db, viewer, LARGEST_TEAM, {}, NOW) }),
    list('newest', {}),
    list('page 100', { offset: 5000 }),
    list('by title', { sortBy: 'title', sortOrder: 'ASC' }),
    list('by size', { sortBy: 'lines_changed' }),
    list('open', { state: 'open' }),
    list('closed', { state: 'closed' }),
    open(list('open drafts', { state: 'open', drafts: 'only' })),
    open(list('waiting for their authors', { turn: 'author' })),
    whole(list('without bots and agents', { bots: 'hide', agents: 'hide' })),
    whole(list('by agents', { agents: 'only' })),
    whole(list('written by people alone', { authorship: 'human' })),
    whole(list('with a tool', { authorship: 'assisted', tool: 'claude' })),
    counted(list('started by somebody', { credited_to: 'person-7' })),
    whole(list('credited to nobody', { credited_to: 'none' })),
    whole(list('search for few', search('number 4711 '))),
    counted(list('search for many', search('parser'))),
    counted(list('search for all titles', search('change'))),
    whole(list('search for a letter', search('e'))),
    counted(list('search for a letter of titles', search('q'))),
    whole(list('search for an author', search('person-77'))),
    whole(list('search for a repository', search('repository-3'))),
    counted(list('search in the palette', { limit: 5, q: 'the cache' })),
    detail('usual', 'repository-2', Math.round(newest * 0.99)),
    detail('largest', 'repository-1', newest),
    call('contributors', 'listContributors'),
    call('contributors search', 'searchContributors', { q: 'son-7' }),
    ...['7d', '30d', '90d', '6mo', '1y'].map(metrics),
    call('contributor prs, 30d', 'listContributorPullRequests', { period: '30d' }, someone),
    counted(call('contributor prs, all', 'listContributorPullRequests', {}, someone)),
    call('review heatmap', 'getReviewHeatmap', {}, someone),
    explain('team.avg_time_to_merge_hours'),
    explain('team.total_contributors'),
    explain('team.total_reviews'),
    explain('team.complex_reviews'),
    open(explain('team.outstanding_reviews')),
    explain('developer.active_days', { username: 'person-7' }),
    whole(explain('all_time.total_prs_opened', { username: 'person-7' })),
    explain('contributor.total_prs_reviewed', { username: 'person-7', period: '1y' }),
    explain('contributor.pr_size_distribution', { username: 'person-7', period: '1y', part: '51-200' }),
    explain('contributor.activity_calendar', { username: 'person-7', part: NOW.toISOString().slice(0, 10) }),
    explain('contributor.review_heatmap', { username: 'person-7', part: '1-10' }),
    explain('contributor.top_reviewed_by', { username: 'person-7', period: '1y', part: 'person-8' }),
    explain('contributor.code_ownership_areas', { username: 'person-7', period: '1y', part: 'src/web' }),
    explain('pull_request.team_p90_cycle_time', { pull_request: `acme/repository-1/${newest}` }),
    explain('pull_request.author_avg_pr_size', { pull_request: `acme/repository-1/${newest}` }),
    trend('opened', 'value', 'none'),
    trend('open', 'value', 'none'),
    trend('time_to_merge', 'p50', 'none'),
    trend('time_to_merge', 'p50', 'size'),
    trend('reviews', 'value', 'size'),
    trend('response_time', 'p90', 'repository'),
    trend('merge_rate', 'value', 'tool'),
    trend('stuck', 'value', 'authorship'),
    trend('stamped', 'value', 'base'),
    trend('concentration', 'value', 'base'),
    point('time_to_merge', 'p50'),
    open(point('open', 'value')),
    point('concentration', 'value'),
    point('reviews', 'value', { split: 'base', line: 'main' }),
    { ...call('health, 90 days', 'getHealth'), limit: null },
    { ...call('agents beside people, 30 days', 'getAiAuthorship', { by: 'group', bots: 'true' }), limit: 300 },
    { ...call('agents beside people by tool, 30 days', 'getAiAuthorship', { by: 'tool' }), limit: 300 },
    explain('ai.time_to_merge', { by: 'group', part: 'agent' }),
    explain('ai.credited', { part: 'none' }),
    explain('ai.within_sizes.time_to_merge', { by: 'group', group: 'agent' }),
    call('pull requests of a signal', 'listSignalPullRequests', { limit: 50, offset: 0 }, { key: 'merged_unapproved' }),
    started('developer-stats', 'listDeveloperStats'),
    started('contributors', 'listContributors'),
    started('contributors search', 'searchContributors', { q: 'son-7' }),
    started('contributor metrics, 30d', 'getContributorMetrics', { period: '30d' }, someone),
    started('contributor metrics, 1y', 'getContributorMetrics', { period: '1y' }, someone),
    started('contributor prs, 30d', 'listContributorPullRequests', { period: '30d' }, someone),
    started('review heatmap', 'getReviewHeatmap', {}, someone),
    started(
      'explain contributor.total_prs_opened',
      'explainMetric',
      { limit: 20, offset: 0, username: 'person-7', period: '1y' },
      { metric: 'contributor.total_prs_opened' },
    ),
    call('AI reviewers, 30 days', 'listAiReviewers'),
    call('AI reviewers, a year', 'listAiReviewers', { period: '1y' }),
    call('one AI reviewer, 30 days', 'getAiReviewer', {}, { login: 'person-601' }),
    call('one AI reviewer, a year', 'getAiReviewer', { period: '1y' }, { login: 'person-601' }),
    ...['csv', 'json', 'pdf'].map(download),
  ];
}

/** What the database needs for the least and the most. */
export const floors: readonly Call[] = [
  {
    name: 'floor: one row by its key',
    ask: (db) =>
      sql`select * from pull_requests where repository_id = 2 and number = (select max(number) from pull_requests where repository_id = 2)`.execute(
        db,
      ),
  },
  {
    name: 'floor: full scan of pull_requests',
    window: 'all of history',
    ask: (db) => sql`select count(*), sum(additions) from pull_requests where deletions >= 0`.execute(db),
  },
];
