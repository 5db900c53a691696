import type { StuckPullRequest } from '#contract/team.ts';
import type { CsvColumn } from '../../table/csv.ts';

/** A stuck pull request as a line of the downloaded table; instants are UTC. */
export const stuckCsv: readonly CsvColumn<StuckPullRequest>[] = [
  { name: 'repository', value: (row) => `${row.repo_owner}/${row.repo_name}` },
  { name: 'number', value: (row) => row.pr_number },
  { name: 'title', value: (row) => row.title },
  { name: 'author', value: (row) => row.author },
  { name: 'author_kind', value: (row) => row.author_kind },
  { name: 'by_agent', value: (row) => row.by_agent },
  { name: 'authorship', value: (row) => row.authorship },
  { name: 'agents', value: (row) => row.agents.join(' ') },
  { name: 'credited_to', value: (row) => row.credited_to },
  { name: 'draft', value: (row) => row.draft },
  { name: 'lines_changed', value: (row) => row.lines_changed },
  { name: 'created_at', value: (row) => row.created_at },
  { name: 'waiting_on', value: (row) => row.waiting_on },
  { name: 'waiting_since', value: (row) => row.waiting_since },
  { name: 'waiting_reason', value: (row) => row.waiting_reason },
  { name: 'reviewers', value: (row) => row.reviewers.join(' ') },
  { name: 'url', value: (row) => row.github_url },
];
