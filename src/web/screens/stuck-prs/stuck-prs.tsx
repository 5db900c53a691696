import { Page } from '../../layout/page.tsx';
import { PeopleFilters, UrlPropertyFilter } from '../../panels/filter-box.tsx';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { StuckTable } from '../../panels/stuck-table.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';

/** Pull requests that have been open for more than 48 hours. */
export function StuckPullRequestsScreen() {
  return (
    <Page title="Stuck PRs" subtitle="Open for more than 48 hours">
      <SyncMessages />
      <ImportNotice />
      <StuckTable
        filters={
          <>
            <PeopleFilters />
            <UrlPropertyFilter name="drafts" />
            <UrlPropertyFilter name="bots" />
            <UrlPropertyFilter name="agents" />
          </>
        }
      />
    </Page>
  );
}
