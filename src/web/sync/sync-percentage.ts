import type { RepositorySync } from './run-sync.ts';

/** How far a sync of these repositories is, 0 to 100, rounded down. */
export function percentageOver(repositories: readonly RepositorySync[]): number {
  if (repositories.length === 0) return 0;
  const sum = repositories.reduce(
    (before, { status, answer }) => before + (status === 'done' ? 100 : (answer?.progress.percentage ?? 0)),
    0,
  );
  return Math.floor(sum / repositories.length);
}
