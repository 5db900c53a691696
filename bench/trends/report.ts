import { cpus, loadavg } from 'node:os';
import { type Call, floors } from '../api/calls.ts';
import type { Taken } from './measure.ts';

/** With the longer history a call may take so many times as long, or so many milliseconds: no more than chance. */
const GROWTH = { ratio: 1.5, ms: 20 } as const;
const FLOOR = floors[1]!.name;

export type TakenBy = Readonly<Record<'postgresql' | 'longer' | 'embedded', ReadonlyMap<string, Taken>>>;

/** The table of `bench/trends.md`, and what is not kept. */
export function report(size: number, calls: readonly Call[], taken: TakenBy): { text: string; failures: string[] } {
  const failures: string[] = [];
  const rows = [...floors, ...calls].map(({ name, limit = null, window }) => {
    const [now, longer] = [taken.postgresql.get(name)!, taken.longer.get(name)!];
    const embedded = taken.embedded.get(name)!;
    const growth = longer.cpu / now.cpu;
    const verdicts = [
      ...(limit !== null && now.cpu > limit ? ['postgresql: too slow'] : []),
      ...(limit !== null && window === undefined && growth > GROWTH.ratio && longer.cpu - now.cpu > GROWTH.ms
        ? ['grows']
        : []),
      ...(limit !== null && embedded.cpu > limit ? ['embedded: too slow'] : []),
    ];
    failures.push(...verdicts.map((verdict) => `${name}: ${verdict}`));
    const of = (one: Taken, by: ReadonlyMap<string, Taken>) =>
      `${one.cpu.toFixed(0)} | ${(one.cpu / by.get(FLOOR)!.cpu).toFixed(1)} | ${one.wall.toFixed(0)}`;
    const said = limit === null ? '' : verdicts.join(', ') || 'pass';
    return `| ${name}${window === undefined ? '' : ` (${window})`} | ${limit ?? ''} | ${of(now, taken.postgresql)} | ${growth.toFixed(2)} | ${of(embedded, taken.embedded)} | ${said} |`;
  });
  const text = [
    '# Time of trends and of review health',
    '',
    `Made by \`npm run bench trends -- ${size}\` on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, with ${size.toLocaleString('en')} pull requests`,
    `of four years in four repositories; load at the end ${loadavg()[0]!.toFixed(1)}. All trends are over 104 weeks unless said, so over half of them. Growth: the`,
    `processor time as a multiple of it when four times as many lie before these (${(5 * size).toLocaleString('en')} pull requests of twenty years), on PostgreSQL. cpu: milliseconds of`,
    'processor time of server and database together, which what else runs on the machine hardly changes; ×: as a multiple of a full scan of',
    '`pull_requests` in the same run; wall: until the answer, which it does. A call keeps its limit by cpu. What looks at all that is open may grow:',
    'of what is open one in 200 was never closed, so that a longer history has more of it.',
    '',
    '| call | limit | postgresql: cpu | × | wall | growth | embedded: cpu | × | wall | |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    '',
    failures.length === 0
      ? 'Every call keeps its limit.'
      : `Not kept:\n\n${failures.map((one) => `- ${one}`).join('\n')}`,
    '',
  ].join('\n');
  return { text, failures };
}
