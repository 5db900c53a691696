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

/** The lock of the tab that holds the stream, and the channel by which the others hear from it. */
const SHARED = 'live-updates';

/**
 * Hears of changes while someone is signed in, and asks again for what is on screen when a repository's data has changed. Without the stream
 * of server-sent events the pages' own polling goes on.
 */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const leave = listen((event) => {
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
    });
    return () => {
      clearTimeout(waiting);
      leave();
    };
  }, [queries]);
}

type OnEvent = (event: SyncEvent) => void;

/**
 * Hears the events until what it returns is called. One tab of a browser holds the stream and tells the others: over HTTP/1.1 a browser has
 * six connections to a server, and with six tabs none would be left to ask by. Beyond this machine and without TLS no tab knows of the
 * others, so each holds one of its own.
 */
function listen(onEvent: OnEvent): () => void {
  const left = new AbortController();
  const { signal } = left;
  if (navigator.locks === undefined) {
    void again(signal, () => stream(signal, onEvent));
    return () => left.abort();
  }
  const others = new BroadcastChannel(SHARED);
  others.addEventListener('message', ({ data }: MessageEvent<SyncEvent>) => onEvent(data));
  const tell: OnEvent = (event) => {
    onEvent(event);
    others.postMessage(event);
  };
  void again(signal, () => navigator.locks.request(SHARED, { signal }, () => stream(signal, tell)));
  return () => {
    left.abort();
    others.close();
  };
}

/** Tries a minute after each refusal until it is left. */
async function again(signal: AbortSignal, hold: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await hold().catch(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, AGAIN_AFTER);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** Holds a stream until it is left or the server refuses it, as where too many are open; else the browser connects again by itself. */
function stream(signal: AbortSignal, onEvent: OnEvent): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const events = new EventSource(endpoints.watchSyncs.path);
    const end = () => {
      events.close();
      resolve();
    };
    events.addEventListener('message', ({ data }: MessageEvent<string>) => onEvent(JSON.parse(data) as SyncEvent));
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) end();
    });
    signal.addEventListener('abort', end, { once: true });
  });
}
