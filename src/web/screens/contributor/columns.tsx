import { ArrowLeftIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContributorSearch } from '../../layout/contributor-search.tsx';
import classes from './contributor.module.css';
import { RecentContributorsCard } from './recent-contributors-card.tsx';
import { useRecentContributors } from './use-recent-contributors.ts';

/** Search and recent people at the left, the person at the right; where there is one column, the recent people come last. */
export function Columns({ current, children }: { current: string | undefined; children: ReactNode }) {
  const [recent] = useRecentContributors();
  return (
    <div className={classes.columns}>
      <aside className={classes.aside} aria-label="Other contributors" data-screen-only>
        <ContributorSearch variant="page" />
      </aside>
      <div className={classes.main}>{children}</div>
      <aside className={classes.recent} aria-label="Recently viewed">
        <RecentContributorsCard recent={recent} current={current} />
      </aside>
    </div>
  );
}

export function BackToDashboard() {
  return (
    <Link to="/dashboard" className={classes.back} data-screen-only>
      <ArrowLeftIcon size={14} />
      Back to Dashboard
    </Link>
  );
}
