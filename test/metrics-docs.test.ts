import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { definitions, type FigureKey } from '#domain/metrics/definitions.ts';
import { definitionsPage } from '#domain/metrics/definitions-page.ts';
import { whereFiguresStand } from '../scripts/where-figures-stand.ts';

const keys = Object.keys(definitions) as FigureKey[];
const where = whereFiguresStand(keys);

it('docs/metrics.md says what the definitions say; scripts/metrics-docs.js writes it', () => {
  expect(readFileSync('docs/metrics.md', 'utf8')).toBe(definitionsPage(where));
});

it('every figure is shown on a screen', () => {
  expect(keys.filter((key) => where(key).shown.length === 0)).toEqual([]);
});

it('every figure that no metric measures has a rule in a file that says so', () => {
  expect(keys.filter((key) => !('metric' in definitions[key]) && where(key).file === null)).toEqual([]);
});
