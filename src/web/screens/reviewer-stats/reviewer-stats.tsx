import { Page } from '../../layout/page.tsx';
import { PeopleFilters } from '../../panels/filter-box.tsx';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { ReviewerTable } from '../../panels/reviewer-table.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';

/** Who reviewed in the last 7 days and how fast. */
export function ReviewerStatsScreen() {
  return (
    <Page title="Reviewers" subtitle="Reviews of the last 7 days and how fast they came">
      <SyncMessages />
      <ImportNotice />
      <ReviewerTable filters={<PeopleFilters />} />
    </Page>
  );
}
