import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** Names that both the database and the language know; offsets are none, for the two read their signs differently. */
export async function isTimeZone(db: Kysely<Database>, name: string): Promise<boolean> {
  if (!/^[a-z][\w+\-/]*$/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    // RangeError is how the language says that it does not know the name.
    return false;
  }
  const { rows } = await sql`select from pg_timezone_names where lower(name) = lower(${name}) limit 1`.execute(db);
  return rows.length > 0;
}

/** Zones whose names the database takes for abbreviations, which have no summer time, by the names of places that keep the same time. */
const places: ReadonlyMap<string, string> = new Map([
  ['CET', 'Europe/Brussels'],
  ['EET', 'Europe/Athens'],
  ['MET', 'Europe/Brussels'],
  ['WET', 'Europe/Lisbon'],
]);

/** A moment as the clocks of a zone show it. */
export function clockIn(zone: string, moment: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${moment} at time zone ${places.get(zone.toUpperCase()) ?? zone})`;
}
