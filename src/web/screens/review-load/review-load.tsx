import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReviewLoadRow } from '#contract/team.ts';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { rowsOf } from '../../api/query.ts';
import { Explain } from '../../explain/explain.tsx';
import { type Choice, useChoice, useChosenNames, useWindowWords } from '../../filters/choice-of-figures.ts';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetPickers } from '../../filters/head-pickers.tsx';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { WindowPicker } from '../../filters/window-picker.tsx';
import { Card, Panel, Strip, StripCell } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf, ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { Amount } from '../../kit/figure.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { AccountsFoot, isPerson, useAllAccounts } from '../../people/accounts-foot.tsx';
import { nameOf } from '../../people/person-name.tsx';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { formatCount } from '../../time/moment.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readOneOf } from '../../url/url-state.ts';
import { LoadChart } from './load-chart.tsx';
import { LoadList } from './load-list.tsx';
import { loadCsv } from './load-row.ts';
import { LoadWatchLine } from './load-watch-line.tsx';
import { askReviewLoad } from './questions.ts';
import classes from './review-load.module.css';

/** So many people are shown at first. */
const AT_FIRST = 12;

const orders = ['pending', 'reviews', 'name'] as const;
type Order = (typeof orders)[number];

function compare(order: Order) {
  return (a: ReviewLoadRow, b: ReviewLoadRow): number => {
    if (order === 'name')
      return nameOf(a.reviewer, a.display_name).localeCompare(nameOf(b.reviewer, b.display_name), 'en');
    if (order === 'reviews') return b.reviews_last_week - a.reviews_last_week;
    return b.outstanding_reviews - a.outstanding_reviews || b.reviews_last_week - a.reviews_last_week;
  };
}

/** Who carries the review load: who is full, and who has room (docs/product.md#review-load). */
export function ReviewLoadScreen() {
  const chosen = useChoice();
  const words = useWindowWords('7d');
  const names = useChosenNames();
  const load = useQuery(askReviewLoad(chosen));
  const [all] = useAllAccounts();
  const [orderBy, setOrder] = useUrlFilter('order');
  const order = readOneOf(orderBy, orders) ?? 'pending';
  const people = rowsOf(load, load.data?.filter(isPerson));
  const others = (load.data?.length ?? 0) - (people?.length ?? 0);
  const rows = (all ? rowsOf(load, load.data) : people)?.toSorted(compare(order));
  const [unfolded, setUnfolded] = useState(false);
  const isPrinting = useIsPrinting();
  const shown = unfolded || isPrinting ? rows : rows?.slice(0, AT_FIRST);
  const folded = (rows?.length ?? 0) - (shown?.length ?? 0);
  // Where the chart has no room beside the list, the bars stand in the list: nobody is there twice.
  const apart = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false }) ?? true;
  const phone = usePhone();
  const [active, clear] = useSetPickers();
  const csv = <CsvButton name="review-load" columns={loadCsv} rows={load.isPlaceholderData ? undefined : rows} />;
  const byOrder = (
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
  );

  return (
    <Page
      title={headings['review-load']}
      subtitle={['Team review workload and completion metrics', words.isChosen ? words.caption : null, ...names]
        .filter((part) => part !== null)
        .join(', ')}
      actions={
        <>
          <Filters active={active} onClear={clear}>
            <WindowPicker own="7d" />
            <RepositoryFilter />
            <TeamFilter />
            {phone && byOrder}
          </Filters>
          {!phone && csv}
        </>
      }
    >
      <SyncMessages />
      <ImportNotice />
      <OldAnswerNote title="Failed to fetch review load data" answer={load} />
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
          <ConnectFirst title="No review data available">
            <EmptyState
              title="No review data available"
              why={`Nobody reviewed or merged ${words.during}, and no review is outstanding.`}
              next={others > 0 ? <AccountsFoot others={others} /> : undefined}
            />
          </ConnectFirst>
        </Panel>
      ) : (
        <div className={classes.load} data-outdated={load.isPlaceholderData || undefined}>
          <Summary rows={rows} chosen={chosen} all={all} />
          <LoadWatchLine
            rows={people}
            chosen={chosen}
            during={words.isChosen ? words.during : 'last week'}
            amongOthers={all && others > 0}
          />
          <div className={classes.columns}>
            {apart && <LoadChart rows={shown} everyone={rows} chosen={chosen} words={words} />}
            <Card
              title="Review Load Details"
              {...(!apart && { caption: words.caption })}
              {...(!phone && { controls: byOrder })}
              foot={
                load.data && (
                  <>
                    <AccountsFoot others={others} />
                    {(folded > 0 || unfolded) && (
                      <FoldButton unfolded={unfolded} onToggle={setUnfolded}>
                        {unfolded ? `Show the first ${AT_FIRST}` : `Show all ${formatCount(rows?.length ?? 0)}`}
                      </FoldButton>
                    )}
                    {phone && csv}
                  </>
                )
              }
              flush
            >
              <LoadList rows={shown} withBars={!apart} heaviest={people} chosen={chosen} words={words} />
            </Card>
          </div>
        </div>
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
    sum: (rows: readonly ReviewLoadRow[]) => rows.filter((row) => row.reviews_last_week > 0).length,
  },
] as const satisfies readonly { readonly figure: FigureKey; readonly [key: string]: unknown }[];

interface SummaryProps {
  readonly rows: readonly ReviewLoadRow[] | undefined;
  readonly chosen: Choice;
  /** With bots and agents. */
  readonly all: boolean;
}

function Summary({ rows, chosen, all }: SummaryProps) {
  const of = { ...chosen, ...(all && { accounts: 'all' as const }) };
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
