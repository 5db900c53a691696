import { useSyncExternalStore } from 'react';

/** The style sheets that could not be loaded: what loads a part asks for each of them once, however often it loads the part. */
const unstyled = new Set<HTMLLinkElement>();
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') unstyled.add(target);
  },
  true,
);

function style(link: HTMLLinkElement): Promise<unknown> {
  unstyled.delete(link);
  return new Promise((onload, onerror) => {
    link.replaceWith(Object.assign(link.cloneNode() as HTMLLinkElement, { onload, onerror }));
  });
}

/**
 * The loading of a part of the application that is fetched when it is first needed, e.g. `lazy(part(() => import('./card.tsx')))`. Where that
 * fails the error says why, in words for a person: without a network, or because a newer version has replaced the files.
 */
export function part<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      await Promise.all([...unstyled].map(style));
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
