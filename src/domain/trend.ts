import { MOVED_BEYOND_PERCENT } from './metrics/thresholds.ts';

/**
 * The change of a count against the equally long window before, in percent; with nothing before it is 100 when there is something
 * now, else 0 (docs/metrics.md#what-holds-everywhere).
 */
export function countTrend(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 100 : 0;
  return (100 * (current - previous)) / previous;
}

/** The change of a mean likewise; null where either window has nothing to average, for then there is nothing to compare. */
export function meanTrend(current: number | null, previous: number | null): number | null {
  return current === null || previous === null ? null : countTrend(current, previous);
}

/** A developer's merged pull requests against the window before (`developer.velocity_trend` in docs/metrics.md#the-team-and-its-people). */
export function velocityTrend(current: number, previous: number): 'up' | 'down' | 'stable' {
  const change = countTrend(current, previous);
  if (change > MOVED_BEYOND_PERCENT) return 'up';
  return change < -MOVED_BEYOND_PERCENT ? 'down' : 'stable';
}

/** A developer's mean merge time against the window before (`developer.merge_time_trend` in docs/metrics.md#the-team-and-its-people): lower is improved; stable when either side is null. */
export function mergeTimeTrend(current: number | null, previous: number | null): 'improved' | 'slower' | 'stable' {
  if (current === null || previous === null) return 'stable';
  const change = countTrend(current, previous);
  if (change < -MOVED_BEYOND_PERCENT) return 'improved';
  return change > MOVED_BEYOND_PERCENT ? 'slower' : 'stable';
}
