import type { Context } from '../context.ts';
import type { Handlers } from '../http/serve.ts';
import { scopeOf } from '../metrics/scope.ts';
import { developerStats } from './developer-stats.ts';
import { reviewLoad } from './review-load.ts';
import { reviewerStats } from './reviewer-stats.ts';
import { stuckPullRequests } from './stuck-pull-requests.ts';
import { teamStats } from './team-stats.ts';

/** The calls about the team as a whole (docs/metrics.md#the-team-and-its-people). */
export function teamRoutes({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Handlers<
  'getTeamStats' | 'listStuckPullRequests' | 'listReviewerStats' | 'listDeveloperStats' | 'listReviewLoad'
> {
  return {
    getTeamStats: async ({ user, query }) =>
      await teamStats(db, await scopeOf(db, user.id, query.repository), now(), user.time_zone),
    listStuckPullRequests: async ({ user, query }) =>
      await stuckPullRequests(db, await scopeOf(db, user.id, query.repository), now()),
    listReviewerStats: async ({ user, query }) =>
      await reviewerStats(db, await scopeOf(db, user.id, query.repository), now(), query.accounts === 'all'),
    listDeveloperStats: async ({ user, query }) =>
      await developerStats(
        db,
        await scopeOf(db, user.id, query.repository),
        now(),
        user.time_zone,
        query.accounts === 'all',
      ),
    listReviewLoad: async ({ user, query }) =>
      await reviewLoad(db, await scopeOf(db, user.id, query.repository), now(), query.accounts === 'all'),
  };
}
