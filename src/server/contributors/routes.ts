import type { ContributorMetrics, ContributorPullRequest, OwnFigures } from '#contract/contributors.ts';
import { lastDays, type Period, periodDays, periodOf } from '#domain/period.ts';
import type { Context, SignedIn } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { contributorMetrics, ownFigures } from './contributor-metrics.ts';
import { contributorPullRequests } from './contributor-pull-requests.ts';
import { asMember, type FoundPerson, findContributor } from './find-contributor.ts';
import { listContributors } from './list-contributors.ts';
import { reviewHeatmap } from './review-heatmap.ts';
import { searchContributors } from './search-contributors.ts';

type ContributorDeps = Pick<Context, 'db' | 'now'>;

/** The calls about people (docs/metrics.md#one-person). */
export function contributorRoutes(
  context: ContributorDeps,
): Handlers<
  | 'listContributors'
  | 'searchContributors'
  | 'getContributorMetrics'
  | 'listContributorPullRequests'
  | 'getReviewHeatmap'
> {
  const { db, now } = context;
  return {
    listContributors: async ({ user, query }) =>
      await listContributors(db, await scopeOf(db, user.id, query.repository, query), now(), query.accounts === 'all'),
    searchContributors: async ({ user, query }) =>
      await searchContributors(db, await scopeOf(db, user.id, undefined, query), query.q, query.accounts === 'all'),
    getContributorMetrics: async ({ user, params, query }) => {
      const { scope, person, moment } = await foundAsMember(context, user, params.username, query);
      return await contributorMetrics(db, scope, person, periodOf(query.period), moment, user.time_zone);
    },
    listContributorPullRequests: async ({ user, params, query }) => {
      const { scope, person, moment } = await found(context, user, params.username, query);
      const after = query.period === undefined ? null : openedAfter(moment, periodOf(query.period));
      return await contributorPullRequests(db, scope, person.id, after);
    },
    getReviewHeatmap: async ({ user, params, query }) => {
      const { scope, person, moment } = await found(context, user, params.username, query);
      return await reviewHeatmap(db, scope, person.id, moment, user.time_zone);
    },
  };
}

interface ContributorExport<Figures> {
  readonly metrics: Figures;
  /** Those opened in the period. */
  readonly prs: ContributorPullRequest[];
  readonly period: Period;
  readonly as_of: Date;
}

/** What the scope is narrowed to. */
interface Narrowed {
  readonly repository?: number | null | undefined;
  readonly team?: number | null | undefined;
  readonly team_as?: 'author' | 'reviewer' | null | undefined;
  readonly credit?: 'started' | null | undefined;
}

type Export<Figures> = (
  user: SignedIn,
  wanted: Narrowed & { readonly username: string; readonly period?: string | undefined },
) => Promise<ContributorExport<Figures>>;

/**
 * What exports of a contributor hold: all figures, or the contributor's own alone, and the pull requests of a period; all as of the same
 * moment. Both throw HttpError 404 for someone whom the scope does not know, or a repository or team that is not the user's.
 */
export function contributorExports(context: ContributorDeps): {
  whole: Export<ContributorMetrics>;
  own: Export<OwnFigures>;
} {
  const exportWith =
    <Figures>(figuresOf: (...asked: Parameters<typeof contributorMetrics>) => Promise<Figures>): Export<Figures> =>
    async (user, wanted) => {
      const period = periodOf(wanted.period);
      const { scope, person, moment } = await foundAsMember(context, user, wanted.username, wanted);
      const [metrics, prs] = await Promise.all([
        figuresOf(context.db, scope, person, period, moment, user.time_zone),
        contributorPullRequests(context.db, scope, person.id, openedAfter(moment, period)),
      ]);
      return { metrics, prs, period, as_of: moment };
    };
  return {
    whole: exportWith(contributorMetrics),
    own: exportWith(async (...asked) => (await ownFigures(...asked)).figures),
  };
}

async function foundAsMember(...asked: Parameters<typeof found>): ReturnType<typeof found> {
  const { scope, person, moment } = await found(...asked);
  return { scope, person: await asMember(asked[0].db, scope, person, moment), moment };
}

async function found(
  { db, now }: ContributorDeps,
  user: SignedIn,
  username: string,
  { repository, team, team_as, credit }: Narrowed,
): Promise<{ scope: Scope; person: FoundPerson; moment: Date }> {
  const moment = now();
  const by = { credit: credit ?? undefined };
  const scope = await scopeOf(db, user.id, repository ?? undefined, {
    team: team ?? undefined,
    team_as: team_as ?? undefined,
    ...by,
  });
  const person = await findContributor(db, scope, username, moment);
  if (person !== null) return { scope, person, moment };
  // Whom another of the user's repositories knows did nothing in this one, which is an answer and no error.
  const elsewhere =
    repository == null ? null : await findContributor(db, await scopeOf(db, user.id, undefined, by), username, moment);
  if (elsewhere === null)
    throw notFound(
      `Contributor not found: nobody called ${username} opened or reviewed a pull request in your repositories.`,
    );
  return { scope, person: { ...elsewhere, last_active: null, current_open_prs: 0 }, moment };
}

function openedAfter(now: Date, period: Period): Date {
  return new Date(lastDays(now.getTime(), periodDays(period)).after);
}
