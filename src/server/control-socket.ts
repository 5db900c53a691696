import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { codeOf } from './error-code.ts';
import { StartError } from './start-error.ts';

/*
 * How `npm run backup` and `npm run rotate-key` reach the server that owns DATA_DIR: HTTP over a socket in that folder, which only
 * its owner can open.
 */

/**
 * A command for the running server. `input` is what the caller sent, as JSON. Returns what the caller gets: something that becomes
 * JSON, or a stream of bytes. An Error that it throws, or with which the stream begins, becomes one for the caller, with its message; the
 * server goes on. `gone` is aborted when the caller has left.
 */
export type ControlCommand = (input: unknown, gone: AbortSignal) => Promise<Readable | object>;

export interface ControlSocket {
  close(): Promise<void>;
}

/** Serves the commands in a folder that belongs to this process (its lease). The socket that a killed one left is replaced. */
export async function openControlSocket(
  folder: string,
  commands: Readonly<Record<string, ControlCommand>>,
  log: { error(fields: object, message: string): void },
): Promise<ControlSocket> {
  const server = createServer(async (incoming, answer) => {
    const gone = new AbortController();
    answer.once('close', () => gone.abort());
    try {
      const command = commands[incoming.url?.slice(1) ?? ''];
      if (command === undefined)
        throw new Error('The running Mergelight does not know this command: is it of another version?');
      const body = await text(incoming);
      const result = await command(body === '' ? null : JSON.parse(body), gone.signal);
      if (result instanceof Readable) {
        await once(addAbortSignal(gone.signal, result), 'readable');
        answer.writeHead(200, { 'content-type': 'application/octet-stream' });
        // Cut in the middle it is no whole message, which the caller sees.
        await pipeline(result, answer);
      } else answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    } catch (error) {
      // Whoever leaves breaks the work off.
      if (!['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(codeOf(error))))
        log.error({ err: error, command: incoming.url?.slice(1) }, 'a command failed');
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  const place = await socketIn(folder);
  if (process.platform !== 'win32') await rm(join(folder, NAME), { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.path, resolve);
  });
  await place.close();
  if (process.platform !== 'win32') await chmod(join(folder, NAME), 0o600);
  server.unref();
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Runs a command in the server that owns the folder. Returns its answer (a stream; `text` or `json` of node:stream/consumers read it),
 * or null where no server is running there.
 * @throws StartError with the server's sentence where the command failed
 */
export async function runInServer(
  folder: string,
  command: string,
  input: object = {},
): Promise<IncomingMessage | null> {
  const place = await socketIn(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (place === null) return null;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ socketPath: place.path, path: `/${command}`, method: 'POST' }, resolve);
      asked.once('error', reject);
      asked.end(JSON.stringify(input));
    });
    if (answer.statusCode === 200) return answer;
    throw new StartError(await text(answer));
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(String(codeOf(error)))) return null;
    throw error;
  } finally {
    await place.close();
  }
}

const NAME = 'control.sock';

/** The most bytes that the path of a socket may have, on the systems that allow the fewest. */
const LONGEST = 100;

/** The address of the folder's socket; `close` when it is not needed any more for listening or connecting. */
async function socketIn(folder: string): Promise<{ path: string; close: () => Promise<void> }> {
  const path = join(folder, NAME);
  const nothing = async () => undefined;
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(path.toLowerCase()).digest('hex').slice(0, 32);
    return { path: `\\\\.\\pipe\\mergelight-${name}`, close: nothing };
  }
  if (Buffer.byteLength(path) <= LONGEST) return { path, close: nothing };
  if (process.platform !== 'linux')
    throw new StartError(
      `DATA_DIR: ${folder} is too long a name for the socket that it holds: at most ${LONGEST} bytes.`,
    );
  const opened = await open(folder, 'r');
  return { path: `/proc/self/fd/${opened.fd}/${NAME}`, close: () => opened.close() };
}
