import { ArrowLeftIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContributorSearch } from '../../layout/contributor-search.tsx';
import classes from './contributor.module.css';
import { RecentContributorsCard } from './recent-contributors-card.tsx';
import { useRecentContributors } from './use-recent-contributors.ts';

/** Search and recent people at the left, the person at the right. */
export function Columns({ current, children }: { current: string | undefined; children: ReactNode }) {
  const [recent] = useRecentContributors();
  return (
    <div className={classes.columns}>
      <aside className={classes.aside} aria-label="Other contributors">
        <ContributorSearch variant="page" />
        <RecentContributorsCard recent={recent} current={current} />
      </aside>
      <div className={classes.main}>{children}</div>
    </div>
  );
}

export function BackToDashboard() {
  return (
    <Link to="/dashboard" className={classes.back}>
      <ArrowLeftIcon size={14} />
      Back to Dashboard
    </Link>
  );
}
