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
      why: z.string().nullable().describe("Why it is off; null where it isn't."),
    }),
  ),
  mail: z.object({
    address: z
      .string()
      .nullable()
      .describe('The one that they want mail at; null where neither they nor their account at the host name one.'),
    confirmed: z.boolean().describe('False while mail goes to the address before it, or nowhere.'),
  }),
  subscriptions: z.array(subscription),
  quiet_hours: quietHours,
  paused: z.boolean().describe('Nothing is told, and nothing kept for later.'),
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
  table: null,
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
  target: z.string().describe('The address, shortened.'),
  personal: z.boolean().describe("It takes its owner's own messages; else it is a team's."),
  repositories: z.union([z.literal('all'), z.array(z.int())]),
  team: z.int().nullable().describe('The id of a team or group.'),
  titles: z.boolean().describe('False: messages name pull requests by number alone.'),
  time_zone: z.string(),
  quiet_hours: quietHours,
  subscriptions: z.array(channelSubscription),
  paused: z.object({ since: instant, reason: z.string() }).nullable().describe('Null while it takes messages.'),
  reaches: z
    .object({ repositories: count, private: count })
    .describe('How many repositories its messages can name, and how many of them are private.'),
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
  time_zone: z.string('must be a time zone such as Europe/Berlin').max(100).nullable().describe("Null: its owner's."),
  quiet_hours: quietHours,
  subscriptions: z.array(channelSubscription, notList).max(MOST_LISTED, `must not have more than ${MOST_LISTED}`),
};

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary: 'The channels that the person has made, in the order of making.',
  access: 'session',
  scope: null,
  table: 'list',
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

const oneChannel = z.object({ id: numbered.describe('The id of a channel.') });

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
    status: z
      .string()
      .nullable()
      .describe('What the other side answered, such as `200` or `550`; null without an answer.'),
    message: z.string(),
    took_ms: z.number().min(0),
  }),
});

export const delivery = z.object({
  at: instant.describe('When it was sent, dropped or given up; of one that waits, when it came up.'),
  kind: z.enum([...kinds, 'test']),
  channel: z.union([personChannel, channelId]),
  subject: z.string().nullable().describe('Null while nothing was laid out.'),
  state: z.enum(['pending', 'held', 'sending', 'sent', 'dropped', 'failed', 'unknown']),
  attempts: count,
  last_error: z.string().nullable(),
  items: z.array(z.string()).describe('`owner/name#12`, as far as the person may read them now.'),
});
export type Delivery = z.infer<typeof delivery>;

const median = z.object({ hours, n: count });
const weekOfPerson = z.object({ opened: count, merged: count, reviews: count, response: median, first_review: median });
const weekOfTeam = z.object({
  merged: count,
  opened: count,
  first_review: median,
  merge: median,
  by_agents: share.describe('Of those opened, what agents wrote; null over nothing.'),
});

/** The body that a channel of the type `webhook` is sent (docs/server.md#notifications). */
export const webhookBody = z.object({
  id: z.uuid().describe('The same on each retry.'),
  kind: z.enum([...kinds, 'test']),
  at: instant,
  recipient: z.object({ type: z.enum(['person', 'channel']), name: z.string() }),
  period: z.string().nullable().describe('Of a digest: `2026-W47` or `2026-11-22`.'),
  items: z
    .array(workItem.extend({ title: z.string().nullable() }))
    .describe('Titles are null where the channel leaves them out.'),
  figures: z
    .union([
      z.object({ of: z.literal('person'), week: weekOfPerson, before: weekOfPerson }),
      z.object({
        ...{ of: z.literal('channel'), week: weekOfTeam, before: weekOfTeam, open: count },
        stuck: z.object({ author: count, reviewers: count, merge: count }),
      }),
    ])
    .nullable(),
  notices: z
    .array(z.object({ what: z.string(), say: z.string() }))
    .describe(
      'What needs its recipient although it is not a pull request, of `sync`: what it is about, and what to do.',
    ),
  links: z.object({ open: z.string(), settings: z.string() }),
});
export type WebhookBody = z.infer<typeof webhookBody>;

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/notifications/log',
  summary: 'Messages of the last 30 days to the person and to their channels, newest first.',
  access: 'session',
  scope: null,
  table: { list: 'deliveries' },
  status: 200,
  query: z.object({
    limit: whole(1, 200).default(50).describe('How many at most.'),
    offset: whole(0).default(0).describe('How many of the first to leave out.'),
  }),
  answer: z.object({ deliveries: z.array(delivery), total: count }),
});
