/*
 * What the chief calls cost beside the bare questions: each call over HTTP from the product, and in turns with it the same figures by SQL that
 * somebody would write by hand, on the same PostgreSQL; of the heaviest, also by DuckDB on the same rows. Both have to give the same figures.
 * `npm run bench yardsticks [-- SIZE]`, the size in pull requests (200,000). Leaves `bench/yardsticks.md`; fails where figures differ, or a
 * call takes more than 1.5 times the time of the SQL.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { NOW } from './api/fill.ts';
import { conditions } from './support/conditions.ts';
import { startFilled } from './support/filled-server.ts';
import { quantile } from './support/spread.ts';
import { type DuckDb, duckDbOf } from './yardsticks/duckdb.ts';
import { isSame } from './yardsticks/is-same.ts';
import { type Question, questions, type Row } from './yardsticks/questions.ts';

const ROUNDS = 20;
/** Rounds before, which are not counted: a server that runs has its code compiled, and the database its plans. */
const WARM = 40;
const LIMIT = 1.5;

const size = Number(process.argv[2] ?? 200_000);
if (!(Number.isInteger(size) && size >= 4000 && size % 800 === 0)) {
  console.error('Usage: npm run bench yardsticks [-- SIZE], a number of pull requests from 4000 up, a multiple of 800');
  process.exit(1);
}

const rows: string[] = [];
const failures: string[] = [];
const { server, cookie, database_url, stop } = await startFilled('postgresql', size);
const client = new pg.Client({ connectionString: database_url! });
const exchange = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
chmodSync(exchange, 0o777);
try {
  await client.connect();
  await client.query("set timezone = 'UTC'; set jit = off");
  const duckdb = await duckDbOf(client, exchange);
  for (const question of questions(size / 4)) await compare(question, duckdb);
  duckdb.close();
} finally {
  await client.end();
  await stop();
  rmSync(exchange, { recursive: true, force: true });
}
writeFileSync(
  join(import.meta.dirname, 'yardsticks.md'),
  `# Calls beside the bare questions

\`npm run bench yardsticks\`: ${size.toLocaleString('en')} pull requests on PostgreSQL, ${ROUNDS} rounds in turns after ${WARM} that are not counted, medians in milliseconds. ${conditions()}
The call is a whole request over HTTP: session, who sees what, the figures, the checks of the contract, compression. The SQL is written by hand
over the same stored tables, in one connection, and answers with the same figures, which is checked, and without what only the page shows. DuckDB
holds the columns in question in memory.

| call | call ms | SQL ms | call ÷ SQL | at most ${LIMIT} | DuckDB ms | SQL ÷ DuckDB |
| --- | --: | --: | --: | --- | --: | --: |
${rows.join('\n')}

${failures.length === 0 ? 'All is kept.' : `Not kept:\n\n${failures.map((one) => `- ${one}`).join('\n')}`}
`,
);
if (failures.length > 0) {
  console.error(`Not kept:\n  ${failures.join('\n  ')}`);
  process.exitCode = 1;
}

async function compare(question: Question, duckdb: DuckDb): Promise<void> {
  const { name, path, statements, heavy = false } = question;
  const ways: readonly { times: number[]; ask: () => Promise<unknown> }[] = [
    { times: [], ask: async () => question.ofAnswer(await called(path)) },
    { times: [], ask: async () => question.ofRows(await asked(statements)) },
    ...(heavy
      ? [{ times: [], ask: async () => question.ofRows(await eachOf(statements, (text) => duckdb.rows(text, NOW))) }]
      : []),
  ];
  let same = true;
  for (let round = 0; round < WARM + ROUNDS; round += 1) {
    const figures: unknown[] = [];
    for (const { times, ask } of ways) {
      const began = performance.now();
      figures.push(await ask());
      if (round >= WARM) times.push(performance.now() - began);
    }
    same &&= figures.every((one) => isSame(one, figures[0]));
    if (round === 0 && !same) console.error(name, JSON.stringify(figures).slice(0, 2000));
  }
  const [call, bySql, byDuckDb] = ways.map(({ times }) => quantile(times, 0.5)) as [number, number, number?];
  const ratio = call / bySql;
  if (!same) failures.push(`${name}: the figures differ`);
  if (ratio > LIMIT) failures.push(`${name}: the call takes ${ratio.toFixed(1)} times as long as the SQL`);
  const verdict = same ? (ratio > LIMIT ? 'slower' : 'pass') : 'differs';
  const columnar = byDuckDb === undefined ? ['', ''] : [byDuckDb.toFixed(1), (bySql / byDuckDb).toFixed(1)];
  rows.push(`| ${[name, call.toFixed(1), bySql.toFixed(1), ratio.toFixed(2), verdict, ...columnar].join(' | ')} |`);
  console.log(rows.at(-1));
}

async function called(path: string): Promise<unknown> {
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

async function asked(statements: readonly string[]): Promise<Row[][]> {
  return await eachOf(statements, async (text) => (await client.query(text, text.includes('$1') ? [NOW] : [])).rows);
}

async function eachOf(statements: readonly string[], ask: (text: string) => Promise<Row[]>): Promise<Row[][]> {
  const answers: Row[][] = [];
  for (const text of statements) answers.push(await ask(text));
  return answers;
}
