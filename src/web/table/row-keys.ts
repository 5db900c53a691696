import { pressedLast } from './row-link.ts';

/**
 * Moves the focus from row to row; where none has it, to the one that was pressed last, as on the way back from what it opened, else to the
 * first. `rows` are those that count.
 */
export function moveToRow(by: 1 | -1, rows = 'tr, li'): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(`:is(${rows}) [data-row-link]`)];
  const current = document.activeElement?.closest(rows);
  const at = links.findIndex((link) => current?.contains(link));
  const last = links.findIndex(({ href }) => href === pressedLast);
  links[at === -1 ? Math.max(last, 0) : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}
