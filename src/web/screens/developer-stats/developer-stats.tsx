import { PeopleFilters } from '../../filters/filter-box.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { DeveloperTable } from '../../people/developer-table.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { developerCsv } from './developer-csv.ts';
import { developerColumns, reviewingColumns } from './reviewing-columns.tsx';

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
