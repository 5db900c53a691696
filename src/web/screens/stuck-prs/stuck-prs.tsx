import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { CsvButton } from '../../panels/csv-button.tsx';
import { PersonFilter, RepositoryFilter, UrlPropertyFilter } from '../../panels/filter-box.tsx';
import { Filters } from '../../panels/filter-button.tsx';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { useSetFilters } from '../../panels/set-filters.ts';
import { stuckCsv } from '../../panels/stuck-csv.ts';
import { stuckHostColumn } from '../../panels/stuck-host-column.tsx';
import { StuckTable } from '../../panels/stuck-table.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';

/** Pull requests that have been open for more than 48 hours. */
export function StuckPullRequestsScreen() {
  const [active, clear] = useSetFilters(['repository', 'person', 'drafts', 'bots', 'agents']);
  return (
    <Page title={headings['stuck-prs']} subtitle="Open for more than 48 hours">
      <SyncMessages />
      <ImportNotice />
      <StuckTable
        filters={(sort) => (
          <Filters active={active} onClear={clear} sort={sort}>
            <RepositoryFilter />
            <PersonFilter />
            <UrlPropertyFilter name="drafts" />
            <UrlPropertyFilter name="bots" />
            <UrlPropertyFilter name="agents" />
          </Filters>
        )}
        hostColumn={stuckHostColumn}
        csv={(rows) => <CsvButton name="stuck-prs" columns={stuckCsv} rows={rows} />}
      />
    </Page>
  );
}
