import { describe, expect, it } from 'vitest';
import { spread, ticksFor, ticksFrom } from './ticks.ts';

describe('the ticks of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [8, [0, 2, 4, 6, 8]],
    [8.1, [0, 5, 10]],
    [20, [0, 5, 10, 15, 20]],
    [21, [0, 10, 20, 30]],
    [41, [0, 20, 40, 60]],
    [137, [0, 50, 100, 150]],
    [2_000, [0, 500, 1000, 1500, 2000]],
  ])('begin at 0, are round and reach %d', (highest, ticks) => {
    expect(ticksFor(highest)).toEqual(ticks);
  });

  it.each([
    [0, 8, [0, 2, 4, 6, 8]],
    [-1, 2, [-1, 0, 1, 2]],
    [-3, 0, [-3, -2, -1, 0]],
    [-2.4, 3.1, [-4, -2, 0, 2, 4]],
  ])('begin below %d where a value is less than 0, and reach %d', (lowest, highest, ticks) => {
    expect(ticksFrom(lowest, highest)).toEqual(ticks);
  });
});

describe('labels at the end of lines', () => {
  it('stay where they are with enough room between them', () => {
    expect(spread([10, 40, 80], 16, 100)).toEqual([10, 40, 80]);
  });

  it('move apart where they would overlap, keeping their order', () => {
    expect(spread([52, 50, 51], 16, 100)).toEqual([82, 50, 66]);
  });

  it('move up where they would leave the chart', () => {
    expect(spread([96, 98], 16, 100)).toEqual([84, 100]);
  });
});
