import { dayOf, formatTime } from '../../time/moment.ts';
import { momentOf, zoneDays } from '../../time/zone-days.ts';

const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;
/** At most so far ahead does an item stay away, in milliseconds. */
export const LONGEST_SNOOZE = 90 * DAY;
/** When a working day begins for what comes back in the morning. */
const MORNING = '09:00';
const MONDAY = 1;

/** One entry of the menu; `until` in epoch milliseconds. */
export interface SnoozeTime {
  readonly title: string;
  readonly until: number;
}

/** When an item can come back without picking a time, by the clocks of a zone. */
export function snoozeTimes(now: number, zone: string): readonly SnoozeTime[] {
  // Of a Monday's first hour, seven days of 24 hours end on Sunday where clocks go back.
  const [, ...days] = zoneDays({ from: now, to: now + WEEK + DAY }, zone);
  const morningOf = (day: { readonly from: number } | undefined) =>
    momentOf(`${dayOf(day?.from ?? now, zone)}T${MORNING}`, zone);
  return [
    { title: 'Until tomorrow morning', until: morningOf(days[0]) },
    { title: 'Until Monday', until: morningOf(days.find(({ weekday }) => weekday === MONDAY)) },
    { title: 'For a week', until: now + WEEK },
  ];
}

/** How a field for a date and a time has an instant, by the clocks of a zone. */
export function fieldValueOf(at: number, zone: string): string {
  return `${dayOf(at, zone)}T${formatTime(at, zone)}`;
}

/** What a picked time lacks, in a sentence; null where it can be taken. */
export function whyNotUntil(until: number, now: number): string | null {
  if (Number.isNaN(until)) return 'Pick a day and a time.';
  if (until <= now) return 'That is over already.';
  return until > now + LONGEST_SNOOZE ? 'At most 90 days ahead.' : null;
}
