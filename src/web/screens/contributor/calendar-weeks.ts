import type { ContributorMetrics } from '#contract/contributors.ts';

export type CalendarDay = ContributorMetrics['activity_calendar'][number];

const DAY = 24 * 3_600_000;

/** A week of the calendar. */
export interface CalendarWeek {
  /** yyyy-MM-dd of its Monday. */
  readonly monday: string;
  /** The month that begins in this week or that the calendar begins with, as "Sep"; empty otherwise. */
  readonly month: string;
  /** Monday first; null before the calendar's first and after its last day. */
  readonly days: readonly (CalendarDay | null)[];
}

/** 0 for Monday to 6 for Sunday, of a calendar date. */
function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Days, oldest first and without gaps, as weeks from Monday to Sunday. */
export function weeksOf(days: readonly CalendarDay[]): CalendarWeek[] {
  const first = days[0];
  if (first === undefined) return [];
  const padded: (CalendarDay | null)[] = [...Array.from({ length: weekdayOf(first.date) }, () => null), ...days];
  while (padded.length % 7 !== 0) padded.push(null);
  const monday = Date.parse(`${first.date}T00:00:00Z`) - weekdayOf(first.date) * DAY;
  return Array.from({ length: padded.length / 7 }, (_, at) => {
    const week = padded.slice(7 * at, 7 * at + 7);
    const begins = week.find((day) => day?.date.endsWith('-01')) ?? (at === 0 ? first : null);
    return {
      monday: new Date(monday + 7 * at * DAY).toISOString().slice(0, 10),
      month: begins ? monthOf(begins.date) : '',
      days: week,
    };
  }).map((week, at, weeks) => (at === 0 && (weeks[1]?.month ?? '') !== '' ? { ...week, month: '' } : week));
}

function monthOf(date: string): string {
  const month = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });
  return month.format(Date.parse(`${date}T00:00:00Z`)).slice(0, 3);
}
