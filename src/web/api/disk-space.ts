/** The header by which every answer says that the server can store nothing at the moment. */
const HEADER = 'x-disk-full';

let full = false;
const listeners = new Set<() => void>();

/** Calls `listener` when `isDiskFull` changes; returns how to stop listening. */
export function onDiskSpace(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the server's disk is full, as of its latest answer: it refuses changes, and syncs wait. */
export function isDiskFull(): boolean {
  return full;
}

/** Takes what an answer says of the disk. */
export function noteDiskSpace(response: Response): Response {
  const now = response.headers.get(HEADER) !== null;
  if (now !== full) {
    full = now;
    for (const listener of listeners) listener();
  }
  return response;
}
