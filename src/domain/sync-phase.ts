export const syncPhases = [
  'starting',
  'fetching_prs',
  'fetching_reviews',
  'processing_data',
  'completed',
  'error',
] as const;

export type SyncPhase = (typeof syncPhases)[number];

const messages: Readonly<Record<SyncPhase, string>> = {
  starting: 'Initializing sync...',
  fetching_prs: 'Fetching pull requests...',
  fetching_reviews: 'Fetching reviews...',
  processing_data: 'Processing data...',
  completed: 'Sync completed',
  error: 'Sync failed',
};

/** What a sync says of itself in a phase; 'Syncing...' for any other (docs/product.md#add-repository-and-sync). */
export function syncPhaseMessage(phase: string): string {
  const known = syncPhases.find((name) => name === phase);
  return known === undefined ? 'Syncing...' : messages[known];
}

/** Below this many requests left, the host's rate limit is flagged as low and the reset time shown. */
const LOW_RATE_LIMIT = 100;

/** Whether the requests left are few. */
export function isRateLimitLow(remaining: number): boolean {
  return remaining < LOW_RATE_LIMIT;
}
