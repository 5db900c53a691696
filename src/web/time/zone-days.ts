import { LAST_WORKDAY, WORK_BEGINS, WORK_ENDS } from '#domain/working-hours.ts';

const DAY = 24 * 3_600_000;

/** A span of time in epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A calendar day on the clocks of a zone; 23 or 25 hours long where they change. */
export interface ZoneDay extends Span {
  readonly year: number;
  /** 1–12 */
  readonly month: number;
  readonly day: number;
  /** 1 = Monday … 7 */
  readonly weekday: number;
  /** Null on weekends. */
  readonly work: Span | null;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...numeric, ...time });
  clocks.set(zone, clock);
  return clock;
}

/** What the clocks of a zone show, as if it were UTC. */
function shownBy(zone: string, at: number): number {
  const shown = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of clockOf(zone).formatToParts(at)) {
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  }
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
}

/** By zone and time: the same days are asked for by every list and band that shows them, and a clock answers slowly. */
const offsets = new Map<string, number>();

function offsetOf(zone: string, at: number): number {
  const seconds = Math.floor(at / 1000) * 1000;
  const key = `${zone} ${seconds}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = shownBy(zone, seconds) - seconds;
  offsets.set(key, offset);
  return offset;
}

/** When the clocks of a zone show a time; the earlier of two, and where they skip it, as much later as they skip. */
function whenShown(zone: string, shown: number): number {
  const before = offsetOf(zone, shown - DAY);
  const after = offsetOf(zone, shown + DAY);
  if (before === after) return shown - before;
  const right = [shown - before, shown - after].filter((at) => offsetOf(zone, at) === shown - at);
  return right.length === 0 ? shown - before : Math.min(...right);
}

/** When the clocks of a zone show a date and time, yyyy-MM-ddTHH:mm, in milliseconds; NaN for what is none. */
export function momentOf(shown: string, zone: string): number {
  return whenShown(zone, Date.parse(`${shown}:00Z`));
}

/** The first instant of a date, yyyy-MM-dd, in a zone, in milliseconds. */
export function midnightOf(date: string, zone: string): number {
  return whenShown(zone, Date.parse(`${date}T00:00:00Z`));
}

/**
 * The calendar days of a zone that touch a span, oldest first; the last one is that of the span's end. Does what the domain's
 * calendar does, for browsers without `Temporal`.
 */
export function zoneDays({ from, to }: Span, zone: string): ZoneDay[] {
  const days: ZoneDay[] = [];
  const first = shownBy(zone, from);
  let date = first - (((first % DAY) + DAY) % DAY);
  let start = whenShown(zone, date);
  do {
    const next = whenShown(zone, date + DAY);
    if (next > start) {
      const calendar = new Date(date);
      const weekday = calendar.getUTCDay() || 7;
      days.push({
        from: start,
        to: next,
        year: calendar.getUTCFullYear(),
        month: calendar.getUTCMonth() + 1,
        day: calendar.getUTCDate(),
        weekday,
        work: weekday > LAST_WORKDAY ? null : workOf(zone, date),
      });
    }
    date += DAY;
    start = next;
  } while (start <= to);
  return days;
}

function workOf(zone: string, date: number): Span {
  const hour = DAY / 24;
  return { from: whenShown(zone, date + WORK_BEGINS * hour), to: whenShown(zone, date + WORK_ENDS * hour) };
}

/** How much of one span lies within another, in hours. */
export function overlapHours(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from)) / 3_600_000;
}
