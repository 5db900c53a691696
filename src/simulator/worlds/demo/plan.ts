import type { Actor } from './actors.ts';
import type { Dice } from './dice.ts';
import type { Practice } from './practice.ts';
import type { PullRequestBuilder } from './pull-request-builder.ts';
import type { Culture } from './repositories.ts';

/** What the person whose work visitors are shown has to do with a pull request that is left lying. */
export type DeskPart = 'author' | 'asked' | 'asked_with_team' | 'commented';

/** Why a pull request waits for long, named as the product names the reason; and until when. */
export interface StuckScenario {
  readonly reason:
    | 'never_reviewed'
    | 'changes_requested'
    | 'commented'
    | 'updated_after_review'
    | 'approved'
    | 'draft'
    | 'review_dismissed';
  readonly until: number;
  /** What it is to the person whose work visitors are shown; null where nothing is settled. */
  readonly desk: DeskPart | null;
}

/** What is settled about a pull request before its story begins. */
export interface Plan {
  readonly culture: Culture;
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly author: Actor;
  readonly openedAt: number;
  /** The probability of an assistant's trailer and branch name. */
  readonly assisted: number;
  readonly hold: StuckScenario | null;
  readonly practice: Practice;
  /** Draws for what the practice decides: all else stays as it is when a practice changes. */
  readonly practiceDice: Dice;
  /** The person whose work visitors are shown. */
  readonly desk: Actor;
  /** Someone who could review at this moment, none of those left out; null when nobody can. */
  readonly reviewer: (at: number, leftOut: readonly Actor[]) => Actor | null;
  /** Someone asked for a review who rarely gets to it; null for nobody. */
  readonly bystander: (leftOut: readonly Actor[]) => Actor | null;
}

/** What the steps of a life cycle add to a pull request with. */
export interface BuildContext {
  readonly story: PullRequestBuilder;
  readonly plan: Plan;
  readonly dice: Dice;
  /** Milliseconds of a log-normal time with this median in hours, longer for larger changes and slower repositories. */
  readonly wait: (medianHours: number, sigma: number) => number;
}

/** The later of a moment and the end of the hold, where the pull request is held for this reason. */
export function heldUntil(plan: Plan, reason: StuckScenario['reason'], at: number): number {
  return plan.hold?.reason === reason ? Math.max(at, plan.hold.until) : at;
}

/** The practice that a pull request follows; null where it is held, or nobody's work. */
export function practiceIn({ hold, author, practice }: Plan): Practice | null {
  return hold === null && author.person !== null ? practice : null;
}
