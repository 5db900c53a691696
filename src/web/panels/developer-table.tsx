import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { matchesSearch } from '#domain/search.ts';
import { ask } from '../api/query.ts';
import { useUrlFilter } from '../layout/url-filter.ts';
import { readOneOf, useUrlSort } from '../layout/url-state.ts';
import { AccountsFoot, isPerson, useAllAccounts } from './accounts-foot.tsx';
import { Card } from './card.tsx';
import { CsvButton } from './csv-button.tsx';
import { DataTable } from './data-table.tsx';
import {
  type DeveloperColumn,
  developerColumn,
  developerColumns,
  developerCsv,
  developerOf,
} from './developer-columns.tsx';
import { useRepositoryFilter } from './filters.ts';
import { NobodyListed } from './nobody-listed.tsx';
import { PeopleFigures } from './people-figures.tsx';
import { PersonPhoneRow } from './person-row.tsx';
import { SegmentedFilter } from './segmented-filter.tsx';
import { inOrder } from './sort-rows.ts';

const ON_DASHBOARD = 8;

const all = developerColumns;
/** The dashboard's, and where all have no room one half of them. */
const asAuthors: readonly DeveloperColumn[] = [
  all.merged_prs,
  all.open_prs,
  all.avg_pr_size,
  all.avg_merge_time_hours,
  all.prs_awaiting_review,
  all.first_time_approval_rate,
];
const asReviewers: readonly DeveloperColumn[] = [
  all.reviews_given,
  all.avg_review_response_hours,
  all.review_approval_rate,
  all.review_to_pr_ratio,
  all.active_days,
];
const halves = ['authoring', 'reviewing'] as const;

interface Props {
  /** Of the page of its own; without them it is the dashboard's, which shows all repositories and a few rows. */
  readonly filters?: ReactNode;
}

/** How each developer fared in the last 30 days (product specification, sections 3 and 9, "Developer stats"). */
export function DeveloperTable({ filters }: Props) {
  const onPage = filters !== undefined;
  const repository = useRepositoryFilter();
  const query = { accounts: 'all' as const, ...(onPage && repository ? { repository } : {}) };
  // Bots and agents come along always, so that their number can be said; no figure of a person changes by it.
  const developers = useQuery(ask('listDeveloperStats', { query }));
  const [person] = useUrlFilter('person');
  const [withAutomation] = useAllAccounts();
  const [chosen, setHalf] = useUrlFilter('figures');
  const half = readOneOf(chosen, halves) ?? 'authoring';
  // Of eleven figures a table on a tablet has room for half; a list on a phone has room for all.
  const divided =
    useMediaQuery('(min-width: 48em) and (max-width: 79.99em)', undefined, { getInitialValueInEffect: false }) ?? false;

  const people = developers.data?.filter(isPerson);
  const top = people?.[0]?.author;
  const rows = (withAutomation ? developers.data : people)?.filter(
    (row) => !onPage || matchesSearch([row.author, row.display_name], person ?? ''),
  );
  const figures = !onPage ? asAuthors : divided ? (half === 'authoring' ? asAuthors : asReviewers) : Object.values(all);
  const columns = [developerColumn(top), ...figures];
  // What the table is sorted by stands in it, in the half without what was merged, too.
  const byOwn = figures.includes(all.merged_prs) ? 'merged_prs' : 'reviews_given';
  const [sort, onSort] = useUrlSort('developers', { column: byOwn, descending: true }, columns);
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
            {filters}
            <CsvButton name="developer-stats" columns={developerCsv} rows={rows && inOrder(rows, columns, sort)} />
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
          phoneRow={(row) => <PersonPhoneRow {...developerOf(row, top)} row={row} columns={figures} />}
        />
      </PeopleFigures>
    </Card>
  );
}
