import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelSubscription, NotificationChannel } from '#contract/notifications.ts';
import { defaultQuietHours } from '#domain/notifications/subscriptions.ts';
import { api, type CallInput } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { useUser } from '../../../session/session.tsx';
import { changedOf } from './changed-of.ts';
import { askChannels } from './questions.ts';
import { kindsFor, type Recipient, usualOptions } from './words.ts';

type Body = CallInput<'makeChannel'>['body'];

/** What a channel is to become, until it is saved. */
interface Draft
  extends Pick<
    NotificationChannel,
    'type' | 'name' | 'personal' | 'repositories' | 'team' | 'titles' | 'time_zone' | 'quiet_hours'
  > {
  /** Empty: that of before. */
  readonly address: string;
  readonly subscriptions: readonly ChannelSubscription[];
}

/** The state of the form by which a channel is changed, or made where there was none before. */
export function useChannelForm(
  before: NotificationChannel | null,
  onSaved: (channel: { readonly name: string; readonly secret?: string | undefined }) => void,
) {
  const { time_zone } = useUser();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => ({
    ...(before ?? newChannel()),
    address: '',
    time_zone: before?.time_zone ?? time_zone,
  }));
  const change = (part: Partial<Draft>) => setDraft((latest) => ({ ...latest, ...part }));
  /** Drops the kinds of messages that such a recipient does not get. */
  const changeRecipient = (recipient: Recipient) => {
    const kinds = kindsFor(recipient).map(({ kind }) => kind);
    change({
      personal: recipient === 'person',
      subscriptions: draft.subscriptions
        .filter(({ kind }) => kinds.includes(kind))
        .map((one) => (one.kind === 'stuck' ? { kind: 'stuck', ...usualOptions('stuck', recipient) } : one)),
    });
  };
  const save = useMutation({
    async mutationFn() {
      const body = bodyOf(draft, before);
      const text = draft.address.trim();
      const place = draft.type === 'mail' ? { address: text } : { url: text };
      return before === null
        ? await api.makeChannel({ body: { type: draft.type, ...body, ...place } as Body })
        : await api.changeChannel({ params: { id: before.id }, body: { ...body, ...(text !== '' && place) } });
    },
    async onSuccess(saved) {
      await queries.invalidateQueries({ queryKey: askChannels().queryKey });
      void queries.invalidateQueries({ queryKey: keyOf('previewNotification') });
      onSaved(saved);
    },
  });
  return { draft, change, changeRecipient, save };
}

function newChannel() {
  return {
    type: 'slack',
    name: '',
    personal: false,
    repositories: 'all',
    team: null,
    titles: true,
    quiet_hours: { ...defaultQuietHours, weekdays: [...defaultQuietHours.weekdays] },
    subscriptions: [{ kind: 'daily', ...usualOptions('daily', 'channel') }],
  } satisfies Partial<Draft>;
}

/**
 * Of a channel that is there, only what differs from before. The rest stays as it is stored: that may be newer, or name repositories that may
 * not be read just now.
 */
export function bodyOf(draft: Draft, before: NotificationChannel | null) {
  const { personal, titles, time_zone, quiet_hours } = draft;
  const body = {
    ...{ name: draft.name.trim(), personal, titles, time_zone, quiet_hours },
    repositories: personal || draft.repositories === 'all' ? ('all' as const) : [...draft.repositories],
    ...{ team: personal ? null : draft.team, subscriptions: [...draft.subscriptions] },
  };
  if (before === null) return body;
  // Who it is for is changed with all of its subscriptions.
  return { ...changedOf(before, body), ...(personal !== before.personal && { subscriptions: body.subscriptions }) };
}
