import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { seenReviewers } from '../metrics/seen-reviewers.ts';
import { aiAuthorship, authorshipAsked } from './authorship.ts';
import { reviewerInDepth } from './reviewer-in-depth.ts';
import { reviewersOver } from './reviewers.ts';
import { reviewersAsked } from './reviewers-view.ts';

/** The calls about AI on both sides of review. */
export function aiRoutes({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Handlers<'getAiAuthorship' | 'listAiReviewers' | 'getAiReviewer'> {
  return {
    getAiAuthorship: async ({ user, query }) => await aiAuthorship(db, await authorshipAsked(db, user, query, now())),
    listAiReviewers: async ({ user, query }) => {
      const reviewers = await reviewersAsked(db, user, query, now());
      return await reviewersOver(db, reviewers, await seenReviewers(db, reviewers.scope, user.host));
    },
    getAiReviewer: async ({ user, params, query }) => {
      const reviewers = await reviewersAsked(db, user, query, now());
      const [seen] = await seenReviewers(db, reviewers.scope, user.host, params.login);
      if (seen === undefined) throw notFound(`No AI reviewer called ${params.login} has acted in your repositories.`);
      return await reviewerInDepth(db, reviewers, seen);
    },
  };
}
