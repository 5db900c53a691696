import type { Hours, Instant } from './pull-request.ts';
import { type WaitingOn, type WaitingReason, waitingReasonLabel } from './whose-turn.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A standing request for changes calls its reviewer back for so long after the author's answer. */
export const REQUEST_CALLS_FOR_DAYS = 365;
/** Any other review calls its author back where it was given at most so long before what was done since … */
export const REVIEW_CALLS_WITHIN_DAYS = 30;
/** … and for so long after that. */
export const REVIEW_CALLS_FOR_DAYS = 90;

/** Since when a pull request waits for reviewers. */
interface Waiting {
  readonly waiting_since: Instant;
}

/** What somebody who reviewed it thinks of it. */
interface Reviewed {
  /** Their latest counting review; null without one. */
  readonly reviewedAt: Instant | null;
  /** Their opinion that stands: neither dismissed nor replaced. */
  readonly opinion: 'approved' | 'changes_requested' | null;
}

/**
 * Whether what was done since their review makes it their turn again, though nobody asked. Of what waits for reviewers alone; whoever is
 * asked by name is not called back, but asked.
 */
export function isCalledBack(
  { waiting_since: since }: Waiting,
  { reviewedAt, opinion }: Reviewed,
  now: Instant,
): boolean {
  if (reviewedAt === null || opinion === 'approved') return false;
  if (opinion === 'changes_requested' && now - since <= REQUEST_CALLS_FOR_DAYS * DAY) return true;
  return since - reviewedAt <= REVIEW_CALLS_WITHIN_DAYS * DAY && now - since <= REVIEW_CALLS_FOR_DAYS * DAY;
}

/** Somebody's turn is overdue after this many hours. */
export const OVERDUE_AFTER_HOURS: Hours = 48;

/** So long an agent is left to answer the person who started it, before it is that person's turn. */
export const AGENT_ANSWERS_WITHIN_HOURS: Hours = 24;

/** What an open pull request is to somebody. */
export type WorkKind =
  | 'author'
  | 'merge'
  | 'review'
  | 'review_again'
  | 'team_review'
  | 'yours_waits'
  | 'reviewed_waits'
  | 'draft';

export type WorkReason =
  | WaitingReason
  | 'requested'
  | 'requested_of_team'
  | 'answered'
  | 'dismissed'
  | 'updated'
  | 'approved_by_you'
  | 'faded'
  | 'agent';

/** The sections of a person's work, in the order in which they stand. */
export type WorkSection = Exclude<WorkKind, 'review_again'> | 'snoozed';

const turnKinds: ReadonlySet<WorkKind> = new Set(['author', 'merge', 'review', 'review_again', 'team_review']);

/** Whether an item of this kind is the person's turn; the others wait for somebody else. */
export const isTurn = (kind: WorkKind): boolean => turnKinds.has(kind);

/** An open pull request, as far as whose turn it is depends on it. */
export interface OpenWork extends Waiting {
  readonly draft: boolean;
  readonly waiting_on: WaitingOn;
  readonly waiting_reason: WaitingReason;
}

/** What somebody, a human, has to do with it. */
export interface Involvement extends Reviewed {
  readonly isAuthor: boolean;
  /** Its author, or, of an agent's, the person who started it. */
  readonly isCredited: boolean;
  /** When their review was requested, which it still is; null where it isn't. */
  readonly askedAt: Instant | null;
  /** Of their teams that are asked now, of each since their last review, the first asked, as `@organisation/slug`. */
  readonly team: { readonly handle: string; readonly askedAt: Instant } | null;
  /** Of the reviews that were dismissed since it waits, one was an approval of theirs. */
  readonly isDismissedApproval: boolean;
  /** On an agent's: the author's turn began with a review of theirs. */
  readonly isAgentsAnswer: boolean;
}

/** An open pull request as somebody's item. */
export interface Work {
  readonly kind: WorkKind;
  readonly reason: WorkReason;
  readonly since: Instant;
  readonly team: string | null;
  readonly askedAt: Instant | null;
  /** Whether they gave a review that counts. */
  readonly reviewed: boolean;
  /** Until when an agent is left to answer them before it is their turn; null where none is. */
  readonly agentUntil: Instant | null;
}

/** What an open pull request is to somebody, the first that holds (docs/metrics.md#my-work); null where it is nothing to them. */
export function workOf(pull: OpenWork, one: Involvement, now: Instant): Work | null {
  const { draft, waiting_on: on, waiting_since: since, waiting_reason: reason } = pull;
  const isAgents = one.isCredited && one.isAgentsAnswer && on === 'author' && !draft;
  const agentUntil = isAgents ? since + AGENT_ANSWERS_WITHIN_HOURS * HOUR : null;
  const item = (kind: WorkKind, why: WorkReason, from: Instant = since): Work => ({
    kind,
    reason: why,
    since: from,
    team: kind === 'team_review' ? (one.team?.handle ?? null) : null,
    askedAt: kind === 'team_review' ? (one.team?.askedAt ?? null) : one.askedAt,
    reviewed: one.reviewedAt !== null,
    agentUntil,
  });
  if (draft) return one.isCredited ? item('draft', reason) : null;
  if (agentUntil !== null && now < agentUntil) return item('yours_waits', 'agent');
  if (one.isCredited && on === 'author') return item('author', reason);
  if (one.isCredited && on === 'merge') return item('merge', reason);
  if (on === 'reviewers') {
    if (one.askedAt !== null) return item('review', 'requested', Math.max(one.askedAt, since));
    if (isCalledBack(pull, one, now)) return item('review_again', whyAgain(pull, one));
    if (isAskedThroughTeam(one)) return item('team_review', 'requested_of_team', Math.max(one.team!.askedAt, since));
    if (one.isCredited) return item('yours_waits', reason);
  }
  if (one.isAuthor || (one.reviewedAt === null && one.askedAt === null)) return null;
  return item('reviewed_waits', on !== 'reviewers' ? reason : one.opinion === 'approved' ? 'approved_by_you' : 'faded');
}

function whyAgain({ waiting_reason }: OpenWork, { opinion, isDismissedApproval }: Involvement): WorkReason {
  if (opinion === 'changes_requested') return 'answered';
  return waiting_reason === 'review_dismissed' && isDismissedApproval ? 'dismissed' : 'updated';
}

/** Members who reviewed since the team was asked keep their peace. */
function isAskedThroughTeam({ isAuthor, team, reviewedAt }: Involvement): boolean {
  return team !== null && !isAuthor && (reviewedAt === null || reviewedAt < team.askedAt);
}

/** Under which section an item stands that is not snoozed. */
export const sectionOf = (kind: WorkKind): Exclude<WorkSection, 'snoozed'> =>
  kind === 'review_again' ? 'review' : kind;

/** How the checks of the head commit stand. */
export type ChecksState = 'failing' | 'running' | 'passing';

const failures: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure', 'action_required', 'error']);
const uncounted: ReadonlySet<string> = new Set(['cancelled', 'stale']);

interface Check {
  readonly name: string;
  /** Null while it runs. */
  readonly outcome: string | null;
}

/** Of checks in the order in which they began: of one name the latest counts, what was cancelled not at all; null when none is left. */
export function checksState(checks: readonly Check[]): ChecksState | null {
  const latest = new Map<string, string | null>();
  for (const { name, outcome } of checks) if (outcome === null || !uncounted.has(outcome)) latest.set(name, outcome);
  const outcomes = [...latest.values()];
  if (outcomes.length === 0) return null;
  if (outcomes.some((outcome) => outcome !== null && failures.has(outcome))) return 'failing';
  return outcomes.includes(null) ? 'running' : 'passing';
}

interface Ordered {
  readonly overdue: boolean;
  readonly checks: ChecksState | null;
  readonly since: Instant;
}

/**
 * The order within a section: overdue first, then those whose checks fail after the others, then the longest wait first. What is ready to
 * merge stands last as long as its checks fail. 0 where both have the same place.
 */
export function compareWork(section: WorkSection, one: Ordered, other: Ordered): number {
  const late = Number(other.overdue) - Number(one.overdue);
  const failing = Number(one.checks === 'failing') - Number(other.checks === 'failing');
  return (section === 'merge' ? failing || late : late || failing) || one.since - other.since;
}

const reasonWords: Readonly<Record<Exclude<WorkReason, WaitingReason>, string>> = {
  requested: 'your review was requested',
  requested_of_team: 'requested of your team',
  answered: 'the author answered your review',
  dismissed: 'your approval was dismissed',
  updated: 'updated since your review',
  approved_by_you: 'you approved it',
  faded: 'you reviewed it long ago',
  agent: 'the agent has it',
};

interface Reasoned {
  readonly kind: string;
  readonly reason: WorkReason;
  readonly team: string | null;
  readonly asked_at: string | null;
  readonly reviewed: boolean;
}

/** Why an item stands where it stands, in words without a capital: of a team's request with its handle. */
export function workReasonLabel({ kind, reason, team, asked_at, reviewed }: Reasoned): string {
  if (kind === 'reviewed_waits' && asked_at !== null && !reviewed) return 'asked of you, the author is at it';
  if (reason === 'requested_of_team' && team !== null) return `requested of ${team}`;
  return reason in reasonWords
    ? reasonWords[reason as keyof typeof reasonWords]
    : waitingReasonLabel(reason as WaitingReason);
}
