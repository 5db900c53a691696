import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ControlSocket, openControlSocket, runInServer } from './control-socket.ts';

let folder: string;
let failed: { readonly command: unknown; readonly reason: string }[];
const log = {
  error: ({ command, err }: { readonly command?: unknown; readonly err?: unknown }) =>
    void failed.push({ command, reason: (err as Error).message }),
};
let socket: ControlSocket | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-control-'));
  failed = [];
  socket = null;
});
afterEach(async () => {
  await socket?.close();
  await rm(folder, { recursive: true });
});

test('a command reaches the running server, with its input, and returns its answer', async () => {
  socket = await openControlSocket(folder, { echo: async (input) => ({ got: input }) }, log);

  const answer = await runInServer(folder, 'echo', { a: 1 });

  expect(await json(answer as never)).toEqual({ got: { a: 1 } });
});

test('only the owner of the folder can open the socket', async () => {
  socket = await openControlSocket(folder, {}, log);

  expect((await stat(join(folder, 'control.sock'))).mode & 0o777).toBe(0o600);
});

test('an answer may be a stream; one that breaks off is an error for whoever reads it, and the log has its reason', async () => {
  const broken = (after: string) =>
    Readable.from(
      (async function* () {
        if (after !== '') yield after;
        throw new Error('the disk broke');
      })(),
    );
  const commands = {
    good: async () => Readable.from(['one ', 'two']),
    bad: async () => broken('x'.repeat(100_000)),
    unbegun: async () => broken(''),
  };
  socket = await openControlSocket(folder, commands, log);

  expect(await text((await runInServer(folder, 'good')) as never)).toBe('one two');
  await expect(runInServer(folder, 'bad').then((answer) => text(answer as never))).rejects.toThrow('aborted');
  await expect(runInServer(folder, 'unbegun')).rejects.toThrow('the disk broke');
  expect(failed).toEqual(['bad', 'unbegun'].map((command) => ({ command, reason: 'the disk broke' })));
});

test('whoever leaves ends what is made for them, and is not logged as a failure', async () => {
  const endless = new Readable({ read: () => undefined });
  socket = await openControlSocket(folder, { endless: async () => endless }, log);
  endless.push('begun');

  const answer = await runInServer(folder, 'endless');
  answer?.destroy();

  await expect.poll(() => endless.destroyed).toBe(true);
  expect(failed).toEqual([]);
});

test('what fails in the server is said by its sentence, and the server goes on', async () => {
  const commands = {
    fail: async () => {
      throw new Error('No room for that.');
    },
    work: async () => ({ done: true }),
  };
  socket = await openControlSocket(folder, commands, log);

  await expect(runInServer(folder, 'fail')).rejects.toThrow('No room for that.');
  await expect(runInServer(folder, 'unheard-of')).rejects.toThrow('does not know this command');
  expect(await json((await runInServer(folder, 'work')) as never)).toEqual({ done: true });
});

test('without a server there is no answer: neither in an empty folder, nor where one was killed', async () => {
  expect(await runInServer(folder, 'echo')).toBeNull();
  expect(await runInServer(join(folder, 'missing'), 'echo')).toBeNull();
  const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen, join(folder, 'control.sock')]);
  expect(await runInServer(folder, 'echo')).toBeNull();
});

test('the socket that a killed server left is replaced', async () => {
  socket = await openControlSocket(folder, { who: async () => ({ i: 'first' }) }, log);
  const second = await openControlSocket(folder, { who: async () => ({ i: 'second' }) }, log);

  expect(await json((await runInServer(folder, 'who')) as never)).toEqual({ i: 'second' });
  await second.close();
});

test.runIf(process.platform === 'linux')('a folder with a very long name has one, too', async () => {
  const deep = join(folder, 'a'.repeat(80), 'b'.repeat(80));
  await mkdir(deep, { recursive: true });
  socket = await openControlSocket(deep, { echo: async () => ({ here: true }) }, log);

  expect(await json((await runInServer(deep, 'echo')) as never)).toEqual({ here: true });
});
