import { ActionIcon, NativeSelect } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon } from '@primer/octicons-react';
import type { Sort } from '../url/url-state.ts';
import classes from './sort-bar.module.css';

interface SortableColumn {
  readonly id: string;
  readonly title: string;
  /** What it sorts by; without it the column does not sort. */
  readonly value?: ((row: never) => unknown) | undefined;
  /** Sorts downwards at first. */
  readonly descendingFirst?: boolean | undefined;
}

/** What a list can be sorted by, and is. */
export interface Sorting {
  readonly columns: readonly SortableColumn[];
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort) => void;
}

/** What a list is sorted by and which way, where there are no column heads to press. */
export default function SortBar({ columns, sort, onSort }: Sorting) {
  const sortable = columns.filter(({ value }) => value !== undefined);
  const chosen = sortable.find(({ id }) => id === sort?.column);
  const descending = sort?.descending ?? false;
  const choose = (wanted: string) => {
    const column = sortable.find(({ id }) => id === wanted);
    if (column) onSort({ column: column.id, descending: column.descendingFirst ?? false });
  };
  return (
    <div className={classes.bar}>
      <span className={classes.word} aria-hidden="true">
        Sort by
      </span>
      <NativeSelect
        className={classes.by ?? ''}
        aria-label="Sort by"
        value={chosen?.id ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...(chosen === undefined ? [{ value: '', label: 'Newest first' }] : []),
          ...sortable.map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
      <ActionIcon
        className={classes.way ?? ''}
        variant="default"
        disabled={chosen === undefined}
        aria-label={descending ? 'Descending. Sort ascending' : 'Ascending. Sort descending'}
        onClick={() => chosen && onSort({ column: chosen.id, descending: !descending })}
      >
        {descending ? <ArrowDownIcon size={16} /> : <ArrowUpIcon size={16} />}
      </ActionIcon>
    </div>
  );
}
