/*
 * How long each call takes on a large history, on both databases, beside what the database itself needs for the least and the most:
 * one row by its key, and a full scan of the same table. `npm run bench api [-- SIZE…]`, sizes in pull requests; the last size is
 * judged, an earlier one shows what grows with history. Leaves `bench/api.md` and the plan of every question in `bench/plans/`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type { Database } from '../src/server/db/database.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/server/db/open.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { type Call, calls, floors } from './api/calls.ts';
import { fill } from './api/fill.ts';

const ROUNDS = 15;
const LIMITS = { postgresql: 50, embedded: 100 } as const;
type Kind = keyof typeof LIMITS;

const sizes = process.argv.slice(2).map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 1000)) {
  console.error('Usage: npm run bench api [-- SIZE…], each size a number of pull requests from 1000 up');
  process.exit(1);
}
if (sizes.length === 0) sizes.push(50_000, 200_000);

interface Timing {
  readonly median: number;
  readonly p95: number;
}

async function timed(db: Kysely<Database>, { ask }: Call): Promise<Timing> {
  await ask(db);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    JSON.stringify(await ask(db));
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(ROUNDS / 2)]!, p95: times[Math.ceil(ROUNDS * 0.95) - 1]! };
}

/** The plans of the questions that a call asks, as the database carried them out. */
async function plansOf(database: OpenDatabase, call: Call): Promise<string> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const spying = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ level, query }) => {
      if (level === 'query') asked.push(query);
    },
  });
  await call.ask(spying);
  const plans: string[] = [];
  for (const question of asked) {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off) ${question.sql}`,
      [...question.parameters],
    );
    plans.push(`${question.sql.trim()}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  }
  return plans.join(`\n${'-'.repeat(80)}\n\n`);
}

async function measure(kind: Kind, size: number, plans: boolean): Promise<Map<string, Timing>> {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
  const server = kind === 'postgresql' ? await startPostgresql() : null;
  if (kind === 'postgresql' && server === null) throw new Error('PostgreSQL is not installed on this machine.');
  const database = await openDatabase(
    server === null ? { kind: 'embedded', folder: join(folder, 'database') } : { kind: 'postgresql', url: server.url },
    (error) => console.error(error.message),
  );
  try {
    await migrate(database.db);
    const begin = performance.now();
    const user_id = await fill(database.db, size);
    console.log(`${kind}: ${size} pull requests in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
    const timings = new Map<string, Timing>();
    for (const call of [...floors, ...calls(user_id, sizes[0]!)]) {
      const timing = await timed(database.db, call);
      timings.set(call.name, timing);
      console.log(
        `  ${call.name.padEnd(36)} ${timing.median.toFixed(1).padStart(8)} ms   p95 ${timing.p95.toFixed(1)} ms`,
      );
      if (plans) {
        const file = `${call.name.replaceAll(/[^a-z0-9]+/g, '-')}.${kind}.txt`;
        writeFileSync(join(import.meta.dirname, 'plans', file), await plansOf(database, call));
      }
    }
    return timings;
  } finally {
    await database.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

mkdirSync(join(import.meta.dirname, 'plans'), { recursive: true });
const kinds: Kind[] = ['postgresql', 'embedded'];
const results = new Map<Kind, Map<string, Timing>[]>();
for (const kind of kinds) {
  const runs: Map<string, Timing>[] = [];
  for (const size of sizes) runs.push(await measure(kind, size, size === sizes.at(-1)));
  results.set(kind, runs);
}

const heads = kinds.flatMap((kind) => [...sizes.map((size) => `${kind}, ${size / 1000}k: median ms`), 'p95 ms']);
const rows = [...floors, ...calls(1, sizes[0]!)].map(({ name, whole }) => {
  const cells = kinds.flatMap((kind) => {
    const timings = results.get(kind)!.map((run) => run.get(name)!);
    return [...timings.map(({ median }) => median.toFixed(1)), timings.at(-1)!.p95.toFixed(1)];
  });
  return `| ${name}${whole ? ' (all of history)' : ''} | ${cells.join(' | ')} |`;
});
writeFileSync(
  join(import.meta.dirname, 'api.md'),
  [
    '# Time of each call',
    '',
    `Made by \`npm run bench api -- ${sizes.join(' ')}\` on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}; ${ROUNDS} rounds each.`,
    `No call may take longer than ${LIMITS.postgresql} ms (median) on PostgreSQL, ${LIMITS.embedded} ms on the embedded database.`,
    '',
    `| call | ${heads.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(heads.length)}`,
    ...rows,
    '',
  ].join('\n'),
);
const slow = kinds.flatMap((kind) =>
  [...results.get(kind)!.at(-1)!].flatMap(([name, { median }]) =>
    median > LIMITS[kind] && !name.startsWith('floor') ? [`${kind}: ${name} took ${median.toFixed(1)} ms`] : [],
  ),
);
if (slow.length > 0) {
  console.error(`Above the limit:\n  ${slow.join('\n  ')}`);
  process.exit(1);
}
