/** How far something is, for assistive technology: every ten percent, so that nobody hears every step. */
export function spokenTens(percentage: number): string {
  return `${Math.floor(percentage / 10) * 10} percent`;
}
