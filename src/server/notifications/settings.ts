import type { Kysely } from 'kysely';
import type { NotificationSettings } from '#contract/notifications.ts';
import {
  defaultQuietHours,
  type MailSettings,
  mailAddressInUse,
  type PersonChannel,
  personChannels,
  type QuietHours,
  wantedMailAddress,
} from '#domain/notifications/subscriptions.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { lookAtHeldAgain } from '../db/held-messages.ts';
import { HttpError } from '../http/errors.ts';
import type { HandlerInput } from '../http/serve.ts';
import { sendConfirmation, storeConfirmation, unconfirmed } from './confirm.ts';
import type { NotificationDeps } from './outlets.ts';
import {
  type CompleteSubscription,
  completeSubscriptions,
  dropWaiting,
  inOrder,
  lockUser,
  optionsOnWire,
  storeSubscriptions,
} from './subscriptions.ts';

interface PersonSettings extends MailSettings {
  readonly quiet_hours: QuietHours;
  readonly paused: boolean;
}

/** What is stored of a person, with the defaults of whoever has said nothing. */
export async function personSettings(db: Kysely<Database>, user_id: number): Promise<PersonSettings> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('notification_settings as s', 's.user_id', 'u.id')
    .select(['u.email as host_address', 's.mail_address', 's.confirmed_mail_address', 's.quiet_hours', 's.paused'])
    .where('u.id', '=', user_id)
    .executeTakeFirstOrThrow();
  return { ...row, quiet_hours: row.quiet_hours ?? defaultQuietHours, paused: row.paused ?? false };
}

export async function settingsAnswer(
  { db, outlets }: Pick<NotificationDeps, 'db' | 'outlets'>,
  user_id: number,
): Promise<NotificationSettings> {
  const { quiet_hours, paused, ...mail } = await personSettings(db, user_id);
  return {
    channels_available: personChannels.map((channel) => {
      const why = outlets.whyOff(channel);
      return { channel, available: why === null, why };
    }),
    mail: wantedMailAddress(mail),
    subscriptions: inOrder(await subscriptionsOf(db, user_id)).map((row) => ({
      ...optionsOnWire('person', row),
      channel: row.channel!,
    })),
    quiet_hours: { ...quiet_hours, weekdays: [...quiet_hours.weekdays] },
    paused,
  };
}

/** By the channels that everybody has. */
async function subscriptionsOf(db: Kysely<Database>, user_id: number) {
  return await db
    .selectFrom('notification_subscriptions')
    .select(['kind', 'channel', 'options'])
    .where('user_id', '=', user_id)
    .where('channel_id', 'is', null)
    .execute();
}

/**
 * Changes what is given. All of it or nothing: a confirmation mail that cannot be sent changes nothing.
 * @throws HttpError 400, 409, 422, 429 and 502 as docs/server.md#notifications says
 */
export async function saveSettings(
  deps: NotificationDeps,
  user: SignedIn,
  { mail, subscriptions, quiet_hours, paused }: SaveBody,
): Promise<NotificationSettings> {
  const { db, now } = deps;
  const wanted = subscriptions && completeSubscriptions('person', subscriptions);
  const before = await personSettings(db, user.id);
  const after = { ...before, ...(mail && withAddress(before, mail.address)) };
  if (wanted) requireUsable(deps, after, wanted, await subscriptionsOf(db, user.id));
  const { address, confirmed } = wantedMailAddress(after);
  const sent = mail && address !== null && !confirmed ? await sendConfirmation(deps, user, address) : null;
  const at = now();
  await db.transaction().execute(async (within) => {
    await lockUser(within, user.id);
    const values = {
      ...(mail && { mail_address: after.mail_address, confirmed_mail_address: after.confirmed_mail_address }),
      ...(quiet_hours && { quiet_hours: JSON.stringify(quiet_hours) }),
      ...(paused !== undefined && { paused }),
      ...(paused === false && before.paused && { resumed_at: at }),
    };
    if (Object.keys(values).length > 0)
      await within
        .insertInto('notification_settings')
        .values({ user_id: user.id, quiet_hours: JSON.stringify(defaultQuietHours), paused: false, ...values })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute();
    if (sent !== null) await storeConfirmation(within, user.id, null, sent, at);
    if (wanted) await storeSubscriptions(within, user.id, null, wanted, at);
    if (quiet_hours) await lookAtHeldAgain(within, user.id, at);
    if (paused) await dropWaitingOfPerson(within, user.id, at);
  });
  return await settingsAnswer(deps, user.id);
}

type SaveBody = HandlerInput<typeof import('#contract/notifications.ts').saveNotifications>['body'];

/** The mail settings once an address is wanted: that of the account at the host needs no confirmation, and no one before it is used. */
function withAddress(before: MailSettings, address: string | null): MailSettings {
  const { host_address, confirmed_mail_address } = before;
  const isHosts = address === null || address.toLowerCase() === host_address?.toLowerCase();
  if (isHosts) return { host_address, mail_address: null, confirmed_mail_address: null };
  const isConfirmed = address.toLowerCase() === confirmed_mail_address?.toLowerCase();
  return { ...before, mail_address: isConfirmed ? confirmed_mail_address : address };
}

/** @throws HttpError 422 where a new subscription could not be told: its channel is off, or its address unknown or not confirmed */
function requireUsable(
  { outlets }: NotificationDeps,
  mail: MailSettings,
  wanted: readonly CompleteSubscription[],
  stored: readonly Pick<CompleteSubscription, 'kind' | 'channel'>[],
): void {
  const isStored = (one: CompleteSubscription) =>
    stored.some(({ kind, channel }) => kind === one.kind && channel === one.channel);
  for (const { channel } of wanted.filter((one) => !isStored(one))) requireChannel(outlets, mail, channel!);
}

/** @throws HttpError 422 where nothing can be sent to a person by this channel */
export function requireChannel(outlets: NotificationDeps['outlets'], mail: MailSettings, channel: PersonChannel): void {
  const off = outlets.whyOff(channel);
  if (off !== null) throw new HttpError('channel_off', off);
  const { address, confirmed } = wantedMailAddress(mail);
  // Slack knows people by their address: one that is in use is confirmed.
  if (address === null || (channel === 'slack_dm' && mailAddressInUse(mail) === null))
    throw new HttpError('no_address', 'No mail address of yours is known. Enter one and confirm it.');
  if (channel === 'mail' && !confirmed) throw unconfirmed();
}

/** What waits for a person themselves; their channels of teams go on. */
async function dropWaitingOfPerson(within: Kysely<Database>, user_id: number, now: Date): Promise<void> {
  for (const channel of personChannels) await dropWaiting(within, { user_id, channel }, now);
  const personal = await within
    .selectFrom('notification_channels')
    .select('id')
    .where('user_id', '=', user_id)
    .where('personal', '=', true)
    .execute();
  for (const { id } of personal) await dropWaiting(within, { user_id, channel_id: id }, now);
}
