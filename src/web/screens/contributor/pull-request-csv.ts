import type { ContributorPullRequest } from '#contract/contributors.ts';
import type { CsvColumn } from '../../table/csv.ts';
import { hoursOpen } from './pull-request-columns.tsx';

/** A contributor's pull request as a line of the downloaded table; instants are UTC. Where agents' pull requests count to who started them, each says so. */
export function pullRequestCsv(now: number, credit?: 'started'): readonly CsvColumn<ContributorPullRequest>[] {
  return [
    { name: 'repository', value: (row) => `${row.repo_owner}/${row.repo_name}` },
    { name: 'number', value: (row) => row.pr_number },
    { name: 'title', value: (row) => row.title },
    { name: 'state', value: (row) => row.state },
    { name: 'draft', value: (row) => row.draft },
    { name: 'lines_changed', value: (row) => row.lines_changed },
    { name: 'created_at', value: (row) => row.created_at },
    { name: 'ended_at', value: (row) => row.ended_at },
    { name: 'hours_open', value: (row) => oneDecimal(hoursOpen(row, now)) },
    { name: 'last_review_at', value: (row) => row.last_review_at },
    { name: 'reviewers', value: (row) => row.reviewers.join(' ') },
    { name: 'url', value: (row) => row.github_url },
    ...(credit === undefined ? [] : [{ name: 'credit', value: () => credit }]),
  ];
}

function oneDecimal(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}
