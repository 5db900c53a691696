import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLog } from '../log.ts';
import { type DemoHost, type DemoSettings, startDemoHost } from './demo-host.ts';

const PATIENCE = { timeout: 300_000 };

let folder: string;
let demo: DemoHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-demo-host-'));
  demo = await start();
});
afterAll(async () => {
  demo?.stop();
  await rm(folder, { recursive: true });
});

async function start(change: Partial<DemoSettings> = {}): Promise<DemoHost> {
  return await startDemoHost({
    ...{ program: resolve('src/simulator/main.ts'), data_dir: folder, public_url: 'http://localhost:3000/demo-host' },
    ...{ now: () => new Date(), log: openLog('silent') },
    ...change,
  });
}

test('a restart shows the same history', PATIENCE, async () => {
  const before = await readFile(join(folder, 'demo.json'), 'utf8');
  const again = await start();

  expect(await readFile(join(folder, 'demo.json'), 'utf8')).toBe(before);
  expect((await again.ready(60_000))?.login).toBe((await demo.ready(60_000))?.login);
  again.stop();
});

test('it is started once more before its history ends, and goes on with the same one', PATIENCE, async () => {
  // Time enough to be ready before, also on a busy machine.
  const renewed = await start({ renewed_after: 15_000 });
  try {
    const again = vi.fn();
    renewed.onStartedAgain(again);
    const before = await renewed.ready(60_000);
    await vi.waitFor(() => expect(again).toHaveBeenCalled(), 60_000);

    expect(before).not.toBeNull();
    expect(await renewed.ready(60_000)).toEqual(before);
  } finally {
    renewed.stop();
  }
});

test('a note of when it began that a loss of power has cut is written again', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'mergelight-demo-cut-'));
  await writeFile(join(data_dir, 'demo.json'), '{"since":"20');
  const fresh = await start({ data_dir });
  fresh.stop();
  const again = await start({ data_dir });
  again.stop();

  expect(again.since).toEqual(fresh.since);
  await rm(data_dir, { recursive: true });
});

test('a folder in which it cannot note when it began is named in one line', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'mergelight-demo-closed-'));
  // As on a read-only disk, which stops root, too.
  await mkdir(join(data_dir, 'demo.json.unfinished'));

  await expect(start({ data_dir })).rejects.toThrow(/^DATA_DIR: the folder .+ cannot be written \(EISDIR.+\)\.$/);
  await rm(data_dir, { recursive: true });
});
