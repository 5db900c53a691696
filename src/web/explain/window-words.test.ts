import { expect, it } from 'vitest';
import { windowWords } from './window-words.ts';

const NOW = Date.parse('2026-12-01T08:00:00Z');
const words = (from: string | null, to: string) => windowWords({ from, to }, false, NOW, 'Europe/Oslo');

it('names every day that a window from midnight reaches into', () => {
  // Until 09:00, and until 13:00, on the second day.
  expect(words('2026-11-29T23:00:00Z', '2026-12-01T08:00:00Z')).toBe('Mon 30 Nov to Tue 1 Dec, 2 days');
  expect(words('2026-11-29T23:00:00Z', '2026-12-01T12:00:00Z')).toBe('Mon 30 Nov to Tue 1 Dec, 2 days');
  expect(words('2026-11-01T23:00:00Z', '2026-12-01T08:00:00Z')).toBe('Mon 2 Nov to Tue 1 Dec, 30 days');
  expect(words('2026-11-30T23:00:00Z', '2026-12-01T08:00:00Z')).toBe('Tue 1 Dec');
});

it('tells a day of 25 hours alone, and days across a clock change as they are', () => {
  expect(words('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe('Sun 25 Oct');
  expect(words('2026-10-24T22:00:00Z', '2026-10-26T23:00:00Z')).toBe('Sun 25 Oct to Mon 26 Oct, 2 days');
});

it('counts a period of days as long as it is, though it begins and ends within a day', () => {
  expect(words('2026-11-24T08:00:00Z', '2026-12-01T08:00:00Z')).toBe('Tue 24 Nov to Tue 1 Dec, 7 days');
});

it('tells the day alone of what has no length', () => {
  expect(words('2026-11-30T23:00:00Z', '2026-11-30T23:00:00Z')).toBe('Tue 1 Dec');
  expect(words(null, '2026-12-01T08:00:00Z')).toBe('As of Tue 1 Dec');
});
