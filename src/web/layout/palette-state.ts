import { useSyncExternalStore } from 'react';

/** What is open above the page: the command palette, the list of shortcuts, the form that keeps its address, or nothing. */
export type Overlay = 'palette' | 'shortcuts' | 'keep-view' | null;

const listeners = new Set<() => void>();
let overlay: Overlay = null;

/** Opens one of them, or closes what is open (null). */
export function showOverlay(next: Overlay): void {
  overlay = next;
  for (const tell of listeners) tell();
}

/** What is open, for the shell that draws it. */
export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => overlay,
  );
}
