import { type Attribution, attributionOf } from './attribution.ts';
import { timeOutOfDraft } from './drafts.ts';
import { commentsCount, type History, historyOf, isAutomation, type ReviewRole, readyAtOf } from './history.ts';
import { type Phase, type PhaseSpan, phasesOf } from './phases.ts';
import {
  type Hours,
  hoursBetween,
  type Instant,
  type PersonRef,
  type PullRequestRecord,
  type ReviewState,
  type SubmittedState,
  toHours,
} from './pull-request.ts';
import { responseTime } from './response-time.ts';
import { roundOpeners } from './review-rounds.ts';
import { type ReviewerSummary, reviewerNames, reviewerSummaries } from './reviewers.ts';
import { type WaitingOn, type WaitingReason, whoseTurn } from './whose-turn.ts';

/** Stored facts of another version are computed again from what is stored; nothing is imported again. Raise it with any definition. */
export const FACTS_VERSION = 1;

/** What the figures know of one submitted review. */
export interface ReviewFacts {
  readonly id: string;
  readonly author: PersonRef | null;
  readonly role: ReviewRole;
  readonly submitted_at: Instant;
  /** What it is now; `dismissed` is displayed as Commented. */
  readonly state: ReviewState;
  /** What it was when submitted. */
  readonly submitted_state: SubmittedState;
  readonly comments_count: number;
  /** Null for replies and the like, during a draft, and for a follow-up. */
  readonly response_time: Hours | null;
  readonly opens_round: boolean;
  /** Of its author's counting reviews the last, or of a bot's or agent's reviews that stand for them; never a deleted account's. */
  readonly is_latest: boolean;
}

/**
 * The facts about one pull request (docs/metrics.md#one-pull-request), in the names of the wire and of the columns.
 * What runs on while it is open is stored as the phase it is in and since when: see `phaseTimes`, which adds the rest, and
 * which a question may do in SQL with `coalesce(ended_at, now)`.
 */
export interface PullRequestFacts {
  readonly version: number;
  readonly opened_as_draft: boolean;
  readonly ended_at: Instant | null;
  readonly ready_at: Instant | null;
  readonly first_review_at: Instant | null;
  readonly last_review_at: Instant | null;
  readonly first_agent_review_at: Instant | null;
  /** In hours; null without a first review (`pull_request.time_to_first_review` in docs/metrics.md#one-pull-request). */
  readonly time_to_first_review: Hours | null;
  /** In hours; null unless merged (`pull_request.time_to_merge`). */
  readonly time_to_merge: Hours | null;
  readonly review_cycles: number;
  readonly phases: readonly PhaseSpan[];
  /** The phase that lasts until the end, or now. */
  readonly phase: Phase;
  readonly phase_since: Instant;
  /** Hours in development, and hours waiting (lost approvals too), before `phase_since`. */
  readonly earlier_development_time: Hours;
  readonly earlier_waiting_time: Hours;
  readonly approved_at: Instant | null;
  /** The three of them null when it has ended. */
  readonly waiting_on: WaitingOn | null;
  readonly waiting_since: Instant | null;
  readonly waiting_reason: WaitingReason | null;
  /** Every submitted review, oldest first; those with the role `counting` are the detail's `reviews[]`. */
  readonly reviews: readonly ReviewFacts[];
  /** The detail's `reviewers[]`. */
  readonly reviewers: readonly ReviewerSummary[];
  /** The lists' `reviewers`. */
  readonly reviewer_names: readonly string[];
  readonly has_reviewer: boolean;
  /** The state of the latest counting review that now approves or requests changes; null without one (`developer.review_approval_rate`). */
  readonly latest_opinion: 'approved' | 'changes_requested' | null;
  /** Whether it was approved with no request for changes before; null without a counting review (`developer.first_time_approval_rate`). */
  readonly approved_first_time: boolean | null;
  /** The opening, or the latest push, comment, submitted review or draft change by no bot or agent (`contributor.stale_prs`). */
  readonly last_human_activity_at: Instant;
  readonly attribution: Attribution;
  /** The latest known date later than `now`, after which the facts are to be computed again; null as a rule. */
  readonly provisional_until: Instant | null;
}

/** Computes the facts about one pull request as of `now`. */
export function factsOf(record: PullRequestRecord, now: Instant): PullRequestFacts {
  return factsOfHistory(historyOf(record, now));
}

/** The same for a history that was already read. */
export function factsOfHistory(history: History): PullRequestFacts {
  const { createdAt, drafts, countingReviews } = history;
  const phases = phasesOf(history);
  const openers = new Set(roundOpeners(history));
  const latest = new Map(
    history.reviews.flatMap((review) =>
      review.author !== null && (review.role === 'counting' || review.role === 'automated')
        ? [[review.author.id, review.id] as const]
        : [],
    ),
  );
  const reviews = history.reviews.map(
    (review): ReviewFacts => ({
      id: review.id,
      author: review.author,
      role: review.role,
      submitted_at: review.submittedAt,
      state: review.state,
      submitted_state: review.submittedState,
      comments_count: commentsCount(review),
      response_time: responseTime(history, review),
      opens_round: openers.has(review.id),
      is_latest: review.author !== null && latest.get(review.author.id) === review.id,
    }),
  );

  const readyAt = readyAtOf(history);
  const firstReviewAt =
    readyAt === null
      ? null
      : (countingReviews.find((review) => review.submittedAt >= readyAt && !review.duringDraft)?.submittedAt ?? null);
  const turn = whoseTurn(history, phases, firstReviewAt);
  const names = reviewerNames(history);

  return {
    version: FACTS_VERSION,
    opened_as_draft: drafts.openedAsDraft,
    ended_at: history.endedAt,
    ready_at: readyAt,
    first_review_at: firstReviewAt,
    last_review_at: countingReviews.at(-1)?.submittedAt ?? null,
    first_agent_review_at: history.reviews.find((review) => review.author?.kind === 'agent')?.submittedAt ?? null,
    time_to_first_review:
      readyAt === null || firstReviewAt === null ? null : toHours(timeOutOfDraft(drafts, readyAt, firstReviewAt)),
    time_to_merge: history.record.mergedAt === null ? null : hoursBetween(createdAt, history.end),
    review_cycles: openers.size,
    phases: phases.spans,
    phase: phases.last,
    phase_since: phases.lastSince,
    earlier_development_time: phases.earlierDevelopment,
    earlier_waiting_time: phases.earlierWaiting,
    approved_at: phases.last === 'approved' ? phases.lastSince : null,
    waiting_on: turn?.waiting_on ?? null,
    waiting_since: turn?.waiting_since ?? null,
    waiting_reason: turn?.waiting_reason ?? null,
    reviews,
    reviewers: reviewerSummaries(history, new Map(reviews.map((review) => [review.id, review.response_time]))),
    reviewer_names: names,
    has_reviewer: names.length > 0,
    latest_opinion: latestOpinion(history),
    approved_first_time: approvedFirstTime(history),
    last_human_activity_at: lastHumanActivity(history),
    attribution: attributionOf(history.record, countingReviews[0]?.submittedAt ?? null),
    provisional_until: history.provisionalUntil,
  };
}

export interface PhaseTimes {
  readonly active_development_time: Hours;
  readonly waiting_for_review_time: Hours;
  /** Null when it does not end approved. */
  readonly post_approval_time: Hours | null;
}

/**
 * The durations of the phases up to the end, or up to `now` while it is open; they add up to `end − created_at`
 * (docs/metrics.md#whose-turn-the-phases-of-a-pull-request). `now` earlier than the last phase counts as its start.
 */
export function phaseTimes(
  facts: Pick<
    PullRequestFacts,
    'ended_at' | 'phase' | 'phase_since' | 'earlier_development_time' | 'earlier_waiting_time'
  >,
  now: Instant,
): PhaseTimes {
  const rest = hoursBetween(facts.phase_since, Math.max(facts.ended_at ?? now, facts.phase_since));
  return {
    active_development_time: facts.earlier_development_time + (facts.phase === 'development' ? rest : 0),
    waiting_for_review_time: facts.earlier_waiting_time + (facts.phase === 'waiting' ? rest : 0),
    post_approval_time: facts.phase === 'approved' ? rest : null,
  };
}

function latestOpinion(history: History): PullRequestFacts['latest_opinion'] {
  for (const { state } of history.countingReviews.toReversed()) {
    if (state === 'approved' || state === 'changes_requested') return state;
  }
  return null;
}

function approvedFirstTime(history: History): boolean | null {
  if (history.countingReviews.length === 0) return null;
  const first = history.countingReviews.find(({ state }) => state === 'approved' || state === 'changes_requested');
  return first?.state === 'approved';
}

function lastHumanActivity(history: History): Instant {
  const draftChanges = history.events.filter(
    (event) => event.type === 'ready_for_review' || event.type === 'convert_to_draft',
  );
  return Math.max(
    history.createdAt,
    history.pushes.findLast((push) => !push.byAutomation)?.at ?? 0,
    history.comments.findLast((comment) => !isAutomation(comment.author))?.createdAt ?? 0,
    history.reviews.findLast((review) => !isAutomation(review.author))?.submittedAt ?? 0,
    draftChanges.findLast((event) => !isAutomation(event.actor))?.at ?? 0,
  );
}
