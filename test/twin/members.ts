import type { PersonRef } from '#domain/pull-request.ts';
import { sortedBy } from './arithmetic.ts';
import { belongsBy, isDuring } from './membership.ts';
import { authoredBy, reviewsOf } from './people.ts';
import { isHuman, type TwinPull } from './pull-request.ts';
import { listed } from './team.ts';

/** When people belonged to a team: half-open times by login, null always or still. */
export type TwinTeam = ReadonlyMap<string, readonly (readonly [from: number | null, to: number | null])[]>;

/** Whether an account belonged to a team at a moment. */
function wasMember(team: TwinTeam, { login }: PersonRef, at: number): boolean {
  return (team.get(login) ?? []).some(([from, to]) => isDuring({ from, to }, at));
}

/** The same of people alone: no bot and no agent counts in a team. */
export function isMember(team: TwinTeam, person: PersonRef | null, at: number): boolean {
  return isHuman(person) && wasMember(team, person, at);
}

/** Whether a pull request is the team's: by whom it is credited to, or by whoever reviewed it. */
export function belongs(team: TwinTeam, on: TwinPull, as: 'author' | 'reviewer'): boolean {
  return belongsBy(as, on, (person, at) => wasMember(team, person, at));
}

/** A person's own pull requests that they opened as a member. */
export function openedAsMember(team: TwinTeam, pulls: readonly TwinPull[], person: PersonRef): TwinPull[] {
  return authoredBy(pulls, person).filter(({ createdAt }) => wasMember(team, person, createdAt));
}

/** Their latest timeline event or inline comment as a member; null without any. */
export function lastActivityAsMember(
  team: TwinTeam,
  pulls: readonly TwinPull[],
  person: PersonRef,
  now: number,
): string | null {
  const moments = pulls.flatMap(({ pull, moments }) => [
    ...moments.filter(({ by }) => by?.id === person.id).map(({ at }) => at),
    ...pull.comments.filter(({ author }) => author?.id === person.id).map(({ createdAt }) => Math.min(createdAt, now)),
  ]);
  const asMember = moments.filter((at) => wasMember(team, person, at));
  return asMember.length === 0 ? null : new Date(Math.max(...asMember)).toISOString();
}

/** The list of contributors: everybody by what they did as a member. */
export function memberList(team: TwinTeam, pulls: readonly TwinPull[], now: number) {
  const rows = listed(pulls, false).flatMap((person) => {
    const theirs = openedAsMember(team, pulls, person);
    const reviews = reviewsOf(pulls, person).filter(({ at }) => isMember(team, person, at));
    if (theirs.length + reviews.length === 0) return [];
    return {
      username: person.login,
      total_prs_opened: theirs.length,
      total_prs_merged: theirs.filter(({ pull }) => pull.state === 'merged').length,
      current_open_prs: theirs.filter(({ pull }) => pull.state === 'open').length,
      last_activity: lastActivityAsMember(team, pulls, person, now)!,
      repositories_count: new Set([...theirs, ...reviews.map(({ on }) => on)].map(({ repository }) => repository)).size,
    };
  });
  return sortedBy(rows, (row) => [-Date.parse(row.last_activity), row.username]);
}
