import { NOT_AVAILABLE } from './duration.ts';

/**
 * A share (0–1 and above) in percent without the sign: rounded, "29"; small ones keep a decimal, which is most of what they are, and what
 * there is never reads as nothing: "2.9", "<0.1". One that would read as all, or as the target that it misses, keeps a decimal, too: "99.6",
 * "69.7" beside a target of 0.7.
 */
export function percentWords(share: number, target?: number): string {
  const percent = 100 * share;
  if (share > 0 && percent < 0.05) return '<0.1';
  if (share > 0 && percent < 2.95) return String(Number(percent.toFixed(1)));
  const rounded = Math.round(percent);
  const readsAs = (end: number) => share < end && rounded >= 100 * end;
  return readsAs(1) || readsAs(target ?? 1) ? (Math.floor(1000 * share) / 10).toFixed(1) : String(rounded);
}

/** "29 %"; null is 'N/A'. */
export function shareWords(share: number | null): string {
  return share === null ? NOT_AVAILABLE : `${percentWords(share)} %`;
}
