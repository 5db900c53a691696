import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ownerOf } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { humansOf } from './belongs.ts';
import { type Bits, BLOCK, hasBit, setBit } from './number-states.ts';
import type { Scope } from './scope.ts';

/** By what pull requests are somebody's: a row `act` of each with the person, the moment by which a team's is told, and what has to hold. */
const ways = {
  author: { from: sql`pull_request_facts act`, person: ownerOf('act'), at: sql`act.created_at`, where: sql`true` },
  reviewer: { from: sql`reviews act`, person: sql`act.author_id`, at: sql`act.submitted_at`, where: sql`act.counts` },
} as const;

/**
 * Brings `person_numbers` in line with what is stored of these pull requests, null for all of the repository, whose row is locked. To be
 * called in every transaction that stores or deletes some of them, or computes their facts.
 */
export async function notePersonNumbers(
  transaction: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[] | null,
): Promise<void> {
  const blocks = [...new Set((numbers ?? []).map((number) => Math.floor(number / BLOCK)))];
  // A number may be found across two others, too: then a row is made again as it was.
  const { rows: gone } = await sql<{ person_id: number }>`
    delete from person_numbers kept where kept.repository_id = ${repositoryId} and (${numbers === null}::boolean
      or (kept.block = any(${blocks}::int[]) and exists (select from unnest(${numbers}::int[]) number
        where number / ${sql.lit(BLOCK)} = kept.block and position(int4send(number) in kept.numbers) > 0)))
    returning kept.person_id`.execute(transaction);
  const before = [...new Set(gone.map(({ person_id }) => person_id))];
  for (const way of ['author', 'reviewer'] as const) {
    const { from, person, where } = ways[way];
    const isOf = sql`act.repository_id = ${repositoryId} and ${person} is not null and ${where}`;
    const isTouched =
      numbers === null
        ? sql`true`
        : sql`act.number / ${sql.lit(BLOCK)} = any(${blocks}::int[]) and ${person} = any(${before}::int[] || array(
            select ${person} from ${from} where ${isOf} and act.number = any(${numbers}::int[])))`;
    await sql`
      insert into person_numbers (repository_id, reviewed, person_id, block, first_at, last_at, numbers)
      ${rowsOf(way, sql`${isOf} and ${isTouched}`)}
      on conflict (repository_id, reviewed, person_id, block) do update set first_at = excluded.first_at,
        last_at = excluded.last_at, numbers = excluded.numbers`.execute(transaction);
  }
}

function rowsOf(way: keyof typeof ways, chosen: RawBuilder<unknown>): RawBuilder<unknown> {
  const { from, person, at } = ways[way];
  return sql`
    select act.repository_id, ${sql.lit(way === 'reviewer')}, ${person}, act.number / ${sql.lit(BLOCK)}, min(${at}), max(${at}),
      string_agg(distinct int4send(act.number), ''::bytea)
    from ${from} where ${chosen} group by 1, 3, 4`;
}

/**
 * The scope, which knows the numbers of the pull requests that belong to its team, where it has one: questions that look at many of them test
 * bits then. What members did all of in their time is taken from what is kept, the rest is read by its moment.
 */
export async function withNumbers(db: Kysely<Database>, scope: Scope): Promise<Scope> {
  const { team, repository_ids } = scope;
  if (team === null) return scope;
  const { from, person, at, where } = ways[team.as];
  const isWhole = sql`kept.first_at >= member."from" and kept.last_at < member."to"`;
  // `offset` lets the database look each person up: what is kept of all others is many times as much. Of each repository by itself, so
  // that nothing has to be sorted.
  const { rows } = await sql<{ repository_id: number; numbers: Buffer | null }>`
    select repository.id as repository_id, (
      select string_agg(case when ${isWhole} then kept.numbers else (
        select string_agg(int4send(act.number), ''::bytea) from ${from}
        where act.repository_id = repository.id and ${person} = member.person_id and ${where}
          and ${at} >= greatest(member."from", kept.first_at) and ${at} < member."to" and ${at} <= kept.last_at
      ) end, ''::bytea)
      from ${humansOf(team).people} member cross join lateral (
        select kept.first_at, kept.last_at, kept.numbers from person_numbers kept
        where kept.repository_id = repository.id and kept.reviewed = ${sql.lit(team.as === 'reviewer')}
          and kept.person_id = member.person_id
          and kept.last_at >= member."from" and kept.first_at < member."to" offset 0
      ) kept
    ) as numbers
    from unnest(${repository_ids}::int[]) repository (id)`.execute(db);
  const numbers = new Map(
    rows.flatMap(({ repository_id, numbers }) => (numbers === null ? [] : [[repository_id, bitsOf(numbers)] as const])),
  );
  return scope.ofPart({ ...team, numbers });
}

/** The same of a team that is asked for as reviewers: what its members wrote is found by whom it is credited to without that. */
export async function withReviewed(db: Kysely<Database>, scope: Scope): Promise<Scope> {
  return scope.team?.as === 'reviewer' ? await withNumbers(db, scope) : scope;
}

/** Of numbers as the database sends them, four bytes each, which are swapped in place. */
export function bitsOf(bytes: Buffer): Bits {
  const isLittle = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  if (isLittle) aligned.swap32();
  const numbers = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  let highest = 0;
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at]! > highest) highest = numbers[at]!;
  const bits = new Uint8Array((highest >> 3) + 1);
  for (let at = 0; at < numbers.length; at += 1) setBit(bits, numbers[at]!);
  return bits;
}

/** The numbers whose bits are set, ascending. */
export function numbersIn(bits: Bits): number[] {
  const numbers: number[] = [];
  for (let byte = 0; byte < bits.length; byte += 1) {
    // Most are empty.
    if (bits[byte] === 0) continue;
    for (let number = byte * 8; number < byte * 8 + 8; number += 1) if (hasBit(bits, number)) numbers.push(number);
  }
  return numbers;
}
