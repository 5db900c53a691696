import { PeopleFilters } from '../../filters/filter-box.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { ReviewerTable } from '../../people/reviewer-table.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { reviewerCsv } from './reviewer-csv.ts';

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
