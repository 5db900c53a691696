import type { ReviewerStat } from '#contract/team.ts';
import type { CsvColumn } from '../../table/csv.ts';

/** A reviewer as a line of the downloaded table; hours unrounded. */
export const reviewerCsv: readonly CsvColumn<ReviewerStat>[] = [
  { name: 'reviewer', value: (row) => row.reviewer },
  { name: 'display_name', value: (row) => row.display_name },
  { name: 'kind', value: (row) => row.kind },
  { name: 'review_count', value: (row) => row.review_count },
  { name: 'avg_review_time_hours', value: (row) => row.avg_review_time_hours },
];
