import type { WorkItem } from '#contract/my-work.ts';
import type { Message } from '#domain/notifications/message.ts';
import { offSentences } from '#domain/notifications/subscriptions.ts';
import { layOut, subjectOf } from '#domain/notifications/texts.ts';
import type { Config } from '../config.ts';
import type { Destination, Outlets } from './outlets.ts';
import { mailOf } from './render/mail.ts';
import { slackOf } from './render/slack.ts';
import { teamsOf } from './render/teams.ts';
import { webhookHeaders, webhookOf } from './render/webhook.ts';
import { sendMail } from './send/mail.ts';
import { nameLookups } from './send/name-lookups.ts';
import type { Outcome } from './send/outcome.ts';
import { type PostSettings, post } from './send/post.ts';
import { sendSlackDm } from './send/slack-dm.ts';
import { checkTarget, problemOfTarget } from './send/targets.ts';

export interface OutletDeps {
  readonly config: Pick<Config, 'mail' | 'slack' | 'allow_private_webhooks' | 'notifications' | 'public_url'>;
  readonly now: () => Date;
  /** Of the outside: authorities and the resolver, where these are not the system's. */
  readonly network?: Partial<Pick<PostSettings, 'ca' | 'resolve'>>;
}

/** What can be sent by these settings. */
export function outletsOf({ config, now, network = {} }: OutletDeps): Outlets {
  const { mail, slack, allow_private_webhooks, notifications, public_url } = config;
  const lookups = nameLookups(now, network.resolve);
  /** Where and how what is one person's is sent. */
  const postingOf = (user_id: number): PostSettings => ({
    ...{ ...network, resolve: lookups(user_id), allowPrivate: allow_private_webhooks, now },
  });
  const isHttps = public_url.startsWith('https:');
  const hostname = new URL(public_url).hostname;

  async function send(to: Destination, message: Message<WorkItem>): Promise<Outcome> {
    const letter = layOut(message, public_url);
    const posting = postingOf(to.user_id);
    const json = { 'content-type': 'application/json' };
    if (to.type === 'slack' || to.type === 'teams' || to.type === 'webhook') {
      // ALLOW_PRIVATE_WEBHOOKS may have been on when the channel was made.
      const problem = problemOfTarget(to.target, to.type, posting);
      if (problem !== null) return off(`The address ${problem}.`);
    }
    switch (to.type) {
      case 'mail': {
        if (mail === null) return off(offSentences.mail);
        const { unsubscribe } = message.links;
        return await sendMail(mail, {
          to: to.target,
          subject: letter.subject,
          ...mailOf(letter),
          message_id: `<${message.id}@${hostname}>`,
          headers: {
            'X-Mergelight-Delivery': message.id,
            ...(unsubscribe !== null &&
              isHttps && {
                'List-Unsubscribe': `<${unsubscribe}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
          },
        });
      }
      case 'slack_dm':
        return slack === null
          ? off(offSentences.slack_dm)
          : await sendSlackDm(slack, to.target, slackOf(letter), posting);
      case 'slack':
        return await post(to.target, JSON.stringify(slackOf(letter)), json, posting);
      case 'teams':
        return await post(to.target, JSON.stringify(teamsOf(letter)), json, posting);
      case 'webhook': {
        const body = JSON.stringify(webhookOf(message));
        return await post(
          to.target,
          body,
          { ...json, ...webhookHeaders(message, body, to.secret ?? '', now()) },
          posting,
        );
      }
    }
  }

  return {
    off: notifications ? null : offSentences.sending,
    whyOff: (channel) => (config[channel === 'mail' ? 'mail' : 'slack'] === null ? offSentences[channel] : null),
    checkTarget: (user_id, url, type) => checkTarget(url, type, postingOf(user_id)),
    async sendMail(given) {
      return mail === null ? off(offSentences.mail) : await sendMail(mail, given);
    },
    sendTest: (id, to) => send(to, testMessage(id, to, public_url, now())),
    subjectOf,
    send,
  };
}

function off(message: string): Outcome {
  return { state: 'final', status: null, message, retryAfter: null, gone: false };
}

/** What a test says, wherever it goes. */
export function testMessage(
  id: string,
  { recipient }: Pick<Destination, 'recipient'>,
  public_url: string,
  now: Date,
): Message<WorkItem> {
  return {
    ...{ id, kind: 'test', at: now.getTime(), recipient, zone: 'UTC', titles: true, period: null },
    ...{ items: [], sections: [], more: 0, others_turn: 0, figures: null, notices: [] },
    ...{ stuck_after: null, left_out: 0, schedule: null, made_by: null },
    links: { open: `${public_url}/my-work`, settings: `${public_url}/settings/notifications`, unsubscribe: null },
  };
}
