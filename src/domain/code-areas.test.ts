import { expect, it } from 'vitest';
import { areaOf } from './code-areas.ts';

it.each([
  ['src/server/db/open.ts', 'src/server'],
  ['src/server/main.ts', 'src/server'],
  ['src/main.ts', 'src'],
  ['README.md', '.'],
])('%s lies in %s', (path, area) => {
  expect(areaOf(path)).toBe(area);
});
