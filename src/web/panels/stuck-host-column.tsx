import { LinkExternalIcon } from '@primer/octicons-react';
import type { StuckPullRequest } from '#contract/team.ts';
import type { Column } from './data-table.tsx';
import { needsSync } from './stuck-columns.tsx';
import classes from './stuck-table.module.css';

/** The last column of the stuck list on its own page: the way to the pull request on its host. */
export function stuckHostColumn(host: string): Column<StuckPullRequest> {
  return {
    id: 'host',
    title: `On ${host}`,
    hiddenTitle: true,
    width: '3.75rem',
    end: true,
    cell: (row) => <HostLink row={row} host={host} />,
  };
}

function HostLink({ row, host }: { row: StuckPullRequest; host: string }) {
  if (needsSync(row)) return null;
  return (
    <a
      href={row.github_url}
      target="_blank"
      rel="noreferrer"
      className={classes.external}
      aria-label={`Open #${row.pr_number} on ${host}`}
      data-tip={`Open on ${host}`}
    >
      <LinkExternalIcon size={16} />
    </a>
  );
}
