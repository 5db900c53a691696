export interface HealthFigures {
  readonly stalePrs: number;
  /** 0–1: the share of large pull requests; null when none was opened. */
  readonly largePrFrequency: number | null;
  readonly openPrs: number;
}

export type HealthStatus = 'Excellent' | 'Good' | 'Needs Attention' | 'Critical';

/** The bounds of each status, best first: stale at most, large share below, open at most. */
const bounds: readonly (readonly [HealthStatus, stale: number, large: number, open: number])[] = [
  ['Excellent', 0, 0.1, 3],
  ['Good', 1, 0.2, 5],
  ['Needs Attention', 2, 0.3, 7],
];

/** How a contributor's work stands (`contributor.health` in docs/metrics.md#one-person; docs/product.md#thresholds-and-ratings). A share of nothing is no large pull request. */
export function healthStatus({ stalePrs, largePrFrequency, openPrs }: HealthFigures): HealthStatus {
  const large = largePrFrequency ?? 0;
  const met = bounds.find(([, staleAtMost, largeBelow, openAtMost]) => {
    return stalePrs <= staleAtMost && large < largeBelow && openPrs <= openAtMost;
  });
  return met?.[0] ?? 'Critical';
}

/** The colour of the large-PR frequency (0–1): above 0.3 red, above 0.15 yellow, else none. */
export function largeFrequencyColour(frequency: number | null): 'red' | 'yellow' | null {
  if (frequency === null) return null;
  if (frequency > 0.3) return 'red';
  return frequency > 0.15 ? 'yellow' : null;
}

/** What to do about it; empty unless there are stale pull requests, a large-PR frequency above 0.2, or more than 5 open ones. */
export function recommendedActions({ stalePrs, largePrFrequency, openPrs }: HealthFigures): string[] {
  const actions: string[] = [];
  if (stalePrs > 0) {
    actions.push(
      stalePrs === 1 ? 'Take up or close the stale pull request' : `Take up or close ${stalePrs} stale pull requests`,
    );
  }
  if ((largePrFrequency ?? 0) > 0.2) actions.push('Split large changes into smaller pull requests');
  if (openPrs > 5) actions.push('Finish open pull requests before opening new ones');
  return actions;
}
