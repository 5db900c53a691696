import type { ComparativeMetrics, PullRequestDetail } from '#contract/pull-requests.ts';
import { ENOUGH_TO_COMPARE } from '#domain/metrics/thresholds.ts';
import { shownLogin } from '../../people/person-name.tsx';

/** Why the team's figures are missing, in a sentence; null where they are not (docs/metrics.md#one-pull-request). */
export function tooFewToCompare({ team_p50_cycle_time, comparison_set_size }: ComparativeMetrics): string | null {
  if (team_p50_cycle_time !== null) return null;
  const found =
    comparison_set_size === 0
      ? 'No other was'
      : `Only ${comparison_set_size} ${comparison_set_size === 1 ? 'other was' : 'others were'}`;
  return `${found} merged in the 90 days before; from ${ENOUGH_TO_COMPARE} on they are compared.`;
}

/** Why the author's averages are missing, in a sentence. */
export function noOthers({ author, author_kind }: PullRequestDetail): string {
  return author_kind === 'ghost'
    ? 'The author’s account was deleted, so their others are unknown.'
    : `No other of ${shownLogin(author)} was merged in the 180 days before.`;
}
