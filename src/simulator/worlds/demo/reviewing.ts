import { type Actor, automationActor } from './actors.ts';
import { MINUTE, SECOND, wholeSecond } from './calendar.ts';
import type { Dice } from './dice.ts';
import { SILENCE } from './practice.ts';
import type { PullRequestBuilder } from './pull-request-builder.ts';
import type { Culture } from './repositories.ts';
import { responseHeadline } from './titles.ts';

export type Verdict = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';

/** Reviews without any inline comment: 72 % of all; the others hold 1 + geometric, with a tail ("Comments per review"). */
const SHARE_WITHOUT_COMMENTS: Readonly<Record<Verdict, number>> = {
  APPROVED: 0.84,
  COMMENTED: 0.25,
  CHANGES_REQUESTED: 0.2,
};

/** A person's review; a commented one is a lone inline comment in a third of the cases. */
export function humanReview(
  story: PullRequestBuilder,
  at: number,
  by: Actor,
  verdict: Verdict,
  dice: Dice,
  silence = SILENCE,
) {
  if (verdict === 'COMMENTED' && dice.chance(0.33))
    return story.review(at, by, verdict, { bodyLength: 0, comments: 1 });
  const comments = dice.chance(SHARE_WITHOUT_COMMENTS[verdict])
    ? 0
    : 1 + dice.geometric(verdict === 'CHANGES_REQUESTED' ? 3 : 0.8);
  const silent = verdict === 'APPROVED' ? dice.chance(silence) : comments > 0 && dice.chance(0.4);
  return story.review(at, by, verdict, { bodyLength: silent ? 0 : Math.round(dice.logNormal(70, 1.2)), comments });
}

/** An AI reviewer looks within minutes, always as a comment, and asks for nothing; returns the threads it opened. */
export function agentReview(
  story: PullRequestBuilder,
  culture: Culture,
  from: number,
  share: number,
  dice: Dice,
): readonly number[] {
  if (culture.agentReviewer === null || !dice.chance(share)) return [];
  const at = wholeSecond(from + dice.uniform(1.5, 7) * MINUTE);
  const by = automationActor(culture.agentReviewer.account, dice);
  const text = { bodyLength: dice.integer(240, 1_900), comments: dice.geometric(1.3) };
  return story.review(at, by, 'COMMENTED', text).threads;
}

/** Answers in some of the threads, one commented review each; returns when the last one was given. */
export function replies(
  story: PullRequestBuilder,
  by: Actor,
  from: number,
  threads: readonly number[],
  dice: Dice,
): number {
  let moment = from;
  for (const thread of threads) {
    if (!dice.chance(0.9)) continue;
    moment += dice.integer(20, 400) * SECOND;
    story.reply(moment, by, thread);
  }
  return moment;
}

/** The author's answer to a review: replies in the threads, then a push; returns when the push was. */
export function answer(
  story: PullRequestBuilder,
  culture: Culture,
  author: Actor,
  at: number,
  threads: readonly number[],
  dice: Dice,
): number {
  const moment = replies(story, author, at, threads, dice);
  const messages = Array.from({ length: dice.chance(0.75) ? 1 : 2 }, () => responseHeadline(culture.name, dice));
  story.push(moment, author, messages);
  for (const thread of threads) {
    if (dice.chance(0.8))
      story.add({ kind: 'thread_resolved', at: moment + 20 * SECOND, by: author.who, comment: thread });
  }
  story.runChecks(moment, false);
  agentReview(story, culture, moment, 0.5, dice);
  return moment;
}
