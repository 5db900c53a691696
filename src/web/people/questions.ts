import { ask } from '../api/query.ts';
import type { Choice } from '../filters/choice-of-figures.ts';
import type { Credited } from '../filters/credit.ts';

/** Bots and agents come along always, so that their number can be said; no figure of a person changes by it. */
export function everyAccount(chosen: Choice) {
  return { query: { accounts: 'all' as const, ...chosen } };
}

/** Who reviewed. */
export function askReviewers(chosen: Choice) {
  return ask('listReviewerStats', everyAccount(chosen));
}

/** How each developer fared. */
export function askDevelopers({ credit, ...chosen }: Choice & Credited) {
  const { query } = everyAccount(chosen);
  return ask('listDeveloperStats', { query: credit === undefined ? query : { ...query, credit } });
}
