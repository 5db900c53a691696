import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import type { DeveloperStat } from '#contract/team.ts';
import { matchesSearch } from '#domain/search.ts';
import { part } from '../api/part.ts';
import { ask } from '../api/query.ts';
import { useUrlFilter } from '../layout/url-filter.ts';
import { readOneOf, useUrlSort } from '../layout/url-state.ts';
import { AccountsFoot, isPerson, useAllAccounts } from './accounts-foot.tsx';
import { Card } from './card.tsx';
import { DataTable } from './data-table.tsx';
import { authoringColumns, type DeveloperColumn, developerColumn, developerOf } from './developer-columns.tsx';
import type { SheetSort } from './filter-button.tsx';
import { useRepositoryFilter } from './filters.ts';
import { useScreen } from './is-printing.ts';
import { formatCount } from './moment.ts';
import { PeopleFigures } from './people-figures.tsx';
import { SegmentedFilter } from './segmented-filter.tsx';
import { inOrder } from './sort-rows.ts';
import { usePhone } from './use-phone.ts';

const NobodyListed = lazy(part(() => import('./nobody-listed.tsx')));

const ON_DASHBOARD = 8;

/** The dashboard's, and where all have no room one half of them. */
const asAuthors: readonly DeveloperColumn[] = Object.values(authoringColumns);
const halves = ['authoring', 'reviewing'] as const;

/** What the page of its own has and the dashboard does without. */
interface DevelopersPage {
  readonly filters: (sort: SheetSort) => ReactNode;
  /** The button that downloads the rows as they are shown; undefined while they are not there yet. */
  readonly csv: (rows: readonly DeveloperStat[] | undefined) => ReactNode;
  /** Every figure, and those of reviewing. */
  readonly all: readonly DeveloperColumn[];
  readonly reviewing: readonly DeveloperColumn[];
}

interface Props {
  /** Without it, it is the dashboard's table, which shows all repositories and a few rows. */
  readonly page?: DevelopersPage;
}

/** How each developer fared in the last 30 days (docs/product.md#reviewers-and-developers). */
export function DeveloperTable({ page }: Props) {
  const onPage = page !== undefined;
  const repository = useRepositoryFilter();
  const query = { accounts: 'all' as const, ...(onPage && repository ? { repository } : {}) };
  // Bots and agents come along always, so that their number can be said; no figure of a person changes by it.
  const developers = useQuery(ask('listDeveloperStats', { query }));
  const [person] = useUrlFilter('person');
  const [withAutomation] = useAllAccounts();
  const [chosen, setHalf] = useUrlFilter('figures');
  const half = readOneOf(chosen, halves) ?? 'authoring';
  // Of eleven figures a table on a tablet has room for half; a list on a phone has room for all.
  const divided = useScreen('(min-width: 48em) and (max-width: 79.99em)', true);

  const people = developers.data?.filter(isPerson);
  const top = people?.[0]?.author;
  const rows = (withAutomation ? developers.data : people)?.filter(
    (row) => !onPage || matchesSearch([row.author, row.display_name], person ?? ''),
  );
  const figures = !onPage ? asAuthors : divided ? (half === 'authoring' ? asAuthors : page.reviewing) : page.all;
  const columns = [developerColumn(top), ...figures];
  // What the table is sorted by stands in it, in the half without what was merged, too.
  const byOwn = figures.includes(authoringColumns.merged_prs) ? 'merged_prs' : 'reviews_given';
  const [sort, onSort] = useUrlSort('developers', { column: byOwn, descending: true }, columns);
  const phone = usePhone();
  const file = page?.csv(rows && inOrder(rows, columns, sort));
  return (
    <Card
      title="Developers"
      caption="last 30 days"
      controls={
        onPage ? (
          <>
            {divided && (
              <SegmentedFilter
                label="Figures"
                value={half}
                onChange={(value) => setHalf(value === 'authoring' ? undefined : value)}
                options={[
                  { value: 'authoring', label: 'As authors' },
                  { value: 'reviewing', label: 'As reviewers' },
                ]}
              />
            )}
            {page.filters({ columns, sort, onSort })}
            {!phone && file}
          </>
        ) : (
          <Link to="/developer-stats">All developers</Link>
        )
      }
      foot={
        developers.data && (
          <>
            <AccountsFoot others={developers.data.length - (people?.length ?? 0)} />
            <span>
              Arrows compare with the 30 days before. Orange: merge time over 72 h{onPage && ', review speed over 24 h'}
              . Green: {onPage && 'approval over 80%, '}first-time OK over 70%
              {onPage && ', ratio over 2'}.
            </span>
            {phone && file}
          </>
        )
      }
      flush
    >
      <PeopleFigures repository={onPage ? repository : undefined}>
        <DataTable
          label="Developers"
          columns={columns}
          rowKey={(row) => row.author}
          whose={(row) => row.author}
          rowHeight={40}
          answer={{ data: rows, error: developers.error, refetch: () => developers.refetch() }}
          failure="Failed to fetch developer stats"
          empty={
            <NobodyListed
              title="No developer activity in the last 30 days"
              why="Nobody opened, merged or reviewed a pull request in the last 30 days, and none is open."
              onPage={onPage}
            />
          }
          sort={sort}
          onSort={onSort}
          {...(!onPage && { limit: ON_DASHBOARD })}
          people={{
            who: (row) => developerOf(row, top),
            columns: figures,
            leading: ['merged_prs', 'avg_merge_time_hours', 'first_time_approval_rate'],
            note: (row) => (row.author === top ? 'Top Contributor' : `${formatCount(row.open_prs)} open`),
          }}
        />
      </PeopleFigures>
    </Card>
  );
}
