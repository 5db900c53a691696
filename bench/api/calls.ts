import { type Kysely, sql } from 'kysely';
import { contributorRoutes } from '../../src/server/contributors/routes.ts';
import type { Database } from '../../src/server/db/database.ts';
import { explainRoutes } from '../../src/server/explain/routes.ts';
import { pullRequestRoutes } from '../../src/server/pull-requests/routes.ts';
import { teamRoutes } from '../../src/server/team/routes.ts';
import { HOST, NOW } from './fill.ts';

export interface Call {
  readonly name: string;
  readonly ask: (db: Kysely<Database>) => Promise<unknown>;
  /** All of history is its window by its nature. */
  readonly whole?: true;
}

type Asks = Record<string, (asked: object) => Promise<unknown>>;

/** The calls as a browser makes them, without HTTP around them. */
export function calls(user_id: number, smallest: number): Call[] {
  const user = { id: user_id, host: HOST, login: 'bench', time_zone: 'Europe/Oslo' };
  const of = (db: Kysely<Database>) => {
    const context = { db, now: () => NOW };
    const handlers = {
      ...teamRoutes(context),
      ...contributorRoutes(context),
      ...pullRequestRoutes(context, async () => false),
      ...explainRoutes(context),
    };
    return handlers as unknown as Asks;
  };
  const call = (name: string, handler: string, query: object = {}, params: object = {}): Call => ({
    name,
    ask: (db) => of(db)[handler]!({ user, query, params, gone: new AbortController().signal }),
  });
  const page = { limit: 50, offset: 0, sortBy: 'updated_at', sortOrder: 'DESC' };
  const someone = { username: 'person-7' };
  return [
    call('team-stats', 'getTeamStats'),
    call('stuck-prs', 'listStuckPullRequests'),
    call('reviewer-stats', 'listReviewerStats'),
    call('developer-stats', 'listDeveloperStats'),
    call('review-load', 'listReviewLoad'),
    call('prs', 'listPullRequests', page),
    call('prs, page 100', 'listPullRequests', { ...page, offset: 5000 }),
    call('prs, by title', 'listPullRequests', { ...page, sortBy: 'title', sortOrder: 'ASC' }),
    call('prs, by size', 'listPullRequests', { ...page, sortBy: 'lines_changed' }),
    call('prs, open', 'listPullRequests', { ...page, state: 'open' }),
    call('prs, closed', 'listPullRequests', { ...page, state: 'closed' }),
    { ...call('prs, search for few', 'listPullRequests', { ...page, limit: 500, q: 'number 4711 ' }), whole: true },
    { ...call('prs, search for many', 'listPullRequests', { ...page, limit: 500, q: 'parser' }), whole: true },
    { ...call('prs, search for an author', 'listPullRequests', { ...page, limit: 500, q: 'person-77' }), whole: true },
    call(
      'pr detail',
      'getPullRequest',
      {},
      { repoOwner: 'acme', repoName: 'repository-2', prNumber: Math.floor(smallest / 8) },
    ),
    call('contributors', 'listContributors'),
    call('contributors search', 'searchContributors', { q: 'son-7' }),
    call('contributor metrics, 30d', 'getContributorMetrics', { period: '30d' }, someone),
    call('contributor metrics, 90d', 'getContributorMetrics', { period: '90d' }, someone),
    call('contributor metrics, 1y', 'getContributorMetrics', { period: '1y' }, someone),
    call('contributor prs, 30d', 'listContributorPullRequests', { period: '30d' }, someone),
    { ...call('contributor prs, all', 'listContributorPullRequests', {}, someone), whole: true },
    call('review heatmap', 'getReviewHeatmap', {}, someone),
    call(
      'explain time to merge',
      'explainMetric',
      { limit: 100, offset: 0 },
      { metric: 'team.avg_time_to_merge_hours' },
    ),
  ];
}

/** What the database needs for the least and the most. */
export const floors: readonly Call[] = [
  {
    name: 'floor: one row by its key',
    ask: (db) => sql`select * from pull_requests where repository_id = 2 and number = 77`.execute(db),
  },
  {
    name: 'floor: full scan of pull_requests',
    whole: true,
    ask: (db) => sql`select count(*), sum(additions) from pull_requests where deletions >= 0`.execute(db),
  },
];
