import type { Kysely } from 'kysely';
import type { WorkItem } from '#contract/my-work.ts';
import type { Message } from '#domain/notifications/message.ts';
import type { ChannelType, PersonChannel } from '#domain/notifications/subscriptions.ts';
import type { Database } from '../db/database.ts';
import type { SecretBox } from '../secret-box.ts';
import type { NotificationLimits } from './limits.ts';
import type { Outcome } from './send/outcome.ts';

export type { Outcome };
/** The same of what is not sent again. */
export type Sent = Pick<Outcome, 'state' | 'status' | 'message'>;

/** Where a message goes. */
export interface Destination {
  /** Whose message it is: the channel's owner. */
  readonly user_id: number;
  readonly type: ChannelType | PersonChannel;
  /** A URL, or a mail address: Slack knows people by theirs. */
  readonly target: string;
  /** What a webhook's messages are signed with; null of all others. */
  readonly secret: string | null;
  readonly recipient: { readonly type: 'person' | 'channel'; readonly name: string };
}

/** A mail that is about no pull request. */
export interface PlainMail {
  /** Because of whom it is sent. */
  readonly user_id: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What this server can send, by its settings. */
export interface Outlets {
  /** Why nothing is sent at all; null where sending is on. */
  readonly off: string | null;
  /** Why a channel that everybody has is off; null where it isn't. */
  whyOff(channel: PersonChannel): string | null;
  /** What is wrong with the address of this person's channel, null where nothing is. A name that doesn't resolve is not wrong. */
  checkTarget(user_id: number, url: string, type: Exclude<ChannelType, 'mail'>): Promise<string | null>;
  sendMail(mail: PlainMail): Promise<Sent>;
  /** Sends a test message, whose `id` is that of its row in the log. */
  sendTest(id: string, to: Destination): Promise<Sent>;
  /** A message's subject, by which the log names it. */
  subjectOf(message: Message<WorkItem>): string;
  /** Sends a message; what the other side does wrong is an outcome. */
  send(to: Destination, message: Message<WorkItem>): Promise<Outcome>;
}

/** Dependencies of the calls about notifications, injected by compose.ts. */
export interface NotificationDeps {
  readonly db: Kysely<Database>;
  readonly box: SecretBox;
  readonly now: () => Date;
  readonly public_url: string;
  readonly outlets: Outlets;
  readonly limits: NotificationLimits;
}
