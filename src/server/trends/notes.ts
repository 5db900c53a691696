import { type Kysely, sql } from 'kysely';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import type { addNote, listNotes, Note } from '#contract/notes.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HttpError, invalidValue, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { momentOf } from '../metrics/asked-window.ts';

/** So many can one person keep. */
export const MOST_NOTES = 500;
/** So many are listed at once. */
const MOST_LISTED = 500;
/** Moments that a note can tell of. */
const FIRST_MOMENT = Date.UTC(1970, 0, 1);
const LAST_MOMENT = Date.UTC(2100, 0, 1);

/** The calls about notes on the time axis (docs/product.md#trends). */
export function noteRoutes({ db, now }: Pick<Context, 'db' | 'now'>): Handlers<'listNotes' | 'addNote' | 'deleteNote'> {
  return {
    listNotes: async ({ user, query }) =>
      (await notesOf(db, user, windowIn(query, user.time_zone), MOST_LISTED)).sort(
        (a, b) => Date.parse(a.at) - Date.parse(b.at) || a.id - b.id,
      ),
    addNote: async ({ user, body }) => await addNoteOf(db, user, body, now()),
    deleteNote: async ({ user, params }) => {
      const { numDeletedRows } = await db
        .deleteFrom('notes')
        .where('id', '=', params.id)
        .where('user_id', '=', user.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw notFound('Note not found');
    },
  };
}

interface Span {
  /** Epoch milliseconds, half-open; null without a bound. */
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * A person's own notes and everyone's about moments in the span, at most `most`: first their own, the latest first, then of all others the
 * latest of each, the second latest of each, and so on, so that nobody's notes push out another's.
 */
export async function notesOf(
  db: Kysely<Database>,
  { id, host }: Pick<SignedIn, 'id' | 'host'>,
  { from, to }: Span,
  most: number,
): Promise<Note[]> {
  const within = sql`(${instant(from)}::timestamptz is null or at >= ${instant(from)})
    and (${instant(to)}::timestamptz is null or at < ${instant(to)})`;
  const { rows } = await sql<Omit<Note, 'at'> & { at: Date }>`
    select id, at, text, visibility, user_id = ${id} as mine from (
      select *, 0 as turn from notes where user_id = ${id} and ${within}
      union all
      select *, row_number() over (partition by user_id order by at desc, id desc) as turn
      from notes where host = ${host} and visibility = 'everyone' and user_id <> ${id} and ${within}
    ) note order by turn, at desc, id desc limit ${most}`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

async function addNoteOf(
  db: Kysely<Database>,
  user: SignedIn,
  { at, text, visibility: wanted }: BodyOf<typeof addNote>,
  now: Date,
): Promise<Note> {
  // Visitors of the demo are strangers to each other.
  const visibility = user.host === DEMO_HOST ? 'mine' : wanted;
  const moment = momentOf(at, user.time_zone);
  if (!(moment >= FIRST_MOMENT && moment < LAST_MOMENT)) throw invalidValue('at', 'must lie between 1970 and 2100');
  return await db.transaction().execute(async (within) => {
    // One after the other, so that the bound holds.
    await within.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    const { count } = await within
      .selectFrom('notes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST_NOTES)
      throw new HttpError('too_many_notes', `At most ${MOST_NOTES} notes: delete one that you no longer need.`);
    const { id } = await within
      .insertInto('notes')
      .values({ user_id: user.id, host: user.host, at: new Date(moment), text, visibility, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, at: new Date(moment).toISOString(), text, visibility, mine: true };
  });
}

function windowIn({ from, to }: QueryOf<typeof listNotes>, timeZone: string): Span {
  const span = {
    from: from === undefined ? null : momentOf(from, timeZone),
    to: to === undefined ? null : momentOf(to, timeZone),
  };
  if (span.from !== null && span.to !== null && span.from >= span.to)
    throw invalidValue('from', 'must lie before “to”');
  return span;
}

function instant(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
