import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { passFocusOut } from '../../kit/focus-soon.ts';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { CsvButton } from '../../table/csv-button.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { inOrder } from '../../table/sort-rows.ts';
import { formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readOneOf, type Sort, useUrlSort } from '../../url/url-state.ts';
import { PullRequestPhoneRow, pullRequestColumns } from './pull-request-columns.tsx';
import { pullRequestCsv } from './pull-request-csv.ts';
import classes from './pull-requests.module.css';
import { askPullRequests, type View } from './questions.ts';

const states = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'merged', label: 'Merged' },
  { value: 'closed', label: 'Closed' },
] as const;

/** As the server sends them: newest first. No column shows it, so no head carries the arrow. */
const newestFirst: Sort = { column: '', descending: true };

/** How many rows come at once. */
const STEP = 25;
/** How many come first on a phone, under everything else about the person. */
const ON_PHONE = 8;

/** All pull requests of the person, whatever the period: filter by state, sort, open. */
export function PullRequestsCard({ view }: { view: View }) {
  const answer = useQuery(askPullRequests(view));
  const now = useNow();
  const [inAddress, setState] = useUrlFilter('state');
  const columns = pullRequestColumns(now);
  const [sort, onSort] = useUrlSort('prs', newestFirst, columns);
  const [more, setMore] = useState(0);
  const first = usePhone() ? ON_PHONE : STEP;
  const limit = first + more;
  const state = readOneOf(inAddress, ['open', 'merged', 'closed']) ?? 'all';
  // A failure empties the list (docs/product.md#words-and-errors).
  const all = answer.isError ? undefined : answer.data;
  const rows = state === 'all' ? all : all?.filter((row) => row.state === state);
  const clear = () => setState(undefined);
  const counted = (value: (typeof states)[number]['value']) =>
    value === 'all' ? all?.length : all?.filter((row) => row.state === value).length;
  return (
    <Card
      title="Pull Requests"
      caption={
        all &&
        (state === 'all' ? formatCount(all.length) : `${formatCount(rows?.length ?? 0)} of ${formatCount(all.length)}`)
      }
      controls={
        <>
          {state !== 'all' && (
            <Button ref={passFocusOut} variant="subtle" color="gray" onClick={clear}>
              Clear
            </Button>
          )}
          <SegmentedFilter
            label="State"
            options={states.map((option) => ({ ...option, count: counted(option.value) }))}
            value={state}
            onChange={(value) => setState(value === 'all' ? undefined : value)}
          />
          <CsvButton
            name={`${view.username}_pull_requests`}
            columns={pullRequestCsv(now, view.credit)}
            rows={answer.isPlaceholderData ? undefined : rows && inOrder(rows, columns, sort)}
          />
        </>
      }
      foot={
        rows &&
        rows.length > first && (
          <>
            <span>
              Showing {formatCount(Math.min(limit, rows.length))} of {formatCount(rows.length)}
            </span>
            <button
              type="button"
              className={classes.more}
              onClick={() => setMore(rows.length > limit ? more + STEP : 0)}
            >
              {rows.length > limit ? `Show ${Math.min(STEP, rows.length - limit)} more` : `Show the first ${first}`}
            </button>
          </>
        )
      }
      outdated={answer.isPlaceholderData}
      flush
    >
      <DataTable
        label="Pull requests"
        columns={columns}
        rowKey={(row) => row.github_id}
        answer={{
          data: rows,
          error: answer.error,
          refetch: () => answer.refetch(),
          isPlaceholderData: answer.isPlaceholderData,
        }}
        failure="Failed to fetch PRs"
        empty={
          state === 'all' ? (
            <EmptyState title="No pull requests found for this contributor" />
          ) : (
            <EmptyState
              title={`No ${state} pull requests found`}
              next={
                <Button ref={passFocusOut} variant="default" onClick={clear}>
                  Clear Filter
                </Button>
              }
            />
          )
        }
        sort={sort.column === '' ? null : sort}
        onSort={onSort}
        limit={limit}
        phoneRow={(row) => <PullRequestPhoneRow row={row} now={now} />}
      />
    </Card>
  );
}
