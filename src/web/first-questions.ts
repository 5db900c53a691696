import type { QueryClient, QueryFunction } from '@tanstack/react-query';
import { periodOf } from '#domain/period.ts';
import { ask } from './api/query.ts';
import { type RawSearch, readPositive, readText } from './layout/url-state.ts';
import { askMetrics, askPullRequests, askReviewHours, PERIOD_KEY } from './screens/contributor/questions.ts';
import { askForList } from './screens/prs/question.ts';
import { readPullRequestsSearch } from './screens/prs/search.ts';

interface Question {
  readonly queryKey: readonly unknown[];
  readonly queryFn?: unknown;
}

type Params = Readonly<Record<string, string | undefined>>;

/** What a route's loader knows, save the path's parameters: a route's types of those follow from its path alone. */
interface Arrival {
  readonly context: { readonly queries: QueryClient };
  readonly location: { readonly search: object };
  readonly cause: 'enter' | 'stay' | 'preload';
}

/**
 * A route's loader that asks what its screen will show when the route is entered, beside the session and the screen's code and not after
 * them: data is on screen two round trips after the navigation, the page's and its own. It waits for no answer; the screen's own questions
 * take them up and say what went wrong.
 */
export function asking(questionsOf: (search: RawSearch, params: Params) => readonly Question[]) {
  return (arrival: Arrival) => {
    const { context, params, location, cause } = arrival as Arrival & { readonly params: Params };
    // Pointing at a link fetches the screen's code; its data would be old by the time of the press.
    if (cause !== 'enter') return;
    for (const { queryKey, queryFn } of questionsOf(location.search as RawSearch, params)) {
      void context.queries.prefetchQuery({ queryKey, queryFn: queryFn as QueryFunction });
    }
  };
}

const inRepository = (search: RawSearch) => {
  const repository = readPositive(search.repository);
  return repository === undefined ? null : { repository };
};
const everyAccount = (search: RawSearch) => ({ query: { accounts: 'all' as const, ...inRepository(search) } });
const team = () => ask('getTeamStats', { query: {} });
const choices = () => ask('listRepositories', undefined);
const people = () => ask('listContributors', { query: {} });

/** What stands around every signed-in screen. */
export const shell = () => [ask('listConnectedRepositories', undefined), ask('listStuckPullRequests', {})];

export const dashboard = () => [
  team(),
  people(),
  ask('listReviewerStats', everyAccount({})),
  ask('listDeveloperStats', everyAccount({})),
];

export const stuckPullRequests = (search: RawSearch) => {
  const query = inRepository(search);
  return [team(), choices(), people(), ...(query === null ? [] : [ask('listStuckPullRequests', { query })])];
};

export const reviewerStats = (search: RawSearch) => [team(), choices(), ask('listReviewerStats', everyAccount(search))];

export const developerStats = (search: RawSearch) => [
  team(),
  choices(),
  ask('listDeveloperStats', everyAccount(search)),
];

export const reviewLoad = (search: RawSearch) => [team(), choices(), ask('listReviewLoad', everyAccount(search))];

export const contributors = () => [ask('listContributors', { query: { accounts: 'all' } })];

/** A repository in the address has to be found among the choices first, so then they alone are asked for. */
export const contributor = (search: RawSearch, { username }: Params) => {
  if (username === undefined) return [];
  if (inRepository(search) !== null) return [choices()];
  const period = periodOf(readText(search.period) ?? localStorage.getItem(PERIOD_KEY));
  const view = { username, period, repository: null };
  return [choices(), askMetrics(view), askPullRequests(view), askReviewHours(view)];
};

export const pullRequests = (search: RawSearch) => [askForList(readPullRequestsSearch(search))];

export const pullRequest = (_search: RawSearch, { repoOwner = '', repoName = '', prNumber }: Params) => {
  const number = readPositive(prNumber);
  return number === undefined ? [] : [ask('getPullRequest', { params: { repoOwner, repoName, prNumber: number } })];
};

export const settings = () => [
  ask('listMarkedAccounts', undefined),
  ask('listContributors', { query: { accounts: 'all' } }),
  ask('listSessions', undefined),
];

/** How one may sign in, and whether there is a demo. */
export const signIn = () => [ask('getSignInOptions', undefined)];
