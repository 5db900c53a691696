import { type CountingReview, type History, isSamePerson } from './history.ts';
import { type Hours, type Instant, toHours } from './pull-request.ts';

export type Phase = 'development' | 'waiting' | 'approved';

export interface PhaseSpan {
  readonly phase: Phase;
  readonly from: Instant;
  /** Null for the phase that an open pull request is in. */
  readonly to: Instant | null;
}

export interface Phases {
  /** As they were, a lost approval as `approved`; those of no length are left out, save the one that runs on. */
  readonly spans: readonly PhaseSpan[];
  /** The phase that lasts until `end`, and since when. */
  readonly last: Phase;
  readonly lastSince: Instant;
  /** Whether a dismissal led to the last phase. */
  readonly lastByDismissal: boolean;
  /** The hours in development before the last phase. */
  readonly earlierDevelopment: Hours;
  /** The hours waiting, or in an approved phase that was lost again, before the last phase. */
  readonly earlierWaiting: Hours;
  /** The opinions that stand at the end. */
  readonly standing: readonly Opinion[];
  /** When the author, or a push, led from development to waiting; ready_for_review aside. */
  readonly turnsOfAuthor: readonly Instant[];
}

/** At one instant things apply in this order (docs/metrics.md#whose-turn-the-phases-of-a-pull-request). */
const order = { draftChange: 0, push: 1, authorAction: 2, review: 3, dismissal: 4 } as const;

type Step = { readonly at: Instant } & (
  | { readonly kind: 'draftChange'; readonly draft: boolean }
  | { readonly kind: 'push' }
  | { readonly kind: 'authorAction'; readonly isReady: boolean }
  | { readonly kind: 'review'; readonly review: CountingReview }
  | { readonly kind: 'dismissal'; readonly reviewId: string | null }
);

/** What a person thinks of it until that is dismissed or they think better of it. */
export interface Opinion {
  readonly reviewId: string;
  readonly state: 'approved' | 'changes_requested';
  readonly at: Instant;
}

/**
 * From `created_at` to `end`, which phase it was in when (docs/metrics.md#whose-turn-the-phases-of-a-pull-request): what
 * `pull_request.active_development_time`, `pull_request.waiting_for_review_time` and `pull_request.post_approval_time` are made of.
 */
export function phasesOf(history: History): Phases {
  const machine = new PhaseMachine(history.createdAt, history.drafts.openedAsDraft);
  for (const step of stepsOf(history)) machine.apply(step);
  const { phase, since, byDismissal, finishedSpans } = machine;

  let earlierDevelopment = 0;
  let earlierWaiting = 0;
  for (const span of finishedSpans) {
    const length = span.to - span.from;
    if (span.phase === 'development') earlierDevelopment += length;
    else earlierWaiting += length;
  }
  const spans: PhaseSpan[] = finishedSpans.filter((span) => span.to > span.from);
  if (history.endedAt === null || history.endedAt > since) spans.push({ phase, from: since, to: history.endedAt });

  return {
    spans,
    last: phase,
    lastSince: since,
    lastByDismissal: byDismissal,
    earlierDevelopment: toHours(earlierDevelopment),
    earlierWaiting: toHours(earlierWaiting),
    standing: machine.standing,
    turnsOfAuthor: machine.turns,
  };
}

function stepsOf(history: History): Step[] {
  const { author } = history.record;
  const steps: Step[] = [];
  for (const { at, draft } of history.drafts.changes) steps.push({ kind: 'draftChange', at, draft });
  for (const { at } of history.pushes) steps.push({ kind: 'push', at });
  for (const event of history.events) {
    if (event.type === 'review_dismissed') {
      steps.push({ kind: 'dismissal', at: event.at, reviewId: event.reviewId });
    } else if (
      event.type === 'ready_for_review' ||
      (event.type === 'review_requested' && isSamePerson(event.actor, author))
    ) {
      steps.push({ kind: 'authorAction', at: event.at, isReady: event.type === 'ready_for_review' });
    }
  }
  for (const comment of history.comments) {
    if (comment.kind === 'general' && isSamePerson(comment.author, author)) {
      steps.push({ kind: 'authorAction', at: comment.createdAt, isReady: false });
    }
  }
  for (const review of history.reviews) {
    if (isSamePerson(review.author, author))
      steps.push({ kind: 'authorAction', at: review.submittedAt, isReady: false });
  }
  for (const review of history.countingReviews) steps.push({ kind: 'review', at: review.submittedAt, review });

  return steps
    .filter((step) => step.at <= history.end)
    .map((step) => ({ ...step, at: Math.max(step.at, history.createdAt) }))
    .sort((a, b) => a.at - b.at || order[a.kind] - order[b.kind]);
}

class PhaseMachine {
  phase: Phase;
  since: Instant;
  byDismissal = false;
  readonly finishedSpans: { phase: Phase; from: Instant; to: Instant }[] = [];

  readonly turns: Instant[] = [];

  private draft: boolean;
  private lastPush = Number.NEGATIVE_INFINITY;
  private latestApproval = Number.NEGATIVE_INFINITY;
  /** Each person's opinion, which stands until it is dismissed or they give another one. */
  private readonly opinions = new Map<string, Opinion>();
  private readonly approvals = new Set<string>();

  get standing(): readonly Opinion[] {
    return [...this.opinions.values()];
  }

  constructor(createdAt: Instant, openedAsDraft: boolean) {
    this.draft = openedAsDraft;
    this.phase = openedAsDraft ? 'development' : 'waiting';
    this.since = createdAt;
  }

  apply(step: Step): void {
    switch (step.kind) {
      case 'draftChange':
        this.draft = step.draft;
        this.enter(step.draft ? 'development' : 'waiting', step.at);
        break;
      case 'push':
        this.lastPush = step.at;
        this.handOver(step.at, true);
        break;
      case 'authorAction':
        this.handOver(step.at, !step.isReady);
        break;
      case 'review':
        this.review(step.review, step.at);
        break;
      case 'dismissal':
        this.dismiss(step.reviewId, step.at);
        break;
    }
  }

  /** The author, or whoever pushed, gives it back to the reviewers. */
  private handOver(at: Instant, isTurn: boolean): void {
    if (this.draft || this.phase !== 'development') return;
    if (isTurn) this.turns.push(at);
    this.enter('waiting', at);
  }

  private review({ id, author, submittedState }: CountingReview, at: Instant): void {
    if (submittedState !== 'commented') this.opinions.set(author.id, { reviewId: id, state: submittedState, at });
    if (submittedState === 'approved') {
      this.latestApproval = at;
      this.approvals.add(id);
    }
    if (this.draft) return;
    if (submittedState === 'approved') this.enter('approved', at);
    else if (submittedState === 'changes_requested') this.enter('development', at);
    else if (this.phase === 'waiting') this.enter('development', at);
    else if (this.phase === 'approved' && this.lastPush > this.latestApproval) this.enter('development', at);
  }

  private dismiss(reviewId: string | null, at: Instant): void {
    if (reviewId === null) return;
    const holder = [...this.opinions].find(([, opinion]) => opinion.reviewId === reviewId);
    const dismissed = holder?.[1];
    if (holder !== undefined) this.opinions.delete(holder[0]);
    const standing = [...this.opinions.values()];

    if (this.draft) return;
    if (this.phase === 'approved' && this.approvals.has(reviewId)) {
      const stillApproved = standing.some(({ state, at }) => state === 'approved' && at >= this.lastPush);
      if (!stillApproved) this.enter('waiting', at, true);
    }
    if (this.phase === 'development' && dismissed?.state === 'changes_requested') {
      if (!standing.some(({ state }) => state === 'changes_requested')) this.enter('waiting', at, true);
    }
  }

  private enter(phase: Phase, at: Instant, byDismissal = false): void {
    if (phase === this.phase) return;
    this.finishedSpans.push({ phase: this.phase, from: this.since, to: at });
    this.phase = phase;
    this.since = at;
    this.byDismissal = byDismissal;
  }
}
