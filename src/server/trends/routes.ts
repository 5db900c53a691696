import { trendFigures } from '#contract/trends.ts';
import type { Context, SignedIn } from '../context.ts';
import { tokenUseOf } from '../http/bearer.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { withReviewed } from '../metrics/person-numbers.ts';
import { type Scope, scopeOf, scopeOfSeveral } from '../metrics/scope.ts';
import { describedFigures } from './figures.ts';
import { explainPoint } from './point.ts';
import { type LinesQuery, trends } from './trends.ts';
import { windowOf } from './window.ts';

/** The calls about figures over time (docs/metrics.md#trends). */
export function trendRoutes({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Handlers<'listFigures' | 'getTrends' | 'explainTrendPoint'> {
  const scopeFor = async (user: SignedIn, query: LinesQuery): Promise<Scope> =>
    await withReviewed(
      db,
      query.repository === undefined
        ? await scopeOf(db, user.id, undefined, query)
        : await scopeOfSeveral(db, user.id, query.repository, query),
    );
  return {
    listFigures: async () => describedFigures,
    getTrends: async ({ user, query, request }) => {
      const moment = now();
      const window = windowOf(query, user.time_zone, moment);
      const viewer = { ...user, by_token: tokenUseOf(request) !== null };
      return { items: await trends(db, await scopeFor(user, query), query, window, viewer, moment) };
    },
    explainTrendPoint: async ({ user, params, query, csv }) => {
      const figure = trendFigures.find((key) => key === params.figure);
      if (figure === undefined) throw notFound(`There is no figure called ${params.figure} over time.`);
      const moment = csv?.now ?? now();
      const window = windowOf(query, user.time_zone, moment);
      return await explainPoint(db, await scopeFor(user, query), figure, query, window, user, moment);
    },
  };
}
