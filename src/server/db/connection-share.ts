import { AsyncLocalStorage } from 'node:async_hooks';

/** How many connections a piece of work may still take, and which of its statements wait for one. */
interface Share {
  free: number;
  readonly waiting: (() => void)[];
}

const shares = new AsyncLocalStorage<Share>();

/** How many statements of one request, or of all syncs of a worker, may be at the database at a time; the embedded one has a single connection. */
export const connectionsAtOnce = ({ kind }: { readonly kind: 'embedded' | 'postgresql' }) =>
  kind === 'embedded' ? 1 : 2;

/**
 * Runs work that takes at most `most` connections at a time, of whichever pools; further statements of it wait their turn in the order in
 * which they come. So a page of many questions, which asks them all at once, does not have whoever comes next wait for the last of them
 * (docs/server.md#limits). Work begun within such work shares what that has.
 */
export function withinConnectionShare<Result>(most: number, work: () => Result): Result {
  return shares.getStore() === undefined ? sharedConnections(most)(work) : work();
}

/** Runs pieces of work that take at most `most` connections together, whatever began them. */
export function sharedConnections(most: number): <Result>(work: () => Result) => Result {
  const share: Share = { free: most, waiting: [] };
  return (work) => shares.run(share, work);
}

/** Waits until a statement of this work may take a connection. What it returns is to be called, once, when that is back. */
export async function connectionTurn(): Promise<() => void> {
  const share = shares.getStore();
  if (share === undefined) return () => undefined;
  if (share.free > 0) share.free -= 1;
  else await new Promise<void>((granted) => share.waiting.push(granted));
  return () => {
    const next = share.waiting.shift();
    if (next === undefined) share.free += 1;
    else next();
  };
}
