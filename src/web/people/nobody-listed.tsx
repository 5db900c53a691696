import { Link } from '@tanstack/react-router';
import { useChoice } from '../filters/choice-of-figures.ts';
import { rememberTeam } from '../filters/remembered-team.ts';
import { EmptyState } from '../kit/empty-state.tsx';
import { passFocusOut } from '../kit/focus-soon.ts';
import { ConnectFirst } from '../sync/connect-first.tsx';
import { useSync } from '../sync/sync-state.tsx';
import { useUrlFilter } from '../url/url-filter.ts';
import classes from './people-table.module.css';

interface Props {
  /** What there is nothing of, in a line: 'No review activity in the last 7 days'. */
  readonly title: string;
  /** Why, where no filter hides anybody. */
  readonly why: string;
  /** The dashboard's tables are not filtered by person. */
  readonly onPage: boolean;
}

/** What a table of people shows without rows, and what leads on: clearing the filters, or a sync. */
export default function NobodyListed({ title, why, onPage }: Props) {
  const { start, active } = useSync();
  const [person] = useUrlFilter('person');
  const chosen = useChoice();
  if ((onPage && person !== undefined) || Object.keys(chosen).length > 0) {
    return (
      <EmptyState
        title={title}
        why="Others may be hidden by the filters."
        next={
          <Link ref={passFocusOut} to="." search={{}} onClick={() => rememberTeam(undefined)}>
            Clear filters
          </Link>
        }
      />
    );
  }
  return (
    <ConnectFirst title={title}>
      <EmptyState
        title={title}
        why={why}
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
