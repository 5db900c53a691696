import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { StuckPullRequest } from '#contract/team.ts';
import { hasProperties } from '#domain/pull-request-properties.ts';
import { matchesSearch } from '#domain/search.ts';
import { type WaitingOn, waitingOnLabel } from '#domain/whose-turn.ts';
import { ask } from '../api/query.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { useUrlFilter } from '../layout/url-filter.ts';
import { readOneOf, useUrlSort } from '../layout/url-state.ts';
import { useHostName } from '../session/session.tsx';
import { useSync } from '../sync/sync-state.tsx';
import { Card } from './card.tsx';
import { CsvButton } from './csv-button.tsx';
import { DataTable } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Explain } from './explain.tsx';
import { useRepositoryFilter, useWantedProperties } from './filters.ts';
import { formatCount } from './moment.ts';
import { useNow } from './now.ts';
import { SegmentedFilter } from './segmented-filter.tsx';
import { inOrder } from './sort-rows.ts';
import { hoursSince, StuckPhoneRow, stuckColumns } from './stuck-columns.tsx';
import { stuckCsv } from './stuck-csv.ts';
import classes from './stuck-table.module.css';

/** So many rows on the dashboard, and so many at first on the page of its own. */
const ON_DASHBOARD = 9;
const AT_FIRST = 100;

const turns: readonly WaitingOn[] = ['reviewers', 'author', 'merge'];

interface Props {
  /** Of the page of its own; without them it is the dashboard's, which has the turns only, a few rows and a link to the whole. */
  readonly filters?: ReactNode;
}

/** What has been open for more than 48 hours, with whose turn it is (product specification, section 2, "Stuck PRs table"). */
export function StuckTable({ filters }: Props) {
  const onPage = filters !== undefined;
  const repository = useRepositoryFilter();
  const stuck = useQuery(ask('listStuckPullRequests', onPage && repository ? { query: { repository } } : {}));
  const openPrs = useQuery(ask('getTeamStats', { query: {} })).data?.open_prs;
  const [person] = useUrlFilter('person');
  const wanted = useWantedProperties();
  const [chosen, setTurn] = useUrlFilter('turn');
  const turn = readOneOf(chosen, turns);
  const [all, setAll] = useState(false);
  const avatars = useAvatars();
  const now = useNow();
  const host = useHostName();
  const narrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false }) ?? false;

  const isWanted = (row: StuckPullRequest) =>
    hasProperties(row, wanted) && matchesSearch([row.author, row.author_display_name, ...row.reviewers], person ?? '');
  const filtered = onPage ? stuck.data?.filter(isWanted) : stuck.data;
  const rows = turn === undefined ? filtered : filtered?.filter((row) => row.waiting_on === turn);
  const countOf = (wanted?: WaitingOn) =>
    filtered?.filter((row) => wanted === undefined || row.waiting_on === wanted).length;
  const columns = stuckColumns({
    now,
    host,
    avatars,
    longest: Math.max(0, ...(rows ?? []).map((row) => hoursSince(row.created_at, now) ?? 0)),
    narrow,
    withHostLink: onPage && !narrow,
  });
  const [sort, onSort] = useUrlSort('stuck', { column: 'open', descending: true }, columns);
  const limit = onPage ? (all ? undefined : AT_FIRST) : ON_DASHBOARD;
  const hidden = Math.max(0, (rows?.length ?? 0) - (limit ?? Number.POSITIVE_INFINITY));

  return (
    <Card
      title="Stuck pull requests"
      caption="open for more than 48 hours"
      controls={
        <SegmentedFilter
          label="Whose turn"
          value={turn ?? 'all'}
          onChange={(value) => setTurn(value === 'all' ? undefined : value)}
          options={[
            { value: 'all', label: 'All', count: countOf() },
            ...turns.map((value) => ({ value, label: waitingOnLabel(value), count: countOf(value) })),
          ]}
        />
      }
      foot={
        stuck.data !== undefined &&
        stuck.data.length > 0 && (
          <>
            <span>
              <Explain metric="team.stuck_prs" {...(onPage && repository !== undefined && { repository })}>
                {formatCount(stuck.data.length)}
              </Explain>{' '}
              {openPrs !== undefined && repository === undefined ? (
                <>
                  of <Explain metric="team.open_prs">{formatCount(openPrs)}</Explain> open pull requests.
                </>
              ) : (
                'stuck.'
              )}
              <span className={classes.key}>
                <SpanBar
                  whole={2}
                  spans={[
                    { length: 1, tone: 'reference' },
                    { length: 1, tone: 'chart-2' },
                  ]}
                />
              </span>
              The coloured part is the current wait.
            </span>
            {!onPage && <Link to="/stuck-prs">View all stuck PRs</Link>}
            {onPage && hidden > 0 && (
              <button type="button" className={classes.show} onClick={() => setAll(true)}>
                Show {formatCount(hidden)} more
              </button>
            )}
          </>
        )
      }
      flush
    >
      {onPage && (
        <div className={classes.filters}>
          {filters}
          <span className={classes.end}>
            <CsvButton name="stuck-prs" columns={stuckCsv} rows={rows && inOrder(rows, columns, sort)} />
          </span>
        </div>
      )}
      <DataTable
        label="Stuck pull requests"
        columns={columns}
        rowKey={(row) => row.github_id}
        answer={{ data: rows, error: stuck.error, refetch: () => stuck.refetch() }}
        failure="Failed to fetch stuck PRs"
        empty={<NothingStuck filtered={(stuck.data?.length ?? 0) > 0} />}
        sort={sort}
        onSort={onSort}
        {...(limit !== undefined && { limit })}
        phoneRow={(row) => <StuckPhoneRow row={row} now={now} />}
      />
    </Card>
  );
}

/** The pictures of everyone known, by login, for the names that stand alone in a row. */
function useAvatars(): ReadonlyMap<string, string | null> {
  const people = useQuery(ask('listContributors', { query: {} })).data;
  return useMemo(() => new Map(people?.map(({ username, avatar_url }) => [username, avatar_url])), [people]);
}

function NothingStuck({ filtered }: { filtered: boolean }) {
  const { start, active } = useSync();
  if (filtered) {
    return (
      <EmptyState
        title="No stuck PRs found"
        why="Other stuck pull requests are hidden by the filters."
        next={
          <Link to="." search={{}}>
            Clear filters
          </Link>
        }
      />
    );
  }
  return (
    <EmptyState
      goodNews
      title="No stuck PRs found"
      why="Nothing has been open for more than 48 hours."
      next={
        <button type="button" className={classes.show} disabled={active} onClick={() => start('smart')}>
          Sync to check again
        </button>
      }
    />
  );
}
