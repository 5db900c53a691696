/** A share (0–1) in percent: small ones keep a decimal, which is most of what they are. */
export function percentOf(share: number): string {
  const percent = 100 * share;
  return percent < 2.95 ? String(Number(percent.toFixed(1))) : String(Math.round(percent));
}
