import { useChosenNames, useWindowWords } from '../../filters/choice-of-figures.ts';
import { HeadPickersBesideList } from '../../filters/head-pickers.tsx';
import { PeopleFilters } from '../../filters/people-filters.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { ReviewerTable } from '../../people/reviewer-table.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { reviewerCsv } from './reviewer-csv.ts';

/** Who reviewed in the chosen window and how fast. */
export function ReviewerStatsScreen() {
  const words = useWindowWords('7d');
  const names = useChosenNames();
  return (
    <Page
      title={headings['reviewer-stats']}
      subtitle={`Reviews ${words.of} and how fast they came${names.map((name) => `, ${name}`).join('')}`}
      actions={<HeadPickersBesideList own="7d" />}
    >
      <SyncMessages />
      <ImportNotice />
      <ReviewerTable
        filters={(sort) => <PeopleFilters own="7d" sort={sort} />}
        csv={(rows) => <CsvButton name="reviewer-stats" columns={reviewerCsv} rows={rows} />}
      />
    </Page>
  );
}
