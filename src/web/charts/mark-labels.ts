import { spread } from './ticks.ts';

/** Pixels: an icon, the gap to its words and to what follows, and what two icons need to be pressed apart. */
const ICON = 12;
const GAP = 6;
const BETWEEN = 12;
const PRESSED = 24;

interface Mark {
  /** Pixels from the left. */
  readonly x: number;
  /** How wide its words are, in pixels. */
  readonly width: number;
}

export interface PlacedMark {
  /** Where its icon begins, in pixels. */
  readonly left: number;
  /** Whether its words stand beside it; the icon alone stands in a row below. */
  readonly hasWords: boolean;
}

/**
 * Places the labels of marks along an axis, given from the left: of two that would touch, and at the right end, the later keeps its icon alone.
 */
export function placeMarks(marks: readonly Mark[], room: number): PlacedMark[] {
  let free = 0;
  const hasWords = marks.map(({ x, width }) => {
    const left = x - ICON / 2;
    const right = left + ICON + GAP + width;
    if (left < free || right > room) return false;
    free = right + BETWEEN;
    return true;
  });
  const alone = marks.flatMap(({ x }, at) => (hasWords[at] ? [] : [x - ICON / 2]));
  const apart = spread(alone, PRESSED, Math.max(0, room - ICON));
  let next = 0;
  return marks.map(({ x }, at) => ({ left: hasWords[at] ? x - ICON / 2 : apart[next++]!, hasWords: hasWords[at]! }));
}

/** Chinese, Japanese and Korean letters, which are as wide as high. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/g;

/** How wide 12 px words are at most about, in pixels; nothing is measured. */
export function widthOf(words: string): number {
  const narrow = words.replace(wide, '').length;
  return Math.ceil(narrow * 5.8 + (words.length - narrow) * 12);
}
