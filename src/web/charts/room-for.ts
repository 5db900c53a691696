/**
 * The width that the longest of these texts takes at a bar's end, with the gap before it, as CSS; for bars that share one scale. At least
 * `least`, so that charts of small numbers look alike.
 */
export function roomFor(texts: readonly string[], least: string): string {
  return `max(${least}, ${Math.max(0, ...texts.map(({ length }) => length))}ch + 0.5rem)`;
}
