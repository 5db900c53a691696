import { type Actor, personActor } from './actors.ts';
import type { Calendar } from './calendar.ts';
import type { Dice } from './dice.ts';
import { PEOPLE, type Person, type RepositoryName } from './people.ts';
import type { StuckScenario } from './plan.ts';

interface Member {
  readonly person: Person;
  /** The share of their time that goes here. */
  readonly share: number;
}

/** Those whose pull requests are left lying more often than others', and how much more. */
const LEFT_LYING: Readonly<Record<string, number>> = { 'carys-d': 22, 'devi-r': 4, 'yara-f': 3 };

/** Spreads the weights of people, so that the Gini of a team's reviews and pull requests comes out. */
const CONCENTRATION = 1.75;

/** So much more than their weight whoever reviews alone is waited for. */
const ALONE = 400;

/** Before this many weeks are left, a leaver starts nothing new. */
const WIND_DOWN_WEEKS = 1.5;

/** Who works on a repository, and who of them does what next. */
export class Staff {
  readonly #calendar: Calendar;
  readonly #members: readonly Member[];

  constructor(repository: RepositoryName, calendar: Calendar) {
    this.#calendar = calendar;
    this.#members = PEOPLE.flatMap((person) => {
      const here = person.homes[repository] ?? 0;
      const everywhere = Object.values(person.homes).reduce((sum, each) => sum + each, 0);
      return here > 0 ? [{ person, share: here / everywhere }] : [];
    });
  }

  /** Someone else than `leftOut` who opens a pull request in the week that begins at `from`; `lying` says that it will wait for long. */
  author(from: number, lying: boolean, dice: Dice, leftOut: Person | null = null): Person | null {
    const week = this.#calendar.weekOf(from);
    const member = dice.weighted(this.#members, ({ person, share }) => {
      if (person === leftOut || week < person.joins || week >= person.leaves - WIND_DOWN_WEEKS) return 0;
      return person.authors ** CONCENTRATION * share * (lying ? (LEFT_LYING[person.account.login] ?? 1) : 1);
    });
    return member?.person ?? null;
  }

  /** Someone who could review at this moment: preferably somebody who is at work then, or whoever reviews `alone`. Null when nobody can. */
  reviewer(at: number, leftOut: readonly Actor[], dice: Dice, alone: string | null = null): Actor | null {
    return this.#someone(at, leftOut, dice, ({ person, share }) => {
      const isAlone = person.account.login === alone;
      const presence = isAlone || this.#calendar.isAtWork(person, at) ? 1 : 0.04;
      return person.reviews ** CONCENTRATION * share * presence * (isAlone ? ALONE : 1);
    });
  }

  /** Someone asked because everyone asks them. */
  bystander(at: number, leftOut: readonly Actor[], dice: Dice): Actor | null {
    return this.#someone(at, leftOut, dice, ({ person, share }) => (person.reviews > 0 ? person.asked * share : 0));
  }

  /** The first reviewer of a pull request that is held: of one nobody looks at, it is somebody with too much to do. */
  reviewerFor(
    hold: StuckScenario | null,
    at: number,
    leftOut: readonly Actor[],
    dice: Dice,
    alone: string | null,
  ): Actor | null {
    const overloaded = hold?.reason === 'never_reviewed' || hold?.reason === 'updated_after_review';
    return overloaded && leftOut.length === 1
      ? this.bystander(at, leftOut, dice)
      : this.reviewer(at, leftOut, dice, alone);
  }

  #someone(at: number, leftOut: readonly Actor[], dice: Dice, weight: (member: Member) => number): Actor | null {
    const member = dice.weighted(this.#members, (each) => {
      if (leftOut.some((actor) => actor.person === each.person)) return 0;
      if (!this.#calendar.isEmployed(each.person, at) || this.#calendar.isAway(each.person, at)) return 0;
      return weight(each);
    });
    return member === null ? null : personActor(member.person, this.#calendar, dice);
  }
}
