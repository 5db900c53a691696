import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The numbers that share a row of `number_states`, with a bit each in the order of `get_bit`, and of `person_numbers`. */
export const BLOCK = 8192;

/** By number, a bit each. */
export type Bits = Uint8Array;

export const hasBit = (bits: Bits, number: number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;

export function setBit(bits: Bits, number: number): void {
  bits[number >> 3]! |= 1 << (number & 7);
}

/**
 * Brings `number_states` in line with what is stored of these pull requests, null for all of the repository, whose row is locked. To be
 * called in every transaction that stores or deletes some of them.
 */
export async function noteStates(
  transaction: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[] | null,
): Promise<void> {
  const ofRepository = transaction.selectFrom('pull_requests').where('repository_id', '=', repositoryId);
  const stored = await ofRepository
    .select(['number', 'state'])
    .$if(numbers !== null, (query) => query.where(sql<boolean>`number = any(${numbers}::int[])`))
    .execute();
  const states = new Map(stored.map(({ number, state }) => [number, state]));
  const touched = Map.groupBy(numbers ?? states.keys(), (number) => Math.floor(number / BLOCK));
  if (numbers === null)
    await transaction.deleteFrom('number_states').where('repository_id', '=', repositoryId).execute();
  const { rows: kept } = await sql<{ block: number; open: Buffer; merged: Buffer }>`
    select block, open, merged from number_states
    where repository_id = ${repositoryId} and block = any(${[...touched.keys()]}::int[])`.execute(transaction);
  const before = new Map(kept.map((row) => [row.block, row]));
  const changed = [...touched].flatMap(([block, of]) => {
    const row = before.get(block);
    const [open, merged] = (['open', 'merged'] as const).map((state) => {
      const bits = row === undefined ? Buffer.alloc(BLOCK / 8) : Buffer.from(row[state]);
      for (const number of of) {
        const place = number - block * BLOCK;
        bits[place >> 3]! &= ~(1 << (place & 7));
        if (states.get(number) === state) setBit(bits, place);
      }
      return bits;
    });
    const isSame = row?.open.equals(open!) === true && row.merged.equals(merged!);
    return isSame ? [] : [{ repository_id: repositoryId, block, open: open!, merged: merged! }];
  });
  if (changed.length === 0) return;
  await transaction
    .insertInto('number_states')
    .values(changed)
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'block']).doUpdateSet((set) => ({
        open: set.ref('excluded.open'),
        merged: set.ref('excluded.merged'),
      })),
    )
    .execute();
}

export interface StatesOf {
  readonly all: number;
  readonly open: number;
  readonly merged: number;
  readonly closed: number;
}

/** The states of the pull requests of a repository, by number; what is neither is closed. */
export interface States {
  readonly open: Bits;
  readonly merged: Bits;
}

/** Those of repositories, of which one without pull requests may have none. */
export async function statesIn(
  db: Kysely<Database>,
  repository_ids: readonly number[],
): Promise<ReadonlyMap<number, States>> {
  const { rows } = await sql<{ repository_id: number; block: number; open: Buffer; merged: Buffer }>`
    select repository_id, block, open, merged from number_states
    where repository_id = any(${repository_ids}::int[])`.execute(db);
  const joined = (of: typeof rows, state: keyof States) => {
    const bits = new Uint8Array((Math.max(...of.map(({ block }) => block + 1)) * BLOCK) / 8);
    for (const row of of) bits.set(row[state], (row.block * BLOCK) / 8);
    return bits;
  };
  const byRepository = Map.groupBy(rows, ({ repository_id }) => repository_id);
  return new Map([...byRepository].map(([id, of]) => [id, { open: joined(of, 'open'), merged: joined(of, 'merged') }]));
}

/** How many of these pull requests of a repository are in each state. */
export function countByState(bits: Bits, states: States | undefined): StatesOf {
  const all = countBits(bits);
  const open = states === undefined ? 0 : countBits(bits, states.open);
  const merged = states === undefined ? 0 : countBits(bits, states.merged);
  return { all, open, merged, closed: all - open - merged };
}

/** Which of these pull requests of a repository are in a state. */
export function inState(bits: Bits, states: States | undefined, state: 'open' | 'merged' | 'closed'): Bits {
  return bits.map((byte, at) => {
    const isOpen = states?.open[at] ?? 0;
    const isMerged = states?.merged[at] ?? 0;
    return byte & (state === 'open' ? isOpen : state === 'merged' ? isMerged : ~(isOpen | isMerged));
  });
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** How many are set, in these or in both. */
export function countBits(bits: Bits, others: Bits = bits): number {
  let count = 0;
  for (let at = 0; at < bits.length; at += 1) count += ONES[bits[at]! & (others[at] ?? 0)]!;
  return count;
}
