import { redirect } from '@tanstack/react-router';
import type { RawSearch } from '../url/url-state.ts';

/** The device keeps the team that was last chosen under this key. */
const KEY = 'team';

/** Remembers the id of the chosen team on this device; undefined forgets it. */
export function rememberTeam(team: string | undefined): void {
  if (team === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, team);
}

/**
 * Opens a page whose address says nothing with the team that was last chosen on this device: for `beforeLoad` of its route.
 * @throws Redirect to the same page with the team in its address
 */
export function withRememberedTeam({ location }: { readonly location: { readonly searchStr: string } }): void {
  const team = localStorage.getItem(KEY);
  if (location.searchStr !== '' || team === null || !/^[1-9]\d*$/.test(team)) return;
  throw redirect({ to: '.', search: { team } as RawSearch, replace: true });
}
