import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NotificationSettings } from '#contract/notifications.ts';
import { api } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { askNotifications } from './questions.ts';

/** What can be changed at once and taken back: everything but the mail address, which has to be confirmed. */
export type Change = Partial<Pick<NotificationSettings, 'subscriptions' | 'quiet_hours' | 'paused'>>;

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
  const [saved, setSaved] = useState<{ readonly words: string; readonly before: Change } | null>(null);
  const change = useMutation({
    mutationKey: [SAVE],
    scope: { id: SAVE },
    mutationFn: (body: Change) => api.saveNotifications({ body }),
    async onMutate(body) {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<NotificationSettings>(key, (shown) => shown && { ...shown, ...body });
    },
    onSuccess(answer) {
      // One that follows has been drawn already, and is not in this answer.
      if (queries.isMutating({ mutationKey: [SAVE] }) <= 1) queries.setQueryData(key, answer);
    },
    onError() {
      setSaved(null);
      return queries.invalidateQueries({ queryKey: key });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('previewNotification') }),
  });
  useEffect(() => {
    if (saved === null) return;
    const timer = setTimeout(() => setSaved(null), UNDO_FOR);
    return () => clearTimeout(timer);
  }, [saved]);
  return {
    save(body, words) {
      const shown = queries.getQueryData<NotificationSettings>(key);
      setSaved(shown === undefined ? null : { words, before: valuesOf(shown, body) });
      change.mutate(body);
    },
    saved: saved?.words ?? null,
    undo() {
      if (saved !== null) change.mutate(saved.before);
      setSaved(null);
    },
    forget: () => setSaved(null),
    isPending: change.isPending,
    error: change.error,
  };
}

const SAVE = 'saveNotifications';

/** What a change replaces. */
function valuesOf(shown: NotificationSettings, change: Change): Change {
  return {
    ...(change.subscriptions && { subscriptions: shown.subscriptions }),
    ...(change.quiet_hours && { quiet_hours: shown.quiet_hours }),
    ...(change.paused !== undefined && { paused: shown.paused }),
  };
}
