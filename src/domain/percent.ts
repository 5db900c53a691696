/**
 * A share (0–1 and above) in percent without the sign: rounded, "29". One that would read as the target that it misses keeps a
 * decimal: "69.7" beside a target of 0.7.
 */
export function percentWords(share: number, target?: number): string {
  const rounded = Math.round(100 * share);
  if (target === undefined || share >= target || rounded < 100 * target) return String(rounded);
  return (Math.floor(1000 * share) / 10).toFixed(1);
}
