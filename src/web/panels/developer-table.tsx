import { useQuery } from '@tanstack/react-query';
import type { DeveloperStat } from '#contract/team.ts';
import { ask } from '../api/query.ts';
import { useUrlSort } from '../layout/url-state.ts';
import { Card } from './card.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Duration } from './figure.tsx';
import { formatCount } from './moment.ts';
import { Person } from './person.tsx';

/** How each developer fared in the last 30 days (product specification, section 3, "Developer stat"). */
export function DeveloperTable() {
  const developers = useQuery(ask('listDeveloperStats', { query: {} }));
  const [sort, onSort] = useUrlSort('developers', { column: 'merged_prs', descending: true });
  const columns: Column<DeveloperStat>[] = [
    {
      id: 'author',
      title: 'Developer',
      value: (row) => row.author,
      cell: (row) => <Person name={row.author} avatarUrl={row.avatar_url} kind={row.kind} />,
    },
    {
      id: 'merged_prs',
      title: 'Merged',
      width: '6rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.merged_prs,
      cell: (row) => formatCount(row.merged_prs),
    },
    {
      id: 'avg_merge_time_hours',
      title: 'Merge time',
      width: '7rem',
      end: true,
      value: (row) => row.avg_merge_time_hours,
      cell: (row) => <Duration hours={row.avg_merge_time_hours} />,
    },
  ];
  return (
    <Card title="Developers" caption="last 30 days" flush>
      <DataTable
        label="Developers"
        columns={columns}
        rowKey={(row) => row.author}
        rowHeight={40}
        answer={developers}
        failure="Failed to fetch developer stats"
        empty={<EmptyState title="No developer activity in the last 30 days" />}
        sort={sort}
        onSort={onSort}
        phoneRow={(row) => <Person name={row.author} avatarUrl={row.avatar_url} kind={row.kind} />}
      />
    </Card>
  );
}
