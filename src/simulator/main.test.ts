import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(...options: string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  started.push(child);
  return child;
}

/** The first line of the process, which says where it listens. */
async function addressOf(child: ChildProcess): Promise<string> {
  const [line] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  return (JSON.parse(line.toString()) as { url: string }).url;
}

describe('the process', () => {
  test('says where it listens, answers, and ends with SIGTERM', async () => {
    const child = start('--world', 'tiny', '--now', '2026-11-21T10:00:00Z');
    const url = await addressOf(child);

    const state = (await (await fetch(`${url}/_control/state`)).json()) as { world: string; now: string };
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');

    expect(state.world).toBe('tiny');
    expect(state.now).toMatch(/^2026-11-21T10:00/);
    expect(code).toBe(0);
  });

  test('ends with its parent when it was told to', async () => {
    const child = start('--world', 'tiny', '--with-parent');
    await addressOf(child);

    child.stdin?.end();
    const [code] = await once(child, 'exit');

    expect(code).toBe(0);
  });

  test('listens before its world is built; whoever asks waits', async () => {
    const child = start('--world', 'generated', '--count', '3000');
    const url = await addressOf(child);

    const reply = await fetch(`${url}/api/v3/repos/load/big/pulls?per_page=1`, { headers: { 'user-agent': 'test' } });

    expect(reply.status).toBe(200);
  });

  test.each([
    [['--world', 'atlantis'], '--world must be one of'],
    [['--world', 'tiny', '--now', 'soon'], "--now 'soon' is not a time"],
    [['--world', 'recorded'], 'needs --data'],
    [['--world', 'recorded', '--data', '/nowhere'], 'needs bitcoin-core-gui.ndjson.gz in /nowhere'],
  ])('refuses %j with a sentence', async (options, sentence) => {
    const child = start(...options);
    let said = '';
    child.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
    });

    const [code] = await once(child, 'close');

    expect(code).toBe(2);
    expect(said).toContain(sentence);
  });
});
