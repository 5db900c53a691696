import { useDebouncedValue, useTimeout } from '@mantine/hooks';
import { PersonIcon, SearchIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { FoundContributor } from '#contract/contributors.ts';
import { counted } from '#domain/counted.ts';
import { ask, noPlaceholder } from '../api/query.ts';
import { askPeople } from '../api/questions.ts';
import { commandKey, Keys } from '../kit/keys.tsx';
import { scrollToNearest } from '../kit/scroll-within.ts';
import { Face } from '../people/person.tsx';
import { nameOf, PersonName } from '../people/person-name.tsx';
import classes from './contributor-search.module.css';

const DEBOUNCE = 300;
const CLOSE_AFTER_BLUR = 200;
const POPULAR = 5;

interface Props {
  /** The navigation's box has a shorter placeholder and shows the key of the command palette. */
  readonly variant: 'nav' | 'page';
}

/** Finds a contributor by name and opens their page (docs/product.md#screens-and-addresses). */
export function ContributorSearch({ variant }: Props) {
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState(false);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE);
  const navigate = useNavigate();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  const wanted = typed.trim();
  const popular = useQuery({ ...askPeople(), enabled: opened && wanted === '' });
  const found = useQuery({
    ...ask('searchContributors', { query: { q: settled } }),
    enabled: opened && wanted !== '' && settled !== '',
    placeholderData: noPlaceholder,
    refetchInterval: false,
  });
  useEffect(() => {
    // The list stays empty: nothing else of the page depends on it (docs/product.md#words-and-errors).
    if (found.error) console.warn('Failed to search contributors', found.error);
  }, [found.error]);
  const searching = wanted !== '' && (settled !== wanted || found.isPending);
  const results: readonly FoundContributor[] =
    wanted === '' ? (popular.data ?? []).slice(0, POPULAR) : settled === wanted ? (found.data ?? []) : [];

  const close = () => {
    setOpened(false);
    setHighlighted(null);
  };
  const closing = useTimeout(close, CLOSE_AFTER_BLUR);
  const pick = (contributor: FoundContributor | undefined) => {
    if (contributor === undefined) return;
    close();
    setTyped('');
    input.current?.blur();
    void navigate({ to: '/contributor/{-$username}', params: { username: contributor.username } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = results.length;
    // Enter and the arrows belong to an input method while it composes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') {
      if (opened) pick(results[highlighted ?? 0]);
    } else if (event.key === 'ArrowDown' && count > 0) {
      setOpened(true);
      setHighlighted(highlighted === null ? 0 : (highlighted + 1) % count);
    } else if (event.key === 'ArrowUp' && count > 0) {
      setOpened(true);
      setHighlighted(highlighted === null ? count - 1 : (highlighted + count - 1) % count);
    } else return;
    event.preventDefault();
  };

  // Not the kit's Combobox nor its field: they take the first load beyond its budget (docs/decisions/0005-the-web-kit.md).
  return (
    <div className={`${classes.search} ${variant === 'nav' ? classes.inNav : ''}`} data-screen-only>
      <SearchIcon size={14} className={classes.icon ?? ''} />
      <input
        ref={input}
        className={classes.field}
        type="search"
        role="combobox"
        aria-label="Search contributors"
        aria-expanded={opened}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={highlighted === null ? undefined : `${id}-${highlighted}`}
        autoComplete="off"
        placeholder={variant === 'nav' ? 'Search contributors...' : 'Search contributors by username...'}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setHighlighted(null);
          setOpened(true);
        }}
        onFocus={() => {
          closing.clear();
          setOpened(true);
        }}
        onBlur={closing.start}
        onKeyDown={onKeyDown}
      />
      {variant === 'nav' && <ShortcutHint />}
      {opened && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the field keeps the focus, however long a result is pressed
        <div className={classes.dropdown} onMouseDown={(event) => event.preventDefault()}>
          {wanted === '' && results.length > 0 && <div className={classes.heading}>Popular Contributors</div>}
          {wanted === '' && results.length === 0 && !popular.isError && (
            <div className={classes.note}>{popular.isPending ? 'Searching...' : 'No contributors available'}</div>
          )}
          {searching && <div className={classes.note}>Searching...</div>}
          {wanted !== '' && !searching && results.length === 0 && !found.isError && (
            <div className={classes.note} role="status">{`No contributors found for "${wanted}"`}</div>
          )}
          <div id={`${id}-list`} role="listbox" aria-label="Contributors">
            {results.map((contributor, at) => (
              <Option
                key={contributor.username}
                id={`${id}-${at}`}
                contributor={contributor}
                highlighted={at === highlighted}
                onPick={() => pick(contributor)}
              />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly contributor: FoundContributor;
  readonly highlighted: boolean;
  readonly onPick: () => void;
}

function Option({ id, contributor, highlighted, onPick }: OptionProps) {
  const { username, display_name, avatar_url, repository_count } = contributor;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const dropdown = row.current?.closest('[role="listbox"]')?.parentElement;
    if (highlighted && row.current && dropdown) scrollToNearest(dropdown, row.current);
  }, [highlighted]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above moves and picks by keyboard, as the combobox pattern has it
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={highlighted}
      tabIndex={-1}
      className={classes.option}
      onClick={onPick}
    >
      {avatar_url === null ? (
        <PersonIcon size={16} />
      ) : (
        <Face name={nameOf(username, display_name)} avatarUrl={avatar_url} />
      )}
      <span className={classes.name} dir="auto">
        <PersonName login={username} displayName={display_name} />
      </span>
      <span className={classes.repositories}>{counted(repository_count, 'repository', 'repositories')}</span>
    </div>
  );
}

function ShortcutHint() {
  return (
    <span className={classes.hint} aria-hidden="true">
      <Keys keys={[commandKey(), 'K']} />
    </span>
  );
}
