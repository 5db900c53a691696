import { describe, expect, it } from 'vitest';
import { dotsOf, pathsOf, placeAt, timeScale } from './time-scale.ts';

const places = { x: (place: number) => place, y: (value: number) => value };

describe('a line over time', () => {
  it('is dashed to and from what is not complete, and has a gap where there is no value', () => {
    const complete = [true, true, true, true, true, false];
    expect(pathsOf([1, 2, null, 4, 5, 6], complete, places)).toEqual({
      solid: 'M0.00,1.00L1.00,2.00M3.00,4.00L4.00,5.00',
      dashed: 'M4.00,5.00L5.00,6.00',
    });
  });

  it('goes on after a dashed part', () => {
    expect(pathsOf([1, 2, 3], [false, true, true], places)).toEqual({
      solid: 'M1.00,2.00L2.00,3.00',
      dashed: 'M0.00,1.00L1.00,2.00',
    });
  });

  it('has a dot where it is last full, alone, or over few, which is hollow', () => {
    const counts = [9, 9, 0, 9, 0, 4, 9, 9];
    expect(dotsOf([1, 2, null, 3, null, 4, 5, 6], counts, 5, 6)).toEqual([
      { place: 3, value: 3, hollow: false },
      { place: 5, value: 4, hollow: true },
      { place: 6, value: 5, hollow: false },
    ]);
  });
});

describe('its scale', () => {
  it('begins with 0 at the foot and ends at a round number above', () => {
    const { ticks, y } = timeScale([3, null, 17], 3, 1, 106);
    expect(ticks).toEqual([0, 5, 10, 15, 20]);
    expect(y(0)).toBe(106);
    expect(y(20)).toBe(6);
  });

  it('counts in what it is told to: days of hours, tenths of shares', () => {
    expect(timeScale([50], 1, 24, 100).ticks).toEqual([0, 24, 48, 72]);
    expect(timeScale([0.04], 1, 0.1, 100).ticks).toEqual([0, 0.1]);
  });

  it('finds the place that is nearest to the pointer, also beside the first and last', () => {
    const { x } = timeScale([1], 26, 1, 100);
    for (const place of [0, 1, 12, 25]) expect(placeAt(x(place) / 100, 26)).toBe(place);
    expect(placeAt(-1, 26)).toBe(0);
    expect(placeAt(2, 26)).toBe(25);
    expect(placeAt(0.7, 1)).toBe(0);
  });
});
