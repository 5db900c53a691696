import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contributor, contributorPullRequest, foundContributor } from '#contract/contributors.ts';
import { endpoints } from '#contract/endpoints.ts';
import { comparativeMetrics, pullRequestDetail, pullRequestList, timeMetrics } from '#contract/pull-requests.ts';
import { developerStat, reviewerStat, reviewLoadRow, stuckPullRequest, teamStats } from '#contract/team.ts';
import {
  AWAITING_AFTER_HOURS,
  ENOUGH_FOR_A_BADGE,
  ENOUGH_TO_COMPARE,
  LARGE_ABOVE_LINES,
  SMALL_BELOW_LINES,
  STUCK_AFTER_HOURS,
} from '#domain/metrics/thresholds.ts';
import { sessionSettings } from '../src/server/db/open.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const product = read('docs/product.md');

const [, tableOfCalls = ''] = /\n\| call \| sent \|[^\n]*\n([\s\S]*?)\n\n/.exec(product) ?? [];
/** What a call is called where its whole path isn't said. */
const last = (path: string) =>
  path
    .split('/')
    .filter((part) => !part.startsWith('{'))
    .at(-1)!;

it('docs/product.md has every call in its table', () => {
  const paths = [...new Set(Object.values(endpoints).map(({ path }) => path))];

  expect(paths.filter((path) => !tableOfCalls.includes(last(path)))).toEqual([]);
});

it('docs/product.md names what every call of figures takes in its address', () => {
  const rows = tableOfCalls.split('\n').filter((line) => line.startsWith('| `'));
  const lacking = Object.values(endpoints).flatMap(({ path, ...endpoint }) => {
    if (!('query' in endpoint) || !path.startsWith('/api/')) return [];
    const calls = (line: string) => line.split('|')[1]!;
    const row =
      rows.find((line) => calls(line).includes(`${path}\``)) ?? rows.find((line) => calls(line).includes(last(path)));
    const named = new Set(row?.match(/\w+/g));
    const shape = (endpoint.query as { shape: object }).shape;
    return Object.keys(shape).flatMap((name) => (named.has(name) ? [] : `${path}: ${name}`));
  });

  expect(lacking).toEqual([]);
});

it.each([
  ['team stats', teamStats],
  ['stuck pull request', stuckPullRequest],
  ['reviewer stat', reviewerStat],
  ['developer stat', developerStat],
  ['review-load row', reviewLoadRow],
  ['contributor', contributor],
  ['found contributor', foundContributor],
  ["contributor's pull request", contributorPullRequest],
  ['list of pull requests', pullRequestList],
  ['pull request', pullRequestDetail],
  ['time metrics', timeMetrics],
  ['comparative metrics', comparativeMetrics],
])('docs/product.md names every field of the %s', (name, shape) => {
  const row = product.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
  const turn = row.includes('the turn') ? product.split('\n').find((line) => line.startsWith('| the turn |')) : '';
  const named = new Set(`${row} ${turn}`.match(/\w+/g));

  expect(Object.keys(shape.shape).filter((field) => !named.has(field))).toEqual([]);
});

it('docs/product.md says the thresholds that hold', () => {
  expect(product).toContain(`open for **more than ${STUCK_AFTER_HOURS} hours**; exactly ${STUCK_AFTER_HOURS} is not`);
  expect(product).toContain(`| what has been open for more than ${STUCK_AFTER_HOURS} hours |`);
  expect(product).toContain(`| open for more than ${STUCK_AFTER_HOURS} h |`);
  expect(product).toMatch(new RegExp(`waited for reviewers for more than ${AWAITING_AFTER_HOURS} hours`));
  expect(product).toContain(`Comparisons with the team need ${ENOUGH_TO_COMPARE} others`);
  expect(product).toContain(`Large is above ${LARGE_ABOVE_LINES} lines`);
  expect(product).toContain(`of at least ${ENOUGH_FOR_A_BADGE} opened under ${SMALL_BELOW_LINES} lines`);
});

it('docs/operating.md gives PgBouncer the settings that connections have', () => {
  expect(read('docs/operating.md')).toContain(`connect_query='${sessionSettings().replaceAll("'", "''")}'`);
});

describe('the script of docs/operating.md that loads into a warehouse', () => {
  const [, script = ''] =
    /\n## Loading into a warehouse\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('docs/operating.md')) ?? [];
  let folder: string;
  /** Runs it with a host of three batches; `failing` names the program that fails, at its second call of this run. */
  const run = (failing: 'curl' | 'load-into-warehouse' | null) => {
    const program = (name: string, text: string) => {
      const fails = name === failing ? `echo >> calls; [ $(wc -l < calls) -ne 2 ] || exit 7` : '';
      writeFileSync(join(folder, name), `#!/bin/sh\n${fails}\n${text}\n`, { mode: 0o755 });
    };
    program(
      'curl',
      `for sent; do case $sent in cursor=*) at=\${sent#cursor=} ;; esac; done
      [ \${at:-0} -ge 3 ] || echo "{\\"cursor\\":\\"$((\${at:-0} + 1))\\"}"`,
    );
    program('load-into-warehouse', 'cat "$1" >> warehouse');
    program('jq', `sed 's/[^0-9]//g'`);
    rmSync(join(folder, 'calls'), { force: true });
    const env = { PATH: [folder, process.env.PATH].join(delimiter), MERGELIGHT_TOKEN: 'x' };
    return spawnSync('sh', ['-c', script], { cwd: folder, env }).status;
  };
  const loaded = () => readFileSync(join(folder, 'warehouse'), 'utf8').match(/\d/g);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mergelight-warehouse-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(['curl', 'load-into-warehouse'] as const)(
    'fails where %s does, and the next run leaves nothing out',
    (failing) => {
      expect(run(failing)).toBe(7);
      expect(loaded()).toEqual(['1']);

      expect(run(null)).toBe(0);
      expect(loaded()).toEqual(['1', '2', '3']);
    },
  );
});

it('docs/operating.md names every setting', () => {
  const settings = [...read('src/server/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  const page = read('docs/operating.md');

  expect(settings.length).toBeGreaterThan(30);
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
