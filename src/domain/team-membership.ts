import type { Instant } from './pull-request.ts';

/*
 * Who belonged to a team of the host when (docs/server.md#teams-and-groups). The host tells who is a member now and no history: periods
 * are what one reading after the other adds up to.
 */

const HOUR = 3_600_000;

/** Days: whoever appears in a team no longer than this after leaving one of the same organisation has switched, without a gap. */
export const SWITCH_DAYS = 7;
/** A team with this many members or more that comes back empty is not believed at once. */
const LARGE_TEAM = 5;
/** Two readings that say the same of a team, which one alone wouldn't be believed, are at least this many hours apart. */
export const HOURS_UNTIL_BELIEVED = 20;

/** Half-open, `[from, to)`. Null: always, and still. */
export interface Membership {
  readonly person: number;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

export interface TeamMembership extends Membership {
  readonly team: number;
}

/** All members of a team, as the host told it. */
export interface TeamReading {
  readonly team: number;
  readonly members: ReadonlySet<number>;
  /** Whether nothing was known of the team before: the past of its members is taken to be the team's, too. */
  readonly first: boolean;
}

/**
 * The periods of an organisation's teams after a reading at `at`: who appeared joins at that moment, or when they left another of these
 * teams (or the same) at most a week before; who is gone has left. Of teams without a reading nothing changes. `stored` are the periods of all imported teams of the
 * organisation.
 */
export function membershipsAfter(
  stored: readonly TeamMembership[],
  readings: readonly TeamReading[],
  at: Instant,
): TeamMembership[] {
  const read = new Map(readings.map((reading) => [reading.team, reading]));
  const isGone = ({ team, person, to }: TeamMembership) => to === null && read.get(team)?.members.has(person) === false;
  const ended = stored.map((period) => (isGone(period) ? { ...period, to: at } : period));
  const lastLeft = new Map<number, Instant>();
  for (const { person, to } of ended)
    if (to !== null && to <= at && at - to <= SWITCH_DAYS * 24 * HOUR)
      lastLeft.set(person, Math.max(to, lastLeft.get(person) ?? to));
  const still = new Set(ended.filter(({ to }) => to === null).map(({ team, person }) => `${team}/${person}`));
  const joined = readings.flatMap(({ team, members, first }) =>
    [...members]
      .filter((person) => !still.has(`${team}/${person}`))
      .map((person) => ({ team, person, from: first ? null : (lastLeft.get(person) ?? at), to: null })),
  );
  return [...Map.groupBy([...ended, ...joined], ({ team }) => team)].flatMap(([team, periods]) =>
    mergedMemberships(periods).map((period) => ({ team, ...period })),
  );
}

/** The same times with periods of one person that overlap or touch made one, without empty ones; by person, then by time. */
export function mergedMemberships(periods: readonly Membership[]): Membership[] {
  const start = ({ from }: Membership) => from ?? Number.NEGATIVE_INFINITY;
  const end = ({ to }: Membership) => to ?? Number.POSITIVE_INFINITY;
  const sorted = periods
    .filter((period) => start(period) < end(period))
    .sort((one, other) => one.person - other.person || start(one) - start(other) || 0);
  const merged: Membership[] = [];
  for (const { person, from, to } of sorted) {
    const last = merged.at(-1);
    if (last === undefined || last.person !== person || start({ person, from, to }) > end(last))
      merged.push({ person, from, to });
    else if (end({ person, from, to }) > end(last)) merged[merged.length - 1] = { ...last, to };
  }
  return merged;
}

/**
 * Whether the members in a complete reading are believed, and since when the team comes back empty, null where it doesn't: a team that
 * had at least five is empty only when a second reading says so at least 20 hours later.
 */
export function emptiness(
  members: number,
  before: { readonly members: number; readonly empty_since: Instant | null },
  at: Instant,
): { readonly believed: boolean; readonly empty_since: Instant | null } {
  if (members > 0 || before.members < LARGE_TEAM) return { believed: true, empty_since: null };
  const since = confirmed(before.empty_since, at);
  return since === 'confirmed' ? { believed: true, empty_since: null } : { believed: false, empty_since: since };
}

/**
 * What it means that a complete listing lacks a team: a visible one is archived by the second such listing at least 20 hours after the
 * first, where the token lists another team of that organisation; a secret one never. `missing_since` is null where it isn't known
 * to be missing.
 */
export function absence(
  team: { readonly secret: boolean; readonly missing_since: Instant | null },
  listing: { readonly at: Instant; readonly lists_another: boolean },
): { readonly archived: boolean; readonly missing_since: Instant | null } {
  if (team.secret || !listing.lists_another) return { archived: false, missing_since: team.missing_since };
  const since = confirmed(team.missing_since, listing.at);
  return since === 'confirmed'
    ? { archived: true, missing_since: team.missing_since }
    : { archived: false, missing_since: since };
}

/** A first reading in the future is one of before the clock was set back. */
function confirmed(since: Instant | null, at: Instant): Instant | 'confirmed' {
  if (since === null || since > at) return at;
  return at - since >= HOURS_UNTIL_BELIEVED * HOUR ? 'confirmed' : since;
}

/** What each team or group holds directly, by id. */
export type Nesting = ReadonlyMap<number, readonly number[]>;

/** A team and all that it holds, at any depth; a circle is walked once. */
export function withParts(nesting: Nesting, team: number): Set<number> {
  const all = new Set([team]);
  for (const held of all) for (const part of nesting.get(held) ?? []) all.add(part);
  return all;
}

/** The first of `parts` that would make a team part of itself if it held them; null where none would. */
export function partOfItself(nesting: Nesting, team: number, parts: readonly number[]): number | null {
  return parts.find((part) => withParts(nesting, part).has(team)) ?? null;
}
