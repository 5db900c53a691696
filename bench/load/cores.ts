import { timeOfDatabase, timeOfProcess } from '../support/processor-time.ts';
import type { Site } from './site.ts';

/** How many processor cores each part of a run kept busy on average, by name. */
export type Cores = ReadonlyMap<string, number>;

type Clock = readonly [name: string, milliseconds: () => number];

/** Begins to count; what it returns says what has been used since. `host` is the process of the simulated host; the people are this process. */
export function countCores({ processes, database_pid }: Site, host: number): () => Cores {
  const clocks: Clock[] = [
    ...processes.map(({ name, server }): Clock => [name, () => timeOfProcess(server.pid)]),
    ['the simulated host', () => timeOfProcess(host)],
    ['people and balancer', () => timeOfProcess(process.pid)],
  ];
  if (database_pid !== null) clocks.push(['PostgreSQL', () => timeOfDatabase(database_pid)]);
  const began = performance.now();
  const before = clocks.map(([, clock]) => clock());
  return () => {
    const took = performance.now() - began;
    return new Map(clocks.map(([name, clock], index) => [name, (clock() - before[index]!) / took]));
  };
}
