import { type RefObject, useRef } from 'react';
import { useSingleKeys } from '../../kit/single-keys.ts';
import { moveToRow } from '../../table/row-keys.ts';

/** The list's keys: `/` goes to the search box, `j` and `k` move from row to row, Enter opens the row, for it is a link. */
export function useListKeys(): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null);
  useSingleKeys({ '/': () => box.current?.focus(), j: () => moveToRow(1), k: () => moveToRow(-1) });
  return box;
}
