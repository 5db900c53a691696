import { type ParsedLocation, redirect } from '@tanstack/react-router';
import type { FilterRepository } from '#contract/repositories.ts';
import { type Period, periodOf } from '#domain/period.ts';
import type { Api } from '../../api/client.ts';
import { ask } from '../../api/query.ts';
import { askRepositories, askTeams } from '../../api/questions.ts';
import { readCredit } from '../../filters/credit.ts';
import { inStorage } from '../../session/in-storage.ts';
import { type PathParams, type RawSearch, readPositive, readText } from '../../url/url-state.ts';

/** The device keeps the period that was last chosen under this key. */
const PERIOD_KEY = 'contributor-period';

export function rememberPeriod(period: Period): void {
  inStorage(() => localStorage.setItem(PERIOD_KEY, period));
}

/**
 * Opens a contributor's page whose address has no period with the one that was last chosen on this device, or, from a kept view, with 30 days,
 * so that the address holds all that is shown: for `beforeLoad` of its route.
 * @throws Redirect to the same page with the period in its address
 */
export function withRememberedPeriod({
  location: { search, state },
  params,
}: {
  readonly location: ParsedLocation;
  readonly params: PathParams;
}): void {
  const remembered = inStorage(() => localStorage.getItem(PERIOD_KEY));
  const { partsMissing } = state;
  if (params.username === undefined || remembered === null || readText((search as RawSearch).period) !== undefined)
    return;
  throw redirect({
    to: '.',
    search: { ...search, period: periodOf(partsMissing === undefined ? remembered : null) } as RawSearch,
    replace: true,
    state: partsMissing === undefined ? {} : { partsMissing },
  });
}

/** Whose figures are shown, over which period and in which repository. */
export interface View {
  readonly username: string;
  readonly period: Period;
  readonly repository: FilterRepository | null;
  /** What they did as a member of it; undefined: all that they did. */
  readonly team: number | undefined;
  /** Agents' pull requests are counted to who started them, too. */
  readonly credit: 'started' | undefined;
}

type About = 'getContributorMetrics' | 'listContributorPullRequests' | 'getReviewHeatmap';

interface Asked {
  readonly queryKey: readonly unknown[];
}

/** Whose answer a question's key asked for. */
function personIn(asked: Asked | undefined): string | undefined {
  const input = asked?.queryKey[1] as { readonly params?: { readonly username?: string } } | undefined;
  return input?.params?.username;
}

/** While another period, repository or team is fetched the same person's answer stays on screen, never another person's. */
function askAbout<N extends About>(name: N, username: string, input: Parameters<Api[N]>[0]) {
  return {
    ...ask(name, input),
    placeholderData: <Answer>(before: Answer | undefined, asked: Asked | undefined) =>
      personIn(asked) === username ? before : undefined,
  };
}

/** A contributor's figures over the view's period and repository. */
export function askMetrics({ username, period, repository, team, credit }: View) {
  return askAbout('getContributorMetrics', username, {
    params: { username },
    query: { period, repository: repository?.id, team, credit },
  });
}

/** All pull requests of a contributor in the view's repository, whatever the period. */
export function askPullRequests({ username, repository, team, credit }: View) {
  return askAbout('listContributorPullRequests', username, {
    params: { username },
    query: { repository: repository?.id, team, credit },
  });
}

/** When a contributor reviewed in the last 90 days. */
export function askReviewHours({ username, repository, team, credit }: View) {
  return askAbout('getReviewHeatmap', username, {
    params: { username },
    query: { repository: repository?.id, team, credit },
  });
}

/** A repository in the address has to be found among the choices first, so then they alone are asked for. */
export function contributorQuestions(search: RawSearch, { username }: PathParams) {
  if (username === undefined) return [];
  if (readPositive(search.repository) !== undefined) return [askRepositories(), askTeams()];
  const view = {
    username,
    period: periodOf(readText(search.period)),
    repository: null,
    team: readPositive(search.team),
    credit: readCredit(search).credit,
  };
  return [askRepositories(), askTeams(), askMetrics(view), askPullRequests(view), askReviewHours(view)];
}
