import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSession } from '../../src/server/auth/sessions.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type DatabasePlace, type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { startPostgresql } from '../../test/support/postgresql.ts';
import { type ServerProcess, spawnServer } from '../../test/support/server-process.ts';
import { carryIn, carryOut } from '../api/carry.ts';
import { fillHistory, fillPeople, HOST, NOW } from '../api/fill.ts';
import { fillTeams } from '../api/teams.ts';

export type DatabaseKind = DatabasePlace['kind'];

/** The product as a process of its own, with a session of the person who sees all of a filled history that ends where its clock stands. */
export interface FilledServer {
  readonly server: ServerProcess;
  /** `name=value`. */
  readonly cookie: string;
  /** The database's address; null of the embedded one. */
  readonly database_url: string | null;
  stop(): Promise<void>;
}

/** Starts the product on a new database with so many pull requests, a multiple of 4. @throws without PostgreSQL, which fills the embedded one, too */
export async function startFilled(kind: DatabaseKind, pull_requests: number): Promise<FilledServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
  chmodSync(folder, 0o777);
  const postgresql = await startPostgresql();
  if (postgresql === null) throw new Error('PostgreSQL is not installed on this machine.');
  const newest = pull_requests / 4;
  const filled = await opened({ kind: 'postgresql', url: postgresql.url });
  await fillTeams(filled.db, await fillPeople(filled.db));
  await fillHistory(filled.db, pull_requests, 1, newest);
  let cookie: string;
  if (kind === 'postgresql') {
    cookie = await sessionIn(filled);
    await filled.close();
  } else {
    const carried = await carryOut(filled.db, folder, { first: 1, last: newest, people: true });
    await filled.close();
    await postgresql.stop();
    const place = { kind, folder: join(folder, 'database') } as const;
    await (await opened(place)).close();
    await carryIn(place.folder, carried);
    const embedded = await openDatabase(place, console.error);
    cookie = await sessionIn(embedded);
    await embedded.close();
  }
  const server = await spawnServer({
    ...{
      GITHUB_URL: HOST,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      MERGELIGHT_BENCH_NOW: NOW.toISOString(),
    },
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${join(import.meta.dirname, 'stopped-clock.ts')}`,
    ...(kind === 'postgresql' ? { ROLE: 'web', DATABASE_URL: postgresql.url } : { DATA_DIR: folder }),
  });
  await server.ready();
  server.cookie = cookie;
  return {
    server,
    cookie,
    database_url: kind === 'postgresql' ? postgresql.url : null,
    async stop() {
      await server.stop();
      if (kind === 'postgresql') await postgresql.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function opened(place: DatabasePlace): Promise<OpenDatabase> {
  const database = await openDatabase(place, console.error);
  await migrate(database.db);
  return database;
}

async function sessionIn({ db }: OpenDatabase): Promise<string> {
  const { id, grant_id } = await db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.user_id', 'users.id')
    .select(['users.id', 'grant_id'])
    .executeTakeFirstOrThrow();
  return `session=${await startSession(db, { id, grant_id }, null, NOW)}`;
}
