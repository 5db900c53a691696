import { type RefCallback, useEffect, useState } from 'react';
import { focusSoon } from './focus-soon.ts';

/**
 * For a dialog that is drawn only while it is open: once it is gone the focus is where it was when it appeared, or, where that is gone too (an
 * entry of a menu), on the element with the id `otherwise`. A focus that has moved on meanwhile is left alone. The kit's useFocusReturn
 * serves only dialogs that are drawn before they open.
 */
export function useFocusBack(otherwise?: string): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () =>
      focusSoon(() => {
        const kept = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : null;
        return kept ?? (otherwise === undefined ? null : document.getElementById(otherwise));
      }),
    [before, otherwise],
  );
}

/**
 * The `ref` of a control that goes when it is pressed, or with what it takes away: the focus that it has is then on the element with the id
 * `next`.
 */
export function passFocus(next: string): RefCallback<HTMLElement> {
  return (control) => () => {
    // One that is disabled until the answer is there has lost the focus by then.
    if (control?.matches(':focus, :disabled')) focusSoon(() => document.getElementById(next));
  };
}
