import { useWindowEvent } from '@mantine/hooks';
import { inStorage } from '../session/in-storage.ts';

/** Kept on this device: 'off', or anything else, also absent, for on. */
export const SINGLE_KEYS = 'single-key-shortcuts';

/**
 * Whether a key may be a shortcut of one key: never in fields and dialogs, nor behind a dialog that holds the page, never with Ctrl, ⌘ or Alt,
 * and not while they are switched off (docs/product.md#screens-and-addresses).
 */
export function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const taking = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]';
  if (ctrlKey || metaKey || altKey || inStorage(() => localStorage.getItem(SINGLE_KEYS)) === 'off') return false;
  if (document.querySelector('[aria-modal="true"]') !== null) return false;
  return !(target instanceof Element && target.closest(taking) !== null);
}

/**
 * Shortcuts of one key, by `KeyboardEvent.key`, while the screen is open. The kit's useHotkeys knows no chords and no dialogs, and wants
 * to be told whether a keyboard types `/`, `?` or `1` with Shift.
 */
export function useSingleKeys(actions: Readonly<Record<string, () => void>>): void {
  useWindowEvent('keydown', (event) => {
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined || event.defaultPrevented || !isSingleKey(event)) return;
    event.preventDefault();
    action();
  });
}
