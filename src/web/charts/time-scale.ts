import { ticksFrom } from './ticks.ts';

/** In percent of the plot's width: room for half a dot at both ends. */
const SIDE = 0.8;
/** Pixels above the highest value. */
const ABOVE = 6;

/** Where the values of a plot stand. */
export interface TimeScale {
  /** From 0 up, or from below the lowest of values that are less; in their unit. */
  readonly ticks: readonly number[];
  /** In percent of the width: the middle of a place, or of the way between two. */
  readonly x: (place: number) => number;
  /** In pixels from the plot's top. */
  readonly y: (value: number) => number;
  /** Half the way between two places, in percent. */
  readonly half: number;
}

/**
 * A scale from 0, or a round number below the lowest value, to a round number, with at most this number of labels.
 * @param per what its ticks count in: 24 of hours that are read as days
 */
export function timeScale(values: readonly (number | null)[], places: number, per: number, height: number): TimeScale {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const lowest = values.reduce<number>((least, value) => Math.min(least, value ?? 0), 0);
  const ticks = ticksFrom(lowest / per, highest / per).map((tick) => tick * per);
  const [bottom, top] = [ticks[0]!, ticks.at(-1)!];
  const step = places < 2 ? 0 : (100 - 2 * SIDE) / (places - 1);
  return {
    ticks,
    x: (place) => (places < 2 ? 50 : SIDE + step * place),
    y: (value) => ABOVE + (height - ABOVE) * (1 - (value - bottom) / (top - bottom)),
    half: places < 2 ? 50 : step / 2,
  };
}

/** The place that is nearest to a point of the plot, `share` of its width from the left. */
export function placeAt(share: number, places: number): number {
  if (places < 2) return 0;
  const at = ((100 * share - SIDE) / (100 - 2 * SIDE)) * (places - 1);
  return Math.min(places - 1, Math.max(0, Math.round(at)));
}

/**
 * The drawing of a line as SVG paths: what is complete, and the way to and from what is not. Null is a gap, which nothing is drawn over.
 */
export function pathsOf(
  values: readonly (number | null)[],
  complete: readonly boolean[],
  { x, y }: Pick<TimeScale, 'x' | 'y'>,
): { readonly solid: string; readonly dashed: string } {
  const paths = { solid: '', dashed: '' };
  let drawn: 'solid' | 'dashed' | null = null;
  const point = (place: number) => `${x(place).toFixed(2)},${y(values[place]!).toFixed(2)}`;
  for (let place = 1; place < values.length; place += 1) {
    if (values[place] === null || values[place - 1] === null) {
      drawn = null;
      continue;
    }
    const kind = complete[place] && complete[place - 1] ? 'solid' : 'dashed';
    if (kind !== drawn) paths[kind] += `M${point(place - 1)}`;
    paths[kind] += `L${point(place)}`;
    drawn = kind;
  }
  return paths;
}

/** Where values are drawn as dots: a lone one between gaps, the last full one, and those over few things, which are hollow. */
export function dotsOf(
  values: readonly (number | null)[],
  counts: readonly number[],
  enough: number,
  lastFull: number,
): { readonly place: number; readonly value: number; readonly hollow: boolean }[] {
  return values.flatMap((value, place) => {
    if (value === null) return [];
    const isLone = (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null;
    const hollow = (counts[place] ?? 0) < enough;
    return isLone || hollow || place === lastFull ? [{ place, value, hollow }] : [];
  });
}
