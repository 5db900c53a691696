import { ask } from '../api/query.ts';
import type { Narrowing } from '../filters/choice-of-figures.ts';

/** What is stuck; `asked` leaves what waits for reviews of a team by its id. */
export function askStuck(of: Narrowing & { readonly asked?: number } = {}) {
  return ask('listStuckPullRequests', Object.keys(of).length === 0 ? {} : { query: of });
}
