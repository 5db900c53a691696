import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from '../kit/focus-back.ts';
import SortBar, { type Sorting } from '../kit/sort-bar.tsx';
import classes from './filter-button.module.css';

interface Props {
  readonly onClose: () => void;
  /** Null where no filter is set. */
  readonly onClear: (() => void) | null;
  readonly sort?: Sorting;
  /** What it is called, and what leads back, where it is not a list that is filtered. */
  readonly words?: { readonly title: string; readonly done: string };
  /** The fields, each of which works at once. */
  readonly children: ReactNode;
}

/** The filters and the order of a list, at the lower edge of a phone. */
export default function FilterSheet({ onClose, onClear, sort, words, children }: Props) {
  useFocusBack();
  return (
    <Drawer opened onClose={onClose} position="bottom" size="auto" radius="lg" withCloseButton={false}>
      <div className={classes.head}>
        <Drawer.Title>{words?.title ?? (sort ? 'Filter and sort' : 'Filter')}</Drawer.Title>
        <Drawer.CloseButton aria-label="Close" />
      </div>
      <div className={classes.sheet}>
        {sort && <SortBar {...sort} />}
        {children}
        <div className={classes.foot}>
          <Button variant="default" disabled={onClear === null} onClick={onClear ?? undefined}>
            Clear filters
          </Button>
          <Button onClick={onClose}>{words?.done ?? 'Show the list'}</Button>
        </div>
      </div>
    </Drawer>
  );
}
