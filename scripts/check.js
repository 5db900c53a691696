// npm run check: formatting and lint, types of the three rooms, columns as the migrations make them, unused code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, environment, node, root } from './bootstrap.js';

// Each on one processor: TypeScript's threads read the same types again, which is more than twice the work.
const types = (of) => ['typescript/bin/tsc', '-p', `tsconfig.${of}.json`, '--singleThreaded'];
/** The longest first. */
const checks = [
  ['types of server and tests', ...types('server')],
  ['types of the front end', ...types('web')],
  ['unused code', 'knip/bin/knip.js', '--no-progress'],
  ['code that only tests use', 'knip/bin/knip.js', '--production', '--no-progress'],
  ['format and lint', '@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['columns of the schema', '../scripts/tables.ts', '--check'],
  ['types of domain and contract', ...types('domain')],
];

/** Runs every check, two at a time, saying how each went; answers how many passed and failed. */
export async function runChecks() {
  const waiting = [...checks];
  let failed = 0;
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      if (!(await run(check))) failed += 1;
  };
  await Promise.all([work(), work()]);
  return { passed: checks.length - failed, failed };
}

async function run([name, program, ...args]) {
  const started = Date.now();
  const child = spawn(node(), [join(root, 'node_modules', program), ...args], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const [status] = await once(child, 'close');
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (status !== 0) console.log(said);
  return status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  process.exit((await runChecks()).failed === 0 ? 0 : 1);
}
