import { type Hours, hoursBetween, type Instant } from './pull-request.ts';
import type { WaitingReason, WhoseTurn } from './whose-turn.ts';

/** What somebody has to do with an open pull request, or waits for in it (docs/metrics.md#my-work). */
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

/** Of the kinds, those in which it is the person's turn. */
const turns: ReadonlySet<WorkKind> = new Set(['author', 'merge', 'review', 'review_again', 'team_review']);

/** It is overdue when it has waited for the person for more than so many hours. */
export const OVERDUE_AFTER_HOURS = 48;

const DAY = 24 * 3_600_000;
/** A standing request for changes calls its reviewer back for so long after the author's answer. */
const REQUEST_CALLS_FOR = 365 * DAY;
/** Any other review calls its author back where it was given at most so long before what was done since … */
const REVIEW_CALLS_WITHIN = 30 * DAY;
/** … and for so long after that. */
const REVIEW_CALLS_FOR = 90 * DAY;
/** An agent has so long to answer a review before it is the turn of who started it. */
const AGENT_ANSWERS_FOR = DAY;

/** Whose turn an open pull request is, as its facts say. */
export interface OpenTurn extends WhoseTurn {
  readonly draft: boolean;
}

/** What one human did in an open pull request, and what is asked of them there. */
export interface Part {
  /** Whether they wrote it, or started the agent that did. */
  readonly isCredited: boolean;
  /** Whether its account is theirs: not so of what their agent opened. */
  readonly isAuthor: boolean;
  /** Their latest counting review; null without one. */
  readonly reviewedAt: Instant | null;
  /** Their opinion that stands: neither dismissed nor replaced. */
  readonly opinion: 'approved' | 'changes_requested' | null;
  /** Whether their approval's dismissal led to the phase that it is in. */
  readonly lostApproval: boolean;
  /** Since when their review is asked for by name; null where it is not. */
  readonly askedAt: Instant | null;
  /** The team of theirs that was asked first of those that are asked now, `@organisation/slug`. */
  readonly askedTeam: { readonly handle: string; readonly askedAt: Instant } | null;
  /** Whether it is their agent's and a review of theirs began the phase that it is in. */
  readonly agentHasIt: boolean;
}

export interface WorkItem {
  readonly kind: WorkKind;
  readonly reason: WorkReason;
  readonly since: Instant;
  /** When they, of `team_review` their team, were asked; null where they are not. */
  readonly askedAt: Instant | null;
  /** The team that is asked; null but of `team_review`. */
  readonly team: string | null;
}

/** What an open pull request is to one human, the first that applies; null where it is nothing to them (docs/metrics.md#my-work). */
export function workItem(turn: OpenTurn, part: Part, now: Instant): WorkItem | null {
  const { waiting_on: on, waiting_since: since, waiting_reason: reason, draft } = turn;
  const { askedAt, askedTeam } = part;
  const item = (kind: WorkKind, why: WorkReason, from = since): WorkItem => ({
    kind,
    reason: why,
    since: from,
    askedAt,
    team: null,
  });
  if (draft) return part.isCredited ? item('draft', reason) : null;
  if (part.isCredited && on === 'author')
    return part.agentHasIt && now < since + AGENT_ANSWERS_FOR ? item('yours_waits', 'agent') : item('author', reason);
  if (part.isCredited && on === 'merge') return item('merge', reason);
  if (on === 'reviewers') {
    if (askedAt !== null) return item('review', 'requested', Math.max(askedAt, since));
    if (isCalledBack(turn, part, now)) return item('review_again', whyAgain(turn, part));
    if (askedTeam !== null && !part.isAuthor && !(part.reviewedAt !== null && part.reviewedAt >= askedTeam.askedAt))
      return {
        ...item('team_review', 'requested_of_team', Math.max(askedTeam.askedAt, since)),
        askedAt: askedTeam.askedAt,
        team: askedTeam.handle,
      };
    if (part.isCredited) return item('yours_waits', reason);
  }
  if (part.isAuthor || (part.reviewedAt === null && askedAt === null)) return null;
  if (on !== 'reviewers') return item('reviewed_waits', reason);
  return item('reviewed_waits', part.opinion === 'approved' ? 'approved_by_you' : 'faded');
}

/**
 * Whether what was done since their review makes it their turn again, though nobody asked. Of what waits for reviewers alone; whoever is
 * asked by name is not called back, but asked.
 */
export function isCalledBack(
  { waiting_since: since }: Pick<OpenTurn, 'waiting_since'>,
  { reviewedAt, opinion }: Pick<Part, 'reviewedAt' | 'opinion'>,
  now: Instant,
): boolean {
  if (reviewedAt === null || opinion === 'approved') return false;
  if (opinion === 'changes_requested' && now - since <= REQUEST_CALLS_FOR) return true;
  return since - reviewedAt <= REVIEW_CALLS_WITHIN && now - since <= REVIEW_CALLS_FOR;
}

function whyAgain({ waiting_reason }: OpenTurn, { opinion, lostApproval }: Part): WorkReason {
  if (opinion === 'changes_requested') return 'answered';
  return waiting_reason === 'review_dismissed' && lostApproval ? 'dismissed' : 'updated';
}

export function isTheirTurn(kind: WorkKind): boolean {
  return turns.has(kind);
}

/** How long it has waited, in hours, and whether that is too long: of what is their turn alone. */
export function waitOf(
  { kind, since }: Pick<WorkItem, 'kind' | 'since'>,
  now: Instant,
): { hours: Hours; overdue: boolean } {
  const hours = hoursBetween(since, now);
  return { hours, overdue: isTheirTurn(kind) && hours > OVERDUE_AFTER_HOURS };
}

/** A check or status of the head commit; `outcome` is null while it runs. */
export interface HeadCheck {
  readonly name: string;
  readonly outcome: string | null;
  readonly completedAt: Instant | null;
}

export type ChecksBadge = 'failing' | 'running' | 'passing';

const failures: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure', 'action_required', 'error']);
/** What says nothing about the commit. */
const silent: ReadonlySet<string> = new Set(['cancelled', 'stale']);

/** How the checks of the head commit stand: of one name the latest counts. Null where none is left. */
export function checksBadge(checks: readonly HeadCheck[]): ChecksBadge | null {
  const latest = new Map<string, HeadCheck>();
  for (const check of checks) {
    if (check.outcome !== null && silent.has(check.outcome)) continue;
    const other = latest.get(check.name);
    if (other === undefined || endOf(check) >= endOf(other)) latest.set(check.name, check);
  }
  const outcomes = [...latest.values()].map(({ outcome }) => outcome);
  if (outcomes.length === 0) return null;
  if (outcomes.some((outcome) => outcome !== null && failures.has(outcome))) return 'failing';
  return outcomes.includes(null) ? 'running' : 'passing';
}

const endOf = ({ outcome, completedAt }: HeadCheck) =>
  outcome === null ? Number.POSITIVE_INFINITY : (completedAt ?? Number.NEGATIVE_INFINITY);
