const MOST_STEPS = 4;

/** Round ticks for counts, from 0 to the first one that is not below `highest`: two to five of them. */
export function ticksFor(highest: number): number[] {
  const top = Math.max(1, Math.ceil(highest));
  let step = 1;
  for (let power = 1; Math.ceil(top / step) > MOST_STEPS; power *= 10) {
    step = [2, 5, 10].map((times) => times * power).find((size) => Math.ceil(top / size) <= MOST_STEPS) ?? 10 * power;
  }
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, at) => at * step);
}

/** The same from the last one that is not above `lowest`, which is 0 or less. */
export function ticksFrom(lowest: number, highest: number): number[] {
  if (lowest >= 0) return ticksFor(highest);
  const [, step = 1] = ticksFor(highest - lowest);
  const first = Math.floor(lowest / step);
  return Array.from({ length: Math.ceil(highest / step) - first + 1 }, (_, at) => (first + at) * step);
}

/**
 * Moves labels apart that stand closer than `gap` to each other, in the order of their places, and keeps them within 0 and `end` as far
 * as there is room. Answers in the given order.
 */
export function spread(places: readonly number[], gap: number, end: number): number[] {
  const order = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place || a.at - b.at);
  const moved = [...places];
  let free = 0;
  for (const { place, at } of order) {
    moved[at] = Math.max(place, free);
    free = moved[at] + gap;
  }
  let ceiling = end;
  for (const { at } of order.reverse()) {
    moved[at] = Math.min(moved[at] ?? 0, ceiling);
    ceiling = moved[at] - gap;
  }
  return moved;
}
