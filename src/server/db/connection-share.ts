import { AsyncLocalStorage } from 'node:async_hooks';

/** How many connections pieces of work may still take together, and which of their statements wait for one. */
interface Share {
  free: number;
  readonly waiting: Waiting[];
  /** What its statements need a turn of, too; null where there is nothing above. */
  readonly above: Share | null;
  /** How long connections were held for its statements so far, in milliseconds. */
  held: number;
  /** Turns that are kept for statements that may come at once. */
  kept: number;
}

interface Waiting {
  /** Whoever has the least comes next. */
  readonly rank: number;
  /** `all`: with a turn of what is above. */
  readonly grant: (all: boolean) => void;
}

/**
 * Work that has held connections for less time than this, in milliseconds, keeps its turn for its next statement: most is done by then, and
 * many small statements do not wait once for each.
 */
const SMALL = 50;
/**
 * What takes longer gives way to what comes later: within this multiple of the time for which it held connections, and within
 * `most` milliseconds. A small question does not wait for what is left of many large ones, and these wait for a bounded time.
 */
const LATER = { times: 5, most: 500 } as const;

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
export const connectionLane = (most: number): ConnectionLane => shareOf(most, null);

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
  return shares.getStore() === undefined ? shares.run(shareOf(most, lane), work) : work();
}

/** Runs pieces of work that take at most `most` connections together, whatever began them. */
export function sharedConnections(most: number): <Result>(work: () => Result) => Result {
  const share = shareOf(most, null);
  return (work) => shares.run(share, work);
}

const shareOf = (most: number, above: Share | null): Share => ({ free: most, waiting: [], above, held: 0, kept: 0 });

/** Waits until a statement of this work may take a connection. What it returns is to be called, once, when that is back. */
export async function connectionTurn(): Promise<() => void> {
  const own = shares.getStore() ?? null;
  if (own === null) return () => undefined;
  if (own.kept > 0) own.kept -= 1;
  else await turnOf(own);
  const since = performance.now();
  return () => {
    own.held += performance.now() - since;
    if (own.held < SMALL) keepOrGiveBack(own);
    else giveBack(own);
  };
}

async function turnOf(own: Share): Promise<void> {
  for (let share: Share | null = own; share !== null; share = share.above) {
    if (share.free > 0) share.free -= 1;
    else if (await inTurn(own, share)) return;
  }
}

/** Waits in a share; true when it was given with a turn of what is above. */
async function inTurn(own: Share, { waiting }: Share): Promise<boolean> {
  const rank = performance.now() + Math.min(LATER.times * own.held, LATER.most);
  return await new Promise<boolean>((grant) => {
    const place = waiting.findLastIndex((other) => other.rank <= rank) + 1;
    waiting.splice(place, 0, { rank, grant });
  });
}

function keepOrGiveBack(own: Share): void {
  const heir = own.waiting.shift();
  heir?.grant(true);
  if (heir !== undefined) return;
  own.kept += 1;
  // What has its answer now asks on before that, if it has more to ask.
  setImmediate(() => {
    if (own.kept === 0) return;
    own.kept -= 1;
    giveBack(own);
  });
}

function giveBack(own: Share): void {
  for (let share: Share | null = own; share !== null; share = share.above) {
    const next = share.waiting.shift();
    if (next === undefined) share.free += 1;
    else next.grant(false);
  }
}
