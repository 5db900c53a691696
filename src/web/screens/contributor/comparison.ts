import { useQuery } from '@tanstack/react-query';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { nameOf, shownLogin } from '../../people/person-name.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { askMetrics, type View } from './questions.ts';
import { sameUsername } from './recent-contributors.ts';

/** In the address the team has this name; no account can be called so. */
export const TEAM = '*';

/** What a contributor's figures stand beside. */
export interface Compared {
  readonly name: string;
  readonly figures: ContributorMetrics['team_averages']['period'];
  /** Everything about the other person; null for the team, of which only means are known. */
  readonly metrics: ContributorMetrics | null;
}

export interface Comparison {
  /** `TEAM`, a username, or undefined where nothing is compared. */
  readonly asked: string | undefined;
  /** Null until the other side is there. */
  readonly compared: Compared | null;
  /** The other side is still that of the view before. */
  readonly isOutdated: boolean;
  /** Why the other side could not be loaded; null without a failure. */
  readonly error: unknown;
  readonly retry: () => void;
  /** Compares with the team, with someone, or with nobody; kept in the address as `compare`. */
  readonly compareWith: (other: string | undefined) => void;
}

/** Comparison mode: the same figures of one other contributor, or the team's means, over the same period and repository. */
export function useComparison(view: View, metrics: ContributorMetrics | undefined, settled: boolean): Comparison {
  const [inAddress, compareWith] = useUrlFilter('compare');
  const asked = inAddress !== undefined && sameUsername(inAddress, view.username) ? undefined : inAddress;
  const withSomeone = asked !== undefined && asked !== TEAM;
  const other = useQuery({ ...askMetrics({ ...view, username: asked ?? '' }), enabled: withSomeone && settled });
  const retry = () => void other.refetch();
  const base = {
    asked,
    retry,
    compareWith,
    isOutdated: withSomeone && other.isPlaceholderData,
    error: withSomeone ? other.error : null,
  };
  if (asked === TEAM && metrics !== undefined) {
    return { ...base, compared: { name: 'Team average', figures: metrics.team_averages.period, metrics: null } };
  }
  if (!withSomeone || other.data === undefined) return { ...base, compared: null };
  const { data } = other;
  const sameName = data.display_name === metrics?.display_name;
  const name = sameName ? shownLogin(data.username) : nameOf(data.username, data.display_name);
  return { ...base, compared: { name, figures: data, metrics: data } };
}
