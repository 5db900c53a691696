import { readdirSync, readFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { Call } from '../api/calls.ts';

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
      const [began, before] = [performance.now(), processorTime()];
      await answer(database.db, ask);
      if (round === 0) continue;
      const sums = taken.get(name)!;
      sums.cpu.push(processorTime() - before);
      sums.wall.push(performance.now() - began);
    }
  }
  return new Map([...taken].map(([name, { cpu, wall }]) => [name, { cpu: median(cpu), wall: median(wall) }]));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

async function answer(db: Kysely<Database>, ask: Call['ask']): Promise<string> {
  return JSON.stringify(await ask(db));
}

/** How much processor time this process, with the embedded database in it, and all processes of the server have used, in milliseconds. */
async function processorTimeOf({ kind, pool }: OpenDatabase): Promise<() => number> {
  const own = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  if (kind === 'embedded') return own;
  const { rows } = await pool.query<{ text: string }>("select pg_read_file('postmaster.pid') as text");
  const server = Number.parseInt(rows[0]!.text, 10);
  return () => own() + readdirSync('/proc').reduce((sum, id) => sum + timeOf(id, server), 0);
}

/**
 * In milliseconds: of the server that of those of its processes that have ended, which is counted in hundredths of a second, of a process
 * of it its own, which is counted in nanoseconds; of all others 0.
 */
function timeOf(id: string, server: number): number {
  if (!/^\d+$/.test(id)) return 0;
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const [, parent, , , , , , , , , , , , endedUser, endedSystem] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (Number(id) === server) return (endedUser! + endedSystem!) * 10;
    if (parent !== server) return 0;
    return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
