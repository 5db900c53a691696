import type { Kysely } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { Call } from '../api/calls.ts';
import { median, processorTimeOf } from '../support/processor-time.ts';

export interface Taken {
  /** Milliseconds of processor time of this process and the database, the median. */
  readonly cpu: number;
  /** Milliseconds until the answer, the median. */
  readonly wall: number;
}

/** What each call takes: the calls in turn, so that a slow minute of the machine meets all of them; the first turn is not counted. */
export async function take(
  database: OpenDatabase,
  calls: readonly Call[],
  rounds: number,
): Promise<ReadonlyMap<string, Taken>> {
  const processorTime = await processorTimeOf(database);
  const taken = new Map(calls.map(({ name }) => [name, { cpu: [] as number[], wall: [] as number[] }]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, ask } of calls) {
      const began = performance.now();
      const cpu = await processorTime(async () => await answer(database.db, ask));
      if (round === 0) continue;
      const times = taken.get(name)!;
      times.cpu.push(cpu);
      times.wall.push(performance.now() - began);
    }
  }
  return new Map([...taken].map(([name, { cpu, wall }]) => [name, { cpu: median(cpu), wall: median(wall) }]));
}

async function answer(db: Kysely<Database>, ask: Call['ask']): Promise<string> {
  return JSON.stringify(await ask(db));
}
