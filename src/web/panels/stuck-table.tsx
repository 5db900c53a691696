import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StuckPullRequest } from '#contract/team.ts';
import { ask } from '../api/query.ts';
import { useUrlSort } from '../layout/url-state.ts';
import { Card } from './card.tsx';
import { SizeBadge } from './chip.tsx';
import { type Column, DataTable, rowLink } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Duration } from './figure.tsx';
import { formatCount, instantOf } from './moment.ts';
import { useNow } from './now.ts';
import { Person } from './person.tsx';
import { PullRequestIcon } from './pull-request-state.tsx';
import { Turn } from './turn.tsx';

const HOUR = 3_600_000;

/** What has been open for more than 48 hours, with whose turn it is (product specification, section 2, "Stuck PRs table"). */
export function StuckTable() {
  const stuck = useQuery(ask('listStuckPullRequests', {}));
  const [sort, onSort] = useUrlSort('stuck', { column: 'open', descending: true });
  const now = useNow();
  const openFor = (row: StuckPullRequest) => (now - (instantOf(row.created_at) ?? now)) / HOUR;
  const columns: Column<StuckPullRequest>[] = [
    { id: 'title', title: 'Pull request', cell: (row) => <TitleCell row={row} /> },
    {
      id: 'author',
      title: 'Author',
      width: '9.375rem',
      cell: (row) => <Person name={row.author} avatarUrl={row.author_avatar_url} kind={row.author_kind} />,
    },
    {
      id: 'lines',
      title: 'Lines',
      width: '6.125rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.lines_changed,
      cell: (row) => (
        <>
          {formatCount(row.lines_changed)} <SizeBadge lines={row.lines_changed} />
        </>
      ),
    },
    {
      id: 'turn',
      title: 'Whose turn',
      width: '16.125rem',
      cell: (row) => <Turn on={row.waiting_on} reason={row.waiting_reason} />,
    },
    {
      id: 'open',
      title: 'Open for',
      width: '6rem',
      end: true,
      descendingFirst: true,
      value: openFor,
      cell: (row) => <Duration hours={openFor(row)} />,
    },
  ];
  return (
    <Card title="Stuck pull requests" caption="open for more than 48 hours" flush>
      <DataTable
        label="Stuck pull requests"
        columns={columns}
        rowKey={(row) => row.github_id}
        answer={stuck}
        failure="Failed to fetch stuck PRs"
        empty={<EmptyState goodNews title="No stuck PRs found" why="Nothing has been open for more than 48 hours." />}
        sort={sort}
        onSort={onSort}
        phoneRow={(row) => (
          <>
            <TitleCell row={row} />
            <div>
              <Turn on={row.waiting_on} reason={row.waiting_reason} /> <Duration hours={openFor(row)} />
            </div>
          </>
        )}
      />
    </Card>
  );
}

function TitleCell({ row }: { row: StuckPullRequest }) {
  const { repo_owner, repo_name, pr_number, title } = row;
  return (
    <>
      <PullRequestIcon state="open" draft={row.draft} />{' '}
      <Link
        className={rowLink}
        to="/pr/$repoOwner/$repoName/$prNumber"
        params={{ repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) }}
        title={title}
      >
        {title}
      </Link>
    </>
  );
}
