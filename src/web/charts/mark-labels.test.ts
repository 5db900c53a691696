import { expect, it } from 'vitest';
import { placeMarks, widthOf } from './mark-labels.ts';

it('puts words beside every mark that has room', () => {
  const placed = placeMarks(
    [
      { x: 100, width: 80 },
      { x: 300, width: 80 },
    ],
    600,
  );
  expect(placed).toEqual([
    { left: 94, hasWords: true },
    { left: 294, hasWords: true },
  ]);
});

it('leaves the later of two that would touch its icon alone', () => {
  const placed = placeMarks(
    [
      { x: 100, width: 80 },
      { x: 150, width: 80 },
      { x: 260, width: 80 },
    ],
    600,
  );
  expect(placed.map(({ hasWords }) => hasWords)).toEqual([true, false, true]);
  expect(placed[1]!.left).toBe(144);
});

it('leaves one its icon alone whose words would run out of the room, and keeps the icon inside', () => {
  const [placed] = placeMarks([{ x: 598, width: 80 }], 600);
  expect(placed).toEqual({ left: 588, hasWords: false });
});

it('keeps icons so far apart that each can be pressed', () => {
  const placed = placeMarks(
    [100, 104, 108, 112].map((x) => ({ x, width: 900 })),
    600,
  );
  const lefts = placed.map(({ left }) => left);
  for (const [at, left] of lefts.entries()) if (at > 0) expect(left - lefts[at - 1]!).toBeGreaterThanOrEqual(24);
});

it.each([
  ['release 2.0', 64],
  ['发布冻结', 48],
  ['リリース', 48],
  ['출시 동결', 54],
  // Of two code units each.
  ['🚀🚀', 24],
])('takes "%s" to be %d px wide', (words, width) => {
  expect(widthOf(words)).toBe(width);
});
