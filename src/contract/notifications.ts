import { z } from 'zod';
import {
  afterHours,
  channelTypes,
  delayMinutes,
  kinds,
  LONGEST_NAME,
  personChannels,
  repeats,
  type Weekday,
} from '#domain/notifications/subscriptions.ts';
import { endpoint } from './endpoint.ts';
import { workItem } from './my-work.ts';
import { count, hours, instant, numbered, share, whole } from './values.ts';

/** The words of the server where a part of an object is one that it doesn't know; else what fits. */
const unknownOr = (otherwise: string) => ({
  error: (issue: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys | z.core.$ZodIssueInvalidType<unknown>>) =>
    issue.code === 'unrecognized_keys' ? `has no ${issue.keys.join(', ')}` : otherwise,
});
const wholeNumber = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.int('must be a whole number').min(least, `must be ${least} or more`).max(most, `must be ${most} or less`);
const trueOrFalse = z.boolean('must be true or false');
const oneLine = (most: number) =>
  z
    .string('must be a text')
    .transform((text) => text.trim())
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => !/\p{Cc}|\u2028|\u2029/u.test(text), 'must be one line')
    .refine((text) => [...text].length <= most, `must not be longer than ${most} letters`);

const time = z
  .string('must be a time such as 09:00')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00');
const notWeekday = 'must be a day from 1 (Monday) to 7 (Sunday)';
const weekday = z.literal([1, 2, 3, 4, 5, 6, 7] satisfies Weekday[], notWeekday);
const weekdays = z
  .array(weekday, 'must be a list of days')
  .min(1, 'must name a day')
  .transform((days) => [...new Set(days)].sort());

/** When messages may come, in their recipient's zone: `off` is at any time. One whose `to` is not after `from` ends on the next day. */
export const quietHours = z.strictObject(
  { mode: z.enum(['hours', 'off'], 'must be hours or off'), from: time, to: time, weekdays },
  unknownOr('must have mode, from, to and weekdays'),
);
export type QuietHours = z.infer<typeof quietHours>;

const kind = z.enum(kinds, `must be one of: ${kinds.join(', ')}`);
const personChannel = z.enum(personChannels, `must be one of: ${personChannels.join(', ')}`);

/** Which kind takes which options, and what they are where they are left out, is in docs/server.md#notifications. */
const options = {
  delay: wholeNumber(delayMinutes).optional(),
  team_review: trueOrFalse.optional(),
  after: wholeNumber(afterHours).optional(),
  repeat: z.literal([null, ...repeats], `must be null, ${repeats.join(' or ')}`).optional(),
  mine: trueOrFalse.optional(),
  humans_only: trueOrFalse.optional(),
  skip_failing: trueOrFalse.optional(),
  time: time.optional(),
  weekdays: weekdays.optional(),
  weekday: weekday.optional(),
};

/** Of a channel that somebody made. */
export const channelSubscription = z.strictObject({ kind, ...options }, unknownOr('must be a subscription'));
export type ChannelSubscription = z.infer<typeof channelSubscription>;

/** Of a channel that everybody has. */
export const subscription = z.strictObject(
  { kind, channel: personChannel, ...options },
  unknownOr('must be a subscription'),
);
export type Subscription = z.infer<typeof subscription>;

const MOST_LISTED = 1000;
const notList = 'must be a list';

export const notificationSettings = z.object({
  channels_available: z.array(
    z.object({
      channel: personChannel,
      available: z.boolean(),
      /** Why it is off; null where it isn't. */
      why: z.string().nullable(),
    }),
  ),
  mail: z.object({
    /** The one that they want mail at; null where neither they nor their account at the host name one. */
    address: z.string().nullable(),
    /** False while mail goes to the address before it, or nowhere. */
    confirmed: z.boolean(),
  }),
  subscriptions: z.array(subscription),
  quiet_hours: quietHours,
  /** Nothing is told, and nothing kept for later. */
  paused: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

const mailAddress = z
  .string('must be a mail address')
  .transform((text) => text.trim())
  .refine(
    (text) =>
      text.length <= 254 && /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@[^\s@"(),:;<>[\]\\\p{Cc}]+\.[^\s@.]+$/u.test(text),
    'must be a mail address',
  );

export const getNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'What the person wants to be told by mail and Slack, when, and which of these are available.',
  access: 'session',
  scope: null,
  status: 200,
  answer: notificationSettings,
});

export const saveNotifications = endpoint({
  method: 'PUT',
  path: '/api/notifications',
  summary:
    'Changes what the person is told; what is left out stays. `subscriptions` is the whole list; a new mail address gets a mail by which it is confirmed.',
  access: 'session',
  scope: null,
  status: 200,
  body: z
    .object({
      mail: z.strictObject({ address: mailAddress.nullable() }, unknownOr('must have an address, or null')),
      subscriptions: z.array(subscription, notList).max(MOST_LISTED, `must not have more than ${MOST_LISTED}`),
      quiet_hours: quietHours,
      paused: trueOrFalse,
    })
    .partial(),
  answer: notificationSettings,
});

const channelId = z.int();

export const notificationChannel = z.object({
  id: channelId,
  type: z.enum(channelTypes),
  name: z.string(),
  /** The address, shortened. */
  target: z.string(),
  /** It takes its owner's own messages; else it is a team's. */
  personal: z.boolean(),
  repositories: z.union([z.literal('all'), z.array(z.int())]),
  /** The id of a team or group. */
  team: z.int().nullable(),
  /** False: messages name pull requests by number alone. */
  titles: z.boolean(),
  time_zone: z.string(),
  quiet_hours: quietHours,
  subscriptions: z.array(channelSubscription),
  /** Null while it takes messages. */
  paused: z.object({ since: instant, reason: z.string() }).nullable(),
  /** How many repositories its messages can name, and how many of them are private. */
  reaches: z.object({ repositories: count, private: count }),
  created_at: instant,
});
export type NotificationChannel = z.infer<typeof notificationChannel>;

/** With what its messages are signed with where that was made just now, of webhooks alone; it is not shown again. */
const channelWithSecret = notificationChannel.extend({ secret: z.string().optional() });

const given = {
  name: oneLine(LONGEST_NAME),
  url: z.string('must be a text').max(2000, 'must not be longer than 2000 letters').optional(),
  address: mailAddress.optional(),
  personal: trueOrFalse,
  repositories: z.union(
    [z.literal('all'), z.array(numbered).max(MOST_LISTED)],
    'must be all, or a list of ids of repositories',
  ),
  team: numbered.nullable(),
  titles: trueOrFalse,
  /** Null: its owner's. */
  time_zone: z.string('must be a time zone such as Europe/Berlin').max(100).nullable(),
  quiet_hours: quietHours,
  subscriptions: z.array(channelSubscription, notList).max(MOST_LISTED, `must not have more than ${MOST_LISTED}`),
};

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary: 'The channels that the person has made, in the order of making.',
  access: 'session',
  scope: null,
  status: 200,
  answer: z.array(notificationChannel),
});

export const makeChannel = endpoint({
  method: 'POST',
  path: '/api/channels',
  summary:
    'Makes a channel: `url` of Slack, Teams or a webhook, or the `address` of a mailing list, which is asked to confirm.',
  access: 'session',
  scope: null,
  status: 201,
  body: z.object({
    ...given,
    type: z.enum(channelTypes, `must be one of: ${channelTypes.join(', ')}`),
    personal: given.personal.default(false),
    repositories: given.repositories.default('all'),
    team: given.team.default(null),
    titles: given.titles.default(true),
    time_zone: given.time_zone.default(null),
    quiet_hours: given.quiet_hours.optional(),
    subscriptions: given.subscriptions.default([]),
  }),
  answer: channelWithSecret,
});

const oneChannel = z.object({ id: numbered });

export const changeChannel = endpoint({
  method: 'PATCH',
  path: '/api/channels/{id}',
  summary:
    'Changes a channel; what is left out stays. Another address needs to be whole, makes a new secret, and drops what was waiting for the old one.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneChannel,
  body: z.object(given).partial(),
  answer: channelWithSecret,
});

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/{id}',
  summary: 'Deletes a channel with its subscriptions and what the log has of it.',
  access: 'session',
  scope: null,
  status: 204,
  params: oneChannel,
});

export const resumeChannel = endpoint({
  method: 'POST',
  path: '/api/channels/{id}/resume',
  summary: 'Goes on with a paused channel; 409 when it isn’t paused.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneChannel,
  answer: notificationChannel,
});

export const renewChannelSecret = endpoint({
  method: 'POST',
  path: '/api/channels/{id}/secret',
  summary: 'Makes a new secret of a webhook; from now on messages are signed with it.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneChannel,
  answer: z.object({ secret: z.string() }),
});

export const testNotification = endpoint({
  method: 'POST',
  path: '/api/notifications/test',
  summary: 'Sends a test message by a channel now and returns what came of it; a failure is an answer, too.',
  access: 'session',
  scope: null,
  status: 200,
  body: z.object({ channel: z.union([personChannel, numbered], 'must be mail, slack_dm or the id of a channel') }),
  answer: z.object({
    ok: z.boolean(),
    /** What the other side answered, such as `200` or `550`; null without an answer. */
    status: z.string().nullable(),
    message: z.string(),
    took_ms: z.number().min(0),
  }),
});

export const delivery = z.object({
  /** When it was sent, dropped or given up; of one that waits, when it came up. */
  at: instant,
  kind: z.enum([...kinds, 'test']),
  channel: z.union([personChannel, channelId]),
  /** Null while nothing was laid out. */
  subject: z.string().nullable(),
  state: z.enum(['pending', 'held', 'sending', 'sent', 'dropped', 'failed', 'unknown']),
  attempts: count,
  last_error: z.string().nullable(),
  /** `owner/name#12`, as far as the person may read them now. */
  items: z.array(z.string()),
});
export type Delivery = z.infer<typeof delivery>;

const median = z.object({ hours, n: count });
const weekOfPerson = z.object({ opened: count, merged: count, reviews: count, response: median, first_review: median });
const weekOfTeam = z.object({
  merged: count,
  opened: count,
  first_review: median,
  merge: median,
  /** Of those opened, what agents wrote; null over nothing. */
  by_agents: share,
});

/** The body that a channel of the type `webhook` is sent (docs/server.md#notifications). */
export const webhookBody = z.object({
  /** The same on each retry. */
  id: z.uuid(),
  kind: z.enum([...kinds, 'test']),
  at: instant,
  recipient: z.object({ type: z.enum(['person', 'channel']), name: z.string() }),
  /** Of a digest: `2026-W47` or `2026-11-22`. */
  period: z.string().nullable(),
  /** Titles are null where the channel leaves them out. */
  items: z.array(workItem.extend({ title: z.string().nullable() })),
  figures: z
    .union([
      z.object({ of: z.literal('person'), week: weekOfPerson, before: weekOfPerson }),
      z.object({
        ...{ of: z.literal('channel'), week: weekOfTeam, before: weekOfTeam, open: count },
        stuck: z.object({ author: count, reviewers: count, merge: count }),
      }),
    ])
    .nullable(),
  links: z.object({ open: z.string(), settings: z.string() }),
});
export type WebhookBody = z.infer<typeof webhookBody>;

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/notifications/log',
  summary: 'Messages of the last 30 days to the person and to their channels, newest first.',
  access: 'session',
  scope: null,
  status: 200,
  query: z.object({ limit: whole(1, 200).default(50), offset: whole(0).default(0) }),
  answer: z.object({ deliveries: z.array(delivery), total: count }),
});
