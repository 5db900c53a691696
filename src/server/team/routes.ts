import type { WindowQuery } from '#contract/values.ts';
import { windows } from '#domain/metrics/metric.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Handlers } from '../http/serve.ts';
import { type AskedWindow, windowAsked } from '../metrics/asked-window.ts';
import { withReviewed } from '../metrics/person-numbers.ts';
import { type Scope, scopeOf, type TeamQuery } from '../metrics/scope.ts';
import { developerStats } from './developer-stats.ts';
import { reviewLoad } from './review-load.ts';
import { reviewerStats } from './reviewer-stats.ts';
import { countStuck, stuckPullRequests } from './stuck-pull-requests.ts';
import { teamStats } from './team-stats.ts';

/** Of whom and when a call asks. */
interface About {
  readonly scope: Scope;
  readonly moment: Date;
  readonly window: AskedWindow;
}

/** The calls about the team as a whole (docs/metrics.md#the-team-and-its-people). */
export function teamRoutes({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Handlers<
  | 'getTeamStats'
  | 'listStuckPullRequests'
  | 'countStuckPullRequests'
  | 'listReviewerStats'
  | 'listDeveloperStats'
  | 'listReviewLoad'
> {
  async function about(
    user: SignedIn,
    query: WindowQuery & TeamQuery & { readonly repository?: number | undefined },
    own: { readonly days: number },
  ): Promise<About> {
    const moment = now();
    const window = windowAsked(query, own.days, moment, user.time_zone);
    return { scope: await scopeOf(db, user.id, query.repository, query), moment, window };
  }
  return {
    getTeamStats: async ({ user, query }) => {
      const { scope, moment, window } = await about(user, query, windows.month);
      return await teamStats(db, await withReviewed(db, scope), moment, user.time_zone, window);
    },
    listStuckPullRequests: async ({ user, query }) =>
      await stuckPullRequests(db, await scopeOf(db, user.id, query.repository, query), now(), query),
    countStuckPullRequests: async ({ user, query }) =>
      await countStuck(db, await scopeOf(db, user.id, query.repository, query), now(), query.asked),
    listReviewerStats: async ({ user, query }) => {
      const { scope, moment, window } = await about(user, query, windows.week);
      return await reviewerStats(db, scope, moment, window, query.accounts === 'all');
    },
    listDeveloperStats: async ({ user, query }) => {
      const { scope, moment, window } = await about(user, query, windows.month);
      return await developerStats(db, scope, moment, user.time_zone, window, query.accounts === 'all');
    },
    listReviewLoad: async ({ user, query }) => {
      const { scope, moment, window } = await about(user, query, windows.week);
      const everywhere = query.repository === undefined ? scope : await scopeOf(db, user.id);
      return await reviewLoad(db, scope, moment, window, query.accounts === 'all', everywhere);
    },
  };
}
