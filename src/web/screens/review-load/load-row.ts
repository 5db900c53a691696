import type { ReviewLoadRow } from '#contract/team.ts';
import type { CsvColumn } from '../../table/csv.ts';

/** A row of the review load as a line of the downloaded table. */
export const loadCsv: readonly CsvColumn<ReviewLoadRow>[] = (
  [
    'reviewer',
    'display_name',
    'kind',
    'outstanding_reviews',
    'reviews_last_week',
    'merged_last_week',
    'complex_reviews',
  ] as const
).map((name) => ({ name, value: (row) => row[name] }));
