// npm test: every check and every test, with all that they need. With arguments, only the tests that these name to Vitest.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, environment, node, root } from './bootstrap.js';
import { runChecks } from './check.js';
import { ensureChromium, ensurePgbouncer, ensurePostgresql } from './machine.js';

const DAY = 24 * 3_600_000;
/** Parts are halves, thirds and quarters. */
const PLACES = 12;

const wanted = process.argv.slice(2);
ensureInstalled();
ensureBuilt();
// The checks need nothing of the machine, and what is missing there is mostly waited for.
const [browser, counts] = await Promise.all([
  completeMachine(),
  wanted.length === 0 ? runChecks() : { passed: 0, failed: 0 },
]);
const tests = runTests();
const passed = counts.passed + tests.passed;
const failed = counts.failed + tests.failed;
console.log(`\n${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);

/** One package manager at a time; returns the path of a Chromium, null when none can be had. */
async function completeMachine() {
  await ensurePostgresql();
  await ensurePgbouncer();
  return await ensureChromium();
}

function runTests() {
  const folder = ownFolder();
  const report = join(folder, 'report.json');
  // What the product sends to PostgreSQL, for the project `statements`.
  const statements = join(folder, 'statements');
  mkdirSync(statements);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const part = partOfEmbedded();
  const { status } = spawnSync(node(), [vitest, 'run', ...reporters, ...wanted], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...environment(),
      NODE_ENV: 'test',
      TMPDIR: folder,
      STATEMENTS_FOLDER: statements,
      ...part,
      ...(browser && { CHROMIUM_PATH: browser }),
    },
  });
  try {
    return countIn(JSON.parse(readFileSync(report, 'utf8')), status);
  } catch (error) {
    console.error(`Vitest left no report: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Which part the embedded database is given of what it is not given in every run (`vitest.config.ts` and `casesHere`): another from run to
 * run, unless EMBEDDED_CASES says which, or `all`. Files that are named are all run.
 */
function partOfEmbedded() {
  if (wanted.length > 0 || process.env.EMBEDDED_CASES !== undefined) return {};
  const place = String(randomInt(PLACES));
  console.log(`The embedded database is given the part of EMBEDDED_CASES=${place}.`);
  return { EMBEDDED_CASES: place };
}

/**
 * Where the tests put their files, many of them databases that live for seconds: in memory where there is plenty, for a disk's file system
 * spends a fifth of the time on files that come and go. What a run that was killed left there goes a day later.
 */
function ownFolder() {
  const parent = isPlenty('/dev/shm') ? '/dev/shm' : tmpdir();
  for (const name of readdirSync(parent)) {
    if (!name.startsWith('mergelight-test-')) continue;
    const path = join(parent, name);
    const left = statSync(path, { throwIfNoEntry: false });
    // Another user's cannot be taken away.
    if (left?.uid === process.getuid?.() && left.mtimeMs < Date.now() - DAY)
      rmSync(path, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(parent, 'mergelight-test-'));
  // PostgreSQL runs as another user, and has a folder of its own in here.
  chmodSync(folder, 0o755);
  return folder;
}

function isPlenty(memory) {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 8e9 && freemem() > 12e9;
  } catch {
    return false;
  }
}

function countIn(report, status) {
  // A file that could not even be loaded, and errors outside of any test, are failures too.
  const unread = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const counted = report.numFailedTests + unread;
  return {
    passed: report.numPassedTests,
    failed: counted === 0 && status !== 0 ? 1 : counted,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
