import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { NoteSecurityEvent } from '../security-events.ts';

/** How long a security event is kept, in days. */
const KEPT_DAYS = 400;
/** At most so many rows are stored of one person or address in an hour; beyond that there are log lines alone. */
const MOST_AN_HOUR = 1000;
/** Whose events are counted at once; the counters of an hour are dropped together. */
const MOST_COUNTED = 10_000;
const LONGEST_SUBJECT = 300;

/** See `NoteSecurityEvent`: one log line each, and a row that is kept for 400 days. */
export function securityEventsIn(db: Kysely<Database>, now: () => Date, log: Log): NoteSecurityEvent {
  let hour = 0;
  let stored = new Map<string, number>();

  /** False for whoever has filled the table enough within this hour. */
  function mayStore(by: string): boolean {
    const current = Math.floor(now().getTime() / 3_600_000);
    if (current !== hour || stored.size >= MOST_COUNTED) {
      hour = current;
      stored = new Map();
    }
    const before = stored.get(by) ?? 0;
    stored.set(by, before + 1);
    return before < MOST_AN_HOUR;
  }

  return async ({ event, actor: given, subject: about, repository_id = null }, request) => {
    const address = request?.ip ?? null;
    const request_id = request?.id ?? null;
    const subject = about === null ? null : stringOf(about);
    let actor = typeof given === 'string' ? stringOf(given) : null;
    try {
      if (typeof given === 'number') {
        const user = await db.selectFrom('users').select('login').where('id', '=', given).executeTakeFirst();
        actor = user?.login ?? null;
      }
      log.info({ event, actor, subject, address, request_id }, 'security event');
      if (!mayStore(actor ?? address ?? event)) return;
      await db
        .insertInto('security_events')
        .values({ at: now(), event, actor, subject, repository_id, address, request_id })
        .execute();
    } catch (err) {
      log.error({ err, event, actor: actor ?? given, subject, address, request_id }, 'failed to store security event');
    }
  };
}

/** Deletes the events that are older than 400 days. */
export async function forgetOldSecurityEvents(db: Kysely<Database>, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.deleteFrom('security_events').where('at', '<', oldest).execute();
}

/** Text of others, as the database can hold it: without null characters, and not without end. */
function stringOf(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST_SUBJECT);
}
