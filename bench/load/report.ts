import { quantile } from '../support/spread.ts';
import type { Cores } from './cores.ts';
import { type MemorySamples, slope } from './memory.ts';
import type { Timings } from './timings.ts';

/** The 99th percentile of a kind of call may be so many times the median that it has while nobody else is there. */
const SLOWDOWN = 10;
/** Fewer calls of a kind have no 99th percentile worth judging. */
const ENOUGH = 100;
/** A process whose memory is to be judged is watched for so many minutes at least, and may grow by so many MB, or this share, between the second and the last quarter. */
const GROWTH = { minutes: 30, megabytes: 20, share: 0.1 } as const;
/** How many moments the table of memory has at most. */
const MOMENTS = 12;

/** What one run of people at one installation showed. */
export interface LoadResult {
  readonly title: string;
  readonly people: number;
  readonly seconds: number;
  readonly idle: Timings;
  readonly loaded: Timings;
  readonly imported: number;
  readonly memory: MemorySamples;
  readonly cores: Cores;
}

export interface LoadReport {
  readonly text: string;
  readonly failures: readonly string[];
}

export function reportOf(result: LoadResult): LoadReport {
  const { title, people, seconds, loaded, imported, memory, cores } = result;
  const calls = callsOf(result);
  const grown = growthOf(memory);
  const statuses = [...loaded.statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'broken off'}: ${count.toLocaleString('en')}`);
  const failures = [
    ...(loaded.failures > 0 ? [`${loaded.failures} calls failed`] : []),
    ...calls.flatMap(({ failure }) => failure ?? []),
    ...grown.flatMap(({ failure }) => failure ?? []),
  ];
  const text = [
    `## ${title}`,
    '',
    `${people} people for ${(seconds / 60).toFixed(1)} minutes: ${(loaded.total / seconds).toFixed(1)} calls a second; beside them ${imported.toLocaleString('en')} pull requests were`,
    `imported (${(imported / seconds).toFixed(0)} a second). Answers by status: ${statuses.join(', ')}.`,
    '',
    '| call | calls | failed | idle median ms | median | p95 | p99 | p99 ÷ idle median |',
    '| --- | --: | --: | --: | --: | --: | --: | --: |',
    ...calls.map(({ row }) => row),
    '',
    `Cores that were kept busy: ${[...cores].map(([name, used]) => `${name} ${used.toFixed(2)}`).join(', ')}.`,
    '',
    `Memory in MB, by minutes since the people came${grown.every(({ judged }) => judged) ? '' : ` (a run of ${GROWTH.minutes} minutes or more judges it)`}:`,
    '',
    ...memoryTable(memory, grown),
    '',
    failures.length === 0 ? 'All is kept.' : `Not kept:\n\n${failures.map((one) => `- ${one}`).join('\n')}`,
  ].join('\n');
  return { text, failures: failures.map((one) => `${title}: ${one}`) };
}

function callsOf({ idle, loaded }: LoadResult): { row: string; failure: string | null }[] {
  return [...loaded.kinds]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([kind, { times, failures }]) => {
      const alone = quantile(idle.kinds.get(kind)?.times ?? [], 0.5);
      const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(times, share)) as [number, number, number];
      const ratio = p99 / alone;
      const cells = [
        kind,
        times.length,
        failures,
        ...[alone, median, p95, p99, ratio].map((one) => (Number.isNaN(one) ? '' : one.toFixed(1))),
      ];
      const tooSlow = times.length >= ENOUGH && ratio > SLOWDOWN;
      return {
        row: `| ${cells.join(' | ')} |`,
        failure: tooSlow ? `${kind}: p99 is ${ratio.toFixed(1)} times the idle median` : null,
      };
    });
}

interface Growth {
  readonly name: string;
  readonly slope: number;
  readonly judged: boolean;
  readonly failure: string | null;
}

function growthOf(memory: MemorySamples): Growth[] {
  const judged = (memory.at.at(-1) ?? 0) >= GROWTH.minutes;
  return [...memory.of].map(([name, values]) => {
    const quarter = Math.floor(values.length / 4);
    const [early, late] = [values.slice(quarter, 2 * quarter), values.slice(-quarter)].map((of) =>
      quantile(of, 0.5),
    ) as [number, number];
    const grows = judged && late - early > Math.max(GROWTH.megabytes, GROWTH.share * early);
    return {
      name,
      slope: slope(memory, values),
      judged,
      failure: grows ? `${name}: memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB` : null,
    };
  });
}

function memoryTable({ at, of }: MemorySamples, grown: readonly Growth[]): string[] {
  const step = Math.max(1, Math.ceil((at.length - 1) / (MOMENTS - 1)));
  const shown = at.flatMap((_, index) => (index % step === 0 || index === at.length - 1 ? [index] : []));
  return [
    `| process | ${shown.map((index) => at[index]!.toFixed(1)).join(' | ')} | most | MB an hour, second half |`,
    `| --- |${' --: |'.repeat(shown.length + 2)}`,
    ...grown.map(({ name, slope }) => {
      const values = of.get(name)!;
      const cells = [...shown.map((index) => values[index]!), Math.max(...values)].map((one) => one.toFixed(0));
      return `| ${[name, ...cells, slope.toFixed(0)].join(' | ')} |`;
    }),
  ];
}
