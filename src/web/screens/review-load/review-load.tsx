import { useQuery } from '@tanstack/react-query';
import type { ReviewLoadRow } from '#contract/team.ts';
import type { FigureKey } from '#domain/definitions.ts';
import { ask } from '../../api/query.ts';
import { Page } from '../../layout/page.tsx';
import { useUrlFilter } from '../../layout/url-filter.ts';
import { readOneOf } from '../../layout/url-state.ts';
import { AccountsFoot, isPerson, useAllAccounts } from '../../panels/accounts-foot.tsx';
import { Card, Panel, Strip, StripCell } from '../../panels/card.tsx';
import { CsvButton } from '../../panels/csv-button.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { causeOf, ErrorState } from '../../panels/error-state.tsx';
import { Explain } from '../../panels/explain.tsx';
import { Amount } from '../../panels/figure.tsx';
import { RepositoryFilter } from '../../panels/filter-box.tsx';
import { useRepositoryFilter } from '../../panels/filters.ts';
import { ImportNotice } from '../../panels/import-notice.tsx';
import { formatCount } from '../../panels/moment.ts';
import { SegmentedFilter } from '../../panels/segmented-filter.tsx';
import { Late, Line } from '../../panels/skeleton.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { LoadChart } from './load-chart.tsx';
import { LoadList } from './load-list.tsx';
import { loadCsv, nameOf } from './load-row.ts';
import { LoadWatchLine } from './load-watch-line.tsx';
import classes from './review-load.module.css';

const orders = ['pending', 'reviews', 'name'] as const;
type Order = (typeof orders)[number];

function compare(order: Order) {
  return (a: ReviewLoadRow, b: ReviewLoadRow): number => {
    if (order === 'name') return nameOf(a).localeCompare(nameOf(b), 'en');
    if (order === 'reviews') return b.reviews_last_week - a.reviews_last_week;
    return b.outstanding_reviews - a.outstanding_reviews || b.reviews_last_week - a.reviews_last_week;
  };
}

/** Who carries the review load: who is full, and who has room (product specification, section 2, "Review load"). */
export function ReviewLoadScreen() {
  const repository = useRepositoryFilter();
  const query = { accounts: 'all' as const, ...(repository === undefined ? {} : { repository }) };
  // Bots and agents come along always, so that their number can be said; no figure of a person changes by it.
  const load = useQuery(ask('listReviewLoad', { query }));
  const [all] = useAllAccounts();
  const [chosen, setOrder] = useUrlFilter('order');
  const order = readOneOf(chosen, orders) ?? 'pending';
  const people = load.data?.filter(isPerson);
  const rows = (all ? load.data : people)?.toSorted(compare(order));

  return (
    <Page
      title="Review Load"
      subtitle="Team review workload and completion metrics"
      actions={
        <>
          <RepositoryFilter />
          <CsvButton name="review-load" columns={loadCsv} rows={rows} />
        </>
      }
    >
      <SyncMessages />
      <ImportNotice />
      {load.data === undefined && load.error !== null ? (
        <Panel label="Review load">
          <ErrorState
            title="Failed to fetch review load data"
            error={new Error(load.error.message === '' ? 'Unknown error' : `Error: ${causeOf(load.error)}`)}
            onRetry={() => void load.refetch()}
          />
        </Panel>
      ) : rows?.length === 0 ? (
        <Panel label="Review load">
          <EmptyState
            title="No review data available"
            why="Nobody reviewed or merged in the last 7 days, and no review is outstanding."
          />
        </Panel>
      ) : (
        <>
          <Summary rows={rows} repository={repository} all={all} />
          <LoadWatchLine rows={people} repository={repository} />
          <div className={classes.columns}>
            <LoadChart rows={rows} repository={repository} />
            <Card
              title="Review Load Details"
              controls={
                <SegmentedFilter
                  label="Order"
                  value={order}
                  onChange={(value) => setOrder(value === 'pending' ? undefined : value)}
                  options={[
                    { value: 'pending', label: 'Pending' },
                    { value: 'reviews', label: 'Reviews' },
                    { value: 'name', label: 'Name' },
                  ]}
                />
              }
              foot={load.data && <AccountsFoot others={load.data.length - (people?.length ?? 0)} />}
              flush
            >
              <LoadList rows={rows} heaviest={people} repository={repository} />
            </Card>
          </div>
        </>
      )}
    </Page>
  );
}

const figures = [
  {
    figure: 'team.outstanding_reviews',
    label: 'Outstanding Reviews',
    caption: 'PRs waiting for review',
    sum: (rows: readonly ReviewLoadRow[]) => rows.reduce((sum, row) => sum + row.outstanding_reviews, 0),
  },
  {
    figure: 'team.complex_reviews',
    label: 'Complex Reviews',
    caption: 'Reviews with detailed feedback',
    sum: (rows: readonly ReviewLoadRow[]) => rows.reduce((sum, row) => sum + row.complex_reviews, 0),
  },
  {
    figure: 'team.active_reviewers',
    label: 'Active Reviewers',
    caption: 'Contributors doing reviews',
    sum: (rows: readonly ReviewLoadRow[]) => rows.length,
  },
] as const satisfies readonly { readonly figure: FigureKey; readonly [key: string]: unknown }[];

interface SummaryProps {
  readonly rows: readonly ReviewLoadRow[] | undefined;
  readonly repository: number | undefined;
  /** With bots and agents. */
  readonly all: boolean;
}

function Summary({ rows, repository, all }: SummaryProps) {
  const of = { ...(repository !== undefined && { repository }), ...(all && { accounts: 'all' as const }) };
  return (
    <Panel label="Summary">
      <Strip>
        {figures.map(({ figure, label, caption, sum }) => (
          <StripCell
            key={label}
            label={
              <Explain metric={figure} {...of}>
                {label}
              </Explain>
            }
          >
            <div className={classes.figure}>
              {rows === undefined ? (
                <Late>
                  <Line width="4rem" />
                </Late>
              ) : (
                <Amount figure={formatCount(sum(rows))} large />
              )}
            </div>
            <div className={classes.caption}>{caption}</div>
          </StripCell>
        ))}
      </Strip>
    </Panel>
  );
}
