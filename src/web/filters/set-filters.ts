import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RawSearch, readText } from '../url/url-state.ts';
import { rememberTeam } from './remembered-team.ts';

/** How many of these filters the address sets, and how to take all of them out of it, with what belongs to them. */
export function useSetFilters(
  names: readonly string[],
  beside: readonly string[] = [],
): readonly [active: number, clear: () => void] {
  const search: RawSearch = useSearch({ strict: false });
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
      replace: true,
      resetScroll: false,
    });
  };
  return [names.filter((name) => readText(search[name]) !== undefined).length, clear];
}
