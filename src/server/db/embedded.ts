import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { inspect } from 'node:util';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { PGliteOptions } from '@electric-sql/pglite';
import type { LeaseGuard } from './lease.ts';

export interface EmbeddedPlace {
  /** Null keeps the database in memory. */
  readonly folder: string | null;
  /** The file of a dump of another one (`dumpDataDir`) that a database in memory begins as; null for an empty one. */
  readonly copyOf: string | null;
  /** Whether what is acknowledged was synced to the disk. */
  readonly sync: boolean;
  /** The lease of the folder it lies in, which it makes sure of before it writes; null where nobody else can take it. */
  readonly lease: LeaseGuard | null;
}

/** The embedded PostgreSQL, in a thread of its own: this one goes on while a statement runs. */
export interface Embedded {
  /** Another end of the wire to it, for a client of `pg`. What clients send is answered one message after the other. */
  connect(): Duplex;
  /** Ends the thread when all is written; the clients have to be gone. */
  close(): Promise<void>;
  /** Why the thread ended although nobody closed it: it ran out of memory, say. Pending until then, so for ever as a rule. */
  readonly lost: Promise<Error>;
  /** Bytes of PostgreSQL's log (WAL) written since the thread began. */
  walWritten(): number;
}

/** Its types come with those of browsers alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledCode> };
type CompiledCode = NonNullable<PGliteOptions['pgliteWasmModule']>;

/** What the thread is told. */
export interface ThreadData extends EmbeddedPlace {
  readonly code: CompiledCode;
  readonly wal_written: SharedArrayBuffer;
}

let code: Promise<CompiledCode> | null = null;

/** PostgreSQL's code, compiled once a process: what was optimized of it for one thread is so for the next. */
function codeOfPostgresql(): Promise<CompiledCode> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  code ??= readFile(join(folder, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes));
  return code;
}

/** @throws whatever keeps the database from being opened */
export async function startEmbedded(place: EmbeddedPlace): Promise<Embedded> {
  const wal_written = new SharedArrayBuffer(8);
  const workerData: ThreadData = { ...place, code: await codeOfPostgresql(), wal_written };
  const thread = new Worker(new URL('./embedded-thread.ts', import.meta.url), {
    name: 'database',
    workerData,
  });
  const ended = new Promise<Error>((resolve) => {
    // PostgreSQL's own end is thrown as something that is no error.
    thread.once('error', (thrown: unknown) => resolve(thrown instanceof Error ? thrown : new Error(inspect(thrown))));
    thread.once('exit', () => resolve(new Error('The thread of the embedded database ended.')));
  });
  const ready = new Promise<null>((resolve) => thread.once('message', () => resolve(null)));
  const failure = await Promise.race([ended, ready]);
  if (failure !== null) throw failure;

  let end: Error | null = null;
  let closing = false;
  const lost = new Promise<Error>((resolve) => {
    ended.then((reason) => {
      end = reason;
      if (!closing) resolve(reason);
    });
  });
  return {
    connect() {
      const { port1: here, port2: there } = new MessageChannel();
      thread.postMessage(there, [there]);
      return new Wire(here, () => end);
    },
    async close() {
      closing = true;
      thread.postMessage('close');
      await ended;
    },
    lost,
    walWritten: () => Number(Atomics.load(new BigInt64Array(wal_written), 0)),
  };
}

/**
 * What `pg` takes for a socket: the bytes of PostgreSQL's protocol travel through a port. The messages that belong to one statement are
 * written together (`pg` corks its socket) and travel together, so that a statement is one way there and one back.
 */
class Wire extends Duplex {
  readonly #port: MessagePort;
  /** Why nobody is at the other end; null while somebody is. */
  readonly #end: () => Error | null;

  constructor(port: MessagePort, end: () => Error | null) {
    super();
    this.#port = port;
    this.#end = end;
    port.on('message', ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
      this.push(Buffer.from(buffer, byteOffset, byteLength)),
    );
    port.on('close', () => this.destroy());
  }

  connect(): void {
    const end = this.#end();
    if (end !== null) this.destroy(end);
    else process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(): void {}

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send([chunk]);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }

  /** In memory of its own, of which a copy is sent: quicker for the few hundred bytes of a statement than to hand it over. */
  #send(chunks: readonly Buffer[]): void {
    const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    this.#port.postMessage(bytes);
  }
}
