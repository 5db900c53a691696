/*
 * What it costs, and gives, to split the tables that grow into 64 parts by the hash of `repository_id` (`npm run partition`): sizes, the
 * processor time of calls, planning, and what a sync stores, on one PostgreSQL with eight million events in 208 repositories, before and after
 * the conversion of the same database. `npm run bench partitions [-- COPIES]`: how many times four repositories of 2,000 pull requests,
 * with twenty events each, are there. Leaves `bench/partitions.md`.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { placements } from '../src/server/db/distribution.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/server/db/open.ts';
import { type ConvertedTable, convertPartitions } from '../src/server/db/partitions.ts';
import { aPullRequest, approves, comments, merged } from '../test/support/builders.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { aRepository, store } from '../test/support/stored.ts';
import { type Call, calls } from './api/calls.ts';
import { fillHistory, fillPeople, HOST, HUMANS, NOW } from './api/fill.ts';
import { median, processorTimeOf } from './support/processor-time.ts';
import { type Taken, take } from './trends/measure.ts';

const PARTS = 64;
const ROUNDS = 7;
const BASE = 8_000;
/** Repositories of the first copy, which one person sees; another one sees all. */
const REPOSITORIES = 4;
const PAGES = 20;
const PAGE = 50;
/** Of each pull request, beside the twelve that `fillHistory` makes. */
const MORE_EVENTS = 8;

const copies = Number(process.argv[2] ?? 52);
if (!Number.isInteger(copies) || copies < 1) {
  console.error('Usage: npm run bench partitions [-- COPIES], a whole number from 1 up');
  process.exit(1);
}
/** Those that look at one pull request, at a page, at a window and at all of history. */
const chosen =
  /^(pr detail, usual|prs, newest|prs, by title|prs, search for few|team-stats|review-load|contributors|contributor metrics, 90d|my-work|stuck-prs|reviewer-stats|104 weeks of opened, value, by none)$/;
const few = calls(1, BASE / REPOSITORIES).filter(({ name }) => chosen.test(name));
const many = calls(2, BASE / REPOSITORIES).filter(({ name }) => chosen.test(name));

interface Measured {
  /** In bytes: rows and their indexes. */
  readonly rows: number;
  readonly indexes: number;
  readonly few: ReadonlyMap<string, Taken>;
  readonly many: ReadonlyMap<string, Taken>;
  /** Milliseconds of planning alone. */
  readonly planning: { readonly one: number; readonly all: number };
  /** Locks that the question over all repositories holds. */
  readonly locks: number;
  /** Pull requests a second that a sync stores, by processor time. */
  readonly saved: number;
}

const began = performance.now();
process.env.MERGELIGHT_TEST_PARTITIONS = String(PARTS);
const server = await startPostgresql(['shared_buffers=1GB', 'maintenance_work_mem=512MB', 'max_wal_size=16GB']);
if (server === null) throw new Error('PostgreSQL is not installed on this machine.');
try {
  const database = await openDatabase({ kind: 'postgresql', url: server.url }, logError);
  await migrate(database.db);
  await fillPeople(database.db);
  await fillHistory(database.db, BASE, 1, BASE / REPOSITORIES);
  await sql`
    insert into events (repository_id, host_id, number, position, type, at, actor_id, reviewer_id)
    select p.repository_id, p.repository_id || '-' || p.number || '-more-' || i, p.number, 100 + i,
      case when i % 2 = 1 then 'review_requested' else 'review_request_removed' end,
      p.created_at + i * interval '1 minute', p.author_id, 1 + (p.number + (i + 1) / 2) % ${HUMANS}
    from pull_requests p, generate_series(1, ${MORE_EVENTS}::int) i`.execute(database.db);
  tell('filled');
  await multiply(server.url);
  tell('multiplied');
  const before = await measure(database);
  tell('measured');
  const converted: ConvertedTable[] = [];
  const conversion = performance.now();
  await convertPartitions(database.db, PARTS, (table) => converted.push(table));
  const minutes = (performance.now() - conversion) / 60_000;
  await vacuum(server.url);
  tell('converted');
  const after = await measure(database);
  const text = report(before, after, converted, minutes);
  console.log(text);
  writeFileSync(join(import.meta.dirname, 'partitions.md'), text);
  await database.close();
} finally {
  await server.stop();
}

/** Copies what the first repositories have into as many others. */
async function multiply(url: string): Promise<void> {
  const moment = NOW.toISOString();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Copied rows refer to copied rows.
    await client.query('set session_replication_role = replica');
    await client.query(`
      insert into repositories (host, host_id, owner, name, url, private, archived, default_branch, webhook_key, webhook_secret_encrypted, changed_at, created_at)
      select host, (id + ${REPOSITORIES} * k)::text, owner, 'repository-' || id + ${REPOSITORIES} * k, url, private, archived, default_branch,
        'key-' || id + ${REPOSITORIES} * k, '', changed_at, created_at
      from generate_series(1, ${copies - 1}) k, repositories order by k, id`);
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
      select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples > 0 group by c.relname`);
    for (const { name, columns } of tables) {
      if (placements[name as keyof typeof placements]?.kind !== 'distributed') continue;
      const copied = columns.map((column) =>
        column === 'repository_id' ? `repository_id + ${REPOSITORIES} * k` : column,
      );
      // Indexes that are made once the rows are there take a fraction of the time, and lie as densely as those of the parts.
      const { rows: indexes } = await client.query<{ name: string; text: string }>(`
        select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index i
        where indrelid = '${name}'::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
      for (const index of indexes) await client.query(`drop index ${index.name}`);
      await client.query(`insert into ${name} (${columns.join(', ')}) select ${copied.join(', ')}
        from generate_series(1, ${copies - 1}) k cross join lateral (select * from ${name} where repository_id <= ${REPOSITORIES} offset 0) t`);
      for (const { text } of indexes) await client.query(text);
    }
    await client.query(`
      insert into users (host, host_id, login, created_at, signed_in_at) values ('${HOST}', '2', 'all', '${moment}', '${moment}');
      insert into credentials (user_id, token_encrypted, updated_at) values (2, '', '${moment}');
      insert into connections (user_id, repository_id, readable, checked_at, checked_with, check_due_at, connected_at, seen_owner, seen_name)
      select k.user_id, r.id, true, '${moment}', k.grant_id, '${moment}'::timestamptz + interval '1 day', '${moment}', r.owner, r.name
      from repositories r, credentials k where k.user_id = 2`);
  } finally {
    await client.end();
  }
  await vacuum(url);
}

/** However long it takes, which the product's own connections would not let it. */
async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

async function measure(database: OpenDatabase): Promise<Measured> {
  const { pool } = database;
  const { rows } = await pool.query<{ rows: string; indexes: string }>(`
    select sum(pg_table_size(oid)) as rows, sum(pg_indexes_size(oid)) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const planningOf = async (ids: string) => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { rows: lines } = await pool.query<{
        'QUERY PLAN': string;
      }>(`explain (summary) select count(*) from pull_requests p
        join pull_request_facts f using (repository_id, number) join reviews r using (repository_id, number)
        where p.repository_id ${ids} and p.created_at > '2026-08-01'`);
      times.push(Number(lines.at(-1)!['QUERY PLAN'].match(/[\d.]+/)![0]));
    }
    return median(times);
  };
  const ids = `any('{${Array.from({ length: REPOSITORIES * copies }, (_, index) => index + 1).join(',')}}'::int[])`;
  const planning = { one: await planningOf('= 3'), all: await planningOf(`= ${ids}`) };
  const locks = await locksOf(database, ids);
  return {
    ...{ rows: Number(rows[0]!.rows), indexes: Number(rows[0]!.indexes), planning, locks },
    few: await take(database, few, ROUNDS),
    many: await take(database, many, ROUNDS),
    saved: await savedPerSecond(database),
  };
}

async function locksOf({ pool }: OpenDatabase, ids: string): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select count(*) from pull_requests p join pull_request_facts f using (repository_id, number)
      join reviews r using (repository_id, number) where p.repository_id = ${ids} and p.number = 1`);
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int from pg_locks where pid = pg_backend_pid()',
    );
    await client.query('rollback');
    return rows[0]!.count;
  } finally {
    client.release();
  }
}

/** Pages of 50 pull requests of a new repository, as a sync stores them; the first page is not counted. */
async function savedPerSecond(database: OpenDatabase): Promise<number> {
  const repository = await aRepository(database.db, 'acme/stored');
  const processorTime = await processorTimeOf(database);
  const times: number[] = [];
  for (let page = 0; page <= PAGES; page += 1) {
    const pulls = Array.from({ length: PAGE }, (_, index) =>
      aPullRequest({ number: page * PAGE + index + 1 }, comments(2, 'ana'), approves(5, 'ben'), merged(6)),
    );
    const time = await processorTime(() => store(database.db, repository, NOW.getTime(), pulls));
    if (page > 0) times.push(time);
  }
  await sql`delete from repositories where id = ${repository}`.execute(database.db);
  return (1000 * PAGE) / median(times);
}

function report(before: Measured, after: Measured, converted: readonly ConvertedTable[], minutes: number): string {
  const total = converted.reduce((sum, { rows }) => sum + rows, 0);
  const rowsOf = (name: string) => converted.find(({ table }) => table === name)!.rows.toLocaleString('en');
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;
  const lineOf = ({ name }: Call, of: 'few' | 'many') => {
    const [one, other] = [before[of].get(name)!, after[of].get(name)!];
    return `| ${name} | ${one.cpu.toFixed(1)} | ${other.cpu.toFixed(1)} | ${(other.cpu / one.cpu).toFixed(2)} | ${one.wall.toFixed(0)} | ${other.wall.toFixed(0)} |`;
  };
  const head = [
    '| call | one table: cpu | 64 parts: cpu | × | one table: wall | 64 parts: wall |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
  ];
  const pair = (name: string, one: string, other: string) => `| ${name} | ${one} | ${other} |`;
  return [
    `# ${PARTS} partitions by hash of the repository`,
    '',
    `Made by \`npm run bench partitions -- ${copies}\` on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}; load at the end ${loadavg()[0]!.toFixed(1)}.`,
    `${rowsOf('events')} events of ${rowsOf('pull_requests')} pull requests in ${REPOSITORIES * copies} repositories, PostgreSQL without fsync. cpu: milliseconds of processor time`,
    'of server and database together, which what else runs on the machine hardly changes; wall: until the answer, which it does.',
    '',
    '| | one table | 64 parts |',
    '| --- | ---: | ---: |',
    pair('rows on the disk', gigabytes(before.rows), gigabytes(after.rows)),
    pair('indexes', gigabytes(before.indexes), gigabytes(after.indexes)),
    pair(
      'planning a join of three tables, one repository (ms)',
      before.planning.one.toFixed(2),
      after.planning.one.toFixed(2),
    ),
    pair('planning it, all repositories (ms)', before.planning.all.toFixed(2), after.planning.all.toFixed(2)),
    pair('locks of that question', String(before.locks), String(after.locks)),
    pair('pull requests stored a second of processor time', before.saved.toFixed(0), after.saved.toFixed(0)),
    '',
    `The conversion of ${total.toLocaleString('en')} rows took ${minutes.toFixed(1)} minutes.`,
    '',
    `## Somebody who sees ${REPOSITORIES} repositories`,
    '',
    ...head,
    ...few.map((call) => lineOf(call, 'few')),
    '',
    `## Somebody who sees all ${REPOSITORIES * copies}`,
    '',
    ...head,
    ...many.map((call) => lineOf(call, 'many')),
    '',
  ].join('\n');
}

function logError(error: Error): void {
  console.error(error.message);
}

function tell(what: string): void {
  console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${what}`);
}
