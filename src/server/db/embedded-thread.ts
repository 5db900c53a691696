/*
 * The thread of the embedded database: says when it is open, takes the ports on which clients speak PostgreSQL's protocol, and closes
 * the database when told to. An error here ends the thread, which the process hears of.
 */
import { openAsBlob } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { DurableFiles } from './durable-files.ts';
import type { ThreadData } from './embedded.ts';

if (parentPort === null) throw new Error('This file is run as a thread.');

const { folder, copyOf, sync, lease, code, wal_written } = workerData as ThreadData;
/** PostgreSQL's own cache, 128 MB by default, all of which stay with the process: the system caches the files as well. */
const lean = ['-c', 'shared_buffers=16MB'];
/** By default PGlite starts PostgreSQL with `-F`: without fsync. Its `fdatasync` does nothing, its `fsync` can be replaced. */
const relaxed = [...PGlite.defaultStartParams, ...lean];
const durable = [...relaxed.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];
const pglite = await PGlite.create({
  extensions: { pg_trgm },
  pgliteWasmModule: code,
  startParams: folder !== null && sync ? durable : relaxed,
  ...(folder === null ? { dataDir: 'memory://' } : { fs: new DurableFiles(folder, { sync, lease, wal_written }) }),
  ...(copyOf !== null && { loadDataDir: await openAsBlob(copyOf) }),
});

parentPort.on('message', async (message: MessagePort | 'close') => {
  if (message !== 'close') return serve(message);
  await pglite.close();
  // Of a thread, this ends the thread alone.
  process.exit(0);
});
parentPort.postMessage('ready');

/** Answers a message while it is asked, so that no two of them, of one client or of several, ever mix. */
function serve(client: MessagePort): void {
  client.on('message', async (message: Uint8Array) => {
    await pglite.execProtocolRawStream(message, {
      onRawData(answer) {
        client.postMessage(answer.slice());
      },
    });
  });
}
