import { useSingleKeys } from '../../kit/single-keys.ts';
import { moveToRow } from '../../table/row-keys.ts';

const ROWS = '[data-work-row]';

/** For the row of an item; what it is called says which it is. */
export const rowAttribute = (key: string) => ({ 'data-work-row': key });
/** For the button of a row that opens the menu of the snooze. */
export const snoozeAttribute = { 'data-snooze': true } as const;

function rows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(ROWS)];
}

/** The row that has the focus; null where none has. */
function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(ROWS) ?? null;
}

/** The keys of the rows after one, and then of those before it, the nearest first. */
export function rowsAfter(key: string): readonly string[] {
  const keys = rows().map(({ dataset }) => dataset.workRow ?? '');
  const at = keys.indexOf(key);
  return [...keys.slice(at + 1), ...keys.slice(0, Math.max(at, 0)).toReversed()];
}

/** Makes the first of some rows that is there the current one, else the list's first, unless somebody has gone elsewhere meanwhile. */
export function focusRow(keys: readonly string[]): void {
  const { activeElement } = document;
  const isNowhere = activeElement === null || activeElement === document.body || activeElement.id === 'content';
  if (!isNowhere && currentRow() === null) return;
  const all = new Map(rows().map((row) => [row.dataset.workRow, row]));
  const row = all.get(keys.find((key) => all.has(key))) ?? rows()[0];
  (row?.querySelector<HTMLElement>('[data-row-link]') ?? document.getElementById('content'))?.focus({
    preventScroll: true,
  });
}

/** The `ref` of a row that goes by itself: where it has the focus then, the next one has it. */
export const passRowFocus = (key: string) => (row: HTMLElement | null) => () => {
  if (!row?.contains(document.activeElement)) return;
  const next = rowsAfter(key);
  setTimeout(() => row.isConnected || focusRow(next));
};

/** Gives the focus to the button that opens the menu of the snooze, in the row around an element. */
export function focusSnooze(inside: Element | null): void {
  snoozeButton(inside?.closest(ROWS))?.focus({ preventScroll: true });
}

function snoozeButton(row: Element | null | undefined): HTMLElement | null {
  return row?.querySelector<HTMLElement>('[data-snooze]') ?? null;
}

/** The keys of the list: j and k go from row to row, Enter opens one, for it is a link, s snoozes it and u takes that back. */
export function useWorkKeys({ takeBack }: { readonly takeBack: (key: string | undefined) => void }): void {
  const unlessInMenu = (action: () => void) => () => {
    // A menu's entries are found by their first letters.
    if (document.activeElement?.closest('[role="menu"]') == null) action();
  };
  useSingleKeys({
    j: unlessInMenu(() => moveToRow(1, ROWS)),
    k: unlessInMenu(() => moveToRow(-1, ROWS)),
    s: unlessInMenu(() => snoozeButton(currentRow())?.click()),
    u: unlessInMenu(() => takeBack(currentRow()?.dataset.workRow)),
  });
}
