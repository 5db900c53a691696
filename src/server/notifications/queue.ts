import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import {
  ATTEMPTS_OF_JOINED,
  BETWEEN_MESSAGES,
  BETWEEN_SENDINGS,
  FAILURES_TO_PAUSE,
  GATHER_FOR,
  HELD_JOINED_FOR,
  JOINED_FOR,
  nextAttempt,
  SENDINGS_AT_ONCE,
  UNKNOWN_AFTER,
} from '#domain/notifications/delivery.ts';
import { type Kind, pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { Instant } from '#domain/pull-request.ts';
import type { Database } from '../db/database.ts';
import { type Tell, waitOf } from './keys.ts';
import type { Outcome } from './outlets.ts';
import type { Address } from './recipients.ts';

/** A message that waits, with what it is to tell. */
export interface Waiting extends Address {
  readonly id: string;
  readonly kind: Kind;
  readonly period: string | null;
  readonly attempts: number;
  readonly due_at: Date;
  readonly revision: number;
  readonly tells: readonly Tell[];
}

/** Whoever changes what waits takes it, so that two processes never tell the same: any number of its own. */
const QUEUE_LOCK = 7_303_115;

async function holdingQueue<Result>(
  db: Kysely<Database>,
  act: (within: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(async (within) => {
    await sql`select pg_advisory_xact_lock(${QUEUE_LOCK})`.execute(within);
    return await act(within);
  });
}

const isAt = ({ user_id, channel, channel_id }: Address, table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.user_id`)} = ${user_id} and ${sql.ref(`${table}.channel`)} is not distinct from ${channel}::text
    and ${sql.ref(`${table}.channel_id`)} is not distinct from ${channel_id}::int)`;

/** All kinds but digests share messages. */
const isAlert = (table: string) => sql<boolean>`${sql.ref(`${table}.kind`)} in ('turn', 'stuck', 'sync')`;

/** What a message that tells several kinds counts as. */
function kindOf(kinds: readonly Kind[]): Kind {
  return (['turn', 'stuck', 'sync'] as const).find((kind) => kinds.includes(kind)) ?? kinds[0]!;
}

/**
 * Has a recipient told of these, in the message that waits for them already or in a new one. What was told, or waits, is left out; returns
 * how many are new.
 */
export async function enqueue(db: Kysely<Database>, to: Address, tells: readonly Tell[], now: Date): Promise<number> {
  return await holdingQueue(db, async (within) => {
    const states = await keyStates(within, tells);
    // Whoever is asked in two ways, as by name and by their team, is told once.
    const fresh = [...new Map(tells.map((tell) => [tell.key, tell])).values()].filter(
      ({ key }) => states.get(key) !== 'told',
    );
    if (fresh.length === 0) return 0;
    const { rows } = await sql<{ id: string; kind: Kind }>`
      select n.id, n.kind from notifications n
      where ${isAt(to, 'n')} and ${isAlert('n')} and n.state in ('pending', 'held')
        and (n.attempts = 0 or n.created_at > case n.state when 'held' then ${new Date(now.getTime() - HELD_JOINED_FOR)}::timestamptz
          else ${new Date(now.getTime() - JOINED_FOR)}::timestamptz end)
      order by n.attempts > 0, n.created_at limit 1`.execute(within);
    // What could not be sent days ago is due from now on, too.
    const due = Math.max(Math.min(...fresh.map(({ due_at }) => due_at)), now.getTime());
    const first = new Date(due + GATHER_FOR);
    const found = rows[0];
    if (found === undefined) await insert(within, to, fresh, { due_at: new Date(due), first, now });
    else {
      // What is new neither waits for hours because others did not arrive, nor has the last of their tries alone.
      await sql`
        update notifications set kind = ${kindOf([found.kind, ...fresh.map(({ kind }) => kind)])}, revision = revision + 1,
          due_at = case when attempts = 0 then least(due_at, ${new Date(due)}) else due_at end,
          attempts = least(attempts, ${ATTEMPTS_OF_JOINED}),
          next_attempt_at = least(next_attempt_at, case when attempts = 0 then ${first}
            else greatest(${first}, due_at, claimed_at + make_interval(secs => ${BETWEEN_MESSAGES / 1000})) end)
        where id = ${found.id}`.execute(within);
      await attach(within, found.id, fresh);
    }
    return fresh.length;
  });
}

/** Has these recipients sent their digests, each by itself; those that had the same one, in whatever state, are left out. */
export async function enqueueDigests(
  db: Kysely<Database>,
  digests: readonly { readonly to: Address; readonly tell: Tell; readonly period: string }[],
  now: Date,
): Promise<void> {
  if (digests.length === 0) return;
  await holdingQueue(db, async (within) => {
    const states = await keyStates(
      within,
      digests.map(({ tell }) => tell),
    );
    const fresh = digests.filter(({ tell }) => !states.has(tell.key)).map((one) => ({ ...one, id: randomUUID() }));
    if (fresh.length === 0) return;
    const rows = fresh.map(({ id, to, tell, period }) => ({
      ...{ id, period, kind: tell.kind, key: tell.key, due_at: new Date(tell.due_at) },
      ...{ user_id: to.user_id, channel: to.channel, channel_id: to.channel_id },
    }));
    const given = sql`json_to_recordset(${JSON.stringify(rows)}) as d (id uuid, user_id int, channel text, channel_id int, kind text,
      period text, key text, due_at timestamptz)`;
    await sql`
      insert into notifications (id, user_id, channel, channel_id, kind, period, state, due_at, next_attempt_at, created_at)
      select d.id, d.user_id, d.channel, d.channel_id, d.kind, d.period, 'pending', d.due_at, ${now}, ${now} from ${given}`.execute(
      within,
    );
    await sql`
      insert into notification_keys (key, notification_id, kind, due_at)
      select d.key, d.id, d.kind, d.due_at from ${given}`.execute(within);
  });
}

/** Why a message is dropped whose keys may be in another one at once; all other reasons last. */
export const NOTHING_LEFT = 'Nothing of it was so any more';

/**
 * What became of a key: it was told or waits; its message failed or could not go out, such as by a channel that is off; or it was not so when
 * it was to be told.
 */
type KeyState = 'told' | 'undelivered' | 'untrue';

/**
 * What became of these keys; those that were in no message are absent. That a limit was passed became the same as where the wait passed one
 * at that moment or later, by whatever options: a limit that is changed tells nothing of before.
 */
export async function keyStates(db: Kysely<Database>, tells: readonly Tell[]): Promise<ReadonlyMap<string, KeyState>> {
  const waits = tells
    .filter(({ kind }) => kind === 'stuck')
    .map((tell) => ({
      ...{ key: tell.key, wait: waitOf(tell), repository_id: tell.repository_id, number: tell.number },
      from: new Date(Math.floor(tell.due_at / 1000) * 1000),
    }));
  const { rows } = await sql<{ key: string; state: KeyState }>`
    with found as (
      select k.key, k.notification_id from notification_keys k where k.key = any(${tells.map(({ key }) => key)}::text[])
      union all
      select t.key, k.notification_id
      from json_to_recordset(${JSON.stringify(waits)}) as t (key text, wait text, repository_id int, number int, "from" timestamptz)
      join notification_keys k on k.repository_id = t.repository_id and k.number = t.number and k.kind = 'stuck'
        and starts_with(k.key, t.wait) and k.due_at >= t."from"
    )
    select found.key, case when n.state = 'dropped' and n.last_error = ${NOTHING_LEFT} then 'untrue'
      when n.state in ('dropped', 'failed') then 'undelivered' else 'told' end as state
    from found join notifications n on n.id = found.notification_id`.execute(db);
  const ofKey = Map.groupBy(rows, ({ key }) => key);
  return new Map(
    [...ofKey].map(([key, own]): [string, KeyState] => {
      const states = own.map(({ state }) => state);
      return [key, (['told', 'undelivered'] as const).find((state) => states.includes(state)) ?? 'untrue'];
    }),
  );
}

async function insert(
  within: Transaction<Database>,
  to: Address,
  tells: readonly Tell[],
  at: { readonly due_at: Date; readonly first: Date; readonly now: Date },
): Promise<void> {
  const id = randomUUID();
  await sql`
    insert into notifications (id, user_id, channel, channel_id, kind, state, due_at, next_attempt_at, created_at)
    values (${id}, ${to.user_id}, ${to.channel}, ${to.channel_id}, ${kindOf(tells.map(({ kind }) => kind))}, 'pending',
      ${at.due_at}, ${at.first}, ${at.now})`.execute(within);
  await attach(within, id, tells);
}

async function attach(within: Transaction<Database>, id: string, tells: readonly Tell[]): Promise<void> {
  const rows = tells.map((tell) => ({
    ...tell,
    due_at: new Date(tell.due_at),
    since: tell.since === null ? null : new Date(tell.since),
  }));
  await sql`
    insert into notification_keys (key, notification_id, kind, due_at, repository_id, number, since, repetition)
    select t.key, ${id}, t.kind, t.due_at, t.repository_id, t.number, t.since, t.repetition
    from json_to_recordset(${JSON.stringify(rows)}) as t (key text, kind text, due_at timestamptz, repository_id int, number int,
      since timestamptz, repetition int)
    on conflict (key) do update set notification_id = excluded.notification_id, due_at = excluded.due_at`.execute(
    within,
  );
}

/** Where a message goes, of `n` and its channel `c`: one a second is sent to each. */
const target = (n: string, c: string) =>
  sql`coalesce(${sql.ref(`${n}.channel`)}, case ${sql.ref(`${c}.type`)} when 'mail' then 'mail' else split_part(${sql.ref(`${c}.shown`)}, '/', 3) end)`;

/** How far ahead the clock of another process may be, in milliseconds: what was sent later than that is of before the clock was set back. */
const CLOCKS_APART = 10_000;

/** How many may be sent now, and to which targets none, because the last one was sent a moment ago. */
const hasRoom = (now: Date) => sql<boolean>`(
  (select count(*) from notifications s
    where s.state = 'sending' and s.claimed_at > ${new Date(now.getTime() - UNKNOWN_AFTER)}) < ${SENDINGS_AT_ONCE}
  and not exists (select from notifications o left join notification_channels oc on oc.id = o.channel_id
    where o.claimed_at > ${new Date(now.getTime() - BETWEEN_SENDINGS)} and o.claimed_at <= ${new Date(now.getTime() + CLOCKS_APART)} and ${target('o', 'oc')} = ${target('n', 'c')}))`;

/** The message that is due longest, digests last; null while none may be sent. `except` are left aside. */
export async function nextDue(db: Kysely<Database>, except: readonly string[], now: Date): Promise<Waiting | null> {
  const { rows } = await sql<Omit<Waiting, 'tells'>>`
    select n.id, n.user_id, n.channel, n.channel_id, n.kind, n.period, n.attempts, n.due_at, n.revision
    from notifications n left join notification_channels c on c.id = n.channel_id
    where n.state in ('pending', 'held') and n.next_attempt_at <= ${now} and not (n.id = any(${[...except]}::uuid[])) and ${hasRoom(now)}
    order by n.kind in ('daily', 'weekly'), n.next_attempt_at limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const keys = await db
    .selectFrom('notification_keys')
    .select(['key', 'kind', 'due_at', 'repository_id', 'number', 'since', 'repetition'])
    .where('notification_id', '=', found.id)
    .orderBy('key')
    .execute();
  const tells = keys.map((row) => ({
    ...row,
    due_at: row.due_at.getTime(),
    since: row.since?.getTime() ?? null,
  }));
  return { ...found, tells };
}

/** From when on a recipient may be told something again that is no digest. */
export async function mayBeToldFrom(db: Kysely<Database>, to: Address): Promise<Instant> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(n.claimed_at) as at from notifications n
    where ${isAt(to, 'n')} and ${isAlert('n')} and n.state in ('sending', 'sent', 'unknown')`.execute(db);
  const at = rows[0]!.at;
  return at === null ? 0 : at.getTime() + BETWEEN_MESSAGES;
}

/** Looks at it again at that moment; one that is held is due no earlier, so that trouble with it counts from then on. */
export async function defer(
  db: Kysely<Database>,
  { id, revision }: Waiting,
  state: 'pending' | 'held',
  at: Instant,
): Promise<void> {
  await sql`
    update notifications set state = ${state}, next_attempt_at = ${new Date(at)},
      due_at = case when ${state === 'held'} then greatest(due_at, ${new Date(at)}) else due_at end
    where id = ${id} and state in ('pending', 'held') and revision = ${revision}`.execute(db);
}

/** It is not sent, for nothing of it is true or allowed any more. */
export async function drop(db: Kysely<Database>, { id, revision }: Waiting, reason: string, now: Date): Promise<void> {
  await sql`
    update notifications set state = 'dropped', finished_at = ${now}, last_error = ${reason}, next_attempt_at = null
    where id = ${id} and state in ('pending', 'held') and revision = ${revision}`.execute(db);
}

/** A pull request in a message, for the log. */
export interface ToldItem {
  readonly repository_id: number;
  readonly number: number;
  readonly kind: string | null;
  readonly since: Instant;
  readonly repetition: number | null;
}

/** What of a message is sent now, what later, what not. */
export interface Claim {
  readonly subject: string | null;
  readonly kind: Kind;
  readonly items: readonly ToldItem[];
  /** Not due yet: they become a message of their own. */
  readonly later: readonly Tell[];
  /** Not true any more. */
  readonly untrue: readonly Tell[];
}

/**
 * Takes a message for sending, in a transaction that has ended when this resolves; false where another process took it, or what it tells
 * changed, or as much as may is being sent.
 */
export async function claim(db: Kysely<Database>, message: Waiting, what: Claim, now: Date): Promise<boolean> {
  return await holdingQueue(db, async (within) => {
    const { numAffectedRows } = await sql`
      update notifications n set state = 'sending', claimed_at = ${now}, attempts = n.attempts + 1, subject = ${what.subject},
        kind = ${what.kind}, last_error = null, next_attempt_at = null
      from notifications me left join notification_channels c on c.id = me.channel_id
      where n.id = ${message.id} and me.id = n.id and n.state in ('pending', 'held') and n.revision = ${message.revision}
        and ${hasRoom(now)}`.execute(within);
    if (numAffectedRows !== 1n) return false;
    await sql`delete from notification_keys where notification_id = ${message.id}
      and key = any(${[...what.later, ...what.untrue].map(({ key }) => key)}::text[])`.execute(within);
    if (what.later.length > 0) {
      const due = Math.min(...what.later.map(({ due_at }) => due_at));
      await insert(within, message, what.later, { due_at: new Date(due), first: new Date(due + GATHER_FOR), now });
    }
    await sql`delete from notification_items where notification_id = ${message.id}`.execute(within);
    const items = what.items.map((item) => ({ ...item, since: new Date(item.since) }));
    await sql`
      insert into notification_items (notification_id, repository_id, number, kind, since, repetition)
      select ${message.id}, i.repository_id, i.number, i.kind, i.since, i.repetition
      from json_to_recordset(${JSON.stringify(items)}) as i (repository_id int, number int, kind text, since timestamptz, repetition int)
      on conflict do nothing`.execute(within);
    return true;
  });
}

/** Notes what came of sending. A channel that is gone, or failed too often in a row, is paused. */
export async function record(
  db: Kysely<Database>,
  { id, channel_id }: Waiting,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const words = outcome.state === 'sent' ? null : wordsOf(outcome);
  await db.transaction().execute(async (within) => {
    const { rows } = await sql<{ attempts: number }>`
      select attempts from notifications where id = ${id} and state = 'sending' for update`.execute(within);
    const attempts = rows[0]?.attempts;
    if (attempts === undefined) return;
    const again = outcome.state === 'retry' ? nextAttempt(attempts, outcome.retryAfter, now.getTime()) : null;
    const named = again === null || outcome.retryAfter === null ? null : now.getTime() + outcome.retryAfter * 1000;
    const state =
      again !== null ? 'pending' : outcome.state === 'retry' || outcome.state === 'final' ? 'failed' : outcome.state;
    await sql`
      update notifications set state = ${state}, last_error = ${words}, next_attempt_at = ${again === null ? null : new Date(again)},
        finished_at = ${again === null ? now : null}
      where id = ${id}`.execute(within);
    // What joins it makes it come no sooner than the other side wants it.
    if (named !== null)
      await sql`update notifications set due_at = greatest(due_at, ${new Date(named)}) where id = ${id} and ${isAlert('notifications')}`.execute(
        within,
      );
    if (channel_id === null) return;
    if (state === 'sent')
      await sql`update notification_channels set failures = 0 where id = ${channel_id}`.execute(within);
    if (state !== 'failed') return;
    await sql`
      update notification_channels set failures = failures + 1,
        paused_at = case when ${outcome.gone} or failures + 1 >= ${FAILURES_TO_PAUSE} then coalesce(paused_at, ${now}) else paused_at end,
        paused_reason = case when paused_at is not null then paused_reason when ${outcome.gone} then ${pauseReasons.gone}
          when failures + 1 >= ${FAILURES_TO_PAUSE} then ${pauseReasons.failing} end
      where id = ${channel_id}`.execute(within);
  });
}

function wordsOf({ status, message }: Outcome): string {
  return status === null || message.includes(status) ? message : `${status}: ${message}`;
}

/** Of messages whose process died while it sent them nobody knows whether they arrived: they are not sent again. */
export async function giveUpSending(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`
    update notifications set state = 'unknown', finished_at = ${now}, last_error = 'The process that sent it ended'
    where state = 'sending' and claimed_at <= ${new Date(now.getTime() - UNKNOWN_AFTER)}`.execute(db);
}
