import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { CsvButton } from '../../panels/csv-button.tsx';
import { developerCsv } from '../../panels/developer-csv.ts';
import { DeveloperTable } from '../../panels/developer-table.tsx';
import { PeopleFilters } from '../../panels/filter-box.tsx';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { developerColumns, reviewingColumns } from '../../panels/reviewing-columns.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';

/** How each developer fared in the last 30 days. */
export function DeveloperStatsScreen() {
  return (
    <Page title={headings['developer-stats']} subtitle="Merges of the last 30 days, size, and time to merge">
      <SyncMessages />
      <ImportNotice />
      <DeveloperTable
        page={{
          filters: (sort) => <PeopleFilters sort={sort} />,
          csv: (rows) => <CsvButton name="developer-stats" columns={developerCsv} rows={rows} />,
          all: developerColumns,
          reviewing: reviewingColumns,
        }}
      />
    </Page>
  );
}
