import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d/.test(line));

it('docs/security.md names only tests that exist', () => {
  const named = [...page.matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`/g)].map(([, file = '']) => file);

  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((file) => !existsSync(file))).toEqual([]);
});

it('docs/security.md goes through each of the 253 requirements of levels 1 and 2 once, and says of each whether it holds', () => {
  const numbers = rows.flatMap((row) =>
    row
      .split('|')[1]!
      .split(',')
      .map((number) => number.trim()),
  );
  const verdicts = new Set(rows.map((row) => row.split('|')[2]!.trim()));

  expect(numbers).toHaveLength(253);
  expect(new Set(numbers).size).toBe(253);
  expect([...verdicts].sort()).toEqual(['by the host', 'by the operator', 'does not apply', 'no', 'partly', 'yes']);
});

it('docs/security.md counts its verdicts, and says of each requirement how it is met or why not', () => {
  const verdicts = rows.map((row) => row.split('|')[2]!.trim());
  const sizes = rows.map((row) => row.split('|')[1]!.split(',').length);
  const count = (verdict: string) =>
    sizes.filter((_, at) => verdicts[at] === verdict).reduce((sum, size) => sum + size, 0);
  const counted = [...new Set(verdicts)].map((verdict) => `${count(verdict)} ${verdict}`);
  const [, told = ''] = /Of 253 requirements: (.+)\.\n/.exec(page) ?? [];

  expect(told.split(', ').sort()).toEqual(counted.sort());
  expect(rows.filter((row) => row.split('|')[3]!.trim() === '')).toEqual([]);
});

it('SECURITY.md promises by when a library with a known weakness is replaced, and any other', () => {
  const promises = readFileSync('SECURITY.md', 'utf8');

  expect(promises).toMatch(/within 7 days .*critical or high/s);
  expect(promises).toMatch(/within 30 days/);
  expect(promises).toMatch(/every three months/);
});

it('docs/security.md has a test for each that holds', () => {
  expect(rows.filter((row) => row.split('|')[2]!.trim() === 'yes' && !/\.(test|e2e)\.tsx?`/.test(row))).toEqual([]);
});
