import { CircleSlashIcon, GitMergeIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { TeamPullRequest } from '#contract/teams.ts';
import { counted } from '#domain/counted.ts';
import { useNarrowing } from '../../filters/choice-of-figures.ts';
import { Card } from '../../kit/card.tsx';
import { SizeBadge } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Duration } from '../../kit/figure.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { KindChip, Person } from '../../people/person.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { TitleLink } from '../../pull-requests/title-link.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatCount } from '../../time/moment.ts';
import { When } from '../../time/when.tsx';
import classes from './team.module.css';
import type { TeamViewAnswer } from './view-failed.tsx';

/** Rows that are shown at first. */
const SHOWN = 7;

const keyOf = ({ repo_owner, repo_name, pr_number }: TeamPullRequest) => `${repo_owner}/${repo_name}/${pr_number}`;

interface Props {
  readonly view: TeamViewAnswer;
  readonly id: number;
}

/** Requests to the team that nobody has answered, the oldest first. */
export function AskedOfTheTeam({ view, id }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  const { repository } = useNarrowing();
  const requests = view.data?.requests;
  const handles = new Set(requests?.items.map(({ team }) => team));
  const rows = unfolded ? requests?.items : requests?.items.slice(0, SHOWN);
  type Row = NonNullable<typeof rows>[number];
  const columns: Column<Row>[] = [
    {
      id: 'title',
      title: 'Pull request',
      cell: (row) => (
        <Title row={row}>{handles.size > 1 && <span className={classes.quiet}>asked @{row.team}</span>}</Title>
      ),
    },
    {
      id: 'author',
      title: 'Author',
      width: '9.5rem',
      wideOnly: true,
      cell: ({ author, author_display_name, author_avatar_url, author_kind }) => (
        <Person
          name={author}
          displayName={author_display_name}
          brief
          avatarUrl={author_avatar_url}
          kind={author_kind}
          size={20}
        />
      ),
    },
    { id: 'lines', title: 'Lines', width: '6.5rem', end: true, wideOnly: true, cell: (row) => <Lines row={row} /> },
    { id: 'asked', title: 'Asked', width: '7.5rem', end: true, cell: ({ since }) => <When at={since} as="ago" /> },
  ];
  return (
    <Card
      title="Asked of the team, without an answer"
      caption={requests && requests.total > 0 && `${formatCount(requests.total)}, oldest first`}
      controls={
        <Link to="/stuck-prs" search={{ repository, asked: String(id) }}>
          Stuck ones
        </Link>
      }
      foot={
        requests !== undefined &&
        requests.total > SHOWN && (
          <Foot shown={rows?.length ?? 0} total={requests.total} unfolded={unfolded} onToggle={setUnfolded} />
        )
      }
      outdated={view.isPlaceholderData}
      flush
    >
      <DataTable
        label="Review requests to the team"
        columns={columns}
        rowKey={(row) => `${keyOf(row)} ${row.team}`}
        expectedRows={3}
        answer={{ data: rows, error: view.error, refetch: view.refetch }}
        failure="Failed to fetch the team’s view"
        empty={<EmptyState title="No request is open" why="Nobody waits for an answer of the team." goodNews />}
        sort={null}
        phoneRow={(row) => <PhoneRow row={row} end={<When at={row.since} as="ago" />} />}
      />
    </Card>
  );
}

type Told = TeamPullRequest & { readonly on: 'merge' | 'nobody' };

/** What is approved and waits to be merged, then what waits for a review that nobody is asked for. */
export function ReadyAndNobodyAsked({ view }: Pick<Props, 'view'>) {
  const [unfolded, setUnfolded] = useState(false);
  const of = useNarrowing();
  const { data } = view;
  const all: readonly Told[] | undefined = data && [
    ...data.ready_to_merge.items.map((row) => ({ ...row, on: 'merge' as const })),
    ...data.nobody_asked.items.map((row) => ({ ...row, on: 'nobody' as const })),
  ];
  const total = data && data.ready_to_merge.total + data.nobody_asked.total;
  const columns: Column<Told>[] = [
    { id: 'title', title: 'Pull request', cell: (row) => <Title row={row} /> },
    { id: 'turn', title: 'Waits', width: '11.5rem', cell: ({ on }) => <Waiting on={on} /> },
    {
      id: 'since',
      title: 'For',
      width: '5.5rem',
      end: true,
      cell: ({ waited_hours }) => <Duration hours={waited_hours} />,
    },
  ];
  const first =
    all &&
    [
      // Of both some, where one alone would fill the card.
      ...all.filter(({ on }) => on === 'merge').slice(0, SHOWN - Math.min(2, data?.nobody_asked.total ?? 0)),
      ...all.filter(({ on }) => on === 'nobody'),
    ].slice(0, SHOWN);
  const rows = unfolded ? all : first;
  return (
    <Card
      title="Ready to merge, and nobody asked"
      caption={data && `${formatCount(total ?? 0)} of ${formatCount(data.open)} open`}
      controls={
        <Link to="/prs" search={{ state: 'open', ...of } as never}>
          All open PRs of the team
        </Link>
      }
      foot={
        total !== undefined &&
        total > SHOWN && <Foot shown={rows?.length ?? 0} total={total} unfolded={unfolded} onToggle={setUnfolded} />
      }
      outdated={view.isPlaceholderData}
      flush
    >
      <DataTable
        label="Ready to merge, and nobody asked"
        columns={columns}
        rowKey={keyOf}
        expectedRows={5}
        answer={{ data: rows, error: view.error, refetch: view.refetch }}
        failure="Failed to fetch the team’s view"
        empty={
          <EmptyState
            title="Nothing waits to be merged"
            why="And somebody is asked wherever a review is due."
            goodNews
          />
        }
        sort={null}
        phoneRow={(row) => (
          <PhoneRow row={row} start={<Waiting on={row.on} />} end={<Duration hours={row.waited_hours} />} />
        )}
      />
    </Card>
  );
}

interface FootProps {
  readonly shown: number;
  readonly total: number;
  readonly unfolded: boolean;
  readonly onToggle: (unfolded: boolean) => void;
}

/** How many of the rows are shown, and the rest of those that were read. */
function Foot({ shown, total, unfolded, onToggle }: FootProps) {
  return (
    <>
      <span>{`${formatCount(shown)} of ${formatCount(total)}`}</span>
      <FoldButton unfolded={unfolded} onToggle={onToggle}>
        {unfolded ? `Show the first ${SHOWN}` : 'Show more'}
      </FoldButton>
    </>
  );
}

function Waiting({ on }: { readonly on: Told['on'] }) {
  const Icon = on === 'merge' ? GitMergeIcon : CircleSlashIcon;
  return (
    <span className={classes.waiting}>
      <span className={`${classes.tile} ${on === 'merge' ? classes.mergeTile : ''}`}>
        <Icon size={12} />
      </span>
      {on === 'merge' ? 'Ready to merge' : 'Nobody is asked'}
    </span>
  );
}

function Lines({ row }: { readonly row: TeamPullRequest }) {
  return (
    <span className={classes.lines}>
      {formatCount(row.lines_changed)} <SizeBadge lines={row.lines_changed} />
    </span>
  );
}

function Title({ row, children }: { readonly row: TeamPullRequest; readonly children?: ReactNode }) {
  return (
    <span className={classes.title}>
      <PullRequestIcon state="open" labelled />
      <span className={classes.name} dir="auto">
        <TitleLink row={row} />
      </span>
      <span className={classes.quiet} data-tip={`${row.repo_owner}/${row.repo_name} #${row.pr_number}`}>
        {row.repo_name} #{row.pr_number}
      </span>
      {children}
    </span>
  );
}

interface PhoneRowProps {
  readonly row: TeamPullRequest;
  readonly start?: ReactNode;
  readonly end: ReactNode;
}

function PhoneRow({ row, start, end }: PhoneRowProps) {
  return (
    <div className={classes.phone}>
      <PullRequestIcon state="open" labelled />
      <div>
        <TitleLink row={row} />
        <div className={classes.quiet}>
          {row.repo_name} #{row.pr_number} · <bdi>{shownLogin(row.author)}</bdi> <KindChip kind={row.author_kind} /> ·{' '}
          {counted(row.lines_changed, 'line')}
        </div>
        <div className={classes.phoneEnds}>
          {start ?? <span className={classes.quiet}>asked</span>}
          {end}
        </div>
      </div>
    </div>
  );
}
