import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NotificationSettings, Subscription } from '#contract/notifications.ts';
import { api } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { askNotifications } from './questions.ts';

type Subscriptions = NotificationSettings['subscriptions'];

/** What can be changed at once and taken back: everything but the mail address, which has to be confirmed. */
export interface Change extends Partial<Pick<NotificationSettings, 'quiet_hours' | 'paused'>> {
  /** One kind by one channel: on, or off where `to` is null. */
  readonly subscription?: Pick<Subscription, 'kind' | 'channel'> & { readonly to: Subscription | null };
}

/** How long a change can be taken back, in milliseconds. */
const UNDO_FOR = 8_000;

/** Shown and saved at once, one change after the other; a change that failed is taken off the screen again. */
export interface Saving {
  /** `words` say what was done: 'Daily by mail is off'. */
  readonly save: (change: Change, words: string) => void;
  /** What was saved last, for as long as it can be taken back; null else. */
  readonly saved: string | null;
  readonly undo: () => void;
  /** The change before can be taken back no more: what is saved now would be lost with it. */
  readonly forget: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

export function useSaving(): Saving {
  const queries = useQueryClient();
  const key = askNotifications().queryKey;
  const [saved, setSaved] = useState<{
    readonly words: string;
    readonly change: Change;
    readonly before: Change;
  } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const change = useMutation({
    ...inTurn,
    mutationFn: async ({ subscription, ...body }: Change) =>
      subscription === undefined
        ? await api.saveNotifications({ body })
        : await saveSubscriptions((stored) => withSubscription(stored, subscription)),
    async onMutate({ subscription, ...body }) {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<NotificationSettings>(
        key,
        (shown) =>
          shown && {
            ...shown,
            ...body,
            ...(subscription && { subscriptions: withSubscription(shown.subscriptions, subscription) }),
          },
      );
    },
    onSuccess(answer) {
      // One that follows has been drawn already, and is not in this answer.
      if (queries.isMutating({ mutationKey: inTurn.mutationKey }) <= 1) queries.setQueryData(key, answer);
    },
    onError(why, failed) {
      setError(why);
      // The line may be about one that followed.
      setSaved((now) => (now?.change === failed ? null : now));
      return queries.invalidateQueries({ queryKey: key });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('previewNotification') }),
  });
  useEffect(() => {
    if (saved === null) return;
    const timer = setTimeout(() => setSaved(null), UNDO_FOR);
    return () => clearTimeout(timer);
  }, [saved]);
  const start = (wanted: Change) => {
    // Of several changes that wait for one another, what went wrong with any stays in sight.
    if (!change.isPending) setError(null);
    change.mutate(wanted);
  };
  return {
    save(wanted, words) {
      const shown = queries.getQueryData<NotificationSettings>(key);
      setSaved(shown === undefined ? null : { words, change: wanted, before: valuesOf(shown, wanted) });
      start(wanted);
    },
    saved: saved?.words ?? null,
    undo() {
      if (saved !== null) start(saved.before);
      setSaved(null);
    },
    forget: () => setSaved(null),
    isPending: change.isPending,
    error,
  };
}

/** The options of every mutation of notifications here: one is made after the other. */
export const inTurn = { mutationKey: ['saveNotifications'], scope: { id: 'saveNotifications' } };

/** Changes what is stored now: a link in a mail, or another page, may have changed it since it was fetched. */
export async function saveSubscriptions(change: (stored: Subscriptions) => Subscriptions) {
  const { subscriptions } = await api.getNotifications();
  return await api.saveNotifications({ body: { subscriptions: change(subscriptions) } });
}

type Switched = NonNullable<Change['subscription']>;

const isOf =
  ({ kind, channel }: Switched) =>
  (one: Subscription) =>
    one.kind === kind && one.channel === channel;

function withSubscription(all: Subscriptions, switched: Switched): Subscriptions {
  const others = all.filter((one) => !isOf(switched)(one));
  return switched.to === null ? others : [...others, switched.to];
}

/** What a change replaces. */
function valuesOf(shown: NotificationSettings, change: Change): Change {
  const { subscription } = change;
  return {
    ...(subscription && {
      subscription: { ...subscription, to: shown.subscriptions.find(isOf(subscription)) ?? null },
    }),
    ...(change.quiet_hours && { quiet_hours: shown.quiet_hours }),
    ...(change.paused !== undefined && { paused: shown.paused }),
  };
}
