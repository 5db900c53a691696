import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import {
  AWAITING_AFTER_HOURS,
  ENOUGH_FOR_A_BADGE,
  ENOUGH_TO_COMPARE,
  LARGE_ABOVE_LINES,
  SMALL_BELOW_LINES,
  STUCK_AFTER_HOURS,
} from '#domain/metrics/thresholds.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const product = read('docs/product.md');

it('docs/product.md has every call in its table', () => {
  const [, table = ''] = /\n\| call \| sent \|[^\n]*\n([\s\S]*?)\n\n/.exec(product) ?? [];
  const lastName = (path: string) =>
    path
      .split('/')
      .filter((part) => !part.startsWith('{'))
      .at(-1)!;
  const paths = [...new Set(Object.values(endpoints).map(({ path }) => path))];

  expect(paths.filter((path) => !table.includes(lastName(path)))).toEqual([]);
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

it('docs/operating.md names every setting', () => {
  const settings = [...read('src/server/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  const page = read('docs/operating.md');

  expect(settings.length).toBeGreaterThan(30);
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
