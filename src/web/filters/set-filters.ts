import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RawSearch, readText } from '../url/url-state.ts';

/** How many of these filters the address sets, and how to take all of them out of it, with what belongs to them. */
export function useSetFilters(
  names: readonly string[],
  beside: readonly string[] = [],
): readonly [active: number, clear: () => void] {
  const search: RawSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const clear = () =>
    void navigate({
      to: '.',
      search: (before: RawSearch) => ({
        ...before,
        ...Object.fromEntries([...names, ...beside].map((name) => [name, undefined])),
      }),
      replace: true,
      resetScroll: false,
    });
  return [names.filter((name) => readText(search[name]) !== undefined).length, clear];
}
