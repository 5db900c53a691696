import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { previewNotification } from '#contract/message-previews.ts';
import { defaultOptions, type Kind, mailAddressInUse, PERSON_ALONE } from '#domain/notifications/subscriptions.ts';
import type { SignedIn } from '../context.ts';
import { invalidValue } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { toldTo } from './addressing.ts';
import { ownChannel } from './channels.ts';
import { type ContentDeps, saidNow } from './content.ts';
import { wire } from './demo-inbox.ts';
import type { NotificationDeps } from './outlets.ts';
import { recipientOfKind } from './recipients.ts';
import { personSettings } from './settings.ts';
import { written } from './written.ts';

type Channel = QueryOf<typeof previewNotification>['channel'];

/**
 * What a message would say now if it came by this channel, whether its kind is wanted or not; nothing is sent, kept or counted.
 * @throws HttpError 404 for a channel that is unknown or somebody else's, 400 for a kind that the channel of a team is not told
 */
async function previewOf(
  deps: NotificationDeps,
  content: PreviewDeps,
  user: SignedIn,
  kind: Kind,
  channel: Channel,
): Promise<AnswerOf<typeof previewNotification>> {
  const { db, now, public_url } = deps;
  const own = typeof channel === 'number' ? await ownChannel(db, user.id, channel) : null;
  if (own !== null && !own.personal && !(kind in defaultOptions.channel)) throw invalidValue('kind', PERSON_ALONE);
  const type = own?.type ?? (channel as Exclude<Channel, number>);
  const target = own === null ? mailAddressInUse(await personSettings(db, user.id)) : null;
  const to = await recipientOfKind(
    db,
    own === null
      ? { user_id: user.id, channel: type as Exclude<Channel, number>, channel_id: null }
      : { user_id: user.id, channel: null, channel_id: own.id },
    kind,
  );
  const said = await saidNow(content, kind, to, now());
  const shown = own === null ? target : own.shown;
  if (said === null) return { type, to: shown, letter: null, raw: null };
  const message = {
    ...said,
    titles: own?.titles ?? true,
    recipient:
      own === null || own.personal
        ? ({ type: 'person', name: user.login } as const)
        : ({ type: 'channel', name: own.name } as const),
    ...toldTo(to, kind, public_url, null),
  };
  const { letter, raw } = written(type, message, public_url);
  return { type, to: shown, letter: wire(letter), raw };
}

type PreviewDeps = Pick<ContentDeps, 'db' | 'seenBy' | 'deskOf'>;

export function previewRoutes(deps: NotificationDeps, content: PreviewDeps): Handlers<'previewNotification'> {
  return {
    previewNotification: async ({ user, params, query }) =>
      await previewOf(deps, content, user, params.kind, query.channel),
  };
}
