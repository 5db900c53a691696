import { useSingleKeys } from '../../kit/single-keys.ts';

/** For the row of an item; what it is called says which it is. */
export const rowAttribute = (key: string) => ({ 'data-work-row': key });
/** For the button of a row that opens the menu of the snooze. */
export const snoozeAttribute = { 'data-snooze': true } as const;

function rows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-work-row]')];
}

/** The row that has the focus; null where none has. */
export function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-work-row]') ?? null;
}

/** The key of the row after one, or before it where it is the last; null where there is no other. */
export function rowAfter(key: string): string | null {
  const keys = rows().map(({ dataset }) => dataset.workRow);
  const at = keys.indexOf(key);
  return keys[at + 1] ?? keys[at - 1] ?? null;
}

/** Makes a row the current one, unless somebody has gone elsewhere meanwhile; null, or one that is gone, is the list's beginning. */
export function focusRow(key: string | null): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && currentRow() === null) return;
  const row = rows().find(({ dataset }) => dataset.workRow === key) ?? rows()[0];
  (row?.querySelector<HTMLElement>('[data-row-link]') ?? document.getElementById('content'))?.focus({
    preventScroll: true,
  });
}

/** Gives the focus to the button that opens the menu of the snooze, in the row around an element. */
export function focusSnooze(inside: Element | null): void {
  snoozeButton(inside?.closest('[data-work-row]'))?.focus({ preventScroll: true });
}

function snoozeButton(row: Element | null | undefined): HTMLElement | null {
  return row?.querySelector<HTMLElement>('[data-snooze]') ?? null;
}

function move(by: 1 | -1): void {
  const all = rows();
  const at = all.indexOf(currentRow() as HTMLElement);
  const row = all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  row?.querySelector<HTMLElement>('[data-row-link]')?.focus();
}

/** The keys of the list: j and k go from row to row, Enter opens one, for it is a link, s snoozes it and u takes that back. */
export function useWorkKeys({ takeBack }: { readonly takeBack: (key: string | undefined) => void }): void {
  const unlessInMenu = (action: () => void) => () => {
    // A menu's entries are found by their first letters.
    if (document.activeElement?.closest('[role="menu"]') == null) action();
  };
  useSingleKeys({
    j: unlessInMenu(() => move(1)),
    k: unlessInMenu(() => move(-1)),
    s: unlessInMenu(() => snoozeButton(currentRow())?.click()),
    u: unlessInMenu(() => takeBack(currentRow()?.dataset.workRow)),
  });
}
