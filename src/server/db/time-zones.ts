import { type Kysely, sql } from 'kysely';
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
