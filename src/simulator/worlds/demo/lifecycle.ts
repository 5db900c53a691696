import type { PullRequestHistory } from '../../history.ts';
import type { Actor } from './actors.ts';
import { ASSISTANTS, BRASSWICK_CI, GITHUB_ACTIONS, LICENCE_ASSISTANT } from './automation.ts';
import { DAY, HOUR, MINUTE, SECOND, wholeSecond } from './calendar.ts';
import { DESK_TEAM } from './desk.ts';
import type { Dice } from './dice.ts';
import { OUTSIDERS } from './people.ts';
import { type BuildContext, heldUntil, type Plan, practiceIn } from './plan.ts';
import { PullRequestBuilder } from './pull-request-builder.ts';
import { agentReview, humanReview, replies } from './reviewing.ts';
import { firstReviewAt, tellRounds } from './rounds.ts';
import { drawLines, drawSize, enoughFor } from './sizes.ts';
import { branchSlug, commitHeadline } from './titles.ts';

/** So often a reviewer comments and the author pushes in what they cannot agree on at once. */
const DEBATE = 4;

/** The whole story of one pull request by a person or an agent, from its opening to its end, however late that is. */
export function tellLifecycle(plan: Plan, dice: Dice): PullRequestHistory {
  const { culture, author, openedAt, hold } = plan;
  const sizeDeviate = dice.normal() * (author.person === null ? 0.7 : 1);
  const isAtDesk = hold !== null && hold.desk !== null && hold.desk !== 'author';
  const lead = plan.reviewer(openedAt + 20 * MINUTE, isAtDesk ? [author, plan.desk] : [author]);
  const draft = hold === null ? author.person !== null && dice.chance(0.13) : hold.reason === 'draft';
  const context: BuildContext = {
    story: open(plan, sizeDeviate, draft, dice),
    plan,
    dice,
    wait: (median, sigma) =>
      HOUR * median * culture.slowness * Math.exp(sigma * (0.72 * sizeDeviate + 0.7 * dice.normal())),
  };
  const { story, wait } = context;
  let checks = story.runChecks(openedAt, hold === null);
  greet(context, checks.doneAt);
  let ready = openedAt;
  if (draft) {
    ready = tellDraft(context);
    checks = story.runChecks(ready, false);
  }
  if (hold === null && dice.chance(0.035)) ready = reopen(context, ready);
  askForReview(context, lead, ready);
  tellDesk(context, ready);
  const findings = agentReview(story, culture, ready, culture.agentReviewer?.share ?? 0, dice);
  if (hold === null && findings.length > 0 && dice.chance(0.65)) {
    replies(story, author, author.act(ready + dice.uniform(8, 60) * MINUTE), findings, dice);
  }

  const closes = dice.chance(closingShare(plan));
  const needsMerger = OUTSIDERS.has(author.who ?? '') || author.person === null;
  const ender = lead !== null && needsMerger ? lead : author;
  const actors: Actor[] = [author];
  const review = closes ? 'thorough' : reviewOf(plan);
  let end: number;
  if (lead === null || (hold === null && dice.chance(closes ? 0.45 : 0.008)) || review === 'none') {
    end = ender.act(closes ? ready + wait(60, 1.6) : Math.max(checks.doneAt, ready + wait(1, 1.2)));
  } else if (review === 'comment' || review === 'stamp') {
    end = tellGlance(context, review, lead, ender, { ready, checkedAt: checks.doneAt });
  } else {
    actors.push(lead);
    const remarks = review === 'debate' ? DEBATE : 0;
    const approvedAt = tellRounds(context, lead, ready, { passed: checks.passed || hold !== null, remarks }, actors);
    end = closes
      ? ender.act(heldUntil(plan, 'approved', approvedAt + wait(70, 1.4)))
      : mergedAt(context, ender, approvedAt);
    if (!closes) pushLate(context, approvedAt, end);
  }
  if (hold === null) {
    backToDraft(context, ready, end);
    chat(context, actors, ready, end);
  }
  story.cutAt(end);
  finish(context, closes, end, ender, actors);
  return story.history();
}

/** How thoroughly it is looked at before it is merged. */
function reviewOf(plan: Plan): 'thorough' | 'debate' | 'stamp' | 'comment' | 'none' {
  const practice = practiceIn(plan);
  if (practice === null) return 'thorough';
  const { unreviewed: none, unapproved: comment, stamped: stamp, debated: debate } = practice;
  const shares = { none, comment, stamp, debate, thorough: 1 - none - comment - stamp - debate };
  const kinds = Object.keys(shares) as (keyof typeof shares)[];
  return plan.practiceDice.weighted(kinds, (kind) => shares[kind]) ?? 'thorough';
}

/** One remark, or an approval without a word: what is merged after a glance; returns when that was. */
function tellGlance(
  context: BuildContext,
  glance: 'comment' | 'stamp',
  lead: Actor,
  ender: Actor,
  { ready, checkedAt }: { readonly ready: number; readonly checkedAt: number },
): number {
  const { story, dice } = context;
  if (glance === 'comment') {
    const commentedAt = firstReviewAt(context, lead, ready);
    humanReview(story, commentedAt, lead, 'COMMENTED', dice);
    return mergedAt(context, ender, commentedAt);
  }
  const approvedAt = lead.act(ready + dice.uniform(0.7, 4) * MINUTE);
  story.review(approvedAt, lead, 'APPROVED', { bodyLength: 0, comments: 0 });
  return wholeSecond(Math.max(approvedAt, checkedAt) + dice.uniform(1, 11) * MINUTE);
}

/** A last change or a rebase after the approval, where the repository's rules let the approval stand. */
function pushLate({ story, plan }: BuildContext, approvedAt: number, end: number): void {
  const { author, culture, practiceDice: dice } = plan;
  const practice = practiceIn(plan);
  if (practice === null || culture.dismissesStale || !dice.chance(practice.latePushes)) return;
  const at = author.act(approvedAt + dice.uniform(0.1, 0.8) * (end - approvedAt));
  if (at <= approvedAt || at >= end) return;
  if (dice.chance(culture.forcePushes)) story.forcePush(at, author);
  else story.push(at, author, [commitHeadline(culture.name, dice)]);
  story.runChecks(at, false);
}

/** Closed without merging: about 16 % of all that ended, more of what agents open and of what was left lying. */
function closingShare({ hold, author, culture }: Plan): number {
  if (hold !== null) return 0.6;
  return author.person === null ? 0.35 : 0.06 + 0.03 * culture.slowness;
}

function open(plan: Plan, sizeDeviate: number, draft: boolean, dice: Dice): PullRequestBuilder {
  const { culture, author, title } = plan;
  const size = drawSize(culture.name, author.owner, drawLines(sizeDeviate, practiceIn(plan)?.size ?? 1, dice), dice);
  const assistant = author.person !== null && dice.chance(plan.assisted) ? dice.pick(ASSISTANTS) : null;
  const owner = author.gitName.split(/[^A-Za-z]/)[0]?.toLowerCase() ?? 'topic';
  const prefix = assistant !== null && dice.chance(0.7) ? assistant.branchPrefix : `${owner}/`;
  const furtherCommits = dice.chance(0.6) ? 0 : 1 + dice.geometric(2.4);
  const renamed = dice.chance(0.05);
  const stacked = plan.hold === null && dice.chance(0.03);
  const baseRef = stacked ? `${owner}/${branchSlug(commitHeadline(culture.name, dice))}` : culture.defaultBranch;
  const firstTitle = renamed ? `WIP: ${title}` : title;
  const story = new PullRequestBuilder(culture, dice, {
    id: plan.id,
    number: plan.number,
    title: firstTitle,
    author,
    at: plan.openedAt,
    draft,
    baseRef,
    headRef: `${prefix}${branchSlug(title)}`,
    bodyLength: dice.chance(0.12) ? 0 : Math.round(dice.logNormal(320, 0.9)),
    size: enoughFor(1 + furtherCommits, size),
    messages: [title, ...Array.from({ length: furtherCommits }, () => commitHeadline(culture.name, dice))],
    trailer: assistant?.trailer ?? null,
  });
  if (renamed) {
    const at = plan.openedAt + dice.integer(60, 4_000) * SECOND;
    story.add({ kind: 'renamed', at, by: author.who, from: firstTitle, to: title });
  }
  if (stacked) {
    const at = plan.openedAt + dice.integer(10, 300) * MINUTE;
    story.add({ kind: 'base_changed', at, by: author.who, from: baseRef, to: culture.defaultBranch });
  }
  return story;
}

/** What is said in the first minutes: labels, results of the checks, the licence question to outsiders. */
function greet({ story, plan, dice }: BuildContext, checkedAt: number): void {
  const { openedAt, author, culture } = plan;
  if (OUTSIDERS.has(author.who ?? '') && dice.chance(0.7)) {
    story.comment(openedAt + 6 * SECOND, LICENCE_ASSISTANT.login);
  }
  if (dice.chance(0.35)) {
    const label = dice.pick(['bug', 'improvement', 'documentation', 'needs release note', 'chore', 'performance']);
    story.add({ kind: 'labeled', at: openedAt + dice.integer(1, 90) * SECOND, by: author.who, label });
  }
  const reporter = culture.statusContext === null ? GITHUB_ACTIONS : BRASSWICK_CI;
  if (dice.chance(0.3)) story.comment(checkedAt + dice.integer(2, 40) * SECOND, reporter.login);
}

/** Work in the open before anybody is asked; returns when it became ready for review. */
function tellDraft({ story, plan, dice, wait }: BuildContext): number {
  const { author, openedAt, culture } = plan;
  const ready = author.act(heldUntil(plan, 'draft', openedAt + 10 * MINUTE + wait(1.6, 1.3)));
  const pushes = Array.from({ length: dice.geometric(1.1) }, () => author.act(dice.uniform(openedAt, ready)));
  for (const at of pushes.sort((one, other) => one - other)) {
    if (at > openedAt && at < ready) story.push(at, author, [commitHeadline(culture.name, dice)]);
  }
  story.add({ kind: 'ready_for_review', at: ready, by: author.who });
  return ready;
}

/** Closed by mistake or to start the checks again, and reopened: returns when. */
function reopen({ story, plan: { author }, dice }: BuildContext, from: number): number {
  const closedAt = author.act(from + dice.uniform(3, 50) * MINUTE);
  const reopenedAt = author.act(closedAt + 20 * SECOND + Math.min(dice.logNormal(8, 1.6) * MINUTE, 2 * DAY));
  story.add({ kind: 'closed', at: closedAt, by: author.who });
  story.add({ kind: 'reopened', at: reopenedAt, by: author.who });
  return reopenedAt;
}

/** The team by its ownership rules, who passes it on to one of them, or the reviewer; at times someone else besides. */
function askForReview({ story, plan, dice }: BuildContext, lead: Actor | null, ready: number): void {
  const { culture, author } = plan;
  const by = author.who;
  const { slug } = culture.team;
  const at = ready + dice.integer(3, 240) * SECOND;
  if (dice.chance(culture.team.asked)) {
    story.add({ kind: 'review_requested', at, by, reviewer: { team: slug } });
    if (lead !== null && lead.who !== null && dice.chance(0.6)) {
      story.add({ kind: 'review_request_removed', at: at + 2 * SECOND, by, reviewer: { team: slug } });
      story.add({ kind: 'review_requested', at: at + 2 * SECOND, by, reviewer: { account: lead.who } });
    }
  } else if (lead !== null && lead.who !== null && dice.chance(0.8)) {
    story.add({ kind: 'review_requested', at, by, reviewer: { account: lead.who } });
  }
  if (!dice.chance(plan.hold === null ? 0.3 : 0.75)) return;
  const bystander = plan.bystander([author, plan.desk, ...(lead === null ? [] : [lead])]);
  if (bystander === null || bystander.who === null) return;
  story.add({ kind: 'review_requested', at: at + SECOND, by, reviewer: { account: bystander.who } });
}

/** What makes it of interest to the person whose work visitors are shown: a request, or a check of their own that fails. */
function tellDesk({ story, plan: { author, desk, hold }, dice }: BuildContext, ready: number): void {
  const at = ready + dice.integer(5, 12) * MINUTE;
  const by = author.who;
  if (hold?.desk === 'asked') story.add({ kind: 'review_requested', at, by, reviewer: { account: desk.who ?? '' } });
  if (hold?.desk === 'asked_with_team') story.add({ kind: 'review_requested', at, by, reviewer: { team: DESK_TEAM } });
  if (hold?.desk === 'author' && (hold.reason === 'commented' || hold.reason === 'changes_requested')) {
    const [context, ci] = ['visual comparison', BRASSWICK_CI.login];
    story.add({ kind: 'status', at, by: ci, id: story.id(), context, state: 'FAILURE' });
  }
}

/** From the last approval to the merge: median 0.8 h, 10 % over 26 h; one in six merges by itself. */
function mergedAt({ plan, dice, wait }: BuildContext, merger: Actor, approvedAt: number): number {
  const { hold } = plan;
  if (hold?.reason !== 'approved' && dice.chance(0.16)) return wholeSecond(approvedAt + dice.uniform(1, 11) * MINUTE);
  const usual = approvedAt + Math.max(MINUTE, wait(0.42, 1.9) * Math.sqrt(merger.pace));
  return merger.act(heldUntil(plan, 'approved', usual));
}

/** Some go back to being a draft for a while: with those opened as one, 14 % are a draft at some time. */
function backToDraft({ story, plan: { author }, dice, wait }: BuildContext, ready: number, end: number): void {
  if (author.person === null || !dice.chance(0.03)) return;
  const away = author.act(ready + (end - ready) * dice.uniform(0.1, 0.5));
  const again = author.act(away + 10 * MINUTE + wait(3, 1));
  if (again >= end) return;
  story.add({ kind: 'convert_to_draft', at: away, by: author.who });
  story.add({ kind: 'ready_for_review', at: again, by: author.who });
}

/** General comments by those involved, in their working hours. */
function chat({ story, dice }: BuildContext, actors: readonly Actor[], ready: number, end: number): void {
  for (let count = dice.geometric(1.1); count > 0; count--) {
    const actor = dice.pick(actors);
    const at = actor.act(dice.uniform(ready, ready + (end - ready) * 0.9));
    if (at < end) story.comment(at, actor.who);
  }
}

function finish(
  { story, dice }: BuildContext,
  closes: boolean,
  end: number,
  by: Actor,
  actors: readonly Actor[],
): void {
  if (closes) {
    story.add({ kind: 'closed', at: end, by: by.who });
  } else {
    story.add({ kind: 'merged', at: end, by: by.who, commit: dice.hex(40) });
    if (dice.chance(0.75)) story.add({ kind: 'head_ref_deleted', at: end + 3 * SECOND, by: by.who });
  }
  const last = actors.at(-1);
  if (last === undefined || last.person === null) return;
  if (dice.chance(0.015)) {
    humanReview(story, last.act(end + dice.uniform(0.2, 20) * HOUR), last, 'COMMENTED', dice);
  } else if (dice.chance(0.03)) {
    story.comment(last.act(end + dice.uniform(0.1, 30) * HOUR), last.who);
  }
}
