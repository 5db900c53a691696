import type { Actor } from './actors.ts';
import { HOUR, MINUTE, SECOND } from './calendar.ts';
import { type BuildContext, heldUntil, practiceIn } from './plan.ts';
import { answer, humanReview, replies, type Verdict } from './reviewing.ts';
import { commitHeadline } from './titles.ts';

/** After so many rounds everybody agrees. */
const LAST_ROUND = 6;

/** How often someone looks in whom nobody waits for. */
const PASSING_BY = 0.12;

/**
 * Reviews and answers from the moment it is ready up to the approval that counts; returns when that was. `lead` gives
 * the first review and those that follow from it, at least so many `remarks` before the approval; second reviewers are added to `actors`.
 */
export function tellRounds(
  context: BuildContext,
  lead: Actor,
  ready: number,
  { passed, remarks }: { readonly passed: boolean; readonly remarks: number },
  actors: Actor[],
): number {
  const { story, plan, dice, wait } = context;
  const { author } = plan;
  let pushedAt = ready;
  if (!passed) {
    pushedAt = author.act(ready + dice.uniform(8, 70) * MINUTE);
    story.push(pushedAt, author, [dice.pick(['Fix the build', 'Fix the failing test', 'Update the snapshot'])]);
    story.runChecks(pushedAt, false);
  }
  let moment = firstReviewAt(context, lead, ready);
  rebase(context, pushedAt, moment);
  for (let round = 1; ; round++) {
    const verdict = round <= remarks ? 'COMMENTED' : verdictOf(context, round);
    if (verdict === 'APPROVED') remarkBefore(context, lead, pushedAt, moment);
    const review = humanReview(story, moment, lead, verdict, dice, plan.practice.silence);
    if (verdict === 'APPROVED') {
      if (plan.hold === null && dice.chance(0.75))
        replies(story, author, author.act(moment + 9 * MINUTE), review.threads, dice);
      if (!isDismissed(context, round)) break;
      const renewed = dismissal(context, moment, review.id) + wait(1, 1.4) * lead.pace;
      moment = lead.act(heldUntil(plan, 'review_dismissed', renewed));
      continue;
    }
    if (round === 1 && plan.hold?.desk === 'commented') {
      const at = plan.desk.act(moment + dice.uniform(0.5, 3) * HOUR);
      if (at < plan.hold.until) humanReview(story, at, plan.desk, 'COMMENTED', dice);
    }
    const reason = verdict === 'CHANGES_REQUESTED' ? 'changes_requested' : 'commented';
    const usual =
      moment + (plan.hold === null ? Math.max(6 * MINUTE, wait(0.5, 1.3) * author.pace) : dice.uniform(0.2, 3) * HOUR);
    const answeredAt = author.act(round === 1 ? heldUntil(plan, reason, usual) : usual);
    pushedAt = answer(story, plan.culture, author, answeredAt, review.threads, dice);
    askAgain(context, lead, pushedAt);
    const next = pushedAt + Math.max(6 * MINUTE, wait(0.4, 1.4) * lead.pace);
    moment = lead.act(round === 1 ? heldUntil(plan, 'updated_after_review', next) : next);
    rebase(context, pushedAt, moment);
  }
  return secondReview(context, lead, ready, moment, actors);
}

/** 10 % under 10 minutes, the others log-normal, moved into the reviewer's working hours ("Time to first review"). */
export function firstReviewAt({ plan, dice, wait }: BuildContext, lead: Actor, ready: number): number {
  if (plan.hold !== null) return lead.act(heldUntil(plan, 'never_reviewed', ready + dice.uniform(0.2, 3) * HOUR));
  const quick = dice.chance(0.1);
  const usual = quick ? dice.uniform(1, 10) * MINUTE : Math.max(2 * MINUTE, wait(0.5, 2.4) * lead.pace);
  const [least, most] = plan.practice.firstReview;
  const late = least * HOUR + usual;
  return lead.act(ready + (late > most * HOUR ? plan.practiceDice.uniform(0.2, 1) * most * HOUR : late));
}

function verdictOf({ plan: { culture, hold }, dice }: BuildContext, round: number): Verdict {
  const reason = round === 1 ? hold?.reason : undefined;
  if (reason === 'changes_requested') return 'CHANGES_REQUESTED';
  if (reason === 'commented' || reason === 'updated_after_review') return 'COMMENTED';
  if (reason === 'approved' || reason === 'review_dismissed' || round >= LAST_ROUND) return 'APPROVED';
  const draw = dice.next();
  if (draw < culture.asksForChanges) return 'CHANGES_REQUESTED';
  return draw < culture.asksForChanges + culture.comments ? 'COMMENTED' : 'APPROVED';
}

function isDismissed({ plan: { culture, hold }, dice }: BuildContext, round: number): boolean {
  if (round > 1) return false;
  return hold === null ? culture.dismissesStale && dice.chance(0.04) : hold.reason === 'review_dismissed';
}

/** A push after the approval, which the repository's rules dismiss with it; returns when the checks were through. */
function dismissal({ story, plan, dice, wait }: BuildContext, approvedAt: number, review: number): number {
  const { author, culture } = plan;
  const at = author.act(approvedAt + 15 * MINUTE + (plan.hold === null ? wait(0.8, 1.2) : dice.uniform(0.1, 3) * HOUR));
  story.push(at, author, [commitHeadline(culture.name, dice)]);
  story.add({ kind: 'review_dismissed', at: at + dice.integer(1, 3) * SECOND, by: author.who, review });
  return story.runChecks(at, false).doneAt;
}

function askAgain({ story, plan, dice }: BuildContext, lead: Actor, pushedAt: number): void {
  if (lead.who === null || !dice.chance(0.5)) return;
  const at = pushedAt + dice.integer(5, 300) * SECOND;
  story.add({ kind: 'review_requested', at, by: plan.author.who, reviewer: { account: lead.who } });
}

function rebase({ story, plan, dice }: BuildContext, after: number, before: number): void {
  if (plan.hold !== null || !dice.chance(plan.culture.forcePushes)) return;
  const at = plan.author.act(dice.uniform(after, before));
  if (at <= after || at >= before) return;
  story.forcePush(at, plan.author);
  story.runChecks(at, false);
}

/** A remark left alone in the code minutes before the approval. */
function remarkBefore({ story, plan, dice }: BuildContext, lead: Actor, after: number, approvedAt: number): void {
  const at = approvedAt - dice.integer(90, 900) * SECOND;
  if (plan.hold !== null || at <= after + MINUTE || !dice.chance(0.14)) return;
  story.review(at, lead, 'COMMENTED', { bodyLength: 0, comments: 1 });
}

/** A second person's look, only some of which the merge waits for; returns the approval that it waits for. */
function secondReview(
  { story, plan, dice, wait }: BuildContext,
  lead: Actor,
  ready: number,
  approvedAt: number,
  actors: Actor[],
): number {
  if (plan.hold !== null || !dice.chance(plan.culture.secondReviewer + PASSING_BY)) return approvedAt;
  if (plan.practice.soleReviewer !== null && !plan.practiceDice.chance(0.05)) return approvedAt;
  const second = plan.reviewer(approvedAt, [plan.author, lead]);
  if (second === null) return approvedAt;
  actors.push(second);
  if (dice.chance(PASSING_BY / (plan.culture.secondReviewer + PASSING_BY))) {
    const at = second.act(ready + dice.uniform(0.1, 1) * (approvedAt - ready));
    const verdict = dice.chance(0.5) ? 'COMMENTED' : 'APPROVED';
    const objects = plan.practiceDice.chance(practiceIn(plan)?.objections ?? 0);
    if (at < approvedAt + HOUR) humanReview(story, at, second, objects ? 'CHANGES_REQUESTED' : verdict, dice);
    return approvedAt;
  }
  const at = second.act(approvedAt + Math.max(2 * MINUTE, wait(0.5, 1.5) * second.pace));
  humanReview(story, at, second, 'APPROVED', dice);
  return at;
}
