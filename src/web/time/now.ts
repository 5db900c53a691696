import { useSyncExternalStore } from 'react';

const HALF_MINUTE = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `listener` when `read` changes; returns how to stop listening. */
export function listen(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const tell of listeners) tell();
    }, HALF_MINUTE);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

export const read = () => now;

/** The present in epoch milliseconds, moving on every half minute, so that "12 minutes ago" stays true on an open page. */
export function useNow(): number {
  return useSyncExternalStore(listen, read, read);
}
