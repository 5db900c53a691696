import type { ConnectedRepository } from '#contract/repositories.ts';

/** Those of the connected repositories that the person may read now: of no other is anything shown. */
export function readableRepositories<R extends { readonly access: Pick<ConnectedRepository['access'], 'state'> }>(
  all: readonly R[],
): R[] {
  return all.filter(({ access }) => access.state === 'readable');
}

const DAY = 24 * 3_600_000;

/** Whether a repository was never synced to the end, or not within a day: only of those there can be news of an import. */
export function isUnsettled({ last_synced_at }: ConnectedRepository, now: number): boolean {
  return last_synced_at === null || now - Date.parse(last_synced_at) > DAY;
}
