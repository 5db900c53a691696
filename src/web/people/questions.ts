import { ask } from '../api/query.ts';

/** Bots and agents come along always, so that their number can be said; no figure of a person changes by it. */
export function everyAccount(repository: number | undefined) {
  return { query: { accounts: 'all' as const, ...(repository === undefined ? {} : { repository }) } };
}

/** Who reviewed, in one repository by its id or in all. */
export function askReviewers(repository?: number) {
  return ask('listReviewerStats', everyAccount(repository));
}

/** How each developer fared, in one repository by its id or in all. */
export function askDevelopers(repository?: number) {
  return ask('listDeveloperStats', everyAccount(repository));
}
