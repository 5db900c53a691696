import type { Account, Who } from '../../history.ts';
import { type Calendar, MINUTE, wholeSecond } from './calendar.ts';
import type { Dice } from './dice.ts';
import type { Person } from './people.ts';

/** Whoever acts in a pull request: a person in their working hours, or automation at any time. */
export interface Actor {
  /** As the host names them today; null for a deleted account. */
  readonly who: Who;
  readonly gitName: string;
  readonly gitEmail: string;
  readonly person: Person | null;
  /** Which areas of a repository are theirs (see `drawPath`). */
  readonly owner: number;
  readonly pace: number;
  /** The moment at or after `at` at which they get to it. */
  act(at: number): number;
}

export function personActor(person: Person, calendar: Calendar, dice: Dice): Actor {
  const { account, name } = person;
  return {
    who: person.deleted ? null : account.login,
    gitName: name,
    gitEmail: account.email ?? `${account.id}+${account.login}@users.noreply.github.com`,
    person,
    owner: account.id,
    pace: person.pace,
    act: (at) => calendar.intoWork(person, at, dice),
  };
}

export function automationActor(account: Account, dice: Dice): Actor {
  return {
    who: account.login,
    gitName: account.login,
    gitEmail: account.email ?? `${account.id}+${account.login}@users.noreply.github.com`,
    person: null,
    owner: account.id,
    pace: 0.1,
    act: (at) => wholeSecond(at + dice.uniform(0.2, 4) * MINUTE),
  };
}
