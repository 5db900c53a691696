/** What a sync is to do, decided from what is stored; pure. All instants are Dates, all sizes pull requests per request. */

export type SyncMode = 'smart' | 'incremental' | 'full';
export type PlannedMode = 'incremental' | 'full';

/** How much of a repository is stored. */
export interface StoredState {
  readonly watermark: Date | null;
  readonly history_completed_at: Date | null;
  readonly last_synced_at: Date | null;
}

/**
 * Each scan reads this far below the watermark, for hosts whose copies lag behind each other
 * (docs/server.md#sync-order-cursors-and-pauses).
 */
export const OVERLAP = 2 * 60_000;

/** After this long without a completed sync, `smart` reads everything again (docs/server.md#sync-modes-phases-and-sessions). */
export const SMART_AGE = 30 * 24 * 3_600_000;

/**
 * Full reads all history, incremental what changed since; smart chooses. Incremental without a completed sync has nothing
 * to begin at and is full (docs/server.md#sync-modes-phases-and-sessions).
 */
export function planMode(mode: SyncMode, stored: StoredState, now: Date): PlannedMode {
  if (mode === 'full') return 'full';
  if (stored.watermark === null || stored.history_completed_at === null) return 'full';
  if (mode === 'incremental') return 'incremental';
  const age = stored.last_synced_at === null ? null : now.getTime() - stored.last_synced_at.getTime();
  return age !== null && age < SMART_AGE ? 'incremental' : 'full';
}

/**
 * The moment up to which a scan has seen every change, by the host's clock: the newest update date that the scan's first page
 * named, which that clock had reached when the scan started; at most `host_time`, what the clock said when an answer of the scan
 * came (ours where the host doesn't say). Without any pull request a day is taken off that.
 */
export function watermarkOf(host_time: Date, newest: Date | null): Date {
  const day = 24 * 3_600_000;
  return new Date(Math.min(host_time.getTime(), newest?.getTime() ?? host_time.getTime() - day));
}

/** The oldest update date that a scan still reads: down to and including the watermark less the overlap. */
export function scanFloor(watermark: Date): Date {
  return new Date(watermark.getTime() - OVERLAP);
}

/** Whether a pull request named by a scan is to be fetched. `stored` is null when it is not stored yet. */
export function needsFetch(
  digest: { readonly updated_at: Date },
  stored: { readonly updated_at: Date; readonly settled: boolean } | null,
): boolean {
  return stored === null || stored.updated_at.getTime() !== digest.updated_at.getTime() || !stored.settled;
}

/**
 * The page size where nothing speaks against it: a page of n costs (1 + 2 n) / 100 points, rounded, and 74 are just under the half
 * that would be rounded up to a second (GitHub documentation: rate limits and query limits for the GraphQL API).
 */
const LARGEST_PAGE_SIZE = 74;
const GOOD_PAGES_BEFORE_GROWTH = 10;

/** The size of a session's first page. `remembered` is the one that the host could compute last, `limit` the caller's. */
export function firstPageSize(remembered: number | null, limit: number | null): number {
  return Math.max(1, Math.min(remembered ?? LARGEST_PAGE_SIZE, limit ?? LARGEST_PAGE_SIZE, LARGEST_PAGE_SIZE));
}

/** The size to be remembered after a page: one that the caller's limit bounds says nothing against a larger one. */
export function rememberedPageSize(remembered: number | null, size: number, limit: number | null): number | null {
  if (limit === null || size < limit) return size;
  return remembered === null ? null : Math.max(remembered, size);
}

/** How pages went so far: the size asked for next, and how many in a row the host could compute at that size. */
export interface PageSizing {
  readonly size: number;
  readonly good: number;
}

/** Takes what the host could compute, and after ten good pages in a row tries a quarter more, within `limit`. */
export function nextPageSize(before: PageSizing, computed: number, limit: number | null): PageSizing {
  if (computed < before.size) return { size: Math.max(1, computed), good: 0 };
  if (before.good + 1 < GOOD_PAGES_BEFORE_GROWTH) return { size: before.size, good: before.good + 1 };
  const largest = Math.min(limit ?? LARGEST_PAGE_SIZE, LARGEST_PAGE_SIZE);
  return { size: Math.min(largest, Math.ceil(before.size * 1.25)), good: 0 };
}
