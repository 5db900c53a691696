import { sql } from 'kysely';

/** The order of repositories by these columns of their owner and name, where nothing else decides (docs/metrics.md#what-holds-everywhere). */
export const repositoryOrder = (owner: string, name: string) =>
  sql`lower(${sql.ref(owner)}) collate "C", lower(${sql.ref(name)}) collate "C"`;

/** The same of repositories `r`. */
export const byRepository = repositoryOrder('r.owner', 'r.name');
