/*
 * What an upgrade looks like to those who use the product meanwhile: an older version fills an embedded folder, this one starts on it, and
 * then recounts every sum and fact while the same questions are asked without a pause.
 * `npm run bench upgrade -- --older CHECKOUT [--count PULL_REQUESTS]`, CHECKOUT with its node_modules. Leaves `bench/upgrade.md`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { freePort } from '../test/support/free-port.ts';
import { startPostgresql } from '../test/support/postgresql.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { older: { type: 'string' }, count: { type: 'string', default: '200000' } } });
const count = Number(values.count);
if (values.older === undefined || !Number.isInteger(count) || count < 4000 || count % 800 !== 0) {
  console.error(
    'Usage: npm run bench upgrade -- --older CHECKOUT [--count PULL_REQUESTS], from 4000 up, a multiple of 800',
  );
  process.exit(1);
}
const olderRoot = resolve(values.older);
const REPOSITORIES = 4;
const newest = count / REPOSITORIES;
const key = Buffer.alloc(32, 9);

const folder = mkdtempSync(join(tmpdir(), 'mergelight-upgrade-'));
chmodSync(folder, 0o777);
const dataDir = join(folder, 'data');
const database = join(dataDir, 'database');

/** The modules of one of the two versions, which share the shapes used here. */
async function version(checkout: string) {
  const load = async <Module>(file: string) => (await import(pathToFileURL(join(checkout, file)).href)) as Module;
  const { openDatabase } = await load<typeof import('../src/server/db/open.ts')>('src/server/db/open.ts');
  const { migrate } = await load<typeof import('../src/server/db/migrate.ts')>('src/server/db/migrate.ts');
  const { fillHistory, fillPeople, HOST } = await load<typeof import('./api/fill.ts')>('bench/api/fill.ts');
  const { carryIn, carryOut } = await load<typeof import('./api/carry.ts')>('bench/api/carry.ts');
  const { secretBox, sealedAs } = await load<typeof import('../src/server/secret-box.ts')>('src/server/secret-box.ts');
  // Older versions tie a session to a person, newer ones to the person's grant.
  const { startSession } = await load<{ startSession: (db: unknown, user_id: number, now: Date) => Promise<string> }>(
    'src/server/auth/sessions.ts',
  );
  return { openDatabase, migrate, fillHistory, fillPeople, HOST, carryIn, carryOut, secretBox, sealedAs, startSession };
}

/** Fills the folder as the older version does, by way of PostgreSQL, which is faster at it. Returns the session of the one user. */
async function fillWithOlder(): Promise<{ session: string; host: string }> {
  const older = await version(olderRoot);
  const server = await startPostgresql();
  if (server === null) throw new Error('PostgreSQL is not installed on this machine.');
  const source = await older.openDatabase({ kind: 'postgresql', url: server.url }, rethrow);
  await older.migrate(source.db);
  const user = await older.fillPeople(source.db);
  await older.fillHistory(source.db, count, 1, newest);
  const carried = await older.carryOut(source.db, folder, { first: 1, last: newest, people: true });
  await source.close();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const place = { kind: 'embedded', folder: database } as const;
  let target = await older.openDatabase(place, rethrow);
  await older.migrate(target.db);
  await target.close();
  await older.carryIn(database, carried);
  await server.stop();
  target = await older.openDatabase(place, rethrow);
  const now = new Date();
  const token = older.secretBox(key).seal('ghp_upgrade', older.sealedAs.token(user));
  await sql`insert into credentials (user_id, token_encrypted, updated_at) values (${user}, ${token}, ${now})
    on conflict (user_id) do update set token_encrypted = excluded.token_encrypted, updated_at = excluded.updated_at`.execute(
    target.db,
  );
  await sql`update connections set checked_at = ${new Date(now.getTime() + 1)}`.execute(target.db);
  const session = await older.startSession(target.db, user, new Date(now.getTime() + 2));
  await target.close();
  return { session, host: older.HOST };
}

interface Running {
  readonly url: string;
  /** Seconds until `/healthz`, and `/readyz`, answered 200. */
  readonly healthy: number;
  readonly ready: number;
  readonly stop: () => Promise<void>;
}

async function start(checkout: string, host: string): Promise<Running> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const begin = performance.now();
  const server: ChildProcess = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      GITHUB_URL: host,
      SECRET_KEY: key.toString('base64'),
      DEMO: 'false',
      LOG_LEVEL: 'error',
      LIMITS: 'requests=1000000,costly=1000000',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const since = () => (performance.now() - begin) / 1000;
  const until = async (path: string) => {
    for (;;) {
      if (server.exitCode !== null) throw new Error('The server ended.');
      if ((await fetch(`${url}${path}`).catch(() => null))?.ok) return since();
      await pause(20);
    }
  };
  const healthy = await until('/healthz');
  const ready = await until('/readyz');
  const stop = async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  };
  return { url, healthy, ready, stop };
}

/** Questions whose answers depend neither on the clock nor on other repositories: what the sums and facts of one come to. */
const questions = Array.from({ length: REPOSITORIES }, (_, at) => at + 1).flatMap((repository) => [
  `/api/contributors?repository=${repository}`,
  `/api/contributors?repository=${repository}&accounts=all`,
  `/api/prs?repository=${repository}&state=merged`,
  `/api/prs?repository=${repository}&q=person-7`,
]);

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly seconds: number;
}

async function ask(url: string, session: string, path: string): Promise<Answer> {
  const begin = performance.now();
  const answer = await fetch(`${url}${path}`, { headers: { cookie: `session=${session}` } });
  const text = await answer.text();
  return { status: answer.status, text: withoutClock(text), seconds: (performance.now() - begin) / 1000 };
}

async function isCounting(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`);
  const { updating } = (await answer.json()) as { updating?: string };
  // Where the database is too busy to answer at once, nothing is said of what it is busy with.
  return !answer.ok || updating !== undefined;
}

/** `last_activity` and the like are moments of the history; what is counted from now differs from one answer to the next. */
function withoutClock(text: string): string {
  return text.replaceAll(/"(request_id|synced_at|last_synced_at|as_of|now)":"[^"]*"/g, '');
}

function rethrow(error: Error): void {
  throw error;
}

try {
  const tell = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
  const { session, host } = await fillWithOlder();
  tell(`filled by ${olderRoot}`);
  const before = await start(olderRoot, host);
  const olderAnswers = new Map<string, Answer>();
  for (const path of questions) olderAnswers.set(path, await ask(before.url, session, path));
  await before.stop();
  tell(`the older version was ready after ${before.ready.toFixed(1)} s`);

  const upgraded = await start(root, host);
  tell(`healthy after ${upgraded.healthy.toFixed(1)} s, ready after ${upgraded.ready.toFixed(1)} s`);
  const answers = new Map<string, Answer>();
  for (const path of questions) answers.set(path, await ask(upgraded.url, session, path));
  await upgraded.stop();
  const failed = [...answers].filter(([, { status }]) => status !== 200);
  if (failed.length > 0)
    throw new Error(
      `Not answered: ${failed.map(([path, { status, text }]) => `${path} ${status} ${text.slice(0, 200)}`).join('; ')}`,
    );
  const sameAsOlder = questions.filter((path) => sums(answers.get(path)!) === sums(olderAnswers.get(path)!)).length;
  tell(`${sameAsOlder} of ${questions.length} answers equal those of the older version`);

  const { openDatabase } = await version(root);
  const opened = await openDatabase({ kind: 'embedded', folder: database }, rethrow);
  await sql`insert into recounts (repository_id, sums, facts, unusable, total)
    select id, true, true, false, ${2 * newest}::int from repositories`.execute(opened.db);
  await opened.close();
  const recounting = await start(root, host);
  tell(`healthy after ${recounting.healthy.toFixed(1)} s, recounting`);
  const begin = performance.now();
  const during = { equal: 0, withheld: 0, slow: 0, different: 0 };
  const seconds: number[] = [];
  for (let at = 0; await isCounting(recounting.url); at += 1) {
    const path = questions[at % questions.length]!;
    const answer = await ask(recounting.url, session, path);
    seconds.push(answer.seconds);
    if (answer.status === 503) during[answer.text.includes('Recounting sums') ? 'withheld' : 'slow'] += 1;
    else if (answer.text === answers.get(path)!.text) during.equal += 1;
    else {
      during.different += 1;
      tell(`${path} was ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    await pause(100);
  }
  const took = (performance.now() - begin) / 1000;
  let sameAfter = 0;
  for (const path of questions) {
    if ((await ask(recounting.url, session, path)).text === answers.get(path)!.text) sameAfter += 1;
    else tell(`${path} differs after the recount`);
  }
  await recounting.stop();
  seconds.sort((a, b) => a - b);
  const at = (share: number) => (seconds[Math.ceil(seconds.length * share) - 1] ?? 0).toFixed(2);
  const text = `# What an upgrade of ${count.toLocaleString('en')} pull requests looks like

An embedded folder with ${REPOSITORIES} repositories, written by an older version and opened by this one, on ${cpus().length} cores (${cpus()[0]!.model.trim()},
load ${loadavg()[1]!.toFixed(1)} at the end). \`npm run bench upgrade -- --older CHECKOUT\`. Then a recount of all sums and facts was asked for, while
${questions.length} questions about one repository each were asked in turn, without a pause longer than 0.1 s.

| | |
| --- | --: |
| the older version was ready after | ${before.ready.toFixed(1)} s |
| this one: \`/healthz\` answered 200 after | ${upgraded.healthy.toFixed(1)} s |
| this one: everything was answered after | ${upgraded.ready.toFixed(1)} s |
| answers that equal the older version's, as far as it had these fields | ${sameAsOlder} of ${questions.length} |
| start with everything to be recounted: \`/healthz\`, everything answered after | ${recounting.healthy.toFixed(1)} s, ${recounting.ready.toFixed(1)} s |
| recount of all four repositories | ${took.toFixed(0)} s |
| questions asked meanwhile | ${seconds.length} |
| answered as before the recount | ${during.equal} |
| 503 'Recounting sums: …' of the repository under way | ${during.withheld} |
| 503 after the limit for questions | ${during.slow} |
| answered otherwise | ${during.different} |
| answered within, median, 95 %, longest | ${at(0.5)} s, ${at(0.95)} s, ${at(1)} s |
| answers after the recount that equal those before it | ${sameAfter} of ${questions.length} |
`;
  writeFileSync(join(import.meta.dirname, 'upgrade.md'), text);
  console.log(text);
  process.exitCode = during.different === 0 && sameAfter === questions.length ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** The fields that both versions have: what a person's row, or a pull request's, comes to in numbers. */
function sums({ text }: Answer): string {
  return (
    text.match(/"(username|total_[a-z_]+|pr_number|number|lines_changed|merged_at)":("[^"]*"|-?[\d.]+|null)/g) ?? []
  ).join();
}
