import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import {
  completeOptions,
  type Kind,
  kinds,
  MOST_SUBSCRIPTIONS,
  type OptionsOf,
  type PersonChannel,
  type Recipient,
} from '#domain/notifications/subscriptions.ts';
import type { Database } from '../db/database.ts';
import { HttpError, type Issue, invalidValues } from '../http/errors.ts';

type Stored = Selectable<Database['notification_subscriptions']>;

/** A subscription as a call takes it: `channel` where it is one that everybody has. */
interface Given {
  readonly kind: Kind;
  readonly channel?: PersonChannel;
  readonly [option: string]: unknown;
}

export interface CompleteSubscription {
  readonly kind: Kind;
  /** Null: of the channel that the call is about. */
  readonly channel: PersonChannel | null;
  readonly options: OptionsOf[Kind];
}

/**
 * The subscriptions of a call, with all their options.
 * @throws HttpError 400 with all that is wrong: kinds and options that the recipient has not, the same kind and channel twice
 */
export function completeSubscriptions(recipient: Recipient, given: readonly Given[]): CompleteSubscription[] {
  const issues: Issue[] = [];
  const found = given.flatMap(({ kind, channel = null, ...rest }, at): CompleteSubscription[] => {
    const complete = completeOptions(recipient, kind, rest);
    if ('options' in complete) return [{ kind, channel, options: complete.options }];
    for (const { option, message } of complete.problems)
      issues.push({ path: `subscriptions.${at}.${option ?? 'kind'}`, message });
    return [];
  });
  const seen = new Set<string>();
  for (const [at, { kind, channel }] of given.entries()) {
    const key = `${kind} ${channel}`;
    if (seen.has(key)) issues.push({ path: `subscriptions.${at}`, message: 'is there twice' });
    seen.add(key);
  }
  const [first, ...others] = issues;
  if (first !== undefined) throw invalidValues([first, ...others]);
  return found;
}

/** In the order of the kinds, then of the channels. */
export function inOrder<Row extends Pick<Stored, 'kind' | 'channel'>>(rows: readonly Row[]): Row[] {
  const place = ({ kind, channel }: Row) => `${kinds.indexOf(kind)} ${channel}`;
  return [...rows].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** As a call returns it: what stands in the database may have its options in any order. */
export function optionsOnWire(recipient: Recipient, { kind, options }: Pick<Stored, 'kind' | 'options'>) {
  const complete = completeOptions(recipient, kind, options as Readonly<Record<string, unknown>>);
  return { kind, ...('options' in complete ? complete.options : {}) };
}

/**
 * Makes these all the subscriptions of a channel, or with null of the channels that everybody has. One that stays keeps since when it
 * is there. The caller's transaction holds the user's row.
 * @throws HttpError 409 where the person has too many then
 */
export async function storeSubscriptions(
  within: Transaction<Database>,
  user_id: number,
  channel_id: number | null,
  subscriptions: readonly CompleteSubscription[],
  now: Date,
): Promise<void> {
  await within
    .deleteFrom('notification_subscriptions')
    .where('user_id', '=', user_id)
    .where('channel_id', 'is not distinct from', channel_id)
    .where(({ not, or, and, eb }) =>
      not(
        or(
          subscriptions.map(({ kind, channel }) =>
            and([eb('kind', '=', kind), eb('channel', 'is not distinct from', channel)]),
          ),
        ),
      ),
    )
    .execute();
  for (const { kind, channel, options } of subscriptions)
    await within
      .insertInto('notification_subscriptions')
      .values({ user_id, channel, channel_id, kind, options: JSON.stringify(options), since: now })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'kind', 'channel', 'channel_id'])
          .doUpdateSet(({ ref }) => ({ options: ref('excluded.options') })),
      )
      .execute();
  await requireRoom(within, user_id, 0);
}

/** @throws HttpError 409 where the person has more subscriptions than fit, `more` new ones included */
export async function requireRoom(db: Kysely<Database>, user_id: number, more: number): Promise<void> {
  const { count } = await db
    .selectFrom('notification_subscriptions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  if (Number(count) + more > MOST_SUBSCRIPTIONS)
    throw new HttpError(
      'too_many_subscriptions',
      `At most ${MOST_SUBSCRIPTIONS} subscriptions, those of your channels included: switch one off first.`,
    );
}

/** Which messages are meant: all those that wait for one of these conditions. */
export interface Waiting {
  readonly user_id: number;
  readonly channel?: PersonChannel;
  readonly channel_id?: number;
  readonly kind?: Kind;
}

/** Drops messages that wait; one that is being sent goes out. */
export async function dropWaiting(
  within: Kysely<Database>,
  { user_id, channel, channel_id, kind }: Waiting,
  now: Date,
): Promise<void> {
  await within
    .updateTable('notifications')
    .set({ state: 'dropped', finished_at: now })
    .where('user_id', '=', user_id)
    .where('state', 'in', ['pending', 'held'])
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel!))
    .$if(channel_id !== undefined, (query) => query.where('channel_id', '=', channel_id!))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .execute();
}

/** Takes the user's row, so that two changes of one person follow each other and limits hold. */
export async function lockUser(within: Transaction<Database>, user_id: number): Promise<void> {
  await sql`select from users where id = ${user_id} for no key update`.execute(within);
}
