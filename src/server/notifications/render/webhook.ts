import { createHmac } from 'node:crypto';
import type { WorkItem } from '#contract/my-work.ts';
import type { WebhookBody } from '#contract/notifications.ts';
import type { Message } from '#domain/notifications/message.ts';
import { plainLine } from '#domain/notifications/texts.ts';

/** The body of a webhook (docs/server.md#notifications). */
export function webhookOf(message: Message<WorkItem>): WebhookBody {
  const { id, kind, at, recipient, period, items, titles, figures, notices, links } = message;
  return {
    ...{ id, kind, at: new Date(at).toISOString(), recipient, period, figures },
    items: items.map((item) => ({ ...item, title: titles ? plainLine(item.title) : null })),
    notices: notices.map(({ what, say }) => ({ what: plainLine(what), say: plainLine(say) })),
    links: { open: links.open, settings: links.settings },
  };
}

/** The headers that say what it is and that it is from here: an HMAC over the moment, a dot and the body, with the channel's secret. */
export function webhookHeaders(
  { id, kind }: Pick<Message<unknown>, 'id' | 'kind'>,
  body: string,
  secret: string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    'X-Mergelight-Event': kind,
    'X-Mergelight-Delivery': id,
    'X-Mergelight-Timestamp': timestamp,
    'X-Mergelight-Signature': `sha256=${signature}`,
  };
}
