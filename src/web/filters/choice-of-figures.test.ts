import { describe, expect, it } from 'vitest';
import { daysLater, daysWords, readChoice, whyNoWindow, withoutDaysAhead } from './choice-of-figures.ts';

describe('what the address narrows figures to', () => {
  it.each([
    [{}, {}],
    [
      { period: '90d', repository: '7' },
      { period: '90d', repository: 7 },
    ],
    [
      { from: '2026-10-01', to: '2026-11-01' },
      { from: '2026-10-01', to: '2026-11-01' },
    ],
    // Days are more than a period.
    [
      { from: '2026-10-01', to: '2026-11-01', period: '7d' },
      { from: '2026-10-01', to: '2026-11-01' },
    ],
    // What makes no sense counts as absent.
    [{ period: '2y' }, {}],
    [{ repository: 'web' }, {}],
    [{ from: '2026-10-01' }, {}],
    [{ to: '2026-10-01', period: '7d' }, { period: '7d' }],
    [{ from: '2026-02-30', to: '2026-03-05' }, {}],
    [{ from: '2026-10-01', to: '2026-10-01' }, {}],
    [{ from: '2024-10-01', to: '2026-10-02' }, {}],
    [{ from: '2026-10-01T00:00:00Z', to: '2026-11-01' }, {}],
  ])('is of %o', (search, chosen) => {
    expect(readChoice(search)).toEqual(chosen);
  });
});

it('days that have not begun count as absent, those of a link from further east too', () => {
  const inAuckland = { from: '2026-05-02', to: '2026-05-03', period: '90d', repository: '7' };
  const chosenOn = (today: string) => readChoice(withoutDaysAhead(inAuckland, today));

  expect(chosenOn('2026-05-01')).toEqual({ period: '90d', repository: 7 });
  expect(chosenOn('2026-05-02')).toEqual({ from: '2026-05-02', to: '2026-05-03', repository: 7 });
});

it('two years of days are a window, a day more is none, and none is empty', () => {
  expect(whyNoWindow('2024-03-01', '2026-03-01')).toBeNull();
  expect(whyNoWindow('2024-03-01', '2026-03-02')).toBe('At most two years.');
  expect(whyNoWindow('2024-02-29', '2026-03-01')).toBe('At most two years.');
  expect(whyNoWindow('2026-03-01', '2026-03-02')).toBeNull();
  expect(whyNoWindow('2025-01-01', '2026-02-05', 400)).toBeNull();
  expect(whyNoWindow('2025-01-01', '2026-02-06', 400)).toBe('At most 400 days.');
  expect(whyNoWindow('2026-03-01', '2026-03-01')).toBe('The first day must not be later than the last.');
});

it('days go on over months and years; what is no date has none after it', () => {
  expect(daysLater('2026-12-31', 1)).toBe('2027-01-01');
  expect(daysLater('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysLater('', 1)).toBe('');
});

describe('chosen days in words', () => {
  // In Oslo it is the 20th already.
  const now = Date.parse('2026-11-19T23:30:00Z');

  it('are those of the address', () => {
    expect(daysWords('2026-11-01', '2026-11-08', now, 'UTC')).toMatchObject({
      ...{ alone: 'Sun 1 Nov to Sat 7 Nov', before: 'the 7 days before' },
    });
    expect(daysWords('2026-11-20', '2026-11-21', now, 'Europe/Oslo').during).toBe('on Fri 20 Nov');
  });

  it('end today where the address names a later day', () => {
    const words = daysWords('2026-11-01', '2027-01-01', now, 'UTC');

    expect([words.of, words.before]).toEqual(['of Sun 1 Nov to Thu 19 Nov', 'the 19 days before']);
    expect(daysWords('2026-11-01', '2027-01-01', now, 'Europe/Oslo').alone).toBe('Sun 1 Nov to Fri 20 Nov');
    expect(daysWords('2026-11-19', '2026-11-21', now, 'UTC')).toMatchObject({
      ...{ during: 'on Thu 19 Nov', before: 'the day before' },
    });
  });
});
