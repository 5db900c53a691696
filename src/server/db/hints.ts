import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** What to look at on the host soon. */
export type HintSubject =
  | { readonly kind: 'pull_request'; readonly number: number }
  /** A commit whose checks changed: the open pull requests with this head. */
  | { readonly kind: 'commit'; readonly sha: string }
  /** The repository itself, and who may still read it. */
  | { readonly kind: 'repository' };

/** However many hints arrive, the same subject is looked at once in so many seconds (server specification, section 6). */
export const SECONDS_BETWEEN_LOOKS = 5;

/**
 * Remembers that there is something to look at. Hints for the same subject become one look; one that arrives while it is being looked
 * at leads to another look, so the last one is never lost.
 */
export async function addHints(
  db: Kysely<Database>,
  repository_id: number,
  subjects: readonly HintSubject[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  const texts = [...new Set(subjects.map(textOf))].sort();
  await sql`
    insert into hints as h (repository_id, subject, due_at)
    select ${repository_id}::int, subject, ${now} from unnest(${texts}::text[]) t(subject)
    on conflict (repository_id, subject) do update set hints = h.hints + 1, attempts = 0,
      due_at = greatest(${now}, h.looked_at + make_interval(secs => ${SECONDS_BETWEEN_LOOKS}))`.execute(db);
}

/** A hint that this process is to follow, within its lease. */
export interface TakenHint {
  readonly repository_id: number;
  readonly subject: HintSubject;
  /** How many had arrived when it was taken. */
  readonly hints: number;
  readonly attempts: number;
}

/** A look that takes longer than this is taken for dead and begun again, in seconds. */
const LEASE_SECONDS = 90;

/** The hint that is due longest; null when none is. */
export async function takeHint(db: Kysely<Database>, now: Date): Promise<TakenHint | null> {
  const { rows } = await sql<Omit<TakenHint, 'subject'> & { subject: string }>`
    with next as (
      select repository_id, subject from hints
      where due_at <= ${now} and (leased_until is null or leased_until < ${now})
      order by due_at limit 1 for update skip locked
    )
    update hints h set leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}), looked_at = ${now},
      attempts = h.attempts + 1
    from next where h.repository_id = next.repository_id and h.subject = next.subject
    returning h.repository_id, h.subject, h.hints, h.attempts`.execute(db);
  const row = rows[0];
  return row === undefined ? null : { ...row, subject: subjectOf(row.subject) };
}

/** It was looked at; another look follows where a hint has arrived meanwhile. */
export async function finishHint(db: Kysely<Database>, hint: TakenHint): Promise<void> {
  await sql`
    update hints set leased_until = null, attempts = 0,
      due_at = case when hints > ${hint.hints} then looked_at + make_interval(secs => ${SECONDS_BETWEEN_LOOKS}) end
    where repository_id = ${hint.repository_id} and subject = ${textOf(hint.subject)}`.execute(db);
}

/** It could not be looked at; the next try is at `again`, null for none. */
export async function postponeHint(db: Kysely<Database>, hint: TakenHint, again: Date | null): Promise<void> {
  await sql`
    update hints set leased_until = null,
      due_at = case when hints > ${hint.hints} or ${again !== null} then coalesce(${again},
        looked_at + make_interval(secs => ${SECONDS_BETWEEN_LOOKS})) end
    where repository_id = ${hint.repository_id} and subject = ${textOf(hint.subject)}`.execute(db);
}

/** Forgets what was looked at long ago. */
export async function forgetOldHints(db: Kysely<Database>, now: Date): Promise<void> {
  await db
    .deleteFrom('hints')
    .where('due_at', 'is', null)
    .where('looked_at', '<', new Date(now.getTime() - 60_000))
    .execute();
}

function textOf(subject: HintSubject): string {
  switch (subject.kind) {
    case 'pull_request':
      return `pull request ${subject.number}`;
    case 'commit':
      return `commit ${subject.sha}`;
    case 'repository':
      return 'repository';
  }
}

function subjectOf(text: string): HintSubject {
  const [, kind, rest = ''] = /^(pull request|commit) (.+)$/.exec(text) ?? [];
  if (kind === 'pull request') return { kind: 'pull_request', number: Number(rest) };
  if (kind === 'commit') return { kind: 'commit', sha: rest };
  return { kind: 'repository' };
}
