/**
 * A `timestamptz` as text, which a session writes in its own zone, UTC (`2026-01-02 03:04:05.6+00`), as the API writes it
 * (`2026-01-02T03:04:05.600Z`): for long lists, where the way by `Date` takes a fifth of the answer's time.
 */
export function isoOf(moment: string): string {
  const fraction = moment.slice(20, -3);
  return `${moment.slice(0, 10)}T${moment.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
