import type { WholeTeam } from '#contract/teams.ts';

/** Days from and to which somebody belongs to a group, the second not counted; empty: always, and still. */
interface Period {
  readonly from: string;
  readonly to: string;
  /** The instants of a period that is stored, which need not be midnights where it is changed. */
  readonly stored?: StoredPeriod;
}

interface StoredPeriod {
  readonly from: string | null;
  readonly to: string | null;
}

/** The day of an instant in milliseconds, and the first instant of a day, on the clocks of one zone. */
interface Clocks {
  readonly dayOf: (at: number) => string;
  readonly midnightOf: (date: string) => number;
}

export interface GroupMember {
  readonly username: string;
  readonly periods: readonly Period[];
}

const dayIn = ({ dayOf }: Pick<Clocks, 'dayOf'>, at: string | null) => (at === null ? '' : dayOf(Date.parse(at)));

/** Those who are members of a group themselves, each with all their periods. */
export function membersIn(group: WholeTeam | null, clocks: Pick<Clocks, 'dayOf'>): GroupMember[] {
  const members = new Map<string, Period[]>();
  for (const { username, via, from = null, to = null } of group?.members ?? []) {
    if (via.length > 0) continue;
    const period = { from: dayIn(clocks, from), to: dayIn(clocks, to), stored: { from, to } };
    members.set(username, [...(members.get(username) ?? []), period]);
  }
  return [...members].map(([username, periods]) => ({ username, periods }));
}

/** A period as it is saved: what is stored stays to the instant where its day was not changed. */
export function periodToSave({ stored, ...period }: Period, clocks: Clocks): StoredPeriod {
  const instantOf = (end: 'from' | 'to') => {
    const date = period[end];
    if (stored !== undefined && dayIn(clocks, stored[end]) === date) return stored[end];
    return date === '' ? null : new Date(clocks.midnightOf(date)).toISOString();
  };
  return { from: instantOf('from'), to: instantOf('to') };
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
