import { type RefObject, useEffect, useRef } from 'react';

/**
 * The list's keys: `/` goes to the search box, `j` and `k` move from row to row, Enter opens the row (it is a link). They never
 * fire while typing, nor with Ctrl, ⌘ or Alt.
 */
export function useListKeys(): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') box.current?.focus();
      else if (event.key === 'j') move(1);
      else if (event.key === 'k') move(-1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return box;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select, [contenteditable]')
  );
}

function move(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const row = document.activeElement?.closest('tr, li');
  const at = links.findIndex((link) => row?.contains(link) ?? false);
  links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}
