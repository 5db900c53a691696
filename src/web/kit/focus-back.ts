import { useEffect, useState } from 'react';

/**
 * For a dialog that is drawn only while it is open: once it is gone the focus is where it was when it appeared, or, where that is gone too (an
 * entry of a menu), on the element with the id `otherwise`. A focus that has moved on meanwhile is left alone. The kit's useFocusReturn
 * serves only dialogs that are drawn before they open.
 */
export function useFocusBack(otherwise?: string): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The kit's own traps let go of the focus a moment after the dialog.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const kept = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : null;
        (kept ?? (otherwise === undefined ? null : document.getElementById(otherwise)))?.focus({ preventScroll: true });
      }, 20);
    },
    [before, otherwise],
  );
}
