import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { PersonIcon } from '@primer/octicons-react';
import { useEffect, useState } from 'react';
import { useUrlFilter } from '../url/url-filter.ts';
import classes from './filter-box.module.css';

const DEBOUNCE = 300;

/** A person's login or name, or a part of it, kept in the address; every keystroke shows at once and counts 300 ms after the last one. */
export function PersonFilter() {
  const [wanted, setWanted] = useUrlFilter('person');
  const [typed, setTyped] = useState(wanted ?? '');
  const filter = useDebouncedCallback((text: string) => setWanted(text.trim() === '' ? undefined : text), DEBOUNCE);
  useEffect(() => {
    filter.cancel();
    setTyped(wanted ?? '');
  }, [wanted, filter]);
  return (
    <TextInput
      type="search"
      className={classes.person ?? ''}
      aria-label="Person"
      placeholder="Filter by person..."
      leftSection={<PersonIcon size={14} />}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        filter(text);
      }}
    />
  );
}
