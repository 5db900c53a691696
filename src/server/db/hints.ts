import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** What to look at on the host soon. */
export type HintSubject =
  | { readonly kind: 'pull_request'; readonly number: number }
  /** A commit whose checks changed: the open pull requests with this head. */
  | { readonly kind: 'commit'; readonly sha: string }
  /** The same of a commit of the repository's own branches, looked for in what is stored: a pull request from one has events of its own. */
  | { readonly kind: 'head'; readonly sha: string }
  /** Everything that changed: one look at all of it in place of many at single ones. */
  | { readonly kind: 'changes' }
  /** The repository itself, and who may still read it. */
  | { readonly kind: 'repository' }
  /** The same after the host has said that the repository was deleted. */
  | { readonly kind: 'deleted' };

/** However many hints arrive, the same subject is looked at once in so many seconds (docs/server.md#webhooks-and-hints). */
const SECONDS_BETWEEN_LOOKS = 5;
/** Who may read the repository is asked with everybody's token: once in this time, in milliseconds. */
const SECONDS_BETWEEN_CHECKS = 60;

/** So many pull requests are named at once at most; of more, everything that changed is looked at. */
const NAMED_AT_ONCE = 100;
/** So many hints about single things of a repository wait at most; what exceeds them is one look at everything that changed. */
const WAITING = 300;

/** These pull requests as subjects, at most 100 of them; one look at everything that changed stands for those beyond. */
export function pullRequestSubjects(numbers: readonly number[]): HintSubject[] {
  const unique = [...new Set(numbers)];
  const named = unique.slice(0, NAMED_AT_ONCE).map((number): HintSubject => ({ kind: 'pull_request', number }));
  return unique.length > named.length ? [...named, { kind: 'changes' }] : named;
}

/**
 * Remembers that there is something to look at. Hints for the same subject become one look, which keeps its place however many arrive;
 * one that arrives while it is being looked at leads to another look, so the last one is never lost.
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
    with wanted as (
      select t.subject, h.subject is null as fresh, row_number() over (partition by h.subject is null order by t.subject) as at
      from unnest(${texts}::text[]) t(subject)
      left join hints h on h.repository_id = ${repository_id} and h.subject = t.subject and h.due_at is not null
    ), room as (
      select greatest(0, ${WAITING} - count(*)) as places from hints where repository_id = ${repository_id} and due_at is not null
    ), taken as (
      select subject from wanted, room where not fresh or at <= places or subject in ('repository', 'deleted', 'changes')
    )
    insert into hints as h (repository_id, subject, due_at)
    select ${repository_id}::int, subject, ${now}::timestamptz from (
      select subject from taken
      union select 'changes' where (select count(*) from taken) < (select count(*) from wanted)
    ) all_subjects order by subject
    on conflict (repository_id, subject) do update set hints = h.hints + 1, attempts = 0,
      due_at = least(h.due_at, greatest(${now}, least(h.looked_at, ${now})
        + make_interval(secs => case when h.subject in ('repository', 'deleted') then ${SECONDS_BETWEEN_CHECKS}::int else ${SECONDS_BETWEEN_LOOKS}::int end)))`.execute(
    db,
  );
}

function secondsBetween({ kind }: HintSubject): number {
  return kind === 'repository' || kind === 'deleted' ? SECONDS_BETWEEN_CHECKS : SECONDS_BETWEEN_LOOKS;
}

/** Whether a look at one of the repository's pull requests is due or under way: what it will store is not known yet. */
export async function awaitsPullRequest(db: Kysely<Database>, repository_id: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ awaits: boolean }>`
    select exists (select from hints where repository_id = ${repository_id} and starts_with(subject, 'pull request ')
      and due_at <= ${now}::timestamptz) as awaits`.execute(db);
  return rows[0]!.awaits;
}

/** A hint that this process is to follow, within its lease. */
export interface TakenHint {
  readonly repository_id: number;
  readonly subject: HintSubject;
  /** How many had arrived when it was taken. */
  readonly hints: number;
  readonly attempts: number;
}

/** A look whose lease was not renewed for this long is taken for dead and begun again, in seconds. */
const LEASE_SECONDS = 90;
/** How often the lease of a look that goes on is renewed, in milliseconds. */
export const LEASE_RENEWED_EVERY = 30_000;
/** A hint that is postponed waits at most for the host's hourly quota. */
const LONGEST_WAIT_HOURS = 2;

/** All hints, those about who may read a repository, or all others. */
export type HintsAbout = 'anything' | 'access' | 'content';
const hintsAbout = {
  anything: sql<boolean>`true`,
  access: sql<boolean>`subject in ('repository', 'deleted')`,
  content: sql<boolean>`subject not in ('repository', 'deleted')`,
} satisfies Record<HintsAbout, unknown>;

/** Of these hints the one that is due longest; null when none is. */
export async function takeHint(
  db: Kysely<Database>,
  now: Date,
  about: HintsAbout = 'anything',
): Promise<TakenHint | null> {
  const { rows } = await sql<Omit<TakenHint, 'subject'> & { subject: string }>`
    with next as (
      select repository_id, subject from hints
      -- What is due or leased further ahead than anything can be is of before the clock was set back.
      where (due_at <= ${now}::timestamptz or due_at > ${now}::timestamptz + make_interval(hours => ${LONGEST_WAIT_HOURS}))
        and (leased_until is null or leased_until <= clock_timestamp()
          or leased_until > clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
        and ${hintsAbout[about]}
      order by due_at limit 1 for update skip locked
    )
    update hints h set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), looked_at = ${now},
      attempts = h.attempts + 1
    from next where h.repository_id = next.repository_id and h.subject = next.subject
    returning h.repository_id, h.subject, h.hints, h.attempts`.execute(db);
  const row = rows[0];
  return row === undefined ? null : { ...row, subject: subjectOf(row.subject) };
}

/** It is being looked at still: its lease begins again. */
export async function renewHint(db: Kysely<Database>, hint: TakenHint): Promise<void> {
  await sql`
    update hints set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where repository_id = ${hint.repository_id} and subject = ${textOf(hint.subject)} and leased_until is not null`.execute(
    db,
  );
}

/** The next look where a hint has arrived since this one was taken. */
const nextLookAfter = ({ subject }: TakenHint) => sql`looked_at + make_interval(secs => ${secondsBetween(subject)})`;

/** It was looked at; another look follows where a hint has arrived meanwhile. */
export async function finishHint(db: Kysely<Database>, hint: TakenHint): Promise<void> {
  await sql`
    update hints set leased_until = null, attempts = 0,
      due_at = case when hints > ${hint.hints} then ${nextLookAfter(hint)} end
    where repository_id = ${hint.repository_id} and subject = ${textOf(hint.subject)}`.execute(db);
}

/** It could not be looked at; the next try is at `again`, null for none. */
export async function postponeHint(db: Kysely<Database>, hint: TakenHint, again: Date | null): Promise<void> {
  await sql`
    update hints set leased_until = null,
      due_at = case when hints > ${hint.hints} or ${again !== null} then coalesce(${again}, ${nextLookAfter(hint)}) end
    where repository_id = ${hint.repository_id} and subject = ${textOf(hint.subject)}`.execute(db);
}

/** Not everybody who was to look could; it is due at `again`, as if it had not been tried, or soon where a hint has arrived meanwhile. */
export async function deferHint(db: Kysely<Database>, hint: TakenHint, again: Date): Promise<void> {
  await sql`
    update hints set leased_until = null, attempts = 0,
      due_at = case when hints > ${hint.hints} then ${nextLookAfter(hint)} else ${again} end
    where repository_id = ${hint.repository_id} and subject = ${textOf(hint.subject)}`.execute(db);
}

/** One look at everything that changed, in place of all at single things of a repository that wait. */
export async function gatherHints(db: Kysely<Database>, repository_id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await addHints(transaction, repository_id, [{ kind: 'changes' }], now);
    await transaction
      .deleteFrom('hints')
      .where('repository_id', '=', repository_id)
      .where('subject', 'not in', ['repository', 'deleted', 'changes'])
      .execute();
  });
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
    case 'head':
      return `${subject.kind} ${subject.sha}`;
    case 'changes':
    case 'repository':
    case 'deleted':
      return subject.kind;
  }
}

function subjectOf(text: string): HintSubject {
  const [, kind, rest = ''] = /^(pull request|commit|head) (.+)$/.exec(text) ?? [];
  if (kind === 'pull request') return { kind: 'pull_request', number: Number(rest) };
  if (kind === 'commit' || kind === 'head') return { kind, sha: rest };
  return { kind: text === 'changes' || text === 'deleted' ? text : 'repository' };
}
