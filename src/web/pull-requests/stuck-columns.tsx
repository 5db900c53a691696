import type { StuckPullRequest } from '#contract/team.ts';
import { counted } from '#domain/counted.ts';
import type { WaitingOn } from '#domain/whose-turn.ts';
import { SpanBar, type Tone } from '../charts/span-bar.tsx';
import { Chip, SizeBadge } from '../kit/chip.tsx';
import { Duration } from '../kit/figure.tsx';
import { PullRequestIcon } from '../kit/pull-request-state.tsx';
import { agentWords } from '../people/agents.ts';
import { Faces, Person, WithAgent } from '../people/person.tsx';
import { shownLogin } from '../people/person-name.tsx';
import type { Column } from '../table/data-table.tsx';
import { formatCount, instantOf } from '../time/moment.ts';
import classes from './stuck-table.module.css';
import { TitleLink } from './title-link.tsx';
import { Turn } from './turn.tsx';

const HOUR = 3_600_000;
const MOST_FACES = 3;
/** The wait bars end at this age in days and hours, so that one old pull request does not flatten all others. */
export const LONGEST_BAR_DAYS = 21;
const LONGEST_BAR = LONGEST_BAR_DAYS * 24;

export interface StuckColumns {
  /** Epoch milliseconds. */
  readonly now: number;
  /** By login. */
  readonly avatars: ReadonlyMap<string, string | null>;
  /** No room for names and bars. */
  readonly narrow: boolean;
}

/** Hours since an instant; null where it can't be read. */
function hoursSince(at: string | null, now: number): number | null {
  const instant = instantOf(at);
  return instant === null ? null : Math.max(0, now - instant) / HOUR;
}

/** The columns of the stuck table (docs/product.md#stuck-pull-requests). */
export function stuckColumns(view: StuckColumns): Column<StuckPullRequest>[] {
  const { now, narrow } = view;
  return [
    { id: 'title', title: 'Pull request', value: (row) => row.title.toLowerCase(), cell: (row) => <Title row={row} /> },
    {
      id: 'lines',
      title: 'Lines',
      width: '6.75rem',
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
      width: '16rem',
      value: (row) => row.waiting_on,
      cell: (row) => <Turn on={row.waiting_on} reason={row.waiting_reason} />,
    },
    {
      id: 'asked',
      title: 'Asked',
      width: '5.75rem',
      wideOnly: true,
      tip: 'Who reviewed, and who is asked to.',
      cell: (row) => <Asked names={row.reviewers} avatars={view.avatars} />,
    },
    {
      id: 'waiting',
      title: 'Waiting',
      width: '5.25rem',
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
      width: narrow ? '6rem' : '12.375rem',
      end: true,
      descendingFirst: true,
      value: (row) => hoursSince(row.created_at, now),
      cell: (row) => <OpenFor row={row} view={view} />,
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
          {row.repo_name} #{row.pr_number} · <bdi>{shownLogin(row.author)}</bdi> · {counted(row.lines_changed, 'line')}
          {row.draft && ' · Draft'}
          {row.author_kind === 'bot' ? ' · Bot' : row.by_agent && ` · ${agentWords(row)}`}
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

/** A pull request without an address of its own on the host was stored incompletely (docs/product.md#stuck-pull-requests). */
export function needsSync({ github_url }: StuckPullRequest): boolean {
  return !github_url || github_url === '#';
}

function Title({ row }: { row: StuckPullRequest }) {
  const { author, author_display_name, author_avatar_url, author_kind, repo_owner, repo_name, pr_number, draft } = row;
  return (
    <div className={classes.title}>
      <PullRequestIcon state="open" draft={draft} labelled />
      <div className={classes.words}>
        <div className={classes.name} dir="auto">
          <TitleLink row={row} />
          {draft && <Chip meaning="outlined">Draft</Chip>}
          <WithAgent pullRequest={row} />
          {needsSync(row) && <Chip meaning="watch">Re-sync needed</Chip>}
        </div>
        <div className={classes.reference}>
          <span data-tip={`${repo_owner}/${repo_name} #${pr_number}`}>
            <span className={classes.repository}>{repo_name}</span> #{pr_number}
          </span>
          <span aria-hidden="true">·</span>
          <Person
            name={author}
            displayName={author_display_name}
            brief
            avatarUrl={author_avatar_url}
            kind={author_kind}
            size={16}
          />
        </div>
      </div>
    </div>
  );
}

function Asked({ names, avatars }: { names: readonly string[]; avatars: StuckColumns['avatars'] }) {
  const more = names.length - MOST_FACES;
  return (
    <span className={classes.asked}>
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
        whole={LONGEST_BAR}
        spans={[
          { length: open - waiting, tone: 'reference' as const },
          { length: waiting, tone: row.waiting_on === null ? ('reference' as const) : tones[row.waiting_on] },
        ].filter(({ length }) => length > 0)}
      />
      <Duration hours={open} />
    </span>
  );
}
