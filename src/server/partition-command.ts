import { sql } from 'kysely';
import { directAddress, readConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';
import { convertPartitions, DatabaseBusy, partitionCounts } from './db/partitions.ts';
import { StartError } from './start-error.ts';

/* `npm run partition -- 64` or `-- off`: docs/scaling.md#partitions. */

const MOST_PARTS = 256;

try {
  await run(process.argv[2]);
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof DatabaseBusy;
  process.stderr.write(`${isExpected ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  process.exitCode = 1;
}

async function run(wanted: string | undefined): Promise<void> {
  const parts = wanted === 'off' ? null : Number(wanted);
  if (parts !== null && (!Number.isInteger(parts) || parts < 2 || parts > MOST_PARTS))
    throw new StartError(`Usage: npm run partition -- PARTS, from 2 to ${MOST_PARTS}, or npm run partition -- off`);
  // Past a pooler, whose own connections would pass for somebody's.
  const address = directAddress(readConfig());
  if (address === null)
    throw new StartError(
      'DATABASE_URL: partitions are for a PostgreSQL server; the embedded database has no use for them.',
    );
  const database = await openDatabase({ kind: 'postgresql', ...address, connections: 1 }, () => undefined);
  try {
    await refuseWhileUsed(database);
    await migrate(database.db);
    await convertPartitions(database.db, parts, ({ table, rows, milliseconds }) =>
      process.stdout.write(`${table}: ${rows.toLocaleString('en')} rows in ${(milliseconds / 1000).toFixed(1)} s\n`),
    );
    const counts = await partitionCounts(database.db);
    process.stdout.write(
      counts.size === 0
        ? 'No table is split.\n'
        : `${counts.size} tables are split into ${[...new Set(counts.values())].join(' or ')} parts.\n`,
    );
  } finally {
    await database.close();
  }
}

async function refuseWhileUsed({ db }: OpenDatabase): Promise<void> {
  // What another role's connection is, is hidden from a role without pg_read_all_stats; those of the server's own processes have no role.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and coalesce(backend_type, 'client backend') = 'client backend' and usesysid is not null
      and pid <> pg_backend_pid()`.execute(db);
  const count = rows[0]!.count;
  if (count > 0)
    throw new StartError(
      `${count} other connections use this database: stop every process of Mergelight, and what else is connected, first.`,
    );
}
