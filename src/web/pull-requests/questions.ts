import type { WaitingOn } from '#domain/whose-turn.ts';
import { ask } from '../api/query.ts';
import type { Narrowing } from '../filters/choice-of-figures.ts';

/** `asked` leaves what waits for reviews of a team by its id. */
type OfStuck = Narrowing & { readonly asked?: number };

/** What is stuck, oldest first. */
export function askStuck(of: OfStuck & { readonly turn?: WaitingOn; readonly limit?: number } = {}) {
  return ask('listStuckPullRequests', Object.keys(of).length === 0 ? {} : { query: of });
}

/** How many are stuck, in all and by whose turn it is. */
export function askStuckCounts(of: OfStuck = {}) {
  return ask('countStuckPullRequests', Object.keys(of).length === 0 ? {} : { query: of });
}

/** Number of rows in the dashboard's table of stuck pull requests. */
export const ON_DASHBOARD = 9;

/** Those rows, as long as the dashboard shows the oldest ones. */
export function askOldestStuck(of: Narrowing, turn: WaitingOn | undefined) {
  return askStuck({ ...of, ...(turn !== undefined && { turn }), limit: ON_DASHBOARD });
}
