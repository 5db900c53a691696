import { Button } from '@mantine/core';
import { FilterIcon } from '@primer/octicons-react';
import { lazy, type ReactNode, useState } from 'react';
import { part } from '../api/part.ts';
import { LazyPart } from '../kit/lazy-part.tsx';
import type { Sorting } from '../kit/sort-bar.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { formatCount } from '../time/moment.ts';
import classes from './filter-button.module.css';

const FilterSheet = lazy(part(() => import('./filter-sheet.tsx')));

interface Props {
  /** How many of the fields leave something out. */
  readonly active: number;
  readonly onClear: () => void;
  /** What the list can be sorted by; it has no heads on a phone. */
  readonly sort?: Sorting;
  /** The fields. */
  readonly children: ReactNode;
}

/** The filters of a list: side by side, and on a phone one button that says how many are set and opens them in a sheet, with the order. */
export function Filters({ active, onClear, sort, children }: Props) {
  const [opened, setOpened] = useState(false);
  if (!usePhone()) return <>{children}</>;
  const sorted = sort?.columns.find(({ id }) => id === sort.sort?.column);
  return (
    <div className={classes.bar}>
      <Button
        variant="default"
        className={`${classes.button} ${active > 0 ? classes.active : ''}`}
        leftSection={<FilterIcon size={16} />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpened(true)}
      >
        {active > 0 ? `Filter (${formatCount(active)})` : 'Filter'}
      </Button>
      {sorted && (
        <span className={classes.sorted}>
          by {sorted.title}, {sort?.sort?.descending ? 'descending' : 'ascending'}
        </span>
      )}
      {opened && (
        <LazyPart onFail={() => setOpened(false)}>
          <FilterSheet onClose={() => setOpened(false)} onClear={active > 0 ? onClear : null} {...(sort && { sort })}>
            {children}
          </FilterSheet>
        </LazyPart>
      )}
    </div>
  );
}
