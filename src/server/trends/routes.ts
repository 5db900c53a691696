import type { Context } from '../context.ts';
import type { Handlers } from '../http/serve.ts';
import { scopeOf, scopeOfSeveral } from '../metrics/scope.ts';
import { describedFigures } from './figures.ts';
import { trends } from './trends.ts';
import { windowOf } from './window.ts';

/** The calls about figures over time (docs/metrics.md#trends). */
export function trendRoutes({ db, now }: Pick<Context, 'db' | 'now'>): Handlers<'listFigures' | 'getTrends'> {
  return {
    listFigures: async () => describedFigures,
    getTrends: async ({ user, query }) => {
      const moment = now();
      const window = windowOf(query, user.time_zone, moment);
      const scope =
        query.repository === undefined
          ? await scopeOf(db, user.id)
          : await scopeOfSeveral(db, user.id, query.repository);
      return { items: await trends(db, scope, query, window, user, moment) };
    },
  };
}
