import type { RefCallback } from 'react';

/** Gives the focus to an element in a moment, unless it is somewhere by then. */
export function focusSoon(find: () => HTMLElement | null): void {
  // The kit's own traps let go of the focus a moment after the dialog.
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      find()?.focus({ preventScroll: true });
  }, 20);
}

/**
 * The `ref` of a control that goes when it is pressed, wherever it stands: the focus that it has is then on the card or dialog around it, or
 * on the page.
 */
export const passFocusOut: RefCallback<HTMLElement> = (control) => {
  const around = control?.closest<HTMLElement>('section:has(h2), [role="dialog"], main');
  return () => {
    if (!around || !control?.matches(':focus')) return;
    around.tabIndex = -1;
    focusSoon(() => around);
  };
};
