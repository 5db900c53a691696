import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What the kernel hears is counted, not what PostgreSQL believes. */
const traced = process.platform === 'linux' && spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
if (!traced)
  console.error('\n!!! System calls cannot be counted here (strace): the test of what is durable is LEFT OUT. !!!\n');

/** The files and folders that were synced in each step, by their path below the database. */
function syncedBySteps(sync: 'full' | 'relaxed'): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-durable-'));
  try {
    const log = join(folder, 'calls');
    const watched = ['-f', '-y', '--seccomp-bpf', '-o', log, '-e', 'trace=fsync,fdatasync,mkdir,mkdirat'];
    const program = resolve('test/support/durable-writer.ts');
    const { status, stderr } = spawnSync('strace', [...watched, process.execPath, program, folder, sync], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const steps = new Map<string, string[]>();
    let current: string[] = [];
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const over = /mkdir(?:at)?\(.*over-(\w+)"/.exec(line)?.[1];
      const path = /f(?:data)?sync\(\d+<(.+?)>/.exec(line)?.[1];
      if (path !== undefined) current.push(path.slice(join(folder, 'database/').length));
      if (over === undefined) continue;
      steps.set(over, current);
      current = [];
    }
    return steps;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.runIf(traced)('what the kernel is told to keep', { timeout: 180_000 }, () => {
  let steps: Map<string, string[]>;
  beforeAll(() => {
    steps = syncedBySteps('full');
  }, 180_000);
  afterAll(() => steps?.clear());
  const synced = (step: string, pattern: RegExp) => (steps.get(step) ?? []).filter((path) => pattern.test(path)).length;

  it('after an acknowledged change: the log that holds it', () => {
    expect(synced('change', /^pg_wal\/[0-9A-F]{24}$/)).toBeGreaterThan(0);
  });

  it('at a checkpoint: the data files, and where the log begins', () => {
    expect(synced('checkpoint', /^base\/\d+\/\d+/)).toBeGreaterThan(0);
    expect(synced('checkpoint', /^global\/pg_control$/)).toBeGreaterThan(0);
  });

  it('after a file was made or removed: its folder', () => {
    expect(synced('table', /^base\/\d+$/)).toBeGreaterThan(0);
    expect(synced('removed', /^base\/\d+$/)).toBeGreaterThan(0);
  });

  it('when the database was made: every file of it', () => {
    expect(synced('open', /^base\/\d+\/\d+/)).toBeGreaterThan(200);
  });

  it('nothing of that where DURABILITY is relaxed, but for the database that was made', () => {
    const relaxed = syncedBySteps('relaxed');

    expect(['table', 'change', 'checkpoint', 'removed'].map((step) => relaxed.get(step))).toEqual([[], [], [], []]);
  });
});
