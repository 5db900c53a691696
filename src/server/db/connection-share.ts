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
  /** Whose work it is, by the user's id; null where that makes no difference. */
  readonly owner: number | null;
  /** Of each owner of work that has turns of this or waits for one: how many they have, and when they were last given one or came, as a count. */
  readonly turnsOf: Map<number | null, { taken: number; last: number }>;
  /** How many turns were given. */
  given: number;
}

interface Waiting {
  readonly owner: number | null;
  /** Of one owner's, the least comes next. */
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
 * (docs/server.md#limits). Work begun within such work shares what that has. With a lane, all work of that lane takes turns: whoever has the
 * fewest comes next, however much others ask for.
 */
export function withinConnectionShare<Result>(
  most: number,
  work: () => Result,
  lane: ConnectionLane | null = null,
  owner: number | null = null,
): Result {
  return shares.getStore() === undefined ? shares.run(shareOf(most, lane, owner), work) : work();
}

/** Runs pieces of work that take at most `most` connections together, whatever began them. */
export function sharedConnections(most: number): <Result>(work: () => Result) => Result {
  const share = shareOf(most, null);
  return (work) => shares.run(share, work);
}

const shareOf = (most: number, above: Share | null, owner: number | null = null): Share => ({
  ...{ free: most, waiting: [], above, held: 0, kept: 0, owner, turnsOf: new Map(), given: 0 },
});

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
    if (share.free > 0) {
      share.free -= 1;
      noteGiven(share, own.owner);
    } else if (await inTurn(own, share)) return;
  }
}

/** Waits in a share; true when it was given with a turn of what is above. */
async function inTurn({ held, owner }: Share, { waiting, turnsOf, given }: Share): Promise<boolean> {
  // Whoever asks on after each answer waits for at most one turn of everybody who waits, and goes before nobody twice.
  if (!turnsOf.has(owner)) turnsOf.set(owner, { taken: 0, last: given });
  const rank = performance.now() + Math.min(LATER.times * held, LATER.most);
  return await new Promise<boolean>((grant) => {
    const place = waiting.findLastIndex((other) => other.rank <= rank) + 1;
    waiting.splice(place, 0, { owner, rank, grant });
  });
}

function noteGiven(share: Share, owner: number | null): void {
  share.given += 1;
  const taken = (share.turnsOf.get(owner)?.taken ?? 0) + 1;
  share.turnsOf.set(owner, { taken, last: share.given });
}

function noteGivenBack({ turnsOf, waiting }: Share, owner: number | null): void {
  const turns = turnsOf.get(owner)!;
  turns.taken -= 1;
  if (turns.taken === 0 && waiting.every((one) => one.owner !== owner)) turnsOf.delete(owner);
}

/** Takes the statement that comes next: of whoever has the fewest turns, of several of whoever was given none for the longest time. */
function takeNext({ waiting, turnsOf }: Share): Waiting | undefined {
  const turnsAt = (place: number) => turnsOf.get(waiting[place]!.owner)!;
  let next = 0;
  for (let place = 1; place < waiting.length; place += 1) {
    const [one, best] = [turnsAt(place), turnsAt(next)];
    if (one.taken < best.taken || (one.taken === best.taken && one.last < best.last)) next = place;
  }
  return waiting.splice(next, 1)[0];
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
    noteGivenBack(share, own.owner);
    const next = takeNext(share);
    if (next === undefined) share.free += 1;
    else {
      noteGiven(share, next.owner);
      next.grant(false);
    }
  }
}
