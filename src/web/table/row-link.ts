import type { MouseEvent } from 'react';
import classes from './row-link.module.css';

/** For the link that opens a row's item. */
export const rowLink = { className: classes.rowLink ?? '', 'data-row-link': true } as const;

/**
 * For the row itself: a press anywhere in it opens what its link leads to, in a new tab with Ctrl, ⌘ or the middle button. What can be
 * pressed by itself does its own, and text that was just selected stays selected.
 */
export const row = { className: classes.row ?? '', onClick: openRow, onAuxClick: openRow } as const;

/** What the row leads to that was pressed last. */
export let pressedLast: string | undefined;

function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget, button } = event;
  const link = currentTarget.querySelector<HTMLAnchorElement>('[data-row-link]');
  pressedLast = link?.href;
  const pressed =
    target instanceof Element
      ? target.closest('a, button, input, select, label, [role="dialog"], [role="menu"]')
      : null;
  // A popover that a cell opens is no part of the row, though its events come by here.
  const elsewhere = target instanceof Node && !currentTarget.contains(target);
  const selected = window.getSelection()?.isCollapsed === false;
  if (link === null || pressed !== null || elsewhere || selected || event.defaultPrevented || button > 1) return;
  if (button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noreferrer');
  else link.click();
}
