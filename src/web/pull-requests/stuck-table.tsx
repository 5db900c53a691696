import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, useMemo, useState } from 'react';
import type { StuckPullRequest } from '#contract/team.ts';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { hasProperties } from '#domain/pull-request-properties.ts';
import { matchesSearch } from '#domain/search.ts';
import { type WaitingOn, waitingOnLabel } from '#domain/whose-turn.ts';
import { part } from '../api/part.ts';
import { askPeople, askTeam } from '../api/questions.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { Explain } from '../explain/explain.tsx';
import { useNarrowing } from '../filters/choice-of-figures.ts';
import { useWantedProperties } from '../filters/filters.ts';
import { Card } from '../kit/card.tsx';
import { useScreen } from '../kit/is-printing.ts';
import { SegmentedFilter } from '../kit/segmented-filter.tsx';
import type { Sorting } from '../kit/sort-bar.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { useHostName } from '../session/session.tsx';
import { type Column, DataTable } from '../table/data-table.tsx';
import { inOrder } from '../table/sort-rows.ts';
import { formatCount } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import { useUrlFilter } from '../url/url-filter.ts';
import { readPositive, useUrlSort } from '../url/url-state.ts';
import { askOldestStuck, askStuck, askStuckCounts, ON_DASHBOARD } from './questions.ts';
import { LONGEST_BAR_DAYS, StuckPhoneRow, stuckColumns } from './stuck-columns.tsx';
import classes from './stuck-table.module.css';
import { readTurn, turns } from './turns.ts';

const NothingStuck = lazy(part(() => import('./nothing-stuck.tsx')));

/** Number of rows that the page of its own shows at first. */
const AT_FIRST = 100;

const oldestFirst = { column: 'open', descending: true } as const;

interface Props {
  /** Of the page of its own; without them it is the dashboard's, which has the turns only, a few rows and a link to all of it. */
  readonly filters?: (sort: Sorting) => ReactNode;
  /** The last column, where there is room. */
  readonly hostColumn?: (host: string) => Column<StuckPullRequest>;
  /** The button that downloads the rows as they are shown; undefined while they are not there yet. */
  readonly csv?: (rows: readonly StuckPullRequest[] | undefined) => ReactNode;
}

/** What has been open for too long, with whose turn it is (docs/product.md#stuck-pull-requests). */
export function StuckTable({ filters, csv, hostColumn }: Props) {
  const onPage = filters !== undefined;
  const asked = readPositive(useUrlFilter('asked')[0]);
  const of = useNarrowing();
  const isWhole = Object.keys(of).length === 0;
  const [person] = useUrlFilter('person');
  const wanted = useWantedProperties();
  const [chosen, setTurn] = useUrlFilter('turn');
  const turn = readTurn(chosen);
  const [all, setAll] = useState(false);
  const avatars = useAvatars();
  const now = useNow();
  const host = useHostName();
  const narrow = useScreen('(max-width: 61.99em)', true);
  const own = stuckColumns({
    now,
    avatars,
    narrow,
  });
  const columns = narrow || hostColumn === undefined ? own : [...own, hostColumn(host)];
  const [sort, onSort] = useUrlSort('stuck', oldestFirst, columns);

  // Of thousands the dashboard shows a few: it asks for all of them only to put others first.
  const areOldest = !onPage && sort.column === oldestFirst.column && sort.descending === oldestFirst.descending;
  const stuck = useQuery(
    areOldest ? askOldestStuck(of, turn) : askStuck({ ...of, ...(onPage && asked !== undefined && { asked }) }),
  );
  const counting = useQuery({ ...askStuckCounts(of), enabled: !onPage });
  const counts = counting.isPlaceholderData ? undefined : counting.data;
  const openPrs = useQuery(askTeam()).data?.open_prs;
  const isWanted = (row: StuckPullRequest) =>
    hasProperties(row, wanted) && matchesSearch([row.author, row.author_display_name, ...row.reviewers], person ?? '');
  const filtered = onPage ? stuck.data?.filter(isWanted) : stuck.data;
  const rows = turn === undefined ? filtered : filtered?.filter((row) => row.waiting_on === turn);
  // Rows of another question, which stand in until the answer is there, don't say how many there are.
  const isOutdated = stuck.isPlaceholderData;
  const countOf = (wanted?: WaitingOn) =>
    onPage
      ? isOutdated
        ? undefined
        : filtered?.filter((row) => wanted === undefined || row.waiting_on === wanted).length
      : counts?.[wanted ?? 'all'];
  const total = onPage ? stuck.data?.length : counts?.all;
  const isAny = (total ?? stuck.data?.length ?? 0) > 0;
  const limit = onPage ? (all ? undefined : AT_FIRST) : ON_DASHBOARD;
  const beyondFirst = onPage ? Math.max(0, (rows?.length ?? 0) - AT_FIRST) : 0;

  const phone = usePhone();
  const file = csv?.(isOutdated ? undefined : rows && inOrder(rows, columns, sort));
  const counted = total !== undefined && (
    <>
      {onPage && asked !== undefined ? (
        formatCount(total)
      ) : (
        <Explain metric="team.stuck_prs" {...of}>
          {formatCount(total)}
        </Explain>
      )}{' '}
      {openPrs !== undefined && isWhole && (asked === undefined || !onPage) ? (
        <>
          of <Explain metric="team.open_prs">{formatCount(openPrs)}</Explain> open pull requests
        </>
      ) : (
        'stuck'
      )}
    </>
  );

  return (
    <Card
      title="Stuck pull requests"
      caption={onPage ? counted || undefined : `open for more than ${STUCK_AFTER_HOURS} hours`}
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
        isAny &&
        (!onPage || !narrow || phone || beyondFirst > 0) && (
          <>
            {!onPage && <span>{counted && <>{counted}.</>}</span>}
            {!narrow && (
              <span>
                <BarKey />
              </span>
            )}
            {phone && file}
            {!onPage && (
              <Link to="/stuck-prs" search={of} state={{ addsNoTeam: true }}>
                View all stuck PRs
              </Link>
            )}
            {beyondFirst > 0 && (
              <button type="button" className={classes.show} aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? `Show the first ${AT_FIRST}` : `Show ${formatCount(beyondFirst)} more`}
              </button>
            )}
          </>
        )
      }
      outdated={isOutdated}
      flush
    >
      {onPage && (
        <div className={classes.filters}>
          {filters({ columns, sort, onSort })}
          {!phone && <span className={classes.end}>{file}</span>}
        </div>
      )}
      <DataTable
        label="Stuck pull requests"
        columns={columns}
        rowKey={(row) => row.github_id}
        rowHeight={54}
        answer={{ data: rows, error: stuck.error, refetch: () => stuck.refetch(), isPlaceholderData: isOutdated }}
        failure="Failed to fetch stuck PRs"
        empty={<NothingStuck filtered={isAny} />}
        sort={sort}
        onSort={onSort}
        {...(limit !== undefined && { limit })}
        sortInSheet={onPage}
        phoneRow={(row) => <StuckPhoneRow row={row} now={now} />}
      />
    </Card>
  );
}

/** What the bars in the table say. */
function BarKey() {
  return (
    <>
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
      <span className={classes.key}>
        <SpanBar whole={1} spans={[{ length: 2, tone: 'chart-2' }]} />
      </span>
      Longer than {LONGEST_BAR_DAYS} days, bar cut.
    </>
  );
}

/** The pictures of everyone known, by login, for the names that stand alone in a row. */
function useAvatars(): ReadonlyMap<string, string | null> {
  const people = useQuery(askPeople()).data;
  return useMemo(() => new Map(people?.map(({ username, avatar_url }) => [username, avatar_url])), [people]);
}
