import { AsyncLocalStorage } from 'node:async_hooks';

/** How many connections pieces of work may still take together, and which of their statements wait for one. */
interface Share {
  free: number;
  readonly waiting: (() => void)[];
  /** What its statements need a turn of, too; null where there is nothing above. */
  readonly above: Share | null;
}

/** Connections that several pieces of work, each with a share of its own, take no more of together. */
export type ConnectionLane = Share;

const shares = new AsyncLocalStorage<Share>();

/** How many statements of one request, or of all syncs of a worker, may be at the database at a time; the embedded one has a single connection. */
export const connectionsAtOnce = ({ kind }: { readonly kind: 'embedded' | 'postgresql' }) =>
  kind === 'embedded' ? 1 : 2;

/**
 * How many statements of all figures that are asked of a process may be at the database at a time, given the size of its pool. They never
 * take the whole pool, unless that is a single connection (docs/server.md#limits).
 */
export const figuresAtOnce = (connections: number) =>
  Math.max(1, Math.min(connections - 1, Math.max(2, Math.floor(connections / 5))));

/** A lane for `withinConnectionShare` that takes at most `most` connections at a time. */
export const connectionLane = (most: number): ConnectionLane => ({ free: most, waiting: [], above: null });

/**
 * Runs work that takes at most `most` connections at a time, of whichever pools; further statements of it wait their turn in the order in
 * which they come. So a page of many questions, which asks them all at once, does not have whoever comes next wait for the last of them
 * (docs/server.md#limits). Work begun within such work shares what that has. With a lane, all work of that lane takes turns.
 */
export function withinConnectionShare<Result>(
  most: number,
  work: () => Result,
  lane: ConnectionLane | null = null,
): Result {
  return shares.getStore() === undefined ? shares.run({ free: most, waiting: [], above: lane }, work) : work();
}

/** Runs pieces of work that take at most `most` connections together, whatever began them. */
export function sharedConnections(most: number): <Result>(work: () => Result) => Result {
  const share: Share = { free: most, waiting: [], above: null };
  return (work) => shares.run(share, work);
}

/** Waits until a statement of this work may take a connection. What it returns is to be called, once, when that is back. */
export async function connectionTurn(): Promise<() => void> {
  const taken: Share[] = [];
  for (let share = shares.getStore() ?? null; share !== null; share = share.above) {
    const { waiting } = share;
    if (share.free > 0) share.free -= 1;
    else await new Promise<void>((granted) => waiting.push(granted));
    taken.push(share);
  }
  return () => {
    for (const share of taken) {
      const next = share.waiting.shift();
      if (next === undefined) share.free += 1;
      else next();
    }
  };
}
