import { z } from 'zod';
import { channelTypes, kinds, personChannels } from '#domain/notifications/subscriptions.ts';
import { endpoint } from './endpoint.ts';
import { instant, numbered } from './values.ts';

const link = z.object({ label: z.string(), url: z.string() });

/** A number, and over how many things it is; null where it is a count itself. */
const figure = z.object({ value: z.string(), n: z.string().nullable() });

/** A message as people read it, whatever it is sent by. */
export const letter = z.object({
  subject: z.string(),
  headline: z.string(),
  parts: z.array(
    z.object({
      heading: z.string().nullable(),
      items: z.array(
        z.object({
          place: z.string().describe('`owner/name#12`'),
          title: z.string().nullable().describe('Null where titles are left out.'),
          why: z.string().describe('Why, and since when.'),
          url: z.string(),
          host_url: z.string(),
          host_label: z.string().describe("'open at GitHub'"),
        }),
      ),
      notices: z.array(z.object({ what: z.string(), say: z.string() })),
      rows: z.array(z.object({ label: z.string(), last: figure, before: figure.nullable() })),
    }),
  ),
  more: z.string().nullable().describe('How many more there are, in words; null for none.'),
  open: link,
  settings: link,
  stop: link.nullable().describe('Null where it cannot be stopped by a link.'),
  footer: z.string(),
});

const messageType = z.enum([...new Set([...channelTypes, ...personChannels])] as const);

/** What arrived in the inbox of a visitor of the demo. */
export const inboxMessage = z.object({
  id: z.string(),
  at: instant,
  type: messageType,
  to: z.string().describe('Where it would have gone.'),
  subject: z.string(),
  letter: letter.nullable().describe('Null of a mail that only has a text.'),
  raw: z.string().describe('Exactly what would have been sent: the text of a mail, else JSON.'),
});
export type InboxMessage = z.infer<typeof inboxMessage>;
export type Letter = z.infer<typeof letter>;

export const getDemoInbox = endpoint({
  method: 'GET',
  path: '/api/demo/inbox',
  summary: 'What would have been sent to a visitor of the demo, newest first; 404 for everybody else.',
  access: 'session',
  scope: null,
  table: { list: 'messages' },
  status: 200,
  answer: z.object({ messages: z.array(inboxMessage) }),
});

export const previewNotification = endpoint({
  method: 'GET',
  path: '/api/notifications/preview/{kind}',
  summary: 'What a message of this kind would say now, made of what the person may see; nothing is sent.',
  access: 'session',
  scope: null,
  table: null,
  status: 200,
  params: z.object({ kind: z.enum(kinds, `must be one of: ${kinds.join(', ')}`).describe('The kind of message.') }),
  query: z.object({
    channel: z
      .union([z.enum(personChannels), numbered], 'must be mail, slack_dm or the id of a channel')
      .default('mail')
      .describe('By which channel: a person’s, or the id of one of `GET /api/channels`.'),
  }),
  answer: z.object({
    type: messageType,
    to: z.string().nullable().describe('Where it would go, shortened; null where no address is known.'),
    letter: letter.nullable().describe('Null: nothing would be sent now.'),
    raw: z.string().nullable(),
  }),
});
