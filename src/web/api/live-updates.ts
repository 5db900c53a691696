import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endpoints } from '#contract/endpoints.ts';
import type { SyncEvent } from '#contract/sync.ts';
import { keyOf } from './query.ts';
import { askMyWork } from './questions.ts';

/** However many changes arrive, figures on screen are asked for again at most this often (milliseconds). */
const AT_MOST_EVERY = 3_000;

/** How long after a refusal the stream is asked for again (milliseconds). */
const AGAIN_AFTER = 60_000;

/**
 * Keeps one stream of server-sent events open while someone is signed in, and asks again for what is on screen when a
 * repository's data has changed. Without the stream the pages' own polling goes on.
 */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let events: EventSource;
    let again: ReturnType<typeof setTimeout> | undefined;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const onMessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as SyncEvent;
      if (event.type === 'my-work') {
        // The number moves at once, the lists follow.
        queries.setQueryData(askMyWork().queryKey, (before) => before && { ...before, counts: event.counts });
        void queries.invalidateQueries({ queryKey: keyOf('getMyWork') });
      }
      if (event.type !== 'changed') return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void queries.invalidateQueries();
      }, AT_MOST_EVERY);
    };
    const open = () => {
      events = new EventSource(endpoints.watchSyncs.path);
      events.addEventListener('message', onMessage);
      // The browser connects again by itself unless the server refused, as where too many pages are open.
      events.addEventListener('error', () => {
        if (events.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_AFTER);
      });
    };
    open();
    return () => {
      clearTimeout(waiting);
      clearTimeout(again);
      events.close();
    };
  }, [queries]);
}
