import { ask } from '../api/query.ts';

/** What is stuck, in one repository by its id or in all. */
export function askStuck(repository?: number) {
  return ask('listStuckPullRequests', repository === undefined ? {} : { query: { repository } });
}
