import { LinkExternalIcon } from '@primer/octicons-react';
import type { StuckPullRequest } from '#contract/team.ts';
import { needsSync } from '../../pull-requests/stuck-columns.tsx';
import classes from '../../pull-requests/stuck-table.module.css';
import type { Column } from '../../table/data-table.tsx';

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
