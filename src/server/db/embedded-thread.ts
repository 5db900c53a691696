/*
 * The thread of the embedded database: says when it is open, takes the ports on which clients speak PostgreSQL's protocol, and closes
 * the database when told to. An error here ends the thread, which the process hears of.
 */
import { openAsBlob } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { EmbeddedPlace } from './embedded.ts';

if (parentPort === null) throw new Error('This file is run as a thread.');

const { folder, copyOf } = workerData as EmbeddedPlace;
const pglite = await PGlite.create({
  dataDir: folder ?? 'memory://',
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
        const bytes = answer.slice();
        client.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
      },
    });
  });
}
