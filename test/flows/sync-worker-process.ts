import { once } from 'node:events';
import { openDatabase } from '../../src/server/db/open.ts';
import { addresses } from '../../src/server/host/github/addresses.ts';
import { githubHost } from '../../src/server/host/github/host.ts';
import { openLog } from '../../src/server/log.ts';
import { startSyncWorker, workerDefaults } from '../../src/server/sync/worker.ts';

/**
 * A process that does nothing but sync, for tests that kill it: `node sync-worker-process.ts {postgresql URL or folder} {host}`.
 * Every user's token is `ghp_{login}`. Waits for a line before it opens the database, says `ready` when it has begun; ends in order on
 * SIGTERM.
 */
const [place = '', url = ''] = process.argv.slice(2);
const now = () => new Date();
const host = githubHost({ key: url, label: 'GitHub', ...addresses(url), oauth: null, now });
await once(process.stdin, 'data');
const database = await openDatabase(
  place.startsWith('postgresql:') ? { kind: 'postgresql', url: place } : { kind: 'embedded', folder: place },
  () => undefined,
);
const clientFor = async (user_id: number) => {
  const row = await database.db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.user_id', 'users.id')
    .select(['login', 'grant_id'])
    .where('users.id', '=', user_id)
    .executeTakeFirst();
  return row === undefined ? null : { client: host.as(`ghp_${row.login}`), grant_id: row.grant_id };
};
const worker = startSyncWorker(
  {
    db: database.db,
    served: [host.key],
    hostLabel: () => host.label,
    clientFor,
    clientForSync: clientFor,
    rejectToken: async () => true,
    checkAccess: async () => null,
    stepFailed: () => undefined,
    hostWaited: () => undefined,
    noteSecurityEvent: async () => undefined,
    now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    random: Math.random,
    log: openLog('silent'),
  },
  { ...workerDefaults, poll: 100, alone: !place.startsWith('postgresql:') },
);
process.stdout.write('ready\n');
process.once('SIGTERM', async () => {
  await worker.stop(5000);
  await database.close();
  process.exit(0);
});
