import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endpoints } from '#contract/endpoints.ts';
import type { SyncEvent } from '#contract/sync.ts';
import { keyOf } from './query.ts';
import { askMyWork } from './questions.ts';

/** However many changes arrive, figures on screen are asked for again at most this often (milliseconds). */
const AT_MOST_EVERY = 3_000;

/** What is polled at least this often is left to that (milliseconds). */
const POLLED_EVERY = 5_000;

/** How long after a refusal the stream is asked for again (milliseconds). */
const AGAIN_AFTER = 60_000;

/** What the host is asked for, page by page, by the names of the endpoints: no change of what is stored changes it. */
const OF_HOST = /^(listAvailable|estimate)/;

/** An event of the server, or `opened`: a stream was opened, and what changed while there was none is not told. */
export type LiveEvent = SyncEvent | { readonly type: 'opened' };

/**
 * Hears of changes while `person` is signed in, and asks again for what is on screen when a repository's data has changed, or may have.
 * Without the stream of server-sent events the pages' own polling goes on. `check` is called where the session may be another than it was:
 * the server refused the stream, as when it has ended, or there was none for a while.
 */
export function useLiveUpdates(person: string, check: () => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    const { onEvent, stop } = refetching(queries);
    const onLive = (event: LiveEvent) => {
      onEvent(event);
      if (event.type === 'opened' && !document.hidden) check();
    };
    const leave = listen(`live-updates ${person}`, onLive, check);
    return () => {
      stop();
      leave();
    };
  }, [queries, person, check]);
}

/** Asks again for what is on screen, at most every 3 s however much is told of; in a page that nobody sees, once somebody does. */
export function refetching(queries: QueryClient): {
  readonly onEvent: (event: LiveEvent) => void;
  readonly stop: () => void;
} {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const refetch = () => {
    waiting = undefined;
    isDue = document.hidden;
    if (!isDue) refetchStored(queries);
  };
  const onVisibility = () => {
    if (isDue) refetch();
  };
  document.addEventListener('visibilitychange', onVisibility);
  return {
    onEvent(event) {
      if (event.type === 'my-work') {
        // The number moves at once, the lists follow.
        queries.setQueryData(askMyWork().queryKey, (before) => before && { ...before, counts: event.counts });
        if (!document.hidden) return void queries.invalidateQueries({ queryKey: keyOf('getMyWork') });
      } else if (event.type !== 'changed' && event.type !== 'opened') return;
      if (!isDue) waiting ??= setTimeout(refetch, AT_MOST_EVERY);
    },
    stop() {
      clearTimeout(waiting);
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}

/** Asks again for everything on screen except what the host answers, and what is polled about as often anyway. */
export function refetchStored(queries: QueryClient): void {
  void queries.invalidateQueries({
    predicate: (query) => !OF_HOST.test(String(query.queryKey[0])) && !isPolled(query),
  });
}

const isPolled = (query: Query): boolean =>
  query.observers.some(({ options: { refetchInterval: every } }) => {
    const interval = typeof every === 'function' ? every(query) : every;
    return typeof interval === 'number' && interval <= POLLED_EVERY;
  });

/**
 * Hears the events until what it returns is called. One tab of a browser holds the stream and tells the others: over HTTP/1.1 a browser has
 * six connections to a server, and with six tabs none would be left to ask by. Without TLS there are no locks beyond this machine: each tab
 * holds a stream of its own there. `shared` names the lock, and the channel by which tabs hear of each other. Each stream that opens is told as
 * `opened`, except to the page that has just asked its own questions.
 */
export function listen(shared: string, onEvent: (event: LiveEvent) => void, onRefused = () => {}): () => void {
  const left = new AbortController();
  const { signal } = left;
  const others = new BroadcastChannel(shared);
  others.onmessage = ({ data }: MessageEvent<LiveEvent>) => onEvent(data);
  /** Until when a stream that opens is the page's first (epoch milliseconds). */
  let firstUntil = Date.now() + AT_MOST_EVERY;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Until it is left, or the server refuses it, as where too many are open; else the browser connects again by itself. */
  const hold = () =>
    new Promise<void>((end) => {
      const events = new EventSource(endpoints.watchSyncs.path);
      events.onopen = () => {
        const opened = { type: 'opened' } as const;
        if (Date.now() > firstUntil) onEvent(opened);
        firstUntil = 0;
        others.postMessage(opened);
      };
      events.onmessage = ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as SyncEvent;
        onEvent(event);
        others.postMessage(event);
      };
      events.onerror = () => {
        if (events.readyState !== EventSource.CLOSED) return;
        onRefused();
        end();
      };
      signal.onabort = () => {
        events.close();
        end();
      };
    });
  const take = async () => {
    await (navigator.locks?.request(shared, { signal }, hold) ?? hold()).catch(() => undefined);
    if (!signal.aborted) again = setTimeout(take, AGAIN_AFTER);
  };
  void take();
  return () => {
    left.abort();
    clearTimeout(again);
    others.close();
  };
}
