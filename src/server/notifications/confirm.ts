import { type Kysely, sql, type Transaction } from 'kysely';
import {
  CONFIRMATION_HOURS,
  CONFIRMATIONS_A_DAY,
  offSentences,
  pauseReasons,
} from '#domain/notifications/subscriptions.ts';
import { confirmationMail } from '#domain/notifications/texts.ts';
import type { Database } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { hashOf } from '../sha256.ts';
import type { NotificationDeps } from './outlets.ts';
import { hashOfAddress, newToken, openChannel } from './secrets.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A confirmation mail that was sent, to be stored with what it is about. */
export interface SentConfirmation {
  readonly token_hash: string;
  readonly address_hash: string;
}

/**
 * Sends the mail by which an address is confirmed (docs/server.md#notifications). It names nobody but the account that asked for it:
 * the address may be a stranger's.
 * @throws HttpError 422 where mail is off, 429 after too many to this address, or tried or sent because of this person, 502 where it could not be sent
 */
export async function sendConfirmation(
  { db, now, public_url, outlets, limits }: NotificationDeps,
  user: { readonly id: number; readonly login: string },
  address: string,
): Promise<SentConfirmation> {
  const off = outlets.whyOff('mail') ?? outlets.off;
  if (off !== null) throw new HttpError('channel_off', off);
  limits.countConfirmation(user.id);
  const address_hash = hashOfAddress(address);
  const mail = await countConfirmation(db, user.id, address_hash, now());
  const { token, token_hash } = newToken();
  const sent = await outlets.sendMail({
    user_id: user.id,
    to: address,
    ...confirmationMail(user.login, public_url, token),
  });
  if (sent.state === 'retry' || sent.state === 'final') {
    await db.deleteFrom('confirmation_mails').where('id', '=', mail).execute();
    throw new HttpError('mail_not_sent', `The confirmation mail could not be sent: ${sent.message}`);
  }
  return { token_hash, address_hash };
}

/** Counts a confirmation mail before it is sent, and returns its id. */
async function countConfirmation(
  db: Kysely<Database>,
  user_id: number,
  address_hash: string,
  at: Date,
): Promise<number> {
  return await db.transaction().execute(async (within) => {
    // One after the other, so that the limits hold, whoever asks.
    await sql`select pg_advisory_xact_lock(hashtext('confirmation mails'))`.execute(within);
    const recent = await within
      .selectFrom('confirmation_mails')
      .select(['address_hash', 'user_id', 'sent_at'])
      .where('sent_at', '>', new Date(at.getTime() - DAY))
      .where(({ or, eb }) => or([eb('address_hash', '=', address_hash), eb('user_id', '=', user_id)]))
      .orderBy('sent_at')
      .execute();
    const { address, person } = CONFIRMATIONS_A_DAY;
    const toAddress = recent.filter((mail) => mail.address_hash === address_hash);
    const byPerson = recent.filter((mail) => mail.user_id === user_id);
    for (const [mails, most, sentence] of [
      [toAddress, address, `At most ${address} confirmation mails a day go to one address. Try again tomorrow.`],
      [byPerson, person, `At most ${person} confirmation mails a day are sent for you. Try again tomorrow.`],
    ] as const) {
      const first = mails.at(-most);
      if (first === undefined) continue;
      const retry_after = (first.sent_at.getTime() + DAY - at.getTime()) / 1000;
      throw new HttpError('too_many_requests', sentence, { retry_after });
    }
    const { id } = await within
      .insertInto('confirmation_mails')
      .values({ address_hash, user_id, sent_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

export async function storeConfirmation(
  within: Transaction<Database>,
  user_id: number,
  channel_id: number | null,
  sent: SentConfirmation,
  now: Date,
): Promise<void> {
  await within
    .insertInto('mail_confirmations')
    .values({ ...sent, user_id, channel_id, created_at: now })
    .execute();
}

/** What a link would confirm. */
export interface Confirmable {
  readonly token_hash: string;
  readonly user_id: number;
  readonly login: string;
  readonly address: string;
  /** `target` is its address as it is stored. */
  readonly channel: { readonly id: number; readonly name: string; readonly target: string } | null;
}

/** Null for a token that is forged, used, older than 24 hours, or of an address that was given up since. */
export async function findConfirmation(
  { db, box, now }: Pick<NotificationDeps, 'db' | 'box' | 'now'>,
  token: string,
): Promise<Confirmable | null> {
  const row = await db
    .selectFrom('mail_confirmations as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .leftJoin('notification_settings as s', 's.user_id', 'c.user_id')
    .leftJoin('notification_channels as h', 'h.id', 'c.channel_id')
    .select(['c.token_hash', 'c.user_id', 'c.address_hash', 'u.login', 's.mail_address'])
    .select(['h.id as channel_id', 'h.name', 'h.target_encrypted'])
    .where('c.token_hash', '=', hashOf(token))
    .where('c.used_at', 'is', null)
    .where('c.created_at', '>', new Date(now().getTime() - CONFIRMATION_HOURS * HOUR))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { token_hash, user_id, login, address_hash } = row;
  const channel =
    row.channel_id === null ? null : { id: row.channel_id, name: row.name!, target: row.target_encrypted! };
  const address =
    channel === null
      ? row.mail_address
      : (openChannel(box, { id: channel.id, target_encrypted: channel.target, secret_encrypted: null })?.target ??
        null);
  if (address === null || hashOfAddress(address) !== address_hash) return null;
  return { token_hash, user_id, login, address, channel };
}

/** Confirms an address: from now on messages go there. Null as above. */
export async function confirm(deps: NotificationDeps, token: string): Promise<Confirmable | null> {
  const found = await findConfirmation(deps, token);
  if (found === null) return null;
  const { user_id, channel, address } = found;
  const at = deps.now();
  return await deps.db.transaction().execute(async (within) => {
    // All links to this address end with the first that is used.
    const { numUpdatedRows } = await within
      .updateTable('mail_confirmations')
      .set({ used_at: at })
      .where('user_id', '=', user_id)
      .where('channel_id', 'is not distinct from', channel?.id ?? null)
      .where('address_hash', '=', hashOfAddress(address))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    if (channel === null)
      await within
        .updateTable('notification_settings')
        .set({ confirmed_mail_address: address })
        .where('user_id', '=', user_id)
        .where('mail_address', '=', address)
        .execute();
    else {
      // Its address may have become another one meanwhile, which nobody has confirmed.
      const { numUpdatedRows: confirmed } = await within
        .updateTable('notification_channels')
        .set({ confirmed_at: at })
        .where('id', '=', channel.id)
        .where('target_encrypted', '=', channel.target)
        .executeTakeFirst();
      if (confirmed === 0n) return null;
      await within
        .updateTable('notification_channels')
        .set({ paused_at: null, paused_reason: null, failures: 0, resumed_at: at })
        .where('id', '=', channel.id)
        .where('paused_reason', '=', pauseReasons.unconfirmed)
        .execute();
    }
    return found;
  });
}

/** 422 for what mail to an address that isn't confirmed would be. */
export function unconfirmed(): HttpError {
  return new HttpError('address_not_confirmed', offSentences.unconfirmed);
}
