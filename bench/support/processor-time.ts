import { readFileSync } from 'node:fs';
import type { OpenDatabase } from '../../src/server/db/open.ts';

/**
 * A stopwatch of processor time: how many milliseconds this process, with the embedded database in it, and all processes of the server use
 * while an action runs, which what else runs on the machine hardly changes.
 */
export async function processorTimeOf({
  kind,
  pool,
}: OpenDatabase): Promise<(act: () => Promise<unknown>) => Promise<number>> {
  const own = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let ofServer = () => 0;
  if (kind === 'postgresql') {
    const { rows } = await pool.query<{ text: string }>("select pg_read_file('postmaster.pid') as text");
    const server = Number.parseInt(rows[0]!.text, 10);
    ofServer = () => timeOfDatabase(server);
  }
  return async (act) => {
    // What reading the server's takes is no part of it.
    const before = ofServer();
    const ownBefore = own();
    await act();
    const ownAfter = own();
    return ofServer() - before + ownAfter - ownBefore;
  };
}

/** Milliseconds of processor time that a process with all its threads has used, in steps of a hundredth of a second. */
export function timeOfProcess(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The same of a PostgreSQL server: of its processes that run counted in nanoseconds, of those that have ended in hundredths of a second. */
export function timeOfDatabase(server: number): number {
  const fields = statOf(server);
  const ended = (Number(fields[13]) + Number(fields[14])) * 10;
  const running = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
  return running.reduce((sum, id) => sum + runTimeOf(id), ended);
}

/** The fields from the third on, behind the name, which may have blanks. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function runTimeOf(id: string): number {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // It has ended since.
    return 0;
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
