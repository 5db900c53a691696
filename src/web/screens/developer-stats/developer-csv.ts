import type { DeveloperStat } from '#contract/team.ts';
import type { Credited } from '../../filters/credit.ts';
import type { CsvColumn } from '../../table/csv.ts';

const columns: readonly CsvColumn<DeveloperStat>[] = (
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
).map((name) => ({
  name,
  value: (row) => (name.endsWith('_trend') && !row.trends_comparable ? null : row[name]),
}));

/**
 * A developer as a line of the downloaded table; hours and percent unrounded. Where agents' pull requests are counted to who started them,
 * each line says so.
 */
export function developerCsv({ credit }: Credited): readonly CsvColumn<DeveloperStat>[] {
  return credit === undefined ? columns : [...columns, { name: 'credit', value: () => credit }];
}
