import '@mantine/core/styles/Popover.layer.css';
import { Popover, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Explanation } from '#contract/explain.ts';
import { ask, noPlaceholder } from '../../api/query.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { VISITORS_READ } from '../../people/agents.ts';
import { Face } from '../../people/person.tsx';
import { PersonName } from '../../people/person-name.tsx';
import { useIsVisitor } from '../../session/session.tsx';
import classes from './nobody-known-card.module.css';
import { type Candidate, peopleOf } from './starters.ts';

const DEBOUNCE = 300;
/** The most people of the pull request, and of a search, that are offered. */
const MOST = 6;

interface Props {
  readonly item: Explanation['items'][number];
  /** The id of what gets the focus where the button that opened it is gone. */
  readonly next: string;
  readonly onChoose: (login: string) => void;
  readonly onClose: () => void;
}

/** Who may have started an agent's pull request: people of it first, then whoever is searched for. */
export default function StarterDialog({ item, next, onChoose, onClose }: Props) {
  useFocusBack(next);
  // The kit remembers where the focus was when a popover opens that is already there; this one first appears when it is opened.
  const [present, setPresent] = useState(false);
  useEffect(() => setPresent(true), []);
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE);
  const params = { repoOwner: item.repo_owner, repoName: item.repo_name, prNumber: item.pr_number };
  const detail = useQuery({ ...ask('getPullRequest', { params }), refetchInterval: false });
  const isVisitor = useIsVisitor();
  const found = useQuery({
    ...ask('searchContributors', { query: { q: settled } }),
    enabled: settled !== '',
    placeholderData: noPlaceholder,
    refetchInterval: false,
  });
  const near = detail.data === undefined ? [] : peopleOf(detail.data).slice(0, MOST);
  const others = (settled === '' ? [] : (found.data ?? [])).slice(0, MOST).map(
    ({ username, display_name, avatar_url }): Candidate => ({
      login: username,
      displayName: display_name,
      avatarUrl: avatar_url,
    }),
  );
  return (
    <Popover
      opened={present && !detail.isPending}
      onChange={(open) => !open && onClose()}
      width={316}
      position="bottom-end"
      offset={6}
      trapFocus
      returnFocus
      withRoles={false}
      // The cell around it would cut it off.
      floatingStrategy="fixed"
      hideDetached={false}
      withinPortal={false}
    >
      <Popover.Target>
        <span aria-hidden="true" className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Who started ${item.title}?`} className={classes.dropdown ?? ''}>
        {isVisitor && <p className={classes.none}>{VISITORS_READ}</p>}
        {settled === '' ? (
          <>
            <p className={classes.label}>People of this pull request</p>
            {near.length > 0 ? (
              <People people={near} onChoose={isVisitor ? null : onChoose} />
            ) : (
              <p className={classes.none}>{detail.isError ? 'Failed to fetch PR details' : 'Nobody is named in it.'}</p>
            )}
          </>
        ) : (
          <>
            <p className={classes.label}>Found</p>
            {others.length > 0 ? (
              <People people={others} onChoose={isVisitor ? null : onChoose} />
            ) : (
              <p className={classes.none} role="status">
                {found.isPending
                  ? 'Searching …'
                  : found.isError
                    ? 'Failed to search contributors'
                    : `We know nobody called ${settled}`}
              </p>
            )}
          </>
        )}
        <TextInput
          className={classes.search ?? ''}
          type="search"
          aria-label="Search for somebody else"
          placeholder="Somebody else …"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface PeopleProps {
  readonly people: readonly Candidate[];
  /** Null where nobody may be chosen. */
  readonly onChoose: Props['onChoose'] | null;
}

function People({ people, onChoose }: PeopleProps) {
  return (
    <ul className={classes.people}>
      {people.map(({ login, displayName, avatarUrl, why }) => (
        <li key={login}>
          <button type="button" aria-disabled={onChoose === null} onClick={() => onChoose?.(login)}>
            <Face name={displayName ?? login} avatarUrl={avatarUrl} />
            <span>
              <PersonName login={login} displayName={displayName} />
            </span>
            {why !== undefined && <small>{why}</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}
