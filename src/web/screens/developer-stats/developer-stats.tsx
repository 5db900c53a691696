import { Page } from '../../layout/page.tsx';
import { DeveloperTable } from '../../panels/developer-table.tsx';
import { PeopleFilters } from '../../panels/filter-box.tsx';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';

/** How each developer fared in the last 30 days. */
export function DeveloperStatsScreen() {
  return (
    <Page title="Developers" subtitle="Merges of the last 30 days, size, and time to merge">
      <SyncMessages />
      <ImportNotice />
      <DeveloperTable filters={<PeopleFilters />} />
    </Page>
  );
}
