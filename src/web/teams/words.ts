import type { Team } from '#contract/teams.ts';
import { counted } from '#domain/counted.ts';
import { formatDay, instantOf } from '../time/moment.ts';

/** After so long without a reading a team is told to be out of date (milliseconds). */
const UNREAD_AFTER = 48 * 3_600_000;

/** "9 people", "1 person". */
export function peopleWords(count: number): string {
  return counted(count, 'person', 'people');
}

/** What stands below a team's name: "@brasswick/payments", and whose a group is. */
export function handleWords({ source, handle, visibility, mine }: Team): string {
  if (source === 'host') return handle === null ? '' : `@${handle}`;
  if (!mine) return 'group, made by somebody else for everyone';
  return visibility === 'everyone' ? 'own group, for everyone' : 'own group, mine';
}

/** "3 Nov", with the year when it is not this one. */
export function shortDay(at: number, now: number, zone: string): string {
  return formatDay(at, now, zone).replace(/^\S+ /, '');
}

/** Since when the memberships of teams are known, of several the latest; null where all of them are. */
export function assumedBefore(teams: readonly Pick<Team, 'assumed_before'>[]): number | null {
  const dates = teams.flatMap(({ assumed_before }) => instantOf(assumed_before) ?? []);
  return dates.length === 0 ? null : Math.max(...dates);
}

/** 'Membership before 3 Nov is assumed.' */
export function assumedWords(at: number, now: number, zone: string): string {
  return `Membership before ${shortDay(at, now, zone)} is assumed.`;
}

/** Since when a team of the host is not read any more, and whether that is long ago; null where it is read. */
export function staleness(
  { stale_since, read_at }: Pick<Team, 'stale_since' | 'read_at'>,
  now: number,
): { readonly since: number; readonly isLong: boolean } | null {
  const stale = instantOf(stale_since);
  const read = instantOf(read_at);
  if (stale === null && (read === null || now - read <= UNREAD_AFTER)) return null;
  const since = read ?? stale ?? now;
  return { since, isLong: now - since > UNREAD_AFTER };
}
