import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endpoints } from '#contract/endpoints.ts';
import type { SyncEvent } from '#contract/sync.ts';

/** However many changes arrive, figures on screen are asked for again at most this often (milliseconds). */
const AT_MOST_EVERY = 3_000;

/**
 * Keeps one stream of server-sent events open while someone is signed in, and asks again for what is on screen when a
 * repository's data has changed. Without the stream the pages' own polling goes on.
 */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const events = new EventSource(endpoints.watchSyncs.path);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const onMessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as SyncEvent;
      if (event.type !== 'changed') return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void queries.invalidateQueries();
      }, AT_MOST_EVERY);
    };
    events.addEventListener('message', onMessage);
    return () => {
      clearTimeout(waiting);
      events.close();
    };
  }, [queries]);
}
