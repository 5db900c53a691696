import { useSyncExternalStore } from 'react';

/** Kept on this device; absent is on. */
const KEY = 'single-key-shortcuts';
const listeners = new Set<() => void>();

/** Whether shortcuts of one key are on; they can be switched off in the settings (docs/product.md#screens-and-addresses). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(KEY) !== 'off';
}

/** The switch itself, for the settings. */
export function useSingleKeysSwitch(): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, areSingleKeysOn);
  const turn = (next: boolean) => {
    if (next) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
    for (const tell of listeners) tell();
  };
  return [on, turn];
}
