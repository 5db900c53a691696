import type { TeamComparison, TeamRow } from '#contract/teams.ts';
import { type Incomparable, incomparable } from '#domain/change.ts';
import { durationParts } from '#domain/duration.ts';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { formatCount, formatMean } from '../../time/moment.ts';

/** A value over fewer than this is grey: too few to say. */
export const ENOUGH = 10;

type FigureKey = Exclude<keyof TeamRow, 'team' | 'key' | 'people_now'>;

export interface ComparedFigure {
  readonly key: FigureKey;
  readonly title: string;
  /** Where there is little room. */
  readonly brief: string;
  readonly tip: string;
  readonly format: (value: number) => { readonly figure: string; readonly unit?: string };
}

const counted = (value: number) => ({ figure: formatCount(value) });
const hours = (value: number) => durationParts(value) ?? { figure: '' };
const mean = (value: number) => ({ figure: formatMean(value) });

/** What is compared of each team, in the order of the columns. */
export const comparedFigures: readonly ComparedFigure[] = [
  {
    key: 'opened',
    title: 'Opened',
    brief: 'Opened',
    tip: 'Pull requests that members opened in this window.',
    format: counted,
  },
  { key: 'merged', title: 'Merged', brief: 'Merged', tip: 'Of members, merged in this window.', format: counted },
  {
    key: 'time_to_first_review',
    title: 'Time to first review',
    brief: 'First review',
    tip: 'From ready for review to the first counting review: the median.',
    format: hours,
  },
  {
    key: 'time_to_merge',
    title: 'Time to merge',
    brief: 'To merge',
    tip: 'From opened to merged: the median.',
    format: hours,
  },
  {
    key: 'size',
    title: 'Size',
    brief: 'Size',
    tip: 'Changed lines: the median.',
    format: (value) => ({ figure: formatCount(Math.round(value)), unit: 'lines' }),
  },
  {
    key: 'rounds',
    title: 'Rounds',
    brief: 'Rounds',
    tip: 'Review rounds of merged ones with a counting review: the median.',
    format: mean,
  },
  {
    key: 'stuck',
    title: 'Stuck now',
    brief: 'Stuck',
    tip: `Open for more than ${STUCK_AFTER_HOURS} hours; the change is against the beginning of the window.`,
    format: counted,
  },
  {
    key: 'reviews_per_merged',
    title: 'Reviews per merged',
    brief: 'Reviews each',
    tip: 'Counting reviews on merged pull requests, for each of these.',
    format: mean,
  },
];

/** How many things a figure of a row is over; null of counts, which say it themselves. */
export function countOf(row: TeamRow, key: FigureKey): number | null {
  const figure = row[key];
  return 'n' in figure ? figure.n : null;
}

/** What the figures of an answer are compared with. */
export type Against = Pick<TeamComparison, 'window' | 'compared_with'>;

/** Why a figure's change is not shown as a percentage; null where it is. What was stuck is of the moment when the window began. */
export function incomparableIn({ window, compared_with }: Against, row: TeamRow, key: FigureKey): Incomparable | null {
  const now = countOf(row, key);
  return incomparable(key === 'stuck' ? { ...compared_with, from: window.from } : compared_with, {
    before: row[key].before,
    ...(now !== null && { now }),
  });
}
