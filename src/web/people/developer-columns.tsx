import { AlertFillIcon } from '@primer/octicons-react';
import type { DeveloperStat } from '#contract/team.ts';
import { percentWords } from '#domain/percent.ts';
import { developerFlags, mergeTimeRating, openPrsBadge } from '#domain/ratings.ts';
import { Chip } from '../kit/chip.tsx';
import { Amount, Duration } from '../kit/figure.tsx';
import type { Column } from '../table/data-table.tsx';
import { formatCount } from '../time/moment.ts';
import { columnTip } from './columns-in.ts';
import { Flagged, Movement, Rated } from './flagged.tsx';
import classes from './people-table.module.css';
import { RowPerson } from './person-row.tsx';

/** A developer's figures without the person, in the order of the page of their own. */
export type DeveloperColumn = Column<DeveloperStat>;

/** A rate of 0–100, without the sign. */
export const percent = (rate: number | null) => (rate === null ? null : percentWords(rate / 100));
/** Green inside a target. */
export const good = (is: boolean) => (is ? 'good' : null);
/** Orange over a bound. */
export const watch = (is: boolean) => (is ? 'watch' : null);
/** How columns of numbers stand. */
export const number = { end: true, descendingFirst: true, letters: 7 } as const;

/** The number of open pull requests with its badge (docs/product.md#thresholds-and-ratings). */
function OpenPrs({ count }: { count: number }) {
  const badge = openPrsBadge(count);
  if (badge === 'none') return <>{formatCount(count)}</>;
  if (badge === 'secondary') return <Chip meaning="neutral">{formatCount(count)}</Chip>;
  return (
    <Chip meaning="bad" icon={AlertFillIcon}>
      {formatCount(count)}
    </Chip>
  );
}

/** What developers do as authors, by the column's id: what the dashboard shows. */
export const authoringColumns = {
  merged_prs: {
    id: 'merged_prs',
    title: 'Merged',
    width: '5.5rem',
    ...number,
    letters: 5,
    tip: columnTip('developer.merged_prs'),
    figure: { metric: 'developer.merged_prs', n: (row) => row.merged_prs },
    value: (row) => row.merged_prs,
    cell: (row) => (
      <span className={classes.flag}>
        {formatCount(row.merged_prs)} {row.trends_comparable && <Movement trend={row.velocity_trend} />}
      </span>
    ),
  },
  open_prs: {
    id: 'open_prs',
    title: 'Open',
    width: '4.5rem',
    ...number,
    letters: 3,
    tip: columnTip('developer.open_prs'),
    figure: { metric: 'developer.open_prs', n: (row) => row.open_prs },
    value: (row) => row.open_prs,
    cell: (row) => <OpenPrs count={row.open_prs} />,
  },
  avg_pr_size: {
    id: 'avg_pr_size',
    title: 'Avg size',
    width: '5.25rem',
    ...number,
    tip: columnTip('developer.avg_pr_size'),
    figure: { metric: 'developer.avg_pr_size' },
    value: (row) => row.avg_pr_size,
    cell: (row) => <Amount figure={row.avg_pr_size === null ? null : formatCount(Math.round(row.avg_pr_size))} />,
  },
  avg_merge_time_hours: {
    id: 'avg_merge_time_hours',
    title: 'Merge time',
    width: '8.5rem',
    end: true,
    tip: columnTip('developer.avg_merge_time_hours'),
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
        {row.trends_comparable && <Movement trend={row.merge_time_trend} />}
      </Rated>
    ),
  },
  prs_awaiting_review: {
    id: 'prs_awaiting_review',
    title: 'Awaiting',
    width: '5.5rem',
    ...number,
    tip: columnTip('developer.prs_awaiting_review'),
    figure: { metric: 'developer.prs_awaiting_review', n: (row) => row.prs_awaiting_review },
    value: (row) => row.prs_awaiting_review,
    cell: (row) => (
      <span className={row.prs_awaiting_review === 0 ? classes.none : undefined}>
        {formatCount(row.prs_awaiting_review)}
      </span>
    ),
  },
  first_time_approval_rate: {
    id: 'first_time_approval_rate',
    title: 'First-time OK',
    width: '6.75rem',
    ...number,
    tip: columnTip('developer.first_time_approval_rate'),
    figure: { metric: 'developer.first_time_approval_rate' },
    value: (row) => row.first_time_approval_rate,
    cell: (row) => (
      <Flagged as={good(developerFlags(row).goodFirstTimeApproval)}>
        <Amount figure={percent(row.first_time_approval_rate)} unit="%" />
      </Flagged>
    ),
  },
} as const satisfies Record<string, DeveloperColumn>;

/** The first column: who; `top` is the row that carries 'Top Contributor'. */
export function developerColumn(top: DeveloperStat | undefined): DeveloperColumn {
  return {
    id: 'author',
    title: 'Developer',
    value: (row) => row.author.toLowerCase(),
    cell: (row) => <RowPerson {...developerOf(row, top)} />,
  };
}

/** The person of a row. */
export function developerOf(row: DeveloperStat, top: DeveloperStat | undefined) {
  return {
    username: row.author,
    displayName: row.display_name,
    brief: true,
    avatarUrl: row.avatar_url,
    kind: row.kind,
    badge: row === top ? 'Top Contributor' : undefined,
  };
}
