import { VisuallyHidden } from '@mantine/core';
import { LinkExternalIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { waitingOnLabel, waitingReasonLabel } from '#domain/whose-turn.ts';
import { Chip, SizeBadge } from '../../panels/chip.tsx';
import { aboveRowLink, type Column, rowLink } from '../../panels/data-table.tsx';
import { formatCount } from '../../panels/moment.ts';
import { Person } from '../../panels/person.tsx';
import { PullRequestIcon, stateWord } from '../../panels/pull-request-state.tsx';
import { Turn } from '../../panels/turn.tsx';
import { When } from '../../panels/when.tsx';
import classes from './prs.module.css';

type Row = PullRequestListItem;

/** The columns of the list (product specification, section 2, "Pull requests"). */
export function columnsFor(host: string): Column<Row>[] {
  return [
    {
      id: 'title',
      title: 'Pull Request',
      value: (row) => row.title,
      cell: (row) => <Title row={row} turn />,
    },
    { id: 'author', title: 'Author', width: '12rem', cell: (row) => <Author row={row} /> },
    {
      id: 'reviewers',
      title: 'Reviewers',
      width: '11rem',
      wideOnly: true,
      cell: (row) => <Reviewers names={row.reviewers} />,
    },
    {
      id: 'lines_changed',
      title: 'Size',
      width: '8.5rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.lines_changed,
      cell: (row) => <Size lines={row.lines_changed} />,
    },
    {
      id: 'created_at',
      title: 'Age',
      width: '6rem',
      end: true,
      wideOnly: true,
      descendingFirst: true,
      value: (row) => row.created_at,
      cell: (row) => (
        <span className={`${classes.quiet} ${aboveRowLink}`}>
          <When at={row.created_at} as="age" />
        </span>
      ),
    },
    {
      id: 'updated_at',
      title: 'Last Updated',
      width: '10.25rem',
      end: true,
      descendingFirst: true,
      value: (row) => row.updated_at,
      cell: (row) => (
        <span className={`${classes.quiet} ${aboveRowLink}`}>
          <When at={row.updated_at} as="ago" />
        </span>
      ),
    },
    {
      id: 'actions',
      title: 'Actions',
      hiddenTitle: true,
      width: '7.25rem',
      end: true,
      cell: (row) => <Actions row={row} host={host} />,
    },
  ];
}

function linkTo({ repo_owner, repo_name, pr_number }: Row) {
  return {
    to: '/pr/$repoOwner/$repoName/$prNumber' as const,
    params: { repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) },
  };
}

/** `turn` says under the title whom an open one waits for and why. */
function Title({ row, turn = false }: { row: Row; turn?: boolean }) {
  const { state, draft, title, repo_full_name, pr_number, waiting_on, waiting_reason } = row;
  return (
    <div className={classes.title}>
      <PullRequestIcon state={state} draft={draft} />
      <div className={classes.words}>
        <div className={classes.name}>
          <Link {...linkTo(row)} className={rowLink} title={title} dir="auto" data-row-link>
            {title}
          </Link>
          {draft && <Chip meaning="outlined">Draft</Chip>}
        </div>
        <div className={classes.under}>
          <b>{stateWord(state)}</b> · {repo_full_name} #{pr_number}
          {turn && waiting_on !== null && (
            <>
              {' · '}
              <b>{waitingOnLabel(waiting_on)}</b>
              {waiting_reason !== null && `, ${waitingReasonLabel(waiting_reason)}`}
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function Author({ row }: { row: Row }) {
  const { author, author_display_name, author_avatar_url, author_kind, by_agent } = row;
  return (
    <Person name={author_display_name ?? author} avatarUrl={author_avatar_url} kind={author_kind} byAgent={by_agent} />
  );
}

function Reviewers({ names }: { names: readonly string[] }) {
  const shown = names.slice(0, 2).join(', ') + (names.length > 2 ? ', …' : '');
  return (
    <div className={classes.reviewers}>
      <span>{names.length === 0 ? '' : names.length}</span>
      <span data-tip={names.length > 2 ? names.join(', ') : undefined}>
        {names.length === 0 ? 'No reviewers' : shown}
      </span>
    </div>
  );
}

function Size({ lines }: { lines: number }) {
  return (
    <span className={classes.size}>
      <span>
        {formatCount(lines)} <span className={classes.under}>lines</span>
      </span>
      <SizeBadge lines={lines} />
    </span>
  );
}

function Actions({ row, host }: { row: Row; host: string }) {
  const about = `${row.repo_full_name} #${row.pr_number}`;
  return (
    <span className={`${classes.actions} ${aboveRowLink}`}>
      <Link {...linkTo(row)} target="_blank" rel="noreferrer">
        Details
        <VisuallyHidden> of {about}, new tab</VisuallyHidden>
      </Link>
      <a
        className={classes.external}
        href={row.github_url}
        target="_blank"
        rel="noreferrer"
        data-tip={`View on ${host}`}
        aria-label={`View ${about} on ${host}, new tab`}
      >
        <LinkExternalIcon size={16} />
      </a>
    </span>
  );
}

/** A row on a phone: title, where and who, then whose turn and when. */
export function PhoneRow({ row, host }: { row: Row; host: string }) {
  return (
    <>
      <Title row={row} />
      <div className={classes.phoneLine}>
        <Author row={row} />
        <span>{formatCount(row.lines_changed)} lines</span>
        <SizeBadge lines={row.lines_changed} />
        <When at={row.updated_at} as="ago" />
      </div>
      <div className={classes.phoneLine}>
        <Turn on={row.waiting_on} reason={row.waiting_reason} />
        <Actions row={row} host={host} />
      </div>
    </>
  );
}
