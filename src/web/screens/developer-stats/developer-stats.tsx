import { useChosenNames, useWindowWords } from '../../filters/choice-of-figures.ts';
import { creditWords, useCredit } from '../../filters/credit.ts';
import { CreditChoice } from '../../filters/credit-choice.tsx';
import { HeadPickersBesideList } from '../../filters/head-pickers.tsx';
import { PeopleFilters } from '../../filters/people-filters.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { DeveloperTable } from '../../people/developer-table.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { developerCsv } from './developer-csv.ts';
import { developerColumns, reviewingColumns } from './reviewing-columns.tsx';

/** How each developer fared in the chosen window. */
export function DeveloperStatsScreen() {
  const words = useWindowWords('30d');
  const credit = useCredit();
  const names = [...useChosenNames(), creditWords(credit)].filter((name) => name !== null);
  return (
    <Page
      title={headings['developer-stats']}
      subtitle={`Merges ${words.of}, size, and time to merge${names.map((name) => `, ${name}`).join('')}`}
      actions={<HeadPickersBesideList own="30d" />}
    >
      <SyncMessages />
      <ImportNotice />
      <DeveloperTable
        page={{
          filters: (sort) => <PeopleFilters own="30d" sort={sort} />,
          csv: (rows) => <CsvButton name="developer-stats" columns={developerCsv(credit)} rows={rows} />,
          credit: <CreditChoice />,
          all: developerColumns(!words.isChosen),
          reviewing: reviewingColumns(!words.isChosen),
        }}
      />
    </Page>
  );
}
