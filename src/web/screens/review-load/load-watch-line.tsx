import type { ReviewLoadRow } from '#contract/team.ts';
import { loadWatch } from '#domain/load-watch.ts';
import { Explain } from '../../explain/explain.tsx';
import type { Choice } from '../../filters/choice-of-figures.ts';
import { Banner } from '../../kit/banner.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './review-load.module.css';

interface Props {
  /** Of people; undefined while they are fetched. */
  readonly rows: readonly ReviewLoadRow[] | undefined;
  readonly chosen: Choice;
  /** When the reviews were given: "last week". */
  readonly during: string;
  /** Bots and agents are listed, too: the sums beside the line count theirs. */
  readonly amongOthers: boolean;
}

/**
 * One line when a single person holds too much of what is outstanding, and who has room (docs/product.md#review-load). When nobody does
 * it says so in the same place, so that what stands below never moves.
 */
export function LoadWatchLine({ rows, chosen, during, amongOthers }: Props) {
  if (rows === undefined) {
    return (
      <div className={classes.watchLine} aria-hidden="true">
        <Late>
          <Line width="60%" />
        </Late>
      </div>
    );
  }
  const watch = loadWatch(rows);
  if (watch === null) return <Banner meaning="note">{evenly(rows, amongOthers)}</Banner>;
  const { heaviest, outstanding, withRoom } = watch;
  const held = formatCount(heaviest.outstanding_reviews);
  return (
    <Banner
      meaning="watch"
      aside={
        <span className={classes.see}>
          <Explain metric="load.outstanding_reviews" username={heaviest.reviewer} {...chosen}>
            See the {held} pull requests
          </Explain>
        </span>
      }
    >
      <b>
        {held} of {formatCount(outstanding)} outstanding reviews {amongOthers && 'by people '}wait for{' '}
        {shownLogin(heaviest.reviewer)}
      </b>
      , who gave {formatCount(heaviest.reviews_last_week)} {during}.{roomOf(withRoom)}
    </Banner>
  );
}

function evenly(rows: readonly ReviewLoadRow[], amongOthers: boolean): string {
  const outstanding = rows.reduce((sum, row) => sum + row.outstanding_reviews, 0);
  const most = rows.reduce((a, b) => (b.outstanding_reviews > a.outstanding_reviews ? b : a), rows[0]!);
  if (outstanding === 0) return amongOthers ? 'No review by a person is outstanding.' : 'No review is outstanding.';
  const share = `${formatCount(most.outstanding_reviews)} of ${formatCount(outstanding)}`;
  return `Evenly spread${amongOthers ? ' among people' : ''}: the most is ${share}, ${shownLogin(most.reviewer)}.`;
}

function roomOf(rows: readonly ReviewLoadRow[]): string {
  const names = rows.map(({ reviewer }) => shownLogin(reviewer)).join(' and ');
  const counts = rows.map(({ outstanding_reviews }) => formatCount(outstanding_reviews)).join(' and ');
  if (rows.length === 0) return '';
  return ` ${names} ${rows.length === 1 ? 'has' : 'have'} room: ${counts} waiting.`;
}
