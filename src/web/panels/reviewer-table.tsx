import { useQuery } from '@tanstack/react-query';
import type { ReviewerStat } from '#contract/team.ts';
import { ask } from '../api/query.ts';
import { useUrlSort } from '../layout/url-state.ts';
import { Card } from './card.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Duration } from './figure.tsx';
import { formatCount } from './moment.ts';
import { Person } from './person.tsx';

/** Who reviewed in the last 7 days (product specification, section 3, "Reviewer stat"). */
export function ReviewerTable() {
  const reviewers = useQuery(ask('listReviewerStats', { query: {} }));
  const [sort, onSort] = useUrlSort('reviewers', { column: 'review_count', descending: true });
  const columns: Column<ReviewerStat>[] = [
    {
      id: 'reviewer',
      title: 'Reviewer',
      value: (row) => row.reviewer,
      cell: (row) => <Person name={row.reviewer} avatarUrl={row.avatar_url} kind={row.kind} />,
    },
    {
      id: 'review_count',
      title: 'Reviews',
      width: '6rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.review_count,
      cell: (row) => formatCount(row.review_count),
    },
    {
      id: 'response',
      title: 'Response',
      width: '6rem',
      end: true,
      value: (row) => row.avg_review_time_hours,
      cell: (row) => <Duration hours={row.avg_review_time_hours} />,
    },
  ];
  return (
    <Card title="Reviewers" caption="last 7 days" flush>
      <DataTable
        label="Reviewers"
        columns={columns}
        rowKey={(row) => row.reviewer}
        rowHeight={40}
        answer={reviewers}
        failure="Failed to fetch reviewer stats"
        empty={<EmptyState title="No review activity in the last 7 days" />}
        sort={sort}
        onSort={onSort}
        phoneRow={(row) => <Person name={row.reviewer} avatarUrl={row.avatar_url} kind={row.kind} />}
      />
    </Card>
  );
}
