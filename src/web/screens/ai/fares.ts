import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { compareWithinSizes, isComparedWithinSizes, NO_TRACE, numberAt } from '#domain/ai-within-sizes.ts';
import type { Percentile } from '#domain/percentiles.ts';
import type { AuthorshipCell } from './csv.ts';
import { isFew, type Unit } from './words.ts';

type Group = AiAuthorship['groups'][number];

export interface FigureRow {
  readonly key: keyof Group['figures'];
  readonly unit: Unit;
}

/** What the table tells, in its order; how each is called is told in the domain. */
export const figureRows: readonly FigureRow[] = [
  { key: 'merge_rate', unit: 'share' },
  { key: 'time_to_first_review', unit: 'hours' },
  { key: 'time_to_merge', unit: 'hours' },
  { key: 'waiting_for_review_time', unit: 'hours' },
  { key: 'review_cycles', unit: 'mean' },
  { key: 'human_findings', unit: 'mean' },
  { key: 'lines_changed', unit: 'lines' },
  { key: 'changed_files', unit: 'files' },
  { key: 'commits_by_agent', unit: 'share' },
  { key: 'merged_unreviewed', unit: 'share' },
  { key: 'merged_on_own_word', unit: 'share' },
  { key: 'independent_reviews', unit: 'mean' },
  { key: 'reverted', unit: 'share' },
  { key: 'followed_up', unit: 'share' },
  { key: 'failing_at_last_push', unit: 'share' },
];

interface Way {
  /** The answer that the group is of, and the one in which those without a trace are. */
  readonly from: AiAuthorship;
  readonly peopleFrom: AiAuthorship;
  readonly sameSize: boolean;
  readonly statistic: Percentile;
}

/**
 * A group's figure as the table shows it. Within the same sizes it is weighted so that it stands beside those without a trace; where no
 * size has enough of both, there is none. Those themselves are over all sizes. Too few on either side are compared with nothing.
 */
export function cellOf(
  { key }: FigureRow,
  group: Group,
  { from, peopleFrom, sameSize, statistic }: Way,
): Pick<AuthorshipCell, 'value' | 'n' | 'comparedWith'> {
  const plain = { ...numberAt(group.figures[key], statistic), comparedWith: null };
  if (!sameSize || !isComparedWithinSizes(key, group.key)) return plain;
  const sized = (of: AiAuthorship, wanted: string, size: string) =>
    of.within_sizes.find((one) => one.size === size)?.groups.find((one) => one.key === wanted)?.figures[key];
  const { group: own, no_trace } = compareWithinSizes(
    from.within_sizes.map(({ size }) => ({
      size,
      group: sized(from, group.key, size),
      no_trace: sized(peopleFrom, NO_TRACE, size),
    })),
    statistic,
  );
  return own.value === null
    ? { value: null, n: plain.n, comparedWith: null }
    : { ...own, comparedWith: isFew(own) || isFew(no_trace) ? null : no_trace.value };
}

/** Whether anything is told of agents' pull requests, whichever moment is in the window. */
export function hasTrace({ groups, bots_with_trace }: AiAuthorship): boolean {
  const traced = groups.filter(({ key }) => key === 'assisted' || key === 'agent');
  return (
    bots_with_trace > 0 ||
    traced.some(
      ({ n_opened, n_merged, tried, figures: { merge_rate, time_to_first_review } }) =>
        n_opened + n_merged + tried + merge_rate.n + time_to_first_review.n > 0,
    )
  );
}
