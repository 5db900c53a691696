import { useNavigate } from '@tanstack/react-router';
import { onPage, type RawSearch, readText } from '../url/url-state.ts';
import { readChoice, useSearchToday } from './choice-of-figures.ts';
import { rememberTeam } from './remembered-team.ts';

/** How many of these filters the address sets, and how to take all of them out of it, with what belongs to them. */
export function useSetFilters(
  names: readonly string[],
  beside: readonly string[] = [],
): readonly [active: number, clear: () => void] {
  const search = useSearchToday();
  const navigate = useNavigate();
  const clear = () => {
    if (names.includes('team')) rememberTeam(undefined);
    void navigate({
      to: '.',
      search: (before: RawSearch) => ({
        ...before,
        page: undefined,
        ...Object.fromEntries([...names, ...beside].map((name) => [name, undefined])),
      }),
      ...onPage,
    });
  };
  return [countSet(search, names), clear];
}

/** How many of some filters an address sets; a value that makes no sense sets nothing. */
export function countSet(search: RawSearch, names: readonly string[]): number {
  const choice = readChoice(search);
  const isOfChoice = (name: string): name is (typeof ofChoice)[number] => ofChoice.some((one) => one === name);
  return names.filter((name) => (isOfChoice(name) ? choice[name] : readText(search[name])) !== undefined).length;
}

const ofChoice = ['period', 'from', 'repository', 'team'] as const;
