import { describe, expect, it } from 'vitest';
import { durationParts, formatAge, formatAgo, formatDaysAgo, formatDuration, formatGap } from './duration.ts';

describe('a duration', () => {
  it.each([
    [null, 'N/A'],
    [0, '0 min'],
    [0.002, '<1 min'],
    [0.009, '1 min'],
    [0.5, '30 min'],
    [0.73, '44 min'],
    [0.999, '59 min'],
    [1, '1.0 h'],
    [9.54, '9.5 h'],
    [47.9, '47.9 h'],
    [48, '2.0 d'],
    [69.4, '2.9 d'],
    [2400, '100.0 d'],
    [32_008.8, '1,333.7 d'],
  ])('of %d hours reads %s', (hours, text) => {
    expect(formatDuration(hours)).toBe(text);
  });

  it('has its unit apart', () => {
    expect(durationParts(9.54)).toEqual({ figure: '9.5', unit: 'h' });
    expect(durationParts(null)).toBeNull();
  });
});

describe('the gap before an event', () => {
  it.each([
    [0, null],
    [0.0166, null],
    [1 / 60, '+1 min since last event'],
    [0.2, '+12 min since last event'],
    [0.9999, '+59 min since last event'],
    [1, '+1.0 h since last event'],
    [23.9, '+23.9 h since last event'],
    [24, '+1.0 d since last event'],
    [36, '+1.5 d since last event'],
  ])('of %d hours reads %s', (hours, text) => {
    expect(formatGap(hours)).toBe(text);
  });
});

it.each([
  [0, 'today'],
  [1, 'yesterday'],
  [2, '2 days ago'],
  [30, '1 month ago'],
  [800, '2 years ago'],
])('a day %d days before today reads %s', (days, text) => {
  expect(formatDaysAgo(days)).toBe(text);
});

describe('an age', () => {
  const now = Date.parse('2026-03-02T09:00:00Z');

  it.each([
    [59_999, 'less than a minute'],
    [60_000, '1 minute'],
    [3_599_999, '59 minutes'],
    [3_600_000, '1 hour'],
    [24 * 3_600_000 - 1, '23 hours'],
    [24 * 3_600_000, '1 day'],
    [30 * 24 * 3_600_000 - 1, '29 days'],
    [30 * 24 * 3_600_000, '1 month'],
    [365 * 24 * 3_600_000 - 1, '12 months'],
    [365 * 24 * 3_600_000, '1 year'],
    [800 * 24 * 3_600_000, '2 years'],
    [-5_000_000, 'less than a minute'],
  ])('of %d ms reads %s', (passed, text) => {
    expect(formatAge(now - passed, now)).toBe(text);
    expect(formatAgo(now - passed, now)).toBe(`${text} ago`);
  });

  it('of a missing or unreadable date is Unknown, or what the place says', () => {
    expect(formatAge(null, now)).toBe('Unknown');
    expect(formatAge(Date.parse('never'), now)).toBe('Unknown');
    expect(formatAgo(null, now, 'No reviews')).toBe('No reviews');
  });
});
