import type { WholeTeam } from '#contract/teams.ts';

/** Days from and to which somebody belongs to a group, the second not counted; empty: always, and still. */
interface Period {
  readonly from: string;
  readonly to: string;
}

export interface GroupMember {
  readonly username: string;
  readonly periods: readonly Period[];
}

/** Those who are members of a group themselves, each with all their periods; `dayOf` an instant in milliseconds. */
export function membersIn(group: WholeTeam | null, dayOf: (at: number) => string): GroupMember[] {
  const members = new Map<string, Period[]>();
  for (const { username, from, to, via } of group?.members ?? []) {
    if (via.length > 0) continue;
    const day = (at: string | null | undefined) => (at == null ? '' : dayOf(Date.parse(at)));
    members.set(username, [...(members.get(username) ?? []), { from: day(from), to: day(to) }]);
  }
  return [...members].map(([username, periods]) => ({ username, periods }));
}

/** The teams of a group as they are stored now, with what was ticked and unticked alone: what others changed since `before` stays. */
export function teamsToSave(
  stored: readonly number[],
  before: readonly number[],
  ticked: ReadonlySet<number>,
): number[] {
  const had = new Set(before);
  return [...new Set(stored).difference(had.difference(ticked)).union(ticked.difference(had))];
}

/** Whose periods have to be written and who has to be taken out, to come from one list to another. */
export function changesOf(
  before: readonly GroupMember[],
  after: readonly GroupMember[],
): { readonly put: readonly GroupMember[]; readonly removed: readonly string[] } {
  const was = new Map(before.map(({ username, periods }) => [username, JSON.stringify(periods)]));
  const sorted = after.map(({ username, periods }) => ({
    username,
    periods: periods.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)),
  }));
  return {
    put: sorted.filter(({ username, periods }) => was.get(username) !== JSON.stringify(periods)),
    removed: before.flatMap(({ username }) => (after.some((one) => one.username === username) ? [] : [username])),
  };
}
