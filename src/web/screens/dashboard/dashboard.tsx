import { Page } from '../../layout/page.tsx';
import { DeveloperTable } from '../../panels/developer-table.tsx';
import { ReviewerTable } from '../../panels/reviewer-table.tsx';
import { StuckTable } from '../../panels/stuck-table.tsx';
import { TeamStatsStrip } from '../../panels/team-stats-strip.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import classes from './dashboard.module.css';

/** The team at a glance: figures, what is stuck, who reviews and who develops. */
export function DashboardScreen() {
  return (
    <Page title="Engineering Metrics Dashboard" subtitle="Last 30 days">
      <SyncMessages />
      <TeamStatsStrip />
      <StuckTable />
      <div className={classes.people}>
        <ReviewerTable />
        <DeveloperTable />
      </div>
    </Page>
  );
}
