import { mailAddressInUse, offSentences } from '#domain/notifications/subscriptions.ts';
import type { Said } from './content.ts';
import type { Destination, NotificationDeps } from './outlets.ts';
import { type Recipient, subscriptionTo } from './recipients.ts';
import { openChannel } from './secrets.ts';
import { personSettings } from './settings.ts';
import { unsubscribeToken } from './unsubscribe.ts';
import type { Sending } from './worker.ts';

type SendingDeps = Omit<NotificationDeps, 'limits'>;

const NO_ADDRESS = 'No mail address of theirs is known';

/** Gets messages ready for the channel of their recipient. A sentence where that is off, or has no address that is confirmed. */
export function addressing(deps: SendingDeps): (to: Recipient, said: Said) => Promise<Sending | string> {
  const { outlets, public_url } = deps;
  return async (to, said) => {
    if (outlets.off !== null) return outlets.off;
    const found = await (to.channel === null ? channelOf(deps, to, to.channel_id!) : personOf(deps, to, to.channel));
    if (typeof found === 'string') return found;
    const { destination, titles } = found;
    const mailed = to.channel === 'mail' && said.kind !== 'test';
    const token = mailed ? await unsubscribeToken(deps, to.user_id, said.kind) : null;
    const message = {
      ...said,
      titles,
      recipient: destination.recipient,
      ...toldTo(to, said.kind, public_url, token === null ? null : `${public_url}/unsubscribe/${token}`),
    };
    return { message, subject: outlets.subjectOf(message), send: () => outlets.send(destination, message) };
  };
}

/** What a message says because of whom it is for. */
export function toldTo(
  to: Recipient,
  kind: Said['kind'],
  public_url: string,
  unsubscribe: string | null,
): Pick<Sending['message'], 'stuck_after' | 'schedule' | 'made_by' | 'links'> {
  return {
    stuck_after: kind === 'stuck' ? (subscriptionTo(to, 'stuck')?.options.after ?? null) : null,
    schedule: kind === 'daily' || kind === 'weekly' ? (subscriptionTo(to, kind)?.options ?? to.hours) : to.hours,
    made_by: to.channel === null ? to.owner.login : null,
    links: {
      open: `${public_url}/${to.team === null ? 'my-work' : 'dashboard'}`,
      settings: `${public_url}/settings/notifications`,
      unsubscribe,
    },
  };
}

interface Found {
  readonly destination: Destination;
  readonly titles: boolean;
}

async function personOf(
  { db, outlets }: SendingDeps,
  to: Recipient,
  channel: NonNullable<Recipient['channel']>,
): Promise<Found | string> {
  const off = outlets.whyOff(channel);
  if (off !== null) return off;
  const target = mailAddressInUse(await personSettings(db, to.user_id));
  if (target === null) return NO_ADDRESS;
  const recipient = { type: 'person', name: to.owner.login } as const;
  return { destination: { user_id: to.user_id, type: channel, target, secret: null, recipient }, titles: true };
}

async function channelOf({ db, box, outlets }: SendingDeps, to: Recipient, id: number): Promise<Found | string> {
  const row = await db
    .selectFrom('notification_channels')
    .select(['id', 'type', 'name', 'titles', 'target_encrypted', 'secret_encrypted', 'confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { type, name, titles, confirmed_at } = row;
  if (type === 'mail') {
    const off = outlets.whyOff('mail');
    if (off !== null) return off;
    if (confirmed_at === null) return offSentences.unconfirmed;
  }
  const opened = openChannel(box, row);
  if (opened === null) return offSentences.unreadable;
  const destination = {
    ...{ user_id: to.user_id, type, ...opened },
    recipient:
      to.team === null ? ({ type: 'person', name: to.owner.login } as const) : ({ type: 'channel', name } as const),
  };
  return { destination, titles };
}
