import type { ConnectedRepository } from '#contract/repositories.ts';

/** Those of the connected repositories that the person may read now: of no other is anything shown. */
export function readableRepositories(all: readonly ConnectedRepository[]): ConnectedRepository[] {
  return all.filter(({ access }) => access.state === 'readable');
}
