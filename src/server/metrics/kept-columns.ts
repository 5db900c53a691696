/** What is summed of everything that a person did of all time, with `open` of now: columns of `participations` and `contributor_totals`. */
export const ofAllTime = [
  'opened',
  'open',
  'merged',
  'counting_reviews',
  'automated_reviews',
  'submitted_reviews',
  'by_agent',
  'open_by_agent',
  'merged_by_agent',
] as const;

const byMonth = [
  'reviewed',
  'lines_opened',
  'ended',
  'merge_ms',
  'with_cycles',
  'cycles',
  'responses',
  'response_ms',
  'contributions',
] as const;

/** What is summed by month: columns of `participations` and `contributor_months`. */
export const months = ['opened', 'merged', 'counting_reviews', ...byMonth] as const;

export const counted = [...ofAllTime, ...byMonth];

export type KeptColumn = (typeof counted)[number];

/** Those that are float8; all others are integers. */
export const float8: ReadonlySet<KeptColumn> = new Set(['lines_opened', 'merge_ms', 'response_ms']);

/** The columns of `contributor_months` that a metric is kept in, for each person and month. */
export interface Kept {
  /** How many things. */
  readonly n: (typeof months)[number];
  /** The sum of their values, or how many of them the condition holds of. */
  readonly sum?: (typeof months)[number];
  /** What a value is multiplied with to be kept as a whole number: sums of these are exact. */
  readonly times?: number;
}
