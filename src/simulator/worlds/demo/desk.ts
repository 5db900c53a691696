import { PEOPLE, type Person, type RepositoryName } from './people.ts';
import type { DeskPart, StuckScenario } from './plan.ts';

/**
 * Whose work the visitors of the demo are shown: somebody of the company with something of every kind on their desk, at any time. Their own
 * pull requests that lie are in one repository.
 */
const LOGIN = 'carys-d';
export const DESK_REPOSITORY: RepositoryName = 'storefront';
export const DESK_TEAM = 'web';

/** One pull request that is left lying: why, and what it is to the person at the desk; null where nothing is settled. */
export interface LyingPlan {
  readonly reason: StuckScenario['reason'];
  readonly desk: DeskPart | null;
}

export const deskPerson: Person = found(LOGIN);

function found(login: string): Person {
  const person = PEOPLE.find(({ account }) => account.login === login);
  if (person === undefined) throw new Error(`Nobody of the demo is called ${login}.`);
  return person;
}

/** What is left lying in a week: one of every kind, and of those that nobody reviewed one more. It lies for two, so that two weeks alternate. */
export function lyingIn(week: number): readonly LyingPlan[] {
  const isEven = week % 2 === 0;
  return [
    { reason: 'never_reviewed', desk: 'asked' },
    { reason: 'changes_requested', desk: isEven ? 'author' : 'commented' },
    { reason: 'commented', desk: isEven ? 'commented' : 'author' },
    { reason: 'updated_after_review', desk: isEven ? 'author' : null },
    { reason: 'approved', desk: 'author' },
    { reason: 'draft', desk: 'author' },
    { reason: 'review_dismissed', desk: isEven ? null : 'author' },
    { reason: 'never_reviewed', desk: 'asked_with_team' },
  ];
}
