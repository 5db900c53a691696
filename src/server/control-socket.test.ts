import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ControlSocket, openControlSocket, runInServer } from './control-socket.ts';

let folder: string;
let socket: ControlSocket | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-control-'));
  socket = null;
});
afterEach(async () => {
  await socket?.close();
  await rm(folder, { recursive: true });
});

test('a command reaches the running server, with its input, and returns its answer', async () => {
  socket = await openControlSocket(folder, { echo: async (input) => ({ got: input }) });

  const answer = await runInServer(folder, 'echo', { a: 1 });

  expect(await json(answer as never)).toEqual({ got: { a: 1 } });
});

test('only the owner of the folder can open the socket', async () => {
  socket = await openControlSocket(folder, {});

  expect((await stat(join(folder, 'control.sock'))).mode & 0o777).toBe(0o600);
});

test('an answer may be a stream; one that breaks off is an error for whoever reads it', async () => {
  socket = await openControlSocket(folder, {
    good: async () => Readable.from(['one ', 'two']),
    bad: async () =>
      Readable.from(
        (async function* () {
          yield 'x'.repeat(100_000);
          throw new Error('the disk broke');
        })(),
      ),
  });

  expect(await text((await runInServer(folder, 'good')) as never)).toBe('one two');
  await expect(runInServer(folder, 'bad').then((answer) => text(answer as never))).rejects.toThrow('aborted');
});

test('what fails in the server is said by its sentence, and the server goes on', async () => {
  socket = await openControlSocket(folder, {
    fail: async () => {
      throw new Error('No room for that.');
    },
    work: async () => ({ done: true }),
  });

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
  socket = await openControlSocket(folder, { who: async () => ({ i: 'first' }) });
  const second = await openControlSocket(folder, { who: async () => ({ i: 'second' }) });

  expect(await json((await runInServer(folder, 'who')) as never)).toEqual({ i: 'second' });
  await second.close();
});

test.runIf(process.platform === 'linux')('a folder with a very long name has one, too', async () => {
  const deep = join(folder, 'a'.repeat(80), 'b'.repeat(80));
  await mkdir(deep, { recursive: true });
  socket = await openControlSocket(deep, { echo: async () => ({ here: true }) });

  expect(await json((await runInServer(deep, 'echo')) as never)).toEqual({ here: true });
});
