/*
 * How long trends over 104 weeks and the signals of the review practice take, on both databases, and on PostgreSQL again when four times as
 * much history lies before: what looks at a window must take as long. `npm run bench trends [-- SIZE]`, the size in pull requests. Leaves
 * `bench/trends.md`.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/server/db/migrate.ts';
import { openDatabase } from '../src/server/db/open.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { floors } from './api/calls.ts';
import { carryIn, carryOut } from './api/carry.ts';
import { fillHistory, fillPeople } from './api/fill.ts';
import { lengthenHistory } from './api/lengthen.ts';
import { trendCalls } from './trends/calls.ts';
import { take } from './trends/measure.ts';
import { report } from './trends/report.ts';

const ROUNDS = 5;
const YEARS = 4;
/** So many times as much history in the end. */
const LONGER = 5;

const size = Number(process.argv[2] ?? 200_000);
if (!Number.isInteger(size) || size < 4000 || size % 800 !== 0) {
  console.error('Usage: npm run bench trends [-- SIZE], a number of pull requests from 4000 up, a multiple of 800');
  process.exit(1);
}
const numbers = size / 4;
const newest = { first: (LONGER - 1) * numbers + 1, last: LONGER * numbers };
const calls = trendCalls(1);
const asked = [...floors, ...calls];

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
chmodSync(folder, 0o777);
try {
  const { carried, postgresql, longer } = await onPostgresql();
  const place = { kind: 'embedded', folder: join(folder, 'database') } as const;
  const empty = await openDatabase(place, logError);
  await migrate(empty.db);
  await empty.close();
  await carryIn(place.folder, carried);
  const database = await openDatabase(place, logError);
  const embedded = await take(database, asked, ROUNDS);
  await database.close();
  tell('embedded: timed');
  const { text, failures } = report(size, calls, { postgresql, longer, embedded });
  console.log(text);
  writeFileSync(join(import.meta.dirname, 'trends.md'), text);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function onPostgresql() {
  const server = await startPostgresql();
  if (server === null) throw new Error('PostgreSQL is not installed on this machine.');
  try {
    const database = await openDatabase({ kind: 'postgresql', url: server.url }, logError);
    try {
      await migrate(database.db);
      await fillPeople(database.db);
      await fillHistory(database.db, LONGER * size, newest.first, newest.last, LONGER * YEARS);
      tell(`postgresql: filled with ${size} pull requests`);
      const carried = await carryOut(database.db, folder, { ...newest, people: true });
      const postgresql = await take(database, asked, ROUNDS);
      tell('postgresql: timed');
      await lengthenHistory(database.db, { times: LONGER - 1, days: YEARS * 365, numbers });
      tell(`postgresql: filled with ${LONGER * size} pull requests`);
      const longer = await take(database, asked, ROUNDS);
      tell('postgresql: timed');
      return { carried, postgresql, longer };
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

function tell(what: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}

function logError(error: Error): void {
  console.error(error.message);
}
