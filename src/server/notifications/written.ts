import type { WorkItem } from '#contract/my-work.ts';
import type { Message } from '#domain/notifications/message.ts';
import { type Letter, layOut } from '#domain/notifications/texts.ts';
import type { Destination } from './outlets.ts';
import { mailOf } from './render/mail.ts';
import { slackOf } from './render/slack.ts';
import { teamsOf } from './render/teams.ts';
import { webhookOf } from './render/webhook.ts';

/** A message for somebody to look at: as it reads, and exactly as it is sent, the text of a mail or JSON. */
export function written(
  type: Destination['type'],
  message: Message<WorkItem>,
  public_url: string,
): { readonly letter: Letter; readonly raw: string } {
  const letter = layOut(message, public_url);
  const json = (body: unknown) => JSON.stringify(body, null, 2);
  switch (type) {
    case 'mail':
      return { letter, raw: mailOf(letter).text };
    case 'slack':
    case 'slack_dm':
      return { letter, raw: json(slackOf(letter)) };
    case 'teams':
      return { letter, raw: json(teamsOf(letter)) };
    case 'webhook':
      return { letter, raw: json(webhookOf(message)) };
  }
}
