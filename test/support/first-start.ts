import { queues } from '../../src/server/background-jobs.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openJobs } from '../../src/server/jobs/jobs.ts';

/** Puts into an empty database what a server's first start does: the newest schema, and the queues of its jobs. It takes two connections of a server. */
export async function startFirst(database: OpenDatabase): Promise<void> {
  await migrate(database.db);
  const jobs = await openJobs(database, queues, { working: false, log: console.error, onWait: console.error });
  await jobs.stop(0);
}
