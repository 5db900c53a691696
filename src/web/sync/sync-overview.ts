import type { SyncResponse } from '#contract/sync.ts';
import { formatDuration } from '#domain/duration.ts';
import { syncPhases } from '#domain/sync-phase.ts';
import type { RepositorySync, SyncState } from './run-sync.ts';
import { percentageOver } from './sync-percentage.ts';

export interface SyncOverview {
  /** 0 to 100, rounded down, over all repositories. */
  readonly percentage: number;
  /** The earliest phase among those still at work, else among those that timed out; 'completed' or 'error' when all have ended. */
  readonly phase: string;
  readonly processedPrs: number;
  /** Null until every repository knows its number. */
  readonly totalPrs: number | null;
  readonly processedReviews: number;
  readonly totalReviews: number | null;
  /** Seconds until the slowest is done; null while it cannot be told. */
  readonly secondsLeft: number | null;
  /** The scarcest rate limit heard of, one's own before somebody else's; null where there is none. */
  readonly rateLimit: NonNullable<SyncResponse['rate_limit_status']> | null;
}

const isAtWork = ({ status }: RepositorySync): boolean => status === 'syncing' || status === 'retrying';

function phaseOf(one: RepositorySync): string {
  if (isAtWork(one) || one.status === 'timed-out') return one.answer?.progress.current_phase ?? 'starting';
  return one.error === null ? 'completed' : 'error';
}

const order = (phase: string): number => {
  const at = (syncPhases as readonly string[]).indexOf(phase);
  return at === -1 ? syncPhases.indexOf('processing_data') : at;
};

/** Puts the progress of several repositories into one line of figures; a total is null as long as one part of it is. */
export function overallOf(state: SyncState | null): SyncOverview {
  const all = state?.repositories ?? [];
  const atWork = all.filter(isAtWork);
  const progress = all.flatMap(({ answer }) => answer?.progress ?? []);
  const total = (values: readonly (number | null)[]): number | null =>
    all.length > progress.length || values.includes(null)
      ? null
      : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const left = atWork.map(({ answer }) => answer?.progress.estimated_time_remaining ?? null);
  const limits = all.flatMap(({ answer }) => answer?.rate_limit_status ?? []);
  const phases = (atWork.length > 0 ? atWork : all).map(phaseOf).sort((a, b) => order(a) - order(b));
  return {
    percentage: percentageOver(all),
    phase: phases[0] ?? 'starting',
    processedPrs: progress.reduce((sum, { processed_prs }) => sum + processed_prs, 0),
    totalPrs: total(progress.map(({ total_prs }) => total_prs)),
    processedReviews: progress.reduce((sum, { processed_reviews }) => sum + processed_reviews, 0),
    totalReviews: total(progress.map(({ total_reviews }) => total_reviews)),
    secondsLeft: left.length === 0 || left.includes(null) ? null : Math.max(...left.map((seconds) => seconds ?? 0)),
    rateLimit: limits.sort((a, b) => (a.remaining ?? Infinity) - (b.remaining ?? Infinity))[0] ?? null,
  };
}

/** "about 2 min left", "less than a minute left"; null while it cannot be told. */
export function formatTimeLeft(seconds: number | null): string | null {
  if (seconds === null) return null;
  if (seconds < 60) return 'less than a minute left';
  return `about ${formatDuration(seconds / 3600)} left`;
}
