import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { RepositoryFilter, UrlPropertyFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { PersonFilter } from '../../filters/person-filter.tsx';
import { useSetFilters } from '../../filters/set-filters.ts';
import { AskedFilter, TeamFilter } from '../../filters/team-filter.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { StuckTable } from '../../pull-requests/stuck-table.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { stuckCsv } from './stuck-csv.ts';
import { stuckHostColumn } from './stuck-host-column.tsx';

/** Pull requests that have been open for too long. */
export function StuckPullRequestsScreen() {
  const [active, clear] = useSetFilters(
    ['repository', 'team', 'asked', 'person', 'drafts', 'bots', 'agents'],
    ['team_as'],
  );
  return (
    <Page title={headings['stuck-prs']} subtitle={`Open for more than ${STUCK_AFTER_HOURS} hours`}>
      <SyncMessages />
      <ImportNotice />
      <StuckTable
        filters={(sort) => (
          <Filters active={active} onClear={clear} sort={sort}>
            <RepositoryFilter />
            <TeamFilter byRole />
            <AskedFilter />
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
