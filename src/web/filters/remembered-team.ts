import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { inStorage } from '../session/in-storage.ts';
import type { RawSearch } from '../url/url-state.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The team that was not in the address and came of the device's memory. */
    readonly rememberedTeam?: string;
    /** The address means everybody where it names no team: none is added to it. */
    readonly addsNoTeam?: true;
  }
}

/** The device keeps the team that was last chosen under this key. */
const KEY = 'team';

/** Remembers the id of the chosen team on this device; undefined forgets it. */
export function rememberTeam(team: string | undefined): void {
  inStorage(() => (team === undefined ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, team)));
}

/**
 * Opens a page whose address says nothing with the team that was last chosen on this device, unless a kept view or a link that
 * means everybody has led to it, or a change of what it said: for `beforeLoad` of its route.
 * @throws Redirect to the same page with the team in its address
 */
export function withRememberedTeam({ location: { searchStr, state } }: { readonly location: ParsedLocation }): void {
  const team = inStorage(() => localStorage.getItem(KEY));
  if (searchStr !== '' || state.partsMissing !== undefined || state.addsNoTeam) return;
  if (team === null || !/^[1-9]\d*$/.test(team)) return;
  throw redirect({ to: '.', search: { team } as RawSearch, replace: true, state: { rememberedTeam: team } });
}
