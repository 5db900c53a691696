/*
 * Runs the benchmarks that tell of speed and cost as a whole, and composes `bench/README.md` of what each has left. `npm run bench` runs all,
 * `npm run bench -- report --part start,browser` some of them, `--part none` none: it composes what is there. `--size 10400,200000` are the
 * numbers of pull requests at which every call is timed (10,400, 200,000 and 1,000,000), multiples of 800, above 200,000 on PostgreSQL alone. A part that fails leaves what it
 * had before.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Part {
  readonly name: string;
  /** The runs of benchmarks that it consists of, each with its arguments. */
  readonly runs: readonly (readonly string[])[];
  /** What they leave. */
  readonly files: readonly string[];
}

const { values } = parseArgs({
  options: { part: { type: 'string' }, size: { type: 'string', default: '10400,200000,1000000' } },
});
const sizes = values.size.split(',').map(Number);
const parts: readonly Part[] = [
  { name: 'start', runs: [['start']], files: ['start.md'] },
  { name: 'browser', runs: [['browser']], files: ['browser.md'] },
  { name: 'sync', runs: [['sync']], files: ['sync.md'] },
  { name: 'webhooks', runs: [['webhooks']], files: ['webhooks.md'] },
  { name: 'yardsticks', runs: [['yardsticks']], files: ['yardsticks.md'] },
  { name: 'export', runs: [['export']], files: ['export.md'] },
  { name: 'load', runs: [['load'], ['load', '--embedded']], files: ['load.md'] },
  {
    name: 'api',
    runs: sizes.map((size) => ['api', String(size), ...(size > 200_000 ? ['--postgresql'] : [])]),
    files: sizes.map(fileOfCalls),
  },
];
const names = ['none', ...parts.map(({ name }) => name)];
const wanted = values.part?.split(',').map((name) => name.trim()) ?? names;
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined || sizes.some((size) => !(size >= 4000 && size % 800 === 0))) {
  console.error(
    `Usage: npm run bench -- report [--part NAMES] [--size SIZES], of the parts ${names.join(', ')}, sizes from 4000 up, multiples of 800`,
  );
  process.exit(1);
}

for (const { name, runs } of parts.filter(({ name }) => wanted.includes(name))) {
  for (const [benchmark, ...rest] of runs) {
    console.log(`\n${name}: npm run bench ${[benchmark, ...rest].join(' ')}`);
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${benchmark}.ts`), ...rest], {
      stdio: 'inherit',
    });
    if (status !== 0) {
      console.error(`${name} ended with ${status}.`);
      process.exitCode = 1;
    }
  }
  compose();
}
if (wanted.includes('none')) compose();

/** At the usual size `api.md`, as `npm run bench api` leaves it. */
function fileOfCalls(size: number): string {
  return size === 200_000 ? 'api.md' : `api-${size}.md`;
}

function compose(): void {
  const sections = parts.flatMap(({ name, files }) =>
    files.map((file) => {
      const path = join(import.meta.dirname, file);
      if (!existsSync(path)) return `## ${name}\n\nNot measured yet: \`npm run bench -- report --part ${name}\`.\n`;
      const text = readFileSync(path, 'utf8').trimEnd().replaceAll(/^#/gm, '##');
      return `${text}\n\n[${file}](${file})\n`;
    }),
  );
  writeFileSync(
    join(import.meta.dirname, 'README.md'),
    `# How fast Mergelight is, and what it costs

Composed by \`npm run bench\` of what its parts have left; each says on which machine it ran, and compares within its own run alone.
PostgreSQL runs without fsync, \`synchronous_commit\` and \`full_page_writes\`, except under "Many people at once", where it has them; the
embedded database runs with fsync unless said.

${sections.join('\n')}`,
  );
}
