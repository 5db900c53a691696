/** The mean of what is there; null over nothing. */
export function meanOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (value === null) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : sum / count;
}

/** The share of the items that fit, times `whole`; null over nothing. */
export function rateOf<T>(items: readonly T[], fits: (item: T) => boolean, whole = 1): number | null {
  return items.length === 0 ? null : (whole * items.filter(fits).length) / items.length;
}

export function percentileOf(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const low = Math.floor(position);
  const high = low + 1 < sorted.length ? low + 1 : low;
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (position - low);
}

/** Ascending by each of the keys in turn; texts by lower-cased code points, nulls last. */
export function sortedBy<T>(items: readonly T[], keys: (item: T) => readonly (number | string | null)[]): T[] {
  const compare = (a: number | string | null, b: number | string | null): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    const [one, other] = [String(a).toLowerCase(), String(b).toLowerCase()];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return [...items].sort((a, b) => {
    const [these, those] = [keys(a), keys(b)];
    for (let i = 0; i < these.length; i += 1) {
      const order = compare(these[i]!, those[i]!);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** To make one takes many times as long as to use it. */
const calendars = new Map<string, Intl.DateTimeFormat>();

/** yyyy-MM-dd in a zone. */
export function dateOf(zone: string, at: number): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const calendar = calendars.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...parts });
  calendars.set(zone, calendar);
  return calendar.format(at);
}

/** HH:mm:ss.SSS on the clocks of a zone. */
export function timeOf(zone: string, at: number): string {
  const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const;
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...digits }).format(at);
}

/** The last so many dates in a zone, today last. */
export function lastDates(zone: string, now: number, count: number): string[] {
  const today = Date.parse(`${dateOf(zone, now)}T00:00:00Z`);
  const dates: string[] = [];
  for (let back = count - 1; back >= 0; back -= 1)
    dates.push(new Date(today - back * 86_400_000).toISOString().slice(0, 10));
  return dates;
}

/**
 * The actual answer with every number that differs from the expected one by rounding alone put in its place, for a comparison
 * whose failure shows the whole answer: databases add floating-point numbers in any order.
 */
export function rounded(actual: unknown, expected: unknown): unknown {
  if (typeof actual === 'number' && typeof expected === 'number')
    return Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)) ? expected : actual;
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((item, i) => rounded(item, expected[i]));
  if (isRecord(actual) && isRecord(expected))
    return Object.fromEntries(Object.entries(actual).map(([key, value]) => [key, rounded(value, expected[key])]));
  return actual;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
