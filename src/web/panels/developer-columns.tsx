import { AlertFillIcon } from '@primer/octicons-react';
import type { DeveloperStat } from '#contract/team.ts';
import { definitionsOfTheTeam } from '#domain/definitions-of-the-team.ts';
import { activityLevel, developerFlags, mergeTimeRating, openPrsBadge, reviewResponseRating } from '#domain/ratings.ts';
import { Chip } from './chip.tsx';
import type { CsvColumn } from './csv.ts';
import type { Column } from './data-table.tsx';
import { Amount, Duration } from './figure.tsx';
import { Flagged, Movement, Rated } from './flagged.tsx';
import { formatCount } from './moment.ts';
import classes from './people-table.module.css';
import { RowPerson } from './person-row.tsx';

/** A developer's figures without the person, in the order of the page of their own. */
export type DeveloperColumn = Column<DeveloperStat>;

const tipOf = (key: keyof typeof definitionsOfTheTeam) => {
  const { definition, window } = definitionsOfTheTeam[key];
  return `${definition}\n${window}`;
};
const whole = (value: number | null) => (value === null ? null : formatCount(Math.round(value)));
const good = (is: boolean) => (is ? 'good' : null);
const watch = (is: boolean) => (is ? 'watch' : null);
const number = { end: true, descendingFirst: true, letters: 7 } as const;

/** The number of open pull requests with its badge (product specification, section 9, "Developer stats"). */
export function OpenPrs({ count }: { count: number }) {
  const badge = openPrsBadge(count);
  if (badge === 'none') return <>{formatCount(count)}</>;
  if (badge === 'secondary') return <Chip meaning="neutral">{formatCount(count)}</Chip>;
  return (
    <Chip meaning="bad" icon={AlertFillIcon}>
      {formatCount(count)}
    </Chip>
  );
}

/** Every column of the developer table by its id; the dashboard shows some of them. */
export const developerColumns = {
  merged_prs: {
    id: 'merged_prs',
    title: 'Merged',
    width: '5.5rem',
    ...number,
    letters: 5,
    tip: tipOf('developer.merged_prs'),
    figure: { metric: 'developer.merged_prs', n: (row) => row.merged_prs },
    value: (row) => row.merged_prs,
    cell: (row) => (
      <span className={classes.flag}>
        {formatCount(row.merged_prs)} <Movement trend={row.velocity_trend} />
      </span>
    ),
  },
  open_prs: {
    id: 'open_prs',
    title: 'Open',
    width: '4.5rem',
    ...number,
    letters: 3,
    tip: tipOf('developer.open_prs'),
    figure: { metric: 'developer.open_prs', n: (row) => row.open_prs },
    value: (row) => row.open_prs,
    cell: (row) => <OpenPrs count={row.open_prs} />,
  },
  avg_pr_size: {
    id: 'avg_pr_size',
    title: 'Avg size',
    width: '5.25rem',
    ...number,
    tip: tipOf('developer.avg_pr_size'),
    figure: { metric: 'developer.avg_pr_size' },
    value: (row) => row.avg_pr_size,
    cell: (row) => <Amount figure={whole(row.avg_pr_size)} />,
  },
  avg_merge_time_hours: {
    id: 'avg_merge_time_hours',
    title: 'Merge time',
    width: '7.25rem',
    end: true,
    tip: tipOf('developer.avg_merge_time_hours'),
    figure: {
      metric: 'developer.avg_merge_time_hours',
      n: (row) => row.merged_prs,
      rating: (row) => mergeTimeRating(row.avg_merge_time_hours),
    },
    value: (row) => row.avg_merge_time_hours,
    cell: (row) => (
      <Rated as={mergeTimeRating(row.avg_merge_time_hours)}>
        <Flagged as={watch(developerFlags(row).slowMerge)}>
          <Duration hours={row.avg_merge_time_hours} />
        </Flagged>{' '}
        <Movement trend={row.merge_time_trend} />
      </Rated>
    ),
  },
  reviews_given: {
    id: 'reviews_given',
    title: 'Reviews',
    width: '5.5rem',
    ...number,
    tip: tipOf('developer.reviews_given'),
    figure: { metric: 'developer.reviews_given', n: (row) => row.reviews_given },
    value: (row) => row.reviews_given,
    cell: (row) => formatCount(row.reviews_given),
  },
  avg_review_response_hours: {
    id: 'avg_review_response_hours',
    title: 'Review speed',
    width: '6.75rem',
    end: true,
    tip: tipOf('developer.avg_review_response_hours'),
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
  prs_awaiting_review: {
    id: 'prs_awaiting_review',
    title: 'Awaiting',
    width: '5.5rem',
    ...number,
    tip: tipOf('developer.prs_awaiting_review'),
    figure: { metric: 'developer.prs_awaiting_review', n: (row) => row.prs_awaiting_review },
    value: (row) => row.prs_awaiting_review,
    cell: (row) => (
      <span className={row.prs_awaiting_review === 0 ? classes.none : undefined}>
        {formatCount(row.prs_awaiting_review)}
      </span>
    ),
  },
  review_approval_rate: {
    id: 'review_approval_rate',
    title: 'Approval',
    width: '5.5rem',
    ...number,
    tip: tipOf('developer.review_approval_rate'),
    figure: { metric: 'developer.review_approval_rate' },
    value: (row) => row.review_approval_rate,
    cell: (row) => (
      <Flagged as={good(developerFlags(row).goodApprovalRate)}>
        <Amount figure={whole(row.review_approval_rate)} unit="%" />
      </Flagged>
    ),
  },
  first_time_approval_rate: {
    id: 'first_time_approval_rate',
    title: 'First-time OK',
    width: '6.75rem',
    ...number,
    tip: tipOf('developer.first_time_approval_rate'),
    figure: { metric: 'developer.first_time_approval_rate' },
    value: (row) => row.first_time_approval_rate,
    cell: (row) => (
      <Flagged as={good(developerFlags(row).goodFirstTimeApproval)}>
        <Amount figure={whole(row.first_time_approval_rate)} unit="%" />
      </Flagged>
    ),
  },
  review_to_pr_ratio: {
    id: 'review_to_pr_ratio',
    title: 'Ratio',
    width: '4.75rem',
    ...number,
    tip: tipOf('developer.review_to_pr_ratio'),
    figure: { metric: 'developer.review_to_pr_ratio', n: (row) => row.reviews_given },
    value: (row) => row.review_to_pr_ratio,
    cell: (row) => (
      <Flagged as={good(developerFlags(row).goodReviewRatio)}>
        <Amount figure={row.review_to_pr_ratio === null ? null : row.review_to_pr_ratio.toFixed(1)} />
      </Flagged>
    ),
  },
  active_days: {
    id: 'active_days',
    title: 'Active days',
    width: '7.75rem',
    ...number,
    tip: tipOf('developer.active_days'),
    figure: { metric: 'developer.active_days', n: (row) => row.active_days },
    value: (row) => row.active_days,
    cell: (row) => (
      <>
        {row.active_days} <span className={classes.word}>{activityLevel(row.active_days)}</span>
      </>
    ),
  },
} as const satisfies Record<string, DeveloperColumn>;

/** The first column: who; `top` is the login that carries 'Top Contributor'. */
export function developerColumn(top: string | undefined): DeveloperColumn {
  return {
    id: 'author',
    title: 'Developer',
    value: (row) => row.author.toLowerCase(),
    cell: (row) => <RowPerson {...developerOf(row, top)} />,
  };
}

/** The person of a row. */
export function developerOf(row: DeveloperStat, top: string | undefined) {
  return {
    username: row.author,
    avatarUrl: row.avatar_url,
    kind: row.kind,
    badge: row.author === top ? 'Top Contributor' : undefined,
  };
}

/** A developer as a line of the downloaded table; hours and percent unrounded. */
export const developerCsv: readonly CsvColumn<DeveloperStat>[] = (
  [
    'author',
    'display_name',
    'kind',
    'open_prs',
    'merged_prs',
    'velocity_trend',
    'avg_pr_size',
    'avg_merge_time_hours',
    'merge_time_trend',
    'reviews_given',
    'avg_review_response_hours',
    'prs_awaiting_review',
    'review_approval_rate',
    'first_time_approval_rate',
    'review_to_pr_ratio',
    'active_days',
  ] as const
).map((name) => ({ name, value: (row) => row[name] }));
