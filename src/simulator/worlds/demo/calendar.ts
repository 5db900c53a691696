import { Dice } from './dice.ts';
import type { Person } from './people.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** Hours of the local day at which people open pull requests: 9 to 18 h holds most, a dip at 12, a peak from 14 to 17 h. */
const OPENING_HOURS = [
  0.4, 0.2, 0.1, 0.1, 0.1, 0.2, 0.4, 1.5, 4, 7.5, 10, 10, 6, 7.5, 11, 11.5, 11, 8, 4.5, 2.6, 2.2, 2, 1.2, 0.8,
];
/** Monday to Sunday; Saturday and Sunday together 5 % ("Week", company team). */
const OPENING_DAYS = [18.4, 19.8, 19.6, 19.2, 17.6, 2.4, 3];

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

const DAY_STARTS_AT = 9;
const DAY_ENDS_AT = 18;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/** Milliseconds that local time is ahead of UTC, taken once for each UTC day. */
function zoneOffset(zone: string, at: number): number {
  let known = zones.get(zone);
  if (known === undefined) {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' });
    known = { format, offsets: new Map() };
    zones.set(zone, known);
  }
  const day = Math.floor(at / DAY);
  let offset = known.offsets.get(day);
  if (offset === undefined) {
    const match = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(known.format.format((day + 0.5) * DAY));
    if (match === null) throw new Error(`Time zone ${zone} has no offset: use an IANA name such as Europe/Oslo.`);
    const hours = Number(match[2] ?? 0) + Number(match[3] ?? 0) / 60;
    offset = (match[1] === '-' ? -hours : hours) * HOUR;
    known.offsets.set(day, offset);
  }
  return offset;
}

export interface LocalTime {
  /** Days since 1970-01-01 in local time. */
  readonly day: number;
  /** 0 is Monday. */
  readonly weekday: number;
  /** With fractions, 0 to 24. */
  readonly hour: number;
}

export function localTime(zone: string, at: number): LocalTime {
  const local = at + zoneOffset(zone, at);
  const day = Math.floor(local / DAY);
  return { day, weekday: (day + 3) % 7, hour: (local - day * DAY) / HOUR };
}

/** Rounded down to the host's whole seconds. */
export function wholeSecond(at: number): number {
  return Math.floor(at / SECOND) * SECOND;
}

/** When people work: their zone, their holidays, their joining and leaving, counted from the beginning of the history. */
export class Calendar {
  readonly #since: number;
  readonly #seed: number;
  readonly #holidays = new Map<string, readonly [number, number]>();

  constructor(since: number, seed: number) {
    this.#since = since;
    this.#seed = seed;
  }

  weekOf(at: number): number {
    return (at - this.#since) / WEEK;
  }

  isEmployed(person: Person, at: number): boolean {
    const week = this.weekOf(at);
    return week >= person.joins && week < person.leaves;
  }

  /** On leave: the long absence of a story, or one of the one or two weeks that everyone takes each half-year. */
  isAway(person: Person, at: number): boolean {
    const week = this.weekOf(at);
    if (person.away !== null && week >= person.away[0] && week < person.away[1]) return true;
    const halfYear = Math.floor(week / 26);
    const key = `${person.account.login} ${halfYear}`;
    let holiday = this.#holidays.get(key);
    if (holiday === undefined) {
      const dice = new Dice(this.#seed, 'holiday', key);
      const start = halfYear * 26 + dice.uniform(0, 22);
      holiday = [start, start + dice.uniform(0.7, 2.1)];
      this.#holidays.set(key, holiday);
    }
    return week >= holiday[0] && week < holiday[1];
  }

  isAtWork(person: Person, at: number): boolean {
    const { weekday, hour } = localTime(person.zone, at);
    return weekday < 5 && hour >= DAY_STARTS_AT && hour < DAY_ENDS_AT && !this.isAway(person, at);
  }

  /**
   * The moment at or after `at` at which this person gets to it: at once while they are at work, sometimes in the
   * evening or at the weekend, else in the next working morning.
   */
  intoWork(person: Person, at: number, dice: Dice): number {
    let moment = at;
    for (let tries = 0; tries < 60; tries++) {
      const { weekday, hour } = localTime(person.zone, moment);
      const works = !this.isAway(person, moment) && (weekday < 5 || dice.chance(0.12));
      if (works && hour < DAY_STARTS_AT) {
        return wholeSecond(moment + (DAY_STARTS_AT - hour) * HOUR + Math.min(dice.exponential(1.1), 8) * HOUR);
      }
      const lateShare = tries > 0 ? 0 : hour < 21 ? 0.3 : 0.1;
      if (works && (hour < DAY_ENDS_AT || dice.chance(lateShare))) return wholeSecond(moment);
      moment += (24 - hour) * HOUR + MINUTE;
    }
    return wholeSecond(moment);
  }

  /**
   * A moment within the week that begins at `from` at which this person, by weekday and local hour, opens something;
   * `days` says on which days of that week, the one of `from` being 0.
   */
  openingWithin(from: number, person: Person, dice: Dice, days: readonly number[] = EVERY_DAY): number {
    const first = localTime(person.zone, from);
    const step = dice.weighted(days, (each) => OPENING_DAYS[(first.weekday + each) % 7] ?? 0) ?? 0;
    const hours = dice.weighted(
      OPENING_HOURS.map((_, index) => index),
      (index) => OPENING_HOURS[index] ?? 0,
    );
    const localMidnight = from - first.hour * HOUR;
    const at = localMidnight + step * DAY + ((hours ?? 0) + dice.next()) * HOUR;
    return wholeSecond(at < from ? at + WEEK : at);
  }
}
