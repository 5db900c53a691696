/** A share as whole percent, rounded down: beside a target, 69.7 % must not read as the 70 % that it missed. */
export function wholePercent(share: number): number {
  // 0.29 · 100 is 28.999…: what floating point took away is not a percent less.
  return Math.floor(100 * share + 1e-9);
}
