import { TextInput } from '@mantine/core';
import { PersonIcon } from '@primer/octicons-react';
import { useUrlFilter } from '../url/url-filter.ts';
import classes from './filter-box.module.css';
import { useTypedText } from './typed-text.ts';

/** A person's login or name, or a part of it, kept in the address; every keystroke shows at once and counts 300 ms after the last one. */
export function PersonFilter() {
  const [wanted, setWanted] = useUrlFilter('person');
  const { shown, type } = useTypedText(wanted ?? '', (text) => setWanted(text.trim() === '' ? undefined : text));
  return (
    <TextInput
      type="search"
      className={classes.person ?? ''}
      aria-label="Person"
      placeholder="Filter by person..."
      leftSection={<PersonIcon size={14} />}
      value={shown}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
