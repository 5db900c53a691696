import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { type OfSize, withinSizes } from '#domain/ai-reviewers.ts';
import type { AuthorshipCell } from './csv.ts';
import type { Statistic } from './search.ts';
import type { Unit } from './words.ts';

type Group = AiAuthorship['groups'][number];
type Figures = Group['figures'];

export interface FigureRow {
  readonly key: keyof Figures;
  readonly unit: Unit;
  /** It is the size itself, or told of agents alone: over all sizes always. */
  readonly isOfAllSizes?: boolean;
}

/** What the table tells, in its order; how each is called is told in the domain. */
export const figureRows: readonly FigureRow[] = [
  { key: 'merge_rate', unit: 'share' },
  { key: 'time_to_first_review', unit: 'hours' },
  { key: 'time_to_merge', unit: 'hours' },
  { key: 'waiting_for_review_time', unit: 'hours' },
  { key: 'review_cycles', unit: 'mean' },
  { key: 'human_findings', unit: 'mean' },
  { key: 'lines_changed', unit: 'lines', isOfAllSizes: true },
  { key: 'changed_files', unit: 'files', isOfAllSizes: true },
  { key: 'commits_by_agent', unit: 'share', isOfAllSizes: true },
  { key: 'merged_unreviewed', unit: 'share' },
  { key: 'merged_on_own_word', unit: 'share', isOfAllSizes: true },
  { key: 'independent_reviews', unit: 'mean', isOfAllSizes: true },
  { key: 'reverted', unit: 'share' },
  { key: 'followed_up', unit: 'share' },
  { key: 'failing_at_last_push', unit: 'share' },
];

interface Way {
  /** The answer that the group is of, and the one in which those without a trace are. */
  readonly from: AiAuthorship;
  readonly peopleFrom: AiAuthorship;
  readonly sameSize: boolean;
  readonly statistic: Statistic;
}

/**
 * A group's figure as the table shows it. Within the same sizes it is weighted so that it stands beside those without a trace; where no
 * size has enough of both, there is none. Those themselves are over all sizes.
 */
export function cellOf(
  { key, isOfAllSizes = false }: FigureRow,
  group: Group,
  { from, peopleFrom, sameSize, statistic }: Way,
): Pick<AuthorshipCell, 'value' | 'n' | 'comparedWith'> {
  const counted = (figures: Figures): OfSize => {
    const figure = figures[key];
    return { value: 'p50' in figure ? figure[statistic] : figure.value, n: figure.n };
  };
  const plain = { ...counted(group.figures), comparedWith: null };
  if (!sameSize || isOfAllSizes || group.key === 'human') return plain;
  const sized = (of: AiAuthorship, wanted: string, size: string): OfSize => {
    const found = of.within_sizes.find((one) => one.size === size)?.groups.find((one) => one.key === wanted);
    return found === undefined ? { value: null, n: 0 } : counted(found.figures);
  };
  const [own, people] = withinSizes(
    from.within_sizes.map(({ size }) => [sized(from, group.key, size), sized(peopleFrom, 'human', size)]),
  );
  return own.value === null ? { value: null, n: plain.n, comparedWith: null } : { ...own, comparedWith: people.value };
}
