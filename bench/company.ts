/*
 * Two weeks of a company in one process: the demo's eight repositories live on, their events arrive as webhooks, every repository is read
 * each hour, and people look at every screen. What must not grow is measured at the end of each day: memory after a collection, and the
 * tables of work. `npm run bench company [-- DAYS]` (14 by default). Leaves `bench/company.md`; fails when memory is not flat.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { migrate } from '../src/server/db/migrate.ts';
import { openDatabase } from '../src/server/db/open.ts';
import { openJobs } from '../src/server/jobs/jobs.ts';
import { upkeepQueue } from '../src/server/sync/upkeep.ts';
import { openTestApp } from '../test/support/app.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { startSimulator } from '../test/support/simulator.ts';

const STEP_MINUTES = 10;
const PEOPLE = 20;
/** Days in which caches, pools and compiled code find their size. */
const SETTLING = 3;
/** Memory counts as flat while the last days need at most this much more than the first settled ones, in MB. */
const GROWTH = 20;
const PORT = 3999;
/** The demo's history is written so many days ahead. */
const FORESIGHT = 14;

const days = Number(process.argv[2] ?? 14);
if (!Number.isInteger(days) || days < 2 * SETTLING || days > FORESIGHT) {
  console.error(
    `Usage: npm run bench company [-- DAYS], a whole number from ${2 * SETTLING} to ${FORESIGHT}: the demo's history ends after that`,
  );
  process.exit(1);
}
setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const server = await startPostgresql();
if (server === null) {
  console.error('PostgreSQL is not installed on this machine.');
  process.exit(1);
}
const begin = new Date('2026-03-02T06:00:00Z');
let time = begin.getTime();
const host = await startSimulator({ world: 'demo', now: begin });
await host.control('clock', { frozen: true });
const database = await openDatabase({ kind: 'postgresql', url: server.url }, (error) => console.error(error));
await migrate(database.db);
const app = await openTestApp({
  host_url: host.url,
  role: 'all',
  database,
  now: () => new Date(time),
  config: { public_url: `http://127.0.0.1:${PORT}` },
});
await app.server.app.listen({ port: PORT, host: '127.0.0.1' });
const jobs = await openJobs(database, [upkeepQueue], {
  working: false,
  log: (error) => console.error(error),
  onWait: (reason) => console.error(reason),
});

const {
  signIn: hosts,
  repositories,
  accounts,
} = (await host.control('state')) as {
  signIn: string[];
  repositories: { full_name: string; deleted: boolean }[];
  accounts: { login: string; type: string; deleted: boolean }[];
};
const others = accounts.filter(({ type, deleted, login }) => type === 'User' && !deleted && login !== hosts[0]);
const logins = [hosts[0]!, ...others.map(({ login }) => login)];
const sessions: string[] = [];
const headers = { host: `127.0.0.1:${PORT}`, origin: `http://127.0.0.1:${PORT}` };

async function ask(method: 'GET' | 'POST', path: string, as?: string, body?: unknown) {
  return await app.ask(method, path, { headers, ...(as !== undefined && { as }), ...(body !== undefined && { body }) });
}

async function signIn(login: string): Promise<string> {
  const answer = await ask('POST', '/auth/token', undefined, { token: `ghp_${login}` });
  if (answer.status !== 200) throw new Error(`${login} cannot sign in: ${JSON.stringify(answer.body)}`);
  return String([answer.headers['set-cookie']].flat()[0]).split(';')[0]!;
}

/** Waits until nothing is left to be done at this moment. */
async function idle(): Promise<void> {
  for (const deadline = Date.now() + 300_000; ; ) {
    const { rows } = await sql<{ busy: number }>`
      select (select count(*) from sync_sessions where status in ('queued', 'running'))::int
        + (select count(*) from hints where due_at <= ${new Date(time)})::int
        + (select count(*) from jobs.job where name = ${upkeepQueue.name} and state in ('created', 'active', 'retry'))::int
        as busy`.execute(database.db);
    if (rows[0]!.busy === 0) return;
    if (Date.now() > deadline) throw new Error(`Still busy at ${new Date(time).toISOString()}.`);
    await pause(50);
  }
}

const manager = await signIn(logins[0]!);
for (const { full_name, deleted } of repositories) {
  if (deleted) continue;
  const [owner, name] = full_name.split('/');
  const added = await ask('POST', '/api/repos', manager, { owner, name });
  if (added.status !== 201) continue;
  const { id } = added.body as { id: number };
  await ask('POST', `/api/repos/${id}/webhook`, manager, {});
  await ask('POST', '/api/sync-repo-complete', manager, { repoId: id, mode: 'full' });
  await idle();
}
const { rows: unfinished } = await sql`select error from sync_sessions where status <> 'completed'`.execute(
  database.db,
);
if (unfinished.length > 0) throw new Error(`The first import did not complete: ${JSON.stringify(unfinished)}`);
for (const login of logins.slice(1, PEOPLE)) {
  const session = await signIn(login);
  sessions.push(session);
  for (const { full_name } of repositories) {
    const [owner, name] = full_name.split('/');
    await ask('POST', '/api/repos', session, { owner, name });
  }
}

const screens = [
  '/api/team-stats',
  '/api/stuck-prs',
  '/api/reviewer-stats',
  '/api/developer-stats',
  '/api/review-load',
  '/api/contributors',
  '/api/prs?limit=50',
  '/api/repos',
  `/api/contributors/${logins[1]}/metrics?period=30d`,
];

async function hour(): Promise<void> {
  for (let minutes = 0; minutes < 60; minutes += STEP_MINUTES) {
    time += STEP_MINUTES * 60_000;
    await host.control('clock', { set: time });
    await pause(50);
  }
  await jobs.send(upkeepQueue);
  await idle();
  const working = new Date(time).getUTCHours();
  if (working < 7 || working > 17) return;
  for (const [at, session] of sessions.entries()) {
    let answer = await ask('GET', screens[(at + working) % screens.length]!, session);
    if (answer.status === 401) {
      sessions[at] = await signIn(logins[at + 1]!);
      answer = await ask('GET', '/api/team-stats', sessions[at]);
    }
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

interface Day {
  readonly heap: number;
  readonly rss: number;
  readonly pull_requests: number;
  readonly syncs: number;
  readonly hints: number;
  readonly jobs: number;
  readonly sessions: number;
  readonly database: number;
}

const MB = 1024 * 1024;
const measured: Day[] = [];
for (let day = 1; day <= days; day++) {
  for (let hours = 0; hours < 24; hours++) await hour();
  app.logged.length = 0;
  await pause(500);
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  const { rows } = await sql<Omit<Day, 'heap' | 'rss'>>`
    select (select count(*) from pull_requests)::int as pull_requests, (select count(*) from sync_sessions)::int as syncs,
      (select count(*) from hints)::int as hints, (select count(*) from jobs.job)::int as jobs,
      (select count(*) from sessions)::int as sessions, pg_database_size(current_database())::float8 / ${MB} as database
  `.execute(database.db);
  measured.push({ heap: heapUsed / MB, rss: rss / MB, ...rows[0]! });
  console.log(`day ${day}`, JSON.stringify(measured.at(-1)));
}
await jobs.stop(1000);
await app.stop();
await database.close();
await host.stop();
await server.stop();

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const early = median(measured.slice(SETTLING, 2 * SETTLING).map(({ heap }) => heap));
const late = median(measured.slice(-SETTLING).map(({ heap }) => heap));
const lines = measured.map(
  (day, at) =>
    `| ${at + 1} | ${day.heap.toFixed(1)} | ${day.rss.toFixed(0)} | ${day.pull_requests} | ${day.syncs} | ${day.hints} | ${day.jobs} | ${day.sessions} | ${day.database.toFixed(0)} |`,
);
writeFileSync(
  join(import.meta.dirname, 'company.md'),
  `# ${days} days of a company

\`npm run bench company\`: the demo's repositories live on from ${begin.toISOString().slice(0, 10)}, every event is delivered as a webhook, every
repository is read each hour, ${sessions.length} people look at the screens in working hours; one process, PostgreSQL. Measured at the end of each day, after a
garbage collection.

Heap of the last ${SETTLING} days beside days ${SETTLING + 1} to ${2 * SETTLING}: ${late.toFixed(1)} and ${early.toFixed(1)} MB.

| day | heap MB | process MB | pull requests | syncs kept | hints | jobs kept | sessions | database MB |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`,
);
if (late > early + GROWTH) {
  console.error(`Memory grew from ${early.toFixed(1)} to ${late.toFixed(1)} MB.`);
  process.exit(1);
}
