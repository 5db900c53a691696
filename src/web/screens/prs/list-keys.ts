import { type RefObject, useRef } from 'react';
import { useSingleKeys } from '../../kit/single-keys.ts';

/** The list's keys: `/` goes to the search box, `j` and `k` move from row to row, Enter opens the row, for it is a link. */
export function useListKeys(): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null);
  useSingleKeys({ '/': () => box.current?.focus(), j: () => move(1), k: () => move(-1) });
  return box;
}

function move(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const row = document.activeElement?.closest('tr, li');
  const at = links.findIndex((link) => row?.contains(link) ?? false);
  links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}
