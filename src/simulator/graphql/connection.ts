import { iso } from '../clock.ts';
import { type CursorKey, decodeCursor, encodeCursor } from './cursors.ts';
import { HostFailure } from './failures.ts';

export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** A sorted list to page through. Its keys decide where a cursor points, so that it may change between two pages. */
interface Listing<T> {
  readonly length: number;
  at(index: number): T;
  /** The sort value (a time in epoch milliseconds, or a position) and the id. */
  key(item: T): readonly [number, number];
  /** How the sort value is written in a cursor. */
  readonly values: 'times' | 'numbers';
  readonly descending?: boolean;
  /** Leaves out what isn't asked for. */
  keep?(item: T): boolean;
  total(): number;
}

export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** A list whose order is its position: commits, files, labels. Cursors hold the position. */
function positions<T>(items: readonly T[]): Listing<readonly [item: T, position: number]> {
  return {
    length: items.length,
    at: (index) => [items[index] as T, index + 1],
    key: ([, position]) => [position, position],
    values: 'numbers',
    total: () => items.length,
  };
}

/** A list that is sorted by a time and then by an id. */
export function timed<T>(items: readonly T[], key: (item: T) => readonly [number, number]): Listing<T> {
  return {
    length: items.length,
    at: (index) => items[index] as T,
    key,
    values: 'times',
    total: () => items.length,
  };
}

/** One page. Throws INVALID_CURSOR_ARGUMENTS for a cursor that is none. Without `first` and `last` it holds at most 100. */
export function connect<T>(listing: Listing<T>, args: PageArgs): Connection<T> {
  const direction = listing.descending ? -1 : 1;
  const at = (index: number) => listing.at(listing.descending ? listing.length - 1 - index : index);
  const compare = (key: readonly [number, number], other: readonly [number, number]) =>
    (key[0] - other[0] || key[1] - other[1]) * direction;
  /** The first index whose key lies at (or, with `beyond`, past) the cursor. */
  const find = (cursor: string, beyond: boolean): number => {
    const key = cursorKey(cursor);
    let low = 0;
    let high = listing.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(listing.key(at(middle)), key);
      if (order < 0 || (beyond && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const start = args.after == null ? 0 : find(args.after, true);
  const end = args.before == null ? listing.length : find(args.before, false);
  const kept = (index: number) => listing.keep === undefined || listing.keep(at(index));
  const anyIn = (from: number, to: number): boolean => {
    for (let index = from; index < to; index += 1) if (kept(index)) return true;
    return false;
  };

  const nodes: T[] = [];
  let from = start;
  let to = end;
  if (args.last == null) {
    const wanted = args.first ?? 100;
    for (to = start; to < end && nodes.length < wanted; to += 1) if (kept(to)) nodes.push(at(to));
  } else {
    for (from = end; from > start && nodes.length < args.last; from -= 1) if (kept(from - 1)) nodes.push(at(from - 1));
    nodes.reverse();
  }
  const cursorOf = (item: T | undefined): string | null => {
    if (item === undefined) return null;
    const [value, id] = listing.key(item);
    return encodeCursor([listing.values === 'times' ? iso(value) : value, id]);
  };
  return {
    nodes,
    get edges() {
      return nodes.map((node) => ({ cursor: cursorOf(node) ?? '', node }));
    },
    get totalCount() {
      return listing.total();
    },
    get pageInfo() {
      return {
        hasNextPage: anyIn(to, listing.length),
        hasPreviousPage: anyIn(0, from),
        startCursor: cursorOf(nodes[0]),
        endCursor: cursorOf(nodes.at(-1)),
      };
    },
  };
}

/** The same page with other nodes: what a listing holds beside the object itself is dropped. */
function mapNodes<T, U>(connection: Connection<T>, change: (item: T) => U): Connection<U> {
  return {
    nodes: connection.nodes.map(change),
    get edges() {
      return connection.edges.map(({ cursor, node }) => ({ cursor, node: change(node) }));
    },
    get totalCount() {
      return connection.totalCount;
    },
    get pageInfo() {
      return connection.pageInfo;
    },
  };
}

/** A page of a list in the order of its positions. */
export function connectPositions<T>(items: readonly T[], args: PageArgs): Connection<T> {
  return mapNodes(connect(positions(items), args), ([item]) => item);
}

function cursorKey(cursor: string): readonly [number, number] {
  const key: CursorKey | null = decodeCursor(cursor);
  const value = typeof key?.[0] === 'string' ? Date.parse(key[0]) : key?.[0];
  if (key === null || value === undefined || Number.isNaN(value)) {
    throw new HostFailure('INVALID_CURSOR_ARGUMENTS', `\`${cursor}\` does not appear to be a valid cursor.`);
  }
  return [value, key[1]];
}
