import { residentMemory } from '../support/resident-memory.ts';
import type { SiteProcess } from './site.ts';

/** Resident memory of processes over time. */
export interface MemorySamples {
  /** Minutes since the beginning. */
  readonly at: number[];
  /** In MB, by the name of the process. */
  readonly of: ReadonlyMap<string, number[]>;
}

/** Samples the processes' memory every few milliseconds until `stop`. */
export function sampleMemory(processes: readonly SiteProcess[], every: number): MemorySamples & { stop(): void } {
  const began = performance.now();
  const at: number[] = [];
  const of = new Map(processes.map(({ name }) => [name, [] as number[]]));
  const look = () => {
    at.push((performance.now() - began) / 60_000);
    for (const { name, server } of processes) of.get(name)!.push(residentMemory(server.pid));
  };
  look();
  const timer = setInterval(look, every);
  return { at, of, stop: () => clearInterval(timer) };
}

/** How fast values grow over the second half of the time, in MB an hour: the slope of the line of least squares. */
export function slope({ at }: MemorySamples, values: readonly number[]): number {
  const first = Math.floor(at.length / 2);
  const minutes = at.slice(first);
  const megabytes = values.slice(first);
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const [middle, level] = [mean(minutes), mean(megabytes)];
  const spread = minutes.reduce((sum, minute) => sum + (minute - middle) ** 2, 0);
  const common = minutes.reduce((sum, minute, index) => sum + (minute - middle) * (megabytes[index]! - level), 0);
  return (common / spread) * 60;
}
