import type { PersonRef } from '#domain/pull-request.ts';
import { belongsBy, isDuring, type Period } from './membership.ts';
import type { Thing, View } from './metrics.ts';
import { isHuman, type TwinPull } from './pull-request.ts';

/*
 * What belongs to a team (docs/metrics.md#teams), told from nothing but a list of who was a member of what, when.
 */

export interface Move extends Period {
  readonly team: number;
  readonly person: PersonRef;
}

export interface TwinTeam {
  readonly id: number;
  readonly as: 'author' | 'reviewer';
  /** Of all teams. */
  readonly moves: readonly Move[];
  /** Which teams lie in which. */
  readonly parents: ReadonlyMap<number, number>;
}

/** Itself and all that it lies in. */
function above(team: number, parents: ReadonlyMap<number, number>): number[] {
  const parent = parents.get(team);
  return parent === undefined ? [team] : [team, ...above(parent, parents)];
}

const periodsOf = ({ id, moves, parents }: TwinTeam, person: PersonRef | null) =>
  moves.filter((move) => move.person.id === person?.id && above(move.team, parents).includes(id));

export function isMember(team: TwinTeam, person: PersonRef | null, at: number): boolean {
  return periodsOf(team, person).some((period) => isDuring(period, at));
}

/** Whether somebody was one at any moment after one, up to and including another. */
export function wasMember(team: TwinTeam, person: PersonRef | null, after: number, until: number): boolean {
  return (
    isHuman(person) &&
    periodsOf(team, person).some(({ from, to }) => (from === null || from <= until) && (to === null || to > after))
  );
}

/** Whether a pull request is the team's. */
export function isTheirs(team: TwinTeam, on: TwinPull): boolean {
  return belongsBy(team.as, on, (person, at) => isMember(team, person, at));
}

/** What a person did, whatever pull request it was on. */
const acts = [
  'reviews',
  'counting_reviews',
  'response_time',
  'complex_reviews',
  'pull_requests_reviewed',
  'developers_helped',
  'active_reviewers',
  'contributors',
  'active_days',
  'contributions',
  'commits',
  'repositories',
  'concentration',
];

/** Whether a thing that a metric counts is the team's: of the whole, of its people one by one, or of one account, whatever that is. */
export function belongs(
  team: TwinTeam,
  metric: string,
  { on, person, at }: Thing,
  now: number,
  whose: 'whole' | 'people' | 'one',
): boolean {
  if (whose !== 'one' && !isHuman(person) && (whose === 'people' || acts.includes(metric))) return false;
  if (metric === 'outstanding_reviews') return (whose === 'one' || isHuman(person)) && isMember(team, person, now);
  if (metric === 'reviews_received')
    return (whose === 'one' || isHuman(person)) && isMember(team, person, on.createdAt);
  if (acts.includes(metric)) return isMember(team, person, at);
  if (whose === 'whole') return isTheirs(team, on);
  return isMember(team, person, metric === 'active_pull_requests' ? at : on.createdAt);
}

/** Of which views each is. */
export const whoseOf = (view: View, person: PersonRef | null) =>
  view === 'team' ? 'whole' : person === null ? 'people' : 'one';
