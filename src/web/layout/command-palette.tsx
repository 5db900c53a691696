import { nameOf, shownLogin } from '../people/person-name.tsx';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { CloseButton, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { ask } from '../api/query.ts';
import { commandKey, Keys } from '../kit/keys.tsx';
import { Marked } from '../kit/marked.tsx';
import { usePageLock } from '../kit/page-lock.ts';
import { PullRequestIcon } from '../kit/pull-request-state.tsx';
import { scrollToNearest } from '../kit/scroll-within.ts';
import { usePhone } from '../kit/use-phone.ts';
import { Face } from '../people/person.tsx';
import { type Entry, type Group, pageEntries, useActions, useViewEntries } from './command-entries.tsx';
import classes from './command-palette.module.css';
import { showOverlay } from './palette-state.ts';

const DEBOUNCE = 200;
const PULL_REQUESTS = 5;
const PEOPLE = 5;
const LIST = 'palette-list';
const NAME = 'Search pull requests, people, pages and actions';
const close = () => showOverlay(null);

/** Search over pull requests, people, pages and actions (docs/product.md#screens-and-addresses). */
export default function CommandPalette() {
  usePageLock();
  const [typed, setTyped] = useState('');
  /** The entry that an arrow key led to: groups that arrive later don't move it. Null is the first one. */
  const [chosen, setChosen] = useState<string | null>(null);
  const { groups, searching, failure } = useGroups(typed);
  const router = useRouter();
  const onPhone = usePhone();
  const box = useRef<HTMLInputElement>(null);
  // At once and not when the dialog has settled: whoever types right after the shortcut loses no letter.
  useEffect(() => box.current?.focus(), []);
  const entries = groups.flatMap((group) => group.entries);
  const keys = groups.flatMap(({ title, entries }) => entries.map(({ id }) => `${title} ${id}`));
  const current = Math.max(0, keys.indexOf(chosen ?? ''));
  const move = (by: number) => setChosen(keys[(current + by + keys.length) % keys.length] ?? null);

  const choose = (entry: Entry | undefined, inNewTab: boolean) => {
    if (entry === undefined) return;
    if (inNewTab && entry.href !== undefined) {
      window.open(entry.href, '_blank', 'noreferrer');
      return;
    }
    close();
    if (entry.href !== undefined) void router.navigate({ href: entry.href });
    else entry.run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and the arrows belong to an input method while it composes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') choose(entries[current], event.ctrlKey || event.metaKey);
    else if (event.key === '?' && typed === '') showOverlay('shortcuts');
    else return;
    event.preventDefault();
  };

  // Not the kit's Combobox: it names its current option to screen readers only after an arrow key, and forgets Ctrl with Enter.
  let index = -1;
  return (
    <Modal.Root
      opened
      onClose={close}
      size="40rem"
      yOffset="6.5rem"
      fullScreen={onPhone}
      padding={0}
      // A className of the content would land on the box around it, too, and make its column a row of this width.
      classNames={{ content: classes.palette ?? '', body: classes.body ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={NAME}>
        <Modal.Body>
          <div className={classes.box}>
            <SearchIcon size={16} />
            <input
              ref={box}
              data-autofocus
              type="text"
              role="combobox"
              aria-label={NAME}
              aria-expanded={entries.length > 0}
              aria-controls={LIST}
              aria-autocomplete="list"
              aria-activedescendant={entries.length === 0 ? undefined : `${LIST}-${current}`}
              placeholder={`${NAME}...`}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setChosen(null);
              }}
              onKeyDown={onKeyDown}
            />
            <button type="button" className={classes.escape} aria-label="Close" onClick={close}>
              <Keys keys={['Esc']} />
            </button>
            <CloseButton className={classes.phoneClose ?? ''} aria-label="Close" onClick={close} />
          </div>
          <div id={LIST} role="listbox" aria-label="Results" className={classes.list}>
            {groups.map(({ title, entries: ofGroup }) => (
              // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by role, a fieldset is for form fields
              <div key={title} role="group" aria-label={title}>
                <div className={classes.heading} aria-hidden="true">
                  {title}
                </div>
                {ofGroup.map((entry) => {
                  index += 1;
                  return (
                    <Line
                      key={entry.id}
                      id={`${LIST}-${index}`}
                      entry={entry}
                      typed={typed}
                      selected={index === current}
                      onChoose={(event) => choose(entry, event.ctrlKey || event.metaKey)}
                    />
                  );
                })}
              </div>
            ))}
          </div>
          <div className={classes.note} role="status">
            {searching
              ? 'Searching...'
              : (failure ?? (entries.length === 0 ? `Nothing found for "${typed.trim()}"` : ''))}
          </div>
          <div className={classes.foot} aria-hidden="true">
            <span>
              <Keys keys={['↑', '↓']} /> move
            </span>
            <span>
              <Keys keys={['↵']} /> open
            </span>
            <span>
              <Keys keys={[commandKey(), '↵']} /> open in a new tab
            </span>
            <span className={classes.all}>
              <Keys keys={['?']} /> all shortcuts
            </span>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface Found {
  readonly groups: readonly Group[];
  readonly searching: boolean;
  /** What could not be searched; null where all could. */
  readonly failure: string | null;
}

/** What is found for what was typed, in the order pull requests, people, kept views, pages, actions; groups without anything are left out. */
function useGroups(typed: string): Found {
  const wanted = typed.trim();
  const [settled] = useDebouncedValue(wanted, DEBOUNCE);
  const enabled = settled !== '' && settled === wanted;
  const once = { enabled, refetchInterval: false, placeholderData: () => undefined } as const;
  const found = useQuery({ ...ask('listPullRequests', { query: { q: settled, limit: PULL_REQUESTS } }), ...once });
  const people = useQuery({ ...ask('searchContributors', { query: { q: settled } }), ...once });
  const actions = useActions(typed);
  const views = useViewEntries(typed);
  const pullRequests = (enabled ? (found.data?.prs ?? []) : []).map(
    ({ github_id, title, state, draft, repo_owner, repo_name, pr_number }): Entry => ({
      id: github_id,
      icon: <PullRequestIcon state={state} draft={draft} />,
      title,
      detail: `${repo_name} #${pr_number}`,
      href: `/pr/${encodeURIComponent(repo_owner)}/${encodeURIComponent(repo_name)}/${pr_number}`,
    }),
  );
  const persons = (enabled ? (people.data ?? []) : []).slice(0, PEOPLE).map(
    ({ username, display_name, avatar_url }): Entry => ({
      id: username,
      icon: <Face name={nameOf(username, display_name)} avatarUrl={avatar_url} />,
      title: nameOf(username, display_name),
      detail: display_name === null ? undefined : shownLogin(username),
      href: `/contributor/${encodeURIComponent(username)}`,
    }),
  );
  const groups: readonly Group[] = [
    { title: 'Pull requests', entries: pullRequests },
    { title: 'People', entries: persons },
    { title: 'Kept views', entries: views },
    { title: 'Go to', entries: pageEntries(typed) },
    { title: 'Do', entries: actions },
  ];
  const failed = enabled
    ? [...(found.isError ? ['pull requests'] : []), ...(people.isError ? ['contributors'] : [])]
    : [];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    searching: wanted !== '' && (!enabled || found.isFetching || people.isFetching),
    failure: failed.length === 0 ? null : `Failed to search ${failed.join(' and ')}`,
  };
}

interface LineProps {
  readonly id: string;
  readonly entry: Entry;
  readonly typed: string;
  readonly selected: boolean;
  readonly onChoose: (event: MouseEvent) => void;
}

function Line({ id, entry, typed, selected, onChoose }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = line.current?.closest('[role="listbox"]');
    if (selected && line.current && list) scrollToNearest(list, line.current);
  }, [selected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above moves and chooses by keyboard, as the combobox pattern has it
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      className={classes.line}
      onClick={onChoose}
    >
      <span className={classes.icon}>{entry.icon}</span>
      <span className={classes.title} dir="auto">
        <Marked text={entry.title} typed={typed} />
      </span>
      {entry.detail !== undefined && (
        <span className={classes.detail}>
          <Marked text={entry.detail} typed={typed} />
        </span>
      )}
      <span className={classes.keys}>
        {selected ? <Keys keys={['↵']} /> : entry.keys && <Keys keys={entry.keys} />}
      </span>
    </div>
  );
}
