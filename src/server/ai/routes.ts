import type { Context } from '../context.ts';
import type { Handlers } from '../http/serve.ts';
import { aiAuthorship, authorshipAsked } from './authorship.ts';

/** The calls about AI on both sides of review. */
export function aiRoutes({ db, now }: Pick<Context, 'db' | 'now'>): Handlers<'getAiAuthorship'> {
  return {
    getAiAuthorship: async ({ user, query }) => await aiAuthorship(db, await authorshipAsked(db, user, query, now())),
  };
}
