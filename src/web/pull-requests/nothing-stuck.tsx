import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { useNarrowing } from '../filters/choice-of-figures.ts';
import { rememberTeam } from '../filters/remembered-team.ts';
import { EmptyState } from '../kit/empty-state.tsx';
import { passFocusOut } from '../kit/focus-soon.ts';
import { ConnectFirst } from '../sync/connect-first.tsx';
import { useSync } from '../sync/sync-state.tsx';
import { useUrlFilter } from '../url/url-filter.ts';
import { readPositive } from '../url/url-state.ts';
import { askStuckCounts } from './questions.ts';
import classes from './stuck-table.module.css';

/**
 * What the list of stuck pull requests says when there are none, or none that the filters leave; `filtered` where others are among
 * what it is narrowed to.
 */
export default function NothingStuck({ filtered }: { filtered: boolean }) {
  const { start, active } = useSync();
  const of = useNarrowing();
  const asked = readPositive(useUrlFilter('asked')[0]);
  const isNarrowed = asked !== undefined || Object.keys(of).length > 0;
  const others = useQuery({ ...askStuckCounts(), enabled: isNarrowed }).data?.all ?? 0;
  if (filtered || (isNarrowed && others > 0)) {
    return (
      <EmptyState
        title="No stuck PRs found"
        why="Other stuck pull requests are hidden by the filters."
        next={
          <Link ref={passFocusOut} to="." search={{}} onClick={() => rememberTeam(undefined)}>
            Clear filters
          </Link>
        }
      />
    );
  }
  return (
    <ConnectFirst title="No stuck PRs found">
      <EmptyState
        goodNews
        title="No stuck PRs found"
        why={`Nothing ${isNarrowed ? 'here ' : ''}has been open for more than ${STUCK_AFTER_HOURS} hours.`}
        next={
          <button
            type="button"
            className={classes.show}
            aria-disabled={active}
            onClick={() => active || start('smart')}
          >
            Sync to check again
          </button>
        }
      />
    </ConnectFirst>
  );
}
