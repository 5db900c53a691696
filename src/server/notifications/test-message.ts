import { randomUUID } from 'node:crypto';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { testNotification } from '#contract/notifications.ts';
import { mailAddressInUse, offSentences, type PersonChannel, TEST_TEXT } from '#domain/notifications/subscriptions.ts';
import type { SignedIn } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { ownChannel } from './channels.ts';
import { unconfirmed } from './confirm.ts';
import type { Destination, NotificationDeps } from './outlets.ts';
import { openChannel } from './secrets.ts';
import { personSettings, requireChannel } from './settings.ts';

type Answer = AnswerOf<typeof testNotification>;

const stateOf = { sent: 'sent', retry: 'failed', final: 'failed', unknown: 'unknown' } as const;

/**
 * Sends a test message now, quiet hours or not, also by a channel that is paused; it is in the log and counts as nothing else.
 * @throws HttpError 404 for a channel that is unknown or somebody else's, 422 for what is off or not confirmed, 429 after five in a minute
 */
export function testMessages(deps: NotificationDeps) {
  const { db, now, outlets, limits } = deps;
  return async (user: SignedIn, channel: PersonChannel | number): Promise<Answer> => {
    const to = typeof channel === 'number' ? await toChannel(deps, user, channel) : await toPerson(deps, user, channel);
    if (outlets.off !== null) return { ok: false, status: null, message: outlets.off, took_ms: 0 };
    limits.countTest(user.id);
    const id = randomUUID();
    const at = now();
    await db
      .insertInto('notifications')
      .values({
        ...{ id, user_id: user.id, kind: 'test', state: 'sending', attempts: 1, subject: TEST_TEXT },
        ...(typeof channel === 'number' ? { channel_id: channel } : { channel }),
        ...{ due_at: at, claimed_at: at, created_at: at },
      })
      .execute();
    const began = performance.now();
    const { state, status, message } = await outlets.sendTest(id, to);
    const took_ms = Math.round(performance.now() - began);
    await db
      .updateTable('notifications')
      .set({ state: stateOf[state], finished_at: now(), last_error: state === 'sent' ? null : message })
      .where('id', '=', id)
      .execute();
    return { ok: state === 'sent', status, message, took_ms };
  };
}

async function toPerson(
  { db, outlets }: NotificationDeps,
  user: SignedIn,
  channel: PersonChannel,
): Promise<Destination> {
  const mail = await personSettings(db, user.id);
  requireChannel(outlets, mail, channel);
  return {
    user_id: user.id,
    type: channel,
    target: mailAddressInUse(mail)!,
    secret: null,
    recipient: { type: 'person', name: user.login },
  };
}

async function toChannel({ db, box, outlets }: NotificationDeps, user: SignedIn, id: number): Promise<Destination> {
  const row = await ownChannel(db, user.id, id);
  const { type, name, personal, confirmed_at } = row;
  if (type === 'mail') {
    const off = outlets.whyOff('mail');
    if (off !== null) throw new HttpError('channel_off', off);
    if (confirmed_at === null) throw unconfirmed();
  }
  const opened = openChannel(box, row);
  if (opened === null) throw new HttpError('address_unreadable', offSentences.unreadable);
  return {
    ...{ user_id: user.id, type, ...opened },
    recipient: personal ? { type: 'person', name: user.login } : { type: 'channel', name },
  };
}
