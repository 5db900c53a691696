import { LinkExternalIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { StuckPullRequest } from '#contract/team.ts';
import type { WaitingOn } from '#domain/whose-turn.ts';
import { SpanBar, type Tone } from '../charts/span-bar.tsx';
import { Chip, SizeBadge } from './chip.tsx';
import { aboveRowLink, type Column, rowLink } from './data-table.tsx';
import { Duration } from './figure.tsx';
import { formatCount, instantOf } from './moment.ts';
import { Faces, Person } from './person.tsx';
import { PullRequestIcon } from './pull-request-state.tsx';
import classes from './stuck-table.module.css';
import { Turn } from './turn.tsx';

const HOUR = 3_600_000;
const MOST_FACES = 3;

export interface StuckColumns {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly host: string;
  /** By login. */
  readonly avatars: ReadonlyMap<string, string | null>;
  /** The longest row in hours; the wait bars scale to it. */
  readonly longest: number;
  /** No room for names and bars. */
  readonly narrow: boolean;
  /** A last column with the link to the host. */
  readonly withHostLink: boolean;
}

/** Hours since an instant; null where it can't be read. */
export function hoursSince(at: string | null, now: number): number | null {
  const instant = instantOf(at);
  return instant === null ? null : Math.max(0, now - instant) / HOUR;
}

/** The columns of the stuck table (product specification, section 2; look, section 8). */
export function stuckColumns(view: StuckColumns): Column<StuckPullRequest>[] {
  const { now, narrow } = view;
  const columns: Column<StuckPullRequest>[] = [
    { id: 'title', title: 'Pull request', value: (row) => row.title.toLowerCase(), cell: (row) => <Title row={row} /> },
    {
      id: 'author',
      title: 'Author',
      width: narrow ? '4rem' : '9.375rem',
      value: (row) => row.author.toLowerCase(),
      cell: (row) => <Author row={row} faceOnly={narrow} />,
    },
    {
      id: 'lines',
      title: 'Lines',
      width: '7rem',
      letters: 7,
      end: true,
      descendingFirst: true,
      value: (row) => row.lines_changed,
      cell: (row) => (
        <span className={classes.lines}>
          {formatCount(row.lines_changed)} <SizeBadge lines={row.lines_changed} />
        </span>
      ),
    },
    {
      id: 'turn',
      title: 'Whose turn',
      width: '16.125rem',
      value: (row) => row.waiting_on,
      cell: (row) => <Turn on={row.waiting_on} reason={row.waiting_reason} />,
    },
    {
      id: 'asked',
      title: 'Asked',
      width: '5.5rem',
      wideOnly: true,
      tip: 'Who reviewed, and who is asked to.',
      cell: (row) => <Asked names={row.reviewers} avatars={view.avatars} />,
    },
    {
      id: 'waiting',
      title: 'Waiting',
      width: '5.5rem',
      end: true,
      wideOnly: true,
      descendingFirst: true,
      tip: 'Since the present turn began.',
      value: (row) => hoursSince(row.waiting_since, now),
      cell: (row) => <Duration hours={hoursSince(row.waiting_since, now)} />,
    },
    {
      id: 'open',
      title: 'Open for',
      width: narrow ? '6rem' : '11rem',
      end: true,
      descendingFirst: true,
      value: (row) => hoursSince(row.created_at, now),
      cell: (row) => <OpenFor row={row} view={view} />,
    },
  ];
  if (!view.withHostLink) return columns;
  return [
    ...columns,
    {
      id: 'host',
      title: `On ${view.host}`,
      hiddenTitle: true,
      width: '4.25rem',
      end: true,
      cell: (row) => <HostLink row={row} host={view.host} />,
    },
  ];
}

/** A stuck pull request on a phone: title, what and whose it is, whose turn and for how long it is open. */
export function StuckPhoneRow({ row, now }: { row: StuckPullRequest; now: number }) {
  return (
    <div className={classes.phone}>
      <PullRequestIcon state="open" draft={row.draft} labelled />
      <div>
        <TitleLink row={row} />
        <div className={classes.under}>
          {row.repo_name} #{row.pr_number} · {row.author} · {formatCount(row.lines_changed)} lines
          {row.draft && ' · Draft'}
          {row.author_kind === 'bot' ? ' · Bot' : row.by_agent && ' · Agent'}
          {needsSync(row) && ' · Re-sync needed'}
        </div>
        <div className={classes.phoneTurn}>
          <Turn on={row.waiting_on} reason={row.waiting_reason} />
          <Duration hours={hoursSince(row.created_at, now)} />
        </div>
      </div>
    </div>
  );
}

/** A pull request without an address of its own on the host was stored incompletely (product specification, section 2, "Stuck PRs table"). */
function needsSync({ github_url }: StuckPullRequest): boolean {
  return github_url === '' || github_url === '#';
}

function TitleLink({ row }: { row: StuckPullRequest }) {
  const { repo_owner, repo_name, pr_number, title } = row;
  return (
    <Link
      className={rowLink}
      to="/pr/$repoOwner/$repoName/$prNumber"
      params={{ repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) }}
      title={title}
    >
      {title}
    </Link>
  );
}

function Title({ row }: { row: StuckPullRequest }) {
  return (
    <span className={classes.title}>
      <PullRequestIcon state="open" draft={row.draft} labelled />
      <span className={classes.name} dir="auto">
        <TitleLink row={row} />
      </span>
      <span className={classes.reference} data-tip={`${row.repo_owner}/${row.repo_name} #${row.pr_number}`}>
        <span className={classes.repository}>{row.repo_name}</span> #{row.pr_number}
      </span>
      {row.draft && <Chip meaning="outlined">Draft</Chip>}
      {needsSync(row) && <Chip meaning="watch">Re-sync needed</Chip>}
    </span>
  );
}

function Author({ row, faceOnly }: { row: StuckPullRequest; faceOnly: boolean }) {
  const { author, author_avatar_url, author_kind, by_agent } = row;
  return (
    <Person name={author} avatarUrl={author_avatar_url} kind={author_kind} byAgent={by_agent} faceOnly={faceOnly} />
  );
}

function Asked({ names, avatars }: { names: readonly string[]; avatars: StuckColumns['avatars'] }) {
  const more = names.length - MOST_FACES;
  return (
    <span className={`${classes.asked} ${aboveRowLink}`}>
      <Faces
        people={names.slice(0, MOST_FACES).map((name) => ({ name, avatarUrl: avatars.get(name) ?? null, size: 22 }))}
      />
      {more > 0 && <span data-tip={names.slice(MOST_FACES).join(', ')}>+{more}</span>}
    </span>
  );
}

const tones: Readonly<Record<WaitingOn, Tone>> = { author: 'chart-1', reviewers: 'chart-2', merge: 'chart-3' };

function OpenFor({ row, view }: { row: StuckPullRequest; view: StuckColumns }) {
  const open = hoursSince(row.created_at, view.now);
  if (view.narrow || open === null) return <Duration hours={open} />;
  const waiting = Math.min(open, hoursSince(row.waiting_since, view.now) ?? 0);
  return (
    <span className={classes.openFor}>
      <SpanBar
        whole={view.longest}
        spans={[
          { length: open - waiting, tone: 'reference' as const },
          { length: waiting, tone: row.waiting_on === null ? ('reference' as const) : tones[row.waiting_on] },
        ].filter(({ length }) => length > 0)}
      />
      <Duration hours={open} />
    </span>
  );
}

function HostLink({ row, host }: { row: StuckPullRequest; host: string }) {
  if (needsSync(row)) return null;
  return (
    <a
      href={row.github_url}
      target="_blank"
      rel="noreferrer"
      className={`${classes.external} ${aboveRowLink}`}
      aria-label={`Open #${row.pr_number} on ${host}`}
      data-tip={`Open on ${host}`}
    >
      <LinkExternalIcon size={16} />
    </a>
  );
}
