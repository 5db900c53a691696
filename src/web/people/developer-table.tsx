import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import type { DeveloperStat } from '#contract/team.ts';
import {
  GOOD_APPROVAL_ABOVE_PERCENT,
  GOOD_FIRST_TIME_ABOVE_PERCENT,
  GOOD_REVIEW_RATIO_ABOVE,
  SLOW_MERGE_ABOVE_HOURS,
  SLOW_REVIEW_ABOVE_HOURS,
} from '#domain/metrics/thresholds.ts';
import { matchesSearch } from '#domain/search.ts';
import { part } from '../api/part.ts';
import { useChoice, useWindowWords } from '../filters/choice-of-figures.ts';
import { useCredit } from '../filters/credit.ts';
import { Card } from '../kit/card.tsx';
import { useScreen } from '../kit/is-printing.ts';
import { SegmentedFilter } from '../kit/segmented-filter.tsx';
import type { Sorting } from '../kit/sort-bar.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { DataTable } from '../table/data-table.tsx';
import { inOrder } from '../table/sort-rows.ts';
import { formatCount } from '../time/moment.ts';
import { useUrlFilter } from '../url/url-filter.ts';
import { readOneOf, useUrlSort } from '../url/url-state.ts';
import { AccountsFoot, isPerson, useAllAccounts } from './accounts-foot.tsx';
import { columnsIn } from './columns-in.ts';
import { authoringColumns, type DeveloperColumn, developerColumn, developerOf } from './developer-columns.tsx';
import { Before } from './flagged.tsx';
import { PeopleFigures } from './people-figures.tsx';
import { peopleRows } from './people-rows.tsx';
import { personKeys } from './person-keys.ts';
import { askDevelopers } from './questions.ts';

const NobodyListed = lazy(part(() => import('./nobody-listed.tsx')));

const ON_DASHBOARD = 8;

/** The dashboard's, and where all have no room one half of them. */
const asAuthors: readonly DeveloperColumn[] = Object.values(authoringColumns);
const halves = ['authoring', 'reviewing'] as const;

/** What the page of its own has and the dashboard does without. */
interface DevelopersPage {
  readonly filters: (sort: Sorting) => ReactNode;
  /** The button that downloads the rows as they are shown; undefined while they are not there yet. */
  readonly csv: (rows: readonly DeveloperStat[] | undefined) => ReactNode;
  /** Whether agents' pull requests count to who started them. */
  readonly credit: ReactNode;
  /** Every figure, and those about reviews. */
  readonly all: readonly DeveloperColumn[];
  readonly reviewing: readonly DeveloperColumn[];
}

interface Props {
  /** Without it, it is the dashboard's table, which shows a few rows. */
  readonly page?: DevelopersPage;
}

/** How each developer fared in the chosen window, the last 30 days unless another is (docs/product.md#reviewers-and-developers). */
export function DeveloperTable({ page }: Props) {
  const onPage = page !== undefined;
  const narrowed = useChoice();
  const credit = useCredit();
  const chosen = onPage ? { ...narrowed, ...credit } : narrowed;
  const words = useWindowWords('30d');
  const developers = useQuery(askDevelopers(chosen));
  const [person] = useUrlFilter('person');
  const [withAutomation] = useAllAccounts();
  const [figuresOf, setHalf] = useUrlFilter('figures');
  const half = readOneOf(figuresOf, halves) ?? 'authoring';
  // A table less wide than a desktop's has room for half of eleven figures; a list on a phone has room for all.
  const divided = useScreen('(min-width: 48em) and (max-width: 89.99em)', true);

  const people = developers.data?.filter(isPerson);
  const top = people?.[0];
  const rowKey = personKeys(developers.data, (row) => row.author);
  const rows = (withAutomation ? developers.data : people)?.filter(
    (row) => !onPage || matchesSearch([row.author, row.display_name], person ?? ''),
  );
  const own = !onPage ? asAuthors : divided ? (half === 'authoring' ? asAuthors : page.reviewing) : page.all;
  const figures = words.isChosen ? columnsIn(own, words.alone) : own;
  const columns = [developerColumn(top), ...figures];
  // What the table is sorted by stands in it, in the half without what was merged, too.
  const byOwn = own.includes(authoringColumns.merged_prs) ? 'merged_prs' : 'reviews_given';
  const [sort, onSort] = useUrlSort('developers', { column: byOwn, descending: true }, columns);
  const phone = usePhone();
  const file = page?.csv(developers.isPlaceholderData ? undefined : rows && inOrder(rows, columns, sort));
  return (
    <Card
      title="Developers"
      caption={words.caption}
      controls={
        onPage ? (
          <>
            {divided && (
              <SegmentedFilter
                label="Figures"
                value={half}
                onChange={(value) => setHalf(value === 'authoring' ? undefined : value)}
                options={[
                  { value: 'authoring', label: 'Pull requests' },
                  { value: 'reviewing', label: 'Reviews' },
                ]}
              />
            )}
            {page.filters({ columns, sort, onSort })}
            {!phone && file}
          </>
        ) : (
          <Link to="/developer-stats" search={narrowed} state={{ addsNoTeam: true }}>
            All developers
          </Link>
        )
      }
      foot={
        developers.data && (
          <>
            <AccountsFoot others={developers.data.length - (people?.length ?? 0)} />
            {page?.credit}
            <span>
              Arrows compare with {words.before}. Orange: merge time over {SLOW_MERGE_ABOVE_HOURS} h
              {onPage && `, review speed over ${SLOW_REVIEW_ABOVE_HOURS} h`}. Green:{' '}
              {onPage && `approval over ${GOOD_APPROVAL_ABOVE_PERCENT}%, `}first-time OK over{' '}
              {GOOD_FIRST_TIME_ABOVE_PERCENT}%{onPage && `, ratio over ${GOOD_REVIEW_RATIO_ABOVE}`}.
            </span>
            {phone && file}
          </>
        )
      }
      outdated={developers.isPlaceholderData}
      flush
    >
      <Before value={words.before}>
        <PeopleFigures chosen={chosen}>
          <DataTable
            label="Developers"
            columns={columns}
            rowKey={rowKey}
            rowHeight={40}
            answer={{
              data: rows,
              error: developers.error,
              refetch: () => developers.refetch(),
              isPlaceholderData: developers.isPlaceholderData,
            }}
            failure="Failed to fetch developer stats"
            empty={
              <NobodyListed
                title={`No developer activity ${words.during}`}
                why={`Nobody opened, merged or reviewed a pull request ${words.during}, and none is open.`}
                onPage={onPage}
              />
            }
            sort={sort}
            onSort={onSort}
            {...(!onPage && { limit: ON_DASHBOARD })}
            people={peopleRows({
              rowKey,
              who: (row) => developerOf(row, top),
              columns: figures,
              leading: ['merged_prs', 'avg_merge_time_hours', 'first_time_approval_rate'],
              note: (row) => (row === top ? 'Top Contributor' : `${formatCount(row.open_prs)} open`),
            })}
          />
        </PeopleFigures>
      </Before>
    </Card>
  );
}
