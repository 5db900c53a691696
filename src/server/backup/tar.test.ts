import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { entriesOf, type TarEntry, tarOf } from './tar.ts';

async function* given(): AsyncGenerator<TarEntry> {
  yield { name: 'a/', size: 0, content: [] };
  yield { name: 'a/empty', size: 0, content: [] };
  yield { name: 'a/one', size: 700, content: [Buffer.alloc(300, 'x'), Buffer.alloc(400, 'y')] };
  yield { name: 'shrank', size: 1000, content: [Buffer.from('short')] };
  yield { name: 'grew', size: 3, content: [Buffer.from('longer')] };
}

test('what is written is read again; what changed its length meanwhile is filled with zeros or cut', async () => {
  const read = new Map<string, string>();
  for await (const { name, content } of entriesOf(tarOf(given()))) read.set(name, String(await collected(content)));

  expect([...read.keys()]).toEqual(['a/', 'a/empty', 'a/one', 'shrank', 'grew']);
  expect(read.get('a/one')).toBe('x'.repeat(300) + 'y'.repeat(400));
  expect(read.get('shrank')).toBe(`short${'\0'.repeat(995)}`);
  expect(read.get('grew')).toBe('lon');
});

test('entries that nobody reads are skipped', async () => {
  const names: string[] = [];
  for await (const { name } of entriesOf(tarOf(given()))) names.push(name);

  expect(names).toHaveLength(5);
});

test('an archive that is cut off, or is none, says so', async () => {
  const whole = await buffer(tarOf(given()));
  const read = async (bytes: Uint8Array) => {
    for await (const _entry of entriesOf(chunksOf(bytes)));
  };

  await expect(read(whole.subarray(0, 1500))).rejects.toThrow('cut off');
  await expect(read(Buffer.alloc(5000, 'x'))).rejects.toThrow('no backup');
});

test.runIf(spawnSync('tar', ['--version']).status === 0)('others’ tools read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-tar-'));
  try {
    writeFileSync(join(folder, 'it.tar'), await buffer(tarOf(given())));
    expect(spawnSync('tar', ['-xf', 'it.tar'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readFileSync(join(folder, 'a/one'), 'utf8')).toHaveLength(700);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function collected(content: TarEntry['content']): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 333) yield bytes.subarray(at, at + 333);
}
