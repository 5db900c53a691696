import type { Trend } from '#contract/trends.ts';
import { ENOUGH_FOR_A_POINT } from '#domain/trends.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { useShown } from './shown.ts';
import classes from './trends.module.css';
import { nounOf } from './words.ts';

/** Whether the median full week of a line is over fewer than five. */
export function areWeeksFew({ lines, complete }: Pick<Trend, 'lines' | 'complete'>): boolean {
  const counts = lines
    .flatMap(({ points }) => points.flatMap(({ n }, at) => (complete[at] ? [n] : [])))
    .sort((a, b) => a - b);
  const { length } = counts;
  if (length === 0) return false;
  return (counts[Math.floor((length - 1) / 2)]! + counts[Math.ceil((length - 1) / 2)]!) / 2 < ENOUGH_FOR_A_POINT;
}

/** Proposes months where weeks hold too little. */
export function MonthsProposal({ trends }: { readonly trends: readonly Trend[] }) {
  const { bucket } = useShown().search;
  const change = useChangeSearch();
  const few = trends.find(areWeeksFew);
  if (bucket !== 'week' || few === undefined) return null;
  return (
    <p className={classes.proposal} data-screen-only>
      The median week has fewer than {ENOUGH_FOR_A_POINT} {nounOf(few).many}: months say more.
      <button type="button" onClick={() => change({ bucket: 'month' })}>
        Show months
      </button>
    </p>
  );
}
