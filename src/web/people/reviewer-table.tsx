import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import type { ReviewerStat } from '#contract/team.ts';
import { SLOW_REVIEW_ABOVE_HOURS } from '#domain/metrics/thresholds.ts';
import { isSlowReview, reviewResponseRating } from '#domain/ratings.ts';
import { matchesSearch } from '#domain/search.ts';
import { part } from '../api/part.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { useChoice, useWindowWords } from '../filters/choice-of-figures.ts';
import { Card } from '../kit/card.tsx';
import { Duration } from '../kit/figure.tsx';
import type { Sorting } from '../kit/sort-bar.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { type Column, DataTable } from '../table/data-table.tsx';
import { inOrder } from '../table/sort-rows.ts';
import { formatCount } from '../time/moment.ts';
import { useUrlFilter } from '../url/url-filter.ts';
import { useUrlSort } from '../url/url-state.ts';
import { AccountsFoot, isPerson, useAllAccounts } from './accounts-foot.tsx';
import { columnsIn, columnTip } from './columns-in.ts';
import { Flagged, Rated } from './flagged.tsx';
import { PeopleFigures } from './people-figures.tsx';
import { peopleRows } from './people-rows.tsx';
import { personKeys } from './person-keys.ts';
import { nameOf } from './person-name.tsx';
import { RowPerson } from './person-row.tsx';
import { askReviewers } from './questions.ts';

const NobodyListed = lazy(part(() => import('./nobody-listed.tsx')));

const ON_DASHBOARD = 8;

interface Props {
  /** Of the page of its own; without them it is the dashboard's, which shows a few rows. */
  readonly filters?: (sort: Sorting) => ReactNode;
  /** The button that downloads the rows as they are shown; undefined while they are not there yet. */
  readonly csv?: (rows: readonly ReviewerStat[] | undefined) => ReactNode;
}

/** Who reviewed in the chosen window, the last 7 days unless another is (docs/product.md#reviewers-and-developers). */
export function ReviewerTable({ filters, csv }: Props) {
  const onPage = filters !== undefined;
  const chosen = useChoice();
  const words = useWindowWords('7d');
  const reviewers = useQuery(askReviewers(chosen));
  const [person] = useUrlFilter('person');
  const [all] = useAllAccounts();

  const people = reviewers.data?.filter(isPerson);
  const top = people?.[0];
  const rowKey = personKeys(reviewers.data, (row) => row.reviewer);
  const rows = (all ? reviewers.data : people)?.filter(
    (row) => !onPage || matchesSearch([row.reviewer, row.display_name], person ?? ''),
  );
  const most = Math.max(0, ...(rows ?? []).map((row) => row.review_count));
  const about = (row: ReviewerStat) => ({
    username: row.reviewer,
    displayName: row.display_name,
    brief: !onPage,
    avatarUrl: row.avatar_url,
    kind: row.kind,
    badge: row === top ? 'Top Reviewer' : undefined,
  });
  const phone = usePhone();
  const own: Column<ReviewerStat>[] = [
    {
      id: 'reviewer',
      title: 'Reviewer',
      ...(onPage && { width: '20rem' }),
      // By the name that comes first in its row.
      value: (row) => (onPage && !phone ? nameOf(row.reviewer, row.display_name) : row.reviewer),
      cell: (row) => <RowPerson {...about(row)} />,
    },
    {
      id: 'review_count',
      title: 'Reviews',
      ...(!onPage && { width: '8.5rem' }),
      end: true,
      descendingFirst: true,
      tip: columnTip('reviewer.review_count'),
      value: (row) => row.review_count,
      figure: {
        metric: 'reviewer.review_count',
        n: (row) => row.review_count,
        bar: (row) => <SpanBar whole={most} spans={[{ length: row.review_count, tone: 'reference' }]} />,
      },
      cell: (row) => formatCount(row.review_count),
    },
    {
      id: 'response',
      title: 'Response',
      width: onPage ? '13rem' : '6rem',
      end: true,
      tip: columnTip('reviewer.avg_review_time_hours'),
      value: (row) => row.avg_review_time_hours,
      figure: {
        metric: 'reviewer.avg_review_time_hours',
        rating: (row) => reviewResponseRating(row.avg_review_time_hours),
      },
      cell: (row) => <Response hours={row.avg_review_time_hours} rated={onPage && !phone} />,
    },
  ];
  const columns = words.isChosen ? columnsIn(own, words.alone) : own;
  const [sort, onSort] = useUrlSort('reviewers', { column: 'review_count', descending: true }, columns);
  const file = csv?.(reviewers.isPlaceholderData ? undefined : rows && inOrder(rows, columns, sort));
  return (
    <Card
      title="Reviewers"
      caption={words.caption}
      controls={
        onPage ? (
          <>
            {filters({ columns, sort, onSort })}
            {!phone && file}
          </>
        ) : (
          <Link to="/reviewer-stats" search={chosen} state={{ addsNoTeam: true }}>
            All reviewers
          </Link>
        )
      }
      foot={
        reviewers.data && (
          <>
            <AccountsFoot others={reviewers.data.length - (people?.length ?? 0)} />
            {onPage && <span>Orange: response over {SLOW_REVIEW_ABOVE_HOURS} h.</span>}
            {phone && file}
          </>
        )
      }
      outdated={reviewers.isPlaceholderData}
      flush
    >
      <PeopleFigures chosen={chosen}>
        <DataTable
          label="Reviewers"
          columns={columns}
          rowKey={rowKey}
          rowHeight={40}
          answer={{
            data: rows,
            error: reviewers.error,
            refetch: () => reviewers.refetch(),
            isPlaceholderData: reviewers.isPlaceholderData,
          }}
          failure="Failed to fetch reviewer stats"
          empty={
            <NobodyListed
              title={`No review activity ${words.during}`}
              why={`Nobody reviewed a pull request ${words.during}.`}
              onPage={onPage}
            />
          }
          sort={sort}
          onSort={onSort}
          {...(!onPage && { limit: ON_DASHBOARD })}
          people={peopleRows({
            rowKey,
            who: about,
            columns,
            leading: ['review_count', 'response'],
            note: (row) => (row === top ? 'Top Reviewer' : (row.display_name ?? '')),
          })}
        />
      </PeopleFigures>
    </Card>
  );
}

/** `rated` says the rating beside the figure. */
function Response({ hours, rated }: { hours: number | null; rated: boolean }) {
  const figure = (
    <Flagged as={isSlowReview(hours) ? 'watch' : null}>
      <Duration hours={hours} />
    </Flagged>
  );
  return rated ? <Rated as={reviewResponseRating(hours)}>{figure}</Rated> : figure;
}
