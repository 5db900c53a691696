import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { CsvButton } from '../../panels/csv-button.tsx';
import { PeopleFilters } from '../../panels/filter-box.tsx';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { reviewerCsv } from '../../panels/reviewer-csv.ts';
import { ReviewerTable } from '../../panels/reviewer-table.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';

/** Who reviewed in the last 7 days and how fast. */
export function ReviewerStatsScreen() {
  return (
    <Page title={headings['reviewer-stats']} subtitle="Reviews of the last 7 days and how fast they came">
      <SyncMessages />
      <ImportNotice />
      <ReviewerTable
        filters={(sort) => <PeopleFilters sort={sort} />}
        csv={(rows) => <CsvButton name="reviewer-stats" columns={reviewerCsv} rows={rows} />}
      />
    </Page>
  );
}
