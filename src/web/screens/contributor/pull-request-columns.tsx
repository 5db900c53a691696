import { Link } from '@tanstack/react-router';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import { UNKNOWN } from '#domain/duration.ts';
import { Chip, SizeBadge } from '../../kit/chip.tsx';
import { Duration } from '../../kit/figure.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import type { Column } from '../../table/data-table.tsx';
import { rowLink } from '../../table/row-link.ts';
import { formatCount, instantOf } from '../../time/moment.ts';
import { When } from '../../time/when.tsx';
import classes from './pull-requests.module.css';

type Row = ContributorPullRequest;

const HOUR = 3_600_000;
const REVIEWERS_NAMED = 2;

/** How long a pull request was open, up to its end or `now`, in hours; null where a date can't be read. */
export function hoursOpen({ created_at, ended_at, state }: Row, now: number): number | null {
  const opened = instantOf(created_at);
  const ended = state === 'open' ? now : instantOf(ended_at);
  return opened === null || ended === null ? null : Math.max(0, ended - opened) / HOUR;
}

/** The first two reviewers, then an ellipsis. */
export function reviewerWords(names: readonly string[]): string {
  if (names.length === 0) return 'No reviewers';
  return names.slice(0, REVIEWERS_NAMED).map(shownLogin).join(', ') + (names.length > REVIEWERS_NAMED ? ', …' : '');
}

/** The columns of a contributor's pull requests (docs/product.md#a-contributor). */
export function pullRequestColumns(now: number): Column<Row>[] {
  return [
    { id: 'title', title: 'Title', value: (row) => row.title.toLowerCase(), cell: (row) => <Title row={row} /> },
    {
      id: 'repository',
      title: 'Repository',
      width: '8rem',
      value: (row) => row.repo_name.toLowerCase(),
      cell: (row) => <span data-tip={`${row.repo_owner}/${row.repo_name}`}>{row.repo_name}</span>,
    },
    {
      id: 'reviewers',
      title: 'Reviewers',
      width: '10.5rem',
      wideOnly: true,
      cell: (row) => (
        <span
          className={classes.quiet}
          data-tip={row.reviewers.length > REVIEWERS_NAMED ? row.reviewers.join(', ') : undefined}
        >
          {reviewerWords(row.reviewers)}
        </span>
      ),
    },
    {
      id: 'lines',
      title: 'Lines',
      width: '6.75rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.lines_changed,
      cell: (row) => <Lines row={row} />,
    },
    {
      id: 'open',
      title: 'Time open',
      width: '6.25rem',
      end: true,
      descendingFirst: true,
      tip: 'From opening to merge or close, or up to now.',
      value: (row) => hoursOpen(row, now),
      cell: (row) => <TimeOpen row={row} now={now} />,
    },
    {
      id: 'review',
      title: 'Last review',
      width: '8.25rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.last_review_at,
      cell: (row) => (
        <span className={classes.quiet}>
          <When at={row.last_review_at} as="ago" missing="No reviews" />
        </span>
      ),
    },
  ];
}

/** A row on a phone: title, where and how large, then how long and when it was reviewed. */
export function PullRequestPhoneRow({ row, now }: { row: Row; now: number }) {
  return (
    <>
      <Title row={row} />
      <div className={classes.phone}>
        {row.repo_name} #{row.pr_number} · {reviewerWords(row.reviewers)}
      </div>
      <div className={classes.phone}>
        <Lines row={row} /> <TimeOpen row={row} now={now} />
        <When at={row.last_review_at} as="ago" missing="No reviews" />
      </div>
    </>
  );
}

/** A pull request without an address on the host was stored incompletely, however the answer says so. */
function needsSync({ github_url }: { readonly github_url?: string | null }): boolean {
  return !github_url || github_url === '#';
}

function Title({ row }: { row: Row }) {
  const { repo_owner, repo_name, pr_number, title, state, draft } = row;
  return (
    <span className={classes.title}>
      <PullRequestIcon state={state} draft={draft} labelled />
      <Link
        {...rowLink}
        to="/pr/$repoOwner/$repoName/$prNumber"
        params={{ repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) }}
        title={title}
        dir="auto"
      >
        {title}
      </Link>
      {needsSync(row) && <Chip meaning="watch">Re-sync needed</Chip>}
    </span>
  );
}

function Lines({ row }: { row: Row }) {
  return (
    <span className={classes.lines}>
      {formatCount(row.lines_changed)} <SizeBadge lines={row.lines_changed} />
    </span>
  );
}

function TimeOpen({ row, now }: { row: Row; now: number }) {
  const hours = hoursOpen(row, now);
  return hours === null ? <span className={classes.quiet}>{UNKNOWN}</span> : <Duration hours={hours} />;
}
