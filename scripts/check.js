// npm run check: formatting and lint, types of the three rooms, columns as the migrations make them, unused code.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, environment, node, root } from './bootstrap.js';

const checks = [
  ['format and lint', '@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['types of domain and contract', 'typescript/bin/tsc', '-p', 'tsconfig.domain.json'],
  ['types of server and tests', 'typescript/bin/tsc', '-p', 'tsconfig.server.json'],
  ['types of the front end', 'typescript/bin/tsc', '-p', 'tsconfig.web.json'],
  ['unused code', 'knip/bin/knip.js', '--no-progress'],
  ['columns of the schema', '../scripts/tables.ts', '--check'],
  ['code that only tests use', 'knip/bin/knip.js', '--production', '--no-progress'],
];

/** Runs every check, saying how each went; answers how many passed and failed. */
export function runChecks() {
  let failed = 0;
  for (const [name, program, ...args] of checks) {
    const started = Date.now();
    const { status, stdout, stderr } = spawnSync(node(), [join(root, 'node_modules', program), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: environment(),
      maxBuffer: 64 * 1024 * 1024,
    });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (status === 0) continue;
    failed += 1;
    console.log(`${stdout ?? ''}${stderr ?? ''}`);
  }
  return { passed: checks.length - failed, failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  process.exit(runChecks().failed === 0 ? 0 : 1);
}
