import { useEffect, useRef } from 'react';
import { areSingleKeysOn } from './single-keys-switch.ts';

/** Whether keys pressed there are text. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select, [contenteditable]')
  );
}

/** Shortcuts of one key, by `KeyboardEvent.key`, while the screen is open. They never fire while typing, in a dialog, or with Ctrl, ⌘ or Alt. */
export function useSingleKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areSingleKeysOn()) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"]') !== null) return;
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
