import { VisuallyHidden } from '@mantine/core';
import { LinkExternalIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { counted } from '#domain/counted.ts';
import { waitingOnLabel, waitingReasonLabel } from '#domain/whose-turn.ts';
import { Chip, SizeBadge } from '../../kit/chip.tsx';
import { Marked } from '../../kit/marked.tsx';
import { PullRequestIcon, stateWord } from '../../kit/pull-request-state.tsx';
import { KindChip, Person, WithAgent } from '../../people/person.tsx';
import { bothNames, shownLogin } from '../../people/person-name.tsx';
import { Turn } from '../../pull-requests/turn.tsx';
import type { Column } from '../../table/data-table.tsx';
import { rowLink } from '../../table/row-link.ts';
import { formatCount } from '../../time/moment.ts';
import { When } from '../../time/when.tsx';
import classes from './prs.module.css';

type Row = PullRequestListItem;

/** The columns of the list (docs/product.md#all-pull-requests); on a `narrow` screen authors are their faces. */
export function columnsFor(host: string, typed: string, narrow: boolean): Column<Row>[] {
  return [
    {
      id: 'title',
      title: 'Pull Request',
      value: (row) => row.title,
      cell: (row) => <Title row={row} typed={typed} turn />,
    },
    {
      id: 'author',
      title: 'Author',
      width: narrow ? '4rem' : '12rem',
      cell: (row) => <Author row={row} typed={typed} faceOnly={narrow} />,
    },
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
        <span className={classes.quiet}>
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
        <span className={classes.quiet}>
          <When at={row.updated_at} as="ago" />
        </span>
      ),
    },
    {
      id: 'actions',
      title: 'Actions',
      width: '7.25rem',
      end: true,
      screenOnly: true,
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

interface TitleProps {
  readonly row: Row;
  /** What is searched for; it is bold where it stands. */
  readonly typed: string;
  /** Says under the title whom an open one waits for and why. */
  readonly turn?: boolean;
}

function Title({ row, typed, turn = false }: TitleProps) {
  const { state, draft, title, repo_full_name, pr_number, waiting_on, waiting_reason } = row;
  return (
    <div className={classes.title}>
      <PullRequestIcon state={state} draft={draft} />
      <div className={classes.words}>
        <div className={classes.name}>
          <Link {...linkTo(row)} {...rowLink} title={title} dir="auto">
            <Marked text={title} typed={typed} />
          </Link>
          {draft && <Chip meaning="outlined">Draft</Chip>}
          <WithAgent pullRequest={row} />
        </div>
        <div className={classes.under}>
          <span className={classes.word}>{stateWord(state)}</span> · <Marked text={repo_full_name} typed={typed} /> #
          {pr_number}
          {turn && waiting_on !== null && (
            <>
              {' · '}
              <span className={classes.word}>{waitingOnLabel(waiting_on)}</span>
              {waiting_reason !== null && `, ${waitingReasonLabel(waiting_reason)}`}
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function Author({ row, typed, faceOnly }: { row: Row; typed: string; faceOnly: boolean }) {
  const { author, author_display_name, author_avatar_url, author_kind } = row;
  return (
    <Person
      name={author}
      displayName={author_display_name}
      avatarUrl={author_avatar_url}
      kind={author_kind}
      faceOnly={faceOnly}
    >
      <span className={classes.author}>
        <bdi>
          <Marked text={author_display_name ?? shownLogin(author)} typed={typed} />
        </bdi>
        {author_display_name !== null && author_display_name !== author && (
          <span className={classes.login}>
            <Marked text={shownLogin(author)} typed={typed} />
          </span>
        )}
      </span>
    </Person>
  );
}

function Reviewers({ names }: { names: readonly string[] }) {
  const logins = names.map(shownLogin);
  const shown = logins.slice(0, 2).join(', ') + (names.length > 2 ? ', …' : '');
  return (
    <div className={classes.reviewers}>
      <span>{names.length === 0 ? '' : names.length}</span>
      <span data-tip={names.length > 2 ? logins.join(', ') : undefined}>
        {names.length === 0 ? 'No reviewers' : shown}
      </span>
    </div>
  );
}

function Size({ lines }: { lines: number }) {
  return (
    <span className={classes.size}>
      <span>
        {formatCount(lines)} <span className={classes.under}>{lines === 1 ? 'line' : 'lines'}</span>
      </span>
      <SizeBadge lines={lines} />
    </span>
  );
}

function Actions({ row, host }: { row: Row; host: string }) {
  const about = `${row.repo_full_name} #${row.pr_number}`;
  return (
    <span className={classes.actions}>
      <Link {...linkTo(row)} target="_blank" rel="noreferrer">
        Details
        <VisuallyHidden> of {about}, new tab</VisuallyHidden>
      </Link>
      <HostLink row={row} host={host} />
    </span>
  );
}

function HostLink({ row, host }: { row: Row; host: string }) {
  const about = `${row.repo_full_name} #${row.pr_number}`;
  return (
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
  );
}

/** A row on a phone, which opens the details as a whole: title, where, who, how large and when, then whose turn it is. */
export function PhoneRow({ row, host, typed }: { row: Row; host: string; typed: string }) {
  return (
    <>
      <Title row={row} typed={typed} />
      <div className={classes.phoneLine}>
        <bdi title={bothNames(row.author, row.author_display_name)}>
          <Marked text={shownLogin(row.author)} typed={typed} />
        </bdi>
        <KindChip kind={row.author_kind} />
        <span className={classes.lines}>{counted(row.lines_changed, 'line')}</span>
        <SizeBadge lines={row.lines_changed} />
        <span className={classes.when}>
          <When at={row.updated_at} as="ago" />
          <HostLink row={row} host={host} />
        </span>
      </div>
      {row.waiting_on !== null && (
        <div className={classes.phoneLine}>
          <Turn on={row.waiting_on} reason={row.waiting_reason} />
        </div>
      )}
    </>
  );
}
