import { activityLevel, developerFlags, reviewResponseRating } from '#domain/ratings.ts';
import { Amount, Duration } from '../../kit/figure.tsx';
import { columnTip } from '../../people/columns-in.ts';
import {
  authoringColumns,
  type DeveloperColumn,
  good,
  number,
  percent,
  watch,
} from '../../people/developer-columns.tsx';
import { Flagged, Rated } from '../../people/flagged.tsx';
import classes from '../../people/people-table.module.css';
import { formatCount } from '../../time/moment.ts';

const reviewing = {
  reviews_given: {
    id: 'reviews_given',
    title: 'Reviews',
    width: '5.5rem',
    ...number,
    tip: columnTip('developer.reviews_given'),
    figure: { metric: 'developer.reviews_given', n: (row) => row.reviews_given },
    value: (row) => row.reviews_given,
    cell: (row) => formatCount(row.reviews_given),
  },
  avg_review_response_hours: {
    id: 'avg_review_response_hours',
    title: 'Review speed',
    width: '8.5rem',
    end: true,
    tip: columnTip('developer.avg_review_response_hours'),
    figure: {
      metric: 'developer.avg_review_response_hours',
      rating: (row) => reviewResponseRating(row.avg_review_response_hours),
    },
    value: (row) => row.avg_review_response_hours,
    cell: (row) => (
      <Rated as={reviewResponseRating(row.avg_review_response_hours)}>
        <Flagged as={watch(developerFlags(row).slowReview)}>
          <Duration hours={row.avg_review_response_hours} />
        </Flagged>
      </Rated>
    ),
  },
  review_approval_rate: {
    id: 'review_approval_rate',
    title: 'Approval',
    width: '5.5rem',
    ...number,
    tip: columnTip('developer.review_approval_rate'),
    figure: { metric: 'developer.review_approval_rate' },
    value: (row) => row.review_approval_rate,
    cell: (row) => (
      <Flagged as={good(developerFlags(row).goodApprovalRate)}>
        <Amount figure={percent(row.review_approval_rate)} unit="%" />
      </Flagged>
    ),
  },
  review_to_pr_ratio: {
    id: 'review_to_pr_ratio',
    title: 'Ratio',
    width: '4.75rem',
    ...number,
    tip: columnTip('developer.review_to_pr_ratio'),
    figure: { metric: 'developer.review_to_pr_ratio', n: (row) => row.reviews_given },
    value: (row) => row.review_to_pr_ratio,
    cell: (row) => (
      <Flagged as={good(developerFlags(row).goodReviewRatio)}>
        <Amount figure={row.review_to_pr_ratio === null ? null : row.review_to_pr_ratio.toFixed(1)} />
      </Flagged>
    ),
  },
} as const satisfies Record<string, DeveloperColumn>;

const activeDays: DeveloperColumn = {
  id: 'active_days',
  title: 'Active days',
  width: '7.5rem',
  ...number,
  tip: columnTip('developer.active_days'),
  figure: { metric: 'developer.active_days', n: (row) => row.active_days },
  value: (row) => row.active_days,
  cell: (row) => formatCount(row.active_days),
};

const activeDaysInLevels: DeveloperColumn = {
  ...activeDays,
  cell: (row) => (
    <>
      {row.active_days} <span className={classes.word}>{activityLevel(row.active_days)}</span>
    </>
  ),
};

/**
 * What is about reviews: those that developers give, and those of their own pull requests. The level of their activity is one of 30 days: over
 * other windows it is left out.
 */
export const reviewingColumns = (levels: boolean): readonly DeveloperColumn[] => [
  ...Object.values(reviewing),
  levels ? activeDaysInLevels : activeDays,
];

/** Every column of the page of developers, in its order. */
export const developerColumns = (levels: boolean): readonly DeveloperColumn[] => [
  authoringColumns.merged_prs,
  authoringColumns.open_prs,
  authoringColumns.avg_pr_size,
  authoringColumns.avg_merge_time_hours,
  reviewing.reviews_given,
  reviewing.avg_review_response_hours,
  authoringColumns.prs_awaiting_review,
  reviewing.review_approval_rate,
  authoringColumns.first_time_approval_rate,
  reviewing.review_to_pr_ratio,
  levels ? activeDaysInLevels : activeDays,
];
