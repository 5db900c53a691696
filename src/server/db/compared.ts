/** The pull request that is compared with what others merged before it (docs/metrics.md#one-pull-request). */
export interface Compared {
  readonly repository_id: number;
  readonly number: number;
  /** Null for a deleted account. */
  readonly author_id: number | null;
  readonly end: Date;
  /** Whether `end` is now: dates later than that then count as now. */
  readonly ends_now: boolean;
  /** Until the merge, else until the end. */
  readonly hours: number;
  readonly lines_changed: number;
}
