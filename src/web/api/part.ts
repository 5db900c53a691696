import { useSyncExternalStore } from 'react';

/**
 * The loading of a part of the application that is fetched when it is first needed, e.g. `lazy(part(() => import('./menu.tsx')))`. Where that
 * fails the error says why, in words for a person: without a network, or because a newer version has replaced the files.
 */
export function part<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await load();
    } catch (cause) {
      const words = navigator.onLine
        ? 'This part could not be loaded. Mergelight may have been updated since this page was opened: reload it to go on.'
        : 'You are offline, and this part has not been loaded yet. Reload the page when the network is back.';
      throw new Error(words, { cause });
    }
  };
}

const listeners = new Set<() => void>();
let failed: string | null = null;

/** Shows a note over the page with why something could not be loaded; null removes it. */
export function showFailedPart(error: unknown): void {
  failed = error instanceof Error ? error.message : null;
  for (const tell of listeners) tell();
}

/** Why something could not be loaded, for the note in the shell; null without one. */
export function useFailedPart(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => failed,
  );
}
