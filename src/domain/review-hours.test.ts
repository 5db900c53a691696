import { describe, expect, it } from 'vitest';
import { busiestHour, hourLevel, reviewHoursSentence } from './review-hours.ts';

describe('the hours of reviews', () => {
  it.each([
    [0, 8, 0],
    [1, 8, 1],
    [2, 8, 1],
    [3, 8, 2],
    [4, 8, 2],
    [5, 8, 3],
    [6, 8, 3],
    [7, 8, 4],
    [8, 8, 4],
    [1, 1, 4],
    [0, 0, 0],
  ])('paint %i of at most %i at level %i', (count, most, level) => {
    expect(hourLevel(count, most)).toBe(level);
  });

  it('name the busiest one, of equals the earliest in the week', () => {
    const hours = [
      { weekday: 1, hour: 9, count: 2 },
      { weekday: 3, hour: 15, count: 9 },
      { weekday: 4, hour: 8, count: 9 },
    ];

    expect(busiestHour(hours)).toEqual({ weekday: 3, hour: 15, count: 9 });
    expect(reviewHoursSentence(hours)).toBe('20 reviews. Busiest hour: Wednesday 15:00, 9 reviews.');
  });

  it('speak of one review in the singular', () => {
    expect(reviewHoursSentence([{ weekday: 7, hour: 0, count: 1 }])).toBe(
      '1 review. Busiest hour: Sunday 0:00, 1 review.',
    );
  });

  it('say nothing without a review', () => {
    expect(busiestHour([])).toBeNull();
    expect(reviewHoursSentence([])).toBeNull();
  });
});
