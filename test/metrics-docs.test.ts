import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { definitionsPage } from '#domain/metrics/definitions-page.ts';

it('docs/metrics.md says what the definitions say; scripts/metrics-docs.js writes it', () => {
  expect(readFileSync('docs/metrics.md', 'utf8')).toBe(definitionsPage());
});
