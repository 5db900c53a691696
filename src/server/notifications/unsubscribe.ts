import { type Kind, UNSUBSCRIBE_DAYS } from '#domain/notifications/subscriptions.ts';
import { sealedAs } from '../secret-box.ts';
import { hashOf } from '../sha256.ts';
import type { NotificationDeps } from './outlets.ts';
import { newToken } from './secrets.ts';
import { dropWaiting, lockUser } from './subscriptions.ts';

const DAY = 86_400_000;
/** Mails of a kind carry the same token for so long, so that a daily one makes no row each day. */
const SHARED_FOR = 30 * DAY;

type UnsubscribeDeps = Pick<NotificationDeps, 'db' | 'box' | 'now'>;

/** The token by which a mail to a person lets them stop its kind: good for a year from now. It says nothing by itself. */
export async function unsubscribeToken(
  { db, box, now }: UnsubscribeDeps,
  user_id: number,
  kind: Kind,
): Promise<string> {
  const at = now().getTime();
  const good_until = new Date(at + UNSUBSCRIBE_DAYS * DAY);
  const stored = await db
    .selectFrom('unsubscribe_tokens')
    .select(['token_hash', 'token_encrypted', 'good_until'])
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('created_at', '>', new Date(at - SHARED_FOR))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // A mail gets another token where the stored one cannot be opened.
  const opened = stored && box.openOrNull(stored.token_encrypted, sealedAs.unsubscribeToken(stored.token_hash));
  if (stored && opened) {
    if (stored.good_until < good_until)
      await db
        .updateTable('unsubscribe_tokens')
        .set({ good_until })
        .where('token_hash', '=', stored.token_hash)
        .execute();
    return opened;
  }
  const { token, token_hash } = newToken();
  const token_encrypted = box.seal(token, sealedAs.unsubscribeToken(token_hash));
  await db
    .insertInto('unsubscribe_tokens')
    .values({ token_hash, user_id, kind, token_encrypted, created_at: new Date(at), good_until })
    .execute();
  return token;
}

/** What a token stops: mails of this kind to this person. Null for one that is forged or older than a year. */
export async function findUnsubscription(
  { db, now }: Pick<UnsubscribeDeps, 'db' | 'now'>,
  token: string,
): Promise<{ readonly user_id: number; readonly kind: Kind } | null> {
  const row = await db
    .selectFrom('unsubscribe_tokens')
    .select(['user_id', 'kind'])
    .where('token_hash', '=', hashOf(token))
    .where('good_until', '>', now())
    .executeTakeFirst();
  return row ?? null;
}

/** Stops a kind by mail, however often; what waits to be mailed of it does not come. Null as above. */
export async function unsubscribe(
  { db, now }: UnsubscribeDeps,
  token: string,
): Promise<{ readonly kind: Kind } | null> {
  const found = await findUnsubscription({ db, now }, token);
  if (found === null) return null;
  const { user_id, kind } = found;
  await db.transaction().execute(async (within) => {
    await lockUser(within, user_id);
    await within
      .deleteFrom('notification_subscriptions')
      .where('user_id', '=', user_id)
      .where('channel', '=', 'mail')
      .where('kind', '=', kind)
      .execute();
    // Alerts of other kinds wait in the same message: what it has of this kind is left out when it is sent.
    if (kind === 'daily' || kind === 'weekly') await dropWaiting(within, { user_id, channel: 'mail', kind }, now());
  });
  return { kind };
}
