import { bothNames } from '../../people/person-name.tsx';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, noPlaceholder } from '../../api/query.ts';
import { askPeople } from '../../api/questions.ts';
import { TEAM } from './comparison.ts';
import { sameUsername } from './recent-contributors.ts';
import { useView } from './view.ts';

const DEBOUNCE = 300;
/** How many people are offered before anything is typed. */
const OFFERED = 8;

interface Props {
  readonly onPick: (other: string) => void;
  readonly onEscape: () => void;
  readonly onLeave: () => void;
}

/** Asks with whom to compare: the team, offered while nothing is typed, or anyone who is found by name. */
export default function ComparePicker({ onPick, onEscape, onLeave }: Props) {
  const { username } = useView();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const [settled] = useDebouncedValue(wanted, DEBOUNCE);
  const popular = useQuery({ ...askPeople(), enabled: wanted === '' });
  const found = useQuery({
    ...ask('searchContributors', { query: { q: settled } }),
    enabled: settled !== '',
    placeholderData: noPlaceholder,
  });
  const searching = wanted !== settled || found.isPending;
  const people = (wanted === '' ? popular.data?.slice(0, OFFERED + 1) : searching ? [] : found.data) ?? [];
  const others = people
    .filter((person) => !sameUsername(person.username, username))
    .slice(0, wanted === '' ? OFFERED : undefined);
  const none = found.isError ? 'Failed to search contributors' : `No contributors found for "${wanted}"`;
  return (
    <Select
      aria-label="Compare with"
      placeholder="The team, or a username..."
      w="15rem"
      autoFocus
      searchable
      defaultDropdownOpened
      selectFirstOptionOnChange
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(other) => other !== null && onPick(other)}
      onBlur={onLeave}
      onKeyDown={(event) => event.key === 'Escape' && onEscape()}
      filter={({ options }) => options}
      nothingFoundMessage={searching ? 'Searching...' : none}
      data={[
        ...(wanted === '' ? [{ group: 'Averages', items: [{ value: TEAM, label: 'The team' }] }] : []),
        {
          group: 'People',
          items: others.map((person) => ({
            value: person.username,
            label: bothNames(person.username, person.display_name),
          })),
        },
      ]}
      comboboxProps={{ position: 'bottom-end', width: '18rem' }}
    />
  );
}
