import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { matchesSearch } from '#domain/search.ts';
import { ask } from '../api/query.ts';
import { useUrlFilter } from '../layout/url-filter.ts';
import { useUrlSort } from '../layout/url-state.ts';
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
import { EmptyState } from './empty-state.tsx';
import { PersonFilter, RepositoryFilter, useRepositoryFilter } from './filter-box.tsx';
import { PersonPhoneRow } from './person-row.tsx';

const ON_DASHBOARD = 8;

const { merged_prs, open_prs, avg_pr_size, avg_merge_time_hours, prs_awaiting_review, first_time_approval_rate } =
  developerColumns;
const few: readonly DeveloperColumn[] = [
  merged_prs,
  open_prs,
  avg_pr_size,
  avg_merge_time_hours,
  prs_awaiting_review,
  first_time_approval_rate,
];

/** How each developer fared in the last 30 days (product specification, sections 3 and 9, "Developer stats"). */
export function DeveloperTable({ on }: { on: 'dashboard' | 'page' }) {
  const onPage = on === 'page';
  const repository = useRepositoryFilter();
  const query = { accounts: 'all' as const, ...(onPage && repository ? { repository } : {}) };
  // Bots and agents come along always, so that their number can be said; no figure of a person changes by it.
  const developers = useQuery(ask('listDeveloperStats', { query }));
  const [person] = useUrlFilter('person');
  const [all] = useAllAccounts();
  const [sort, onSort] = useUrlSort('developers', { column: 'merged_prs', descending: true });
  const wide = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false }) ?? true;

  const people = developers.data?.filter(isPerson);
  const first = people?.[0];
  const top = first !== undefined && first.merged_prs > 0 ? first.author : undefined;
  const rows = (all ? developers.data : people)?.filter(
    (row) => !onPage || matchesSearch([row.author, row.display_name], person ?? ''),
  );
  const figures = onPage && wide ? Object.values(developerColumns) : few;
  return (
    <Card
      title="Developers"
      caption="last 30 days"
      controls={
        onPage ? (
          <>
            <RepositoryFilter />
            <PersonFilter />
            <CsvButton name="developer-stats" columns={developerCsv} rows={rows} />
          </>
        ) : (
          <Link to="/developer-stats">All developers</Link>
        )
      }
      foot={
        developers.data && (
          <>
            <AccountsFoot others={developers.data.length - (people?.length ?? 0)} />
            <span>Arrows compare with the 30 days before.</span>
          </>
        )
      }
      flush
    >
      <DataTable
        label="Developers"
        columns={[developerColumn(top), ...figures]}
        rowKey={(row) => row.author}
        rowHeight={40}
        answer={{ data: rows, error: developers.error, refetch: () => developers.refetch() }}
        failure="Failed to fetch developer stats"
        empty={
          <EmptyState
            title="No developer activity in the last 30 days"
            why={(people?.length ?? 0) > 0 ? 'Other developers are hidden by the filter.' : undefined}
          />
        }
        sort={sort}
        onSort={onSort}
        {...(!onPage && { limit: ON_DASHBOARD })}
        phoneRow={(row) => (
          <PersonPhoneRow
            {...developerOf(row, top)}
            figures={(onPage ? Object.values(developerColumns) : few).map(({ title, cell }) => ({
              label: title,
              value: cell(row),
            }))}
          />
        )}
      />
    </Card>
  );
}
