import { type CountingReview, commentsCount, type History, readyAtOf } from './history.ts';
import { mean } from './percentiles.ts';
import type { EventRecord, EventType, Hours, Instant, PersonRef } from './pull-request.ts';

export interface ReviewerSummary {
  readonly person: PersonRef;
  readonly reviews_submitted: number;
  readonly total_comments: number;
  readonly avg_response_time: Hours | null;
  /** 0–100; null when they neither approved nor requested changes (`pull_request.approval_rate`). */
  readonly approval_rate: number | null;
}

/**
 * Everyone with a counting review, in order of their first one (docs/product.md#reviews).
 * `responseTimes` holds the response time of each counting review by its id.
 */
export function reviewerSummaries(
  history: History,
  responseTimes: ReadonlyMap<string, Hours | null>,
): ReviewerSummary[] {
  return [...Map.groupBy(history.countingReviews, (review) => review.author.id)].map(([id, reviews]) => {
    const approved = reviews.filter((review) => review.state === 'approved').length;
    const opinions = approved + reviews.filter((review) => review.state === 'changes_requested').length;
    return {
      person: reviews.at(-1)!.author,
      reviews_submitted: reviews.length,
      total_comments: reviews.reduce((sum, review) => sum + commentsCount(review), 0) + otherComments(history, id),
      avg_response_time: mean(reviews.map((review) => responseTimes.get(review.id) ?? null)),
      approval_rate: opinions === 0 ? null : (100 * approved) / opinions,
    };
  });
}

/** A person's general comments and the comments in their replies. */
function otherComments(history: History, personId: string): number {
  const general = history.comments.filter(
    (comment) => comment.kind === 'general' && comment.author?.id === personId,
  ).length;
  const replies = history.reviews
    .filter((review) => review.role === 'reply' && review.author?.id === personId)
    .reduce((sum, review) => sum + review.inlineComments, 0);
  return general + replies;
}

/** A person or a team whose review is requested now. */
export interface PendingReview {
  /** Null for a team. */
  readonly person: PersonRef | null;
  /** The person's login, or `@org/slug`. */
  readonly name: string;
  readonly askedAt: Instant;
}

/** Whose review is requested now: the humans, then the teams, in the host's order, each with when it was asked for. */
export function pendingReviews(history: History): PendingReview[] {
  const { record } = history;
  const people = record.requested.flatMap((request): PendingReview[] => {
    if ('team' in request || request.person.kind !== 'human') return [];
    const { person } = request;
    return [{ person, name: person.login, askedAt: askedAt(history, ({ reviewer }) => reviewer?.id === person.id) }];
  });
  const teams = record.requested.flatMap((request): PendingReview[] => {
    if (!('team' in request)) return [];
    const handle = request.team.toLowerCase();
    return [
      { person: null, name: request.team, askedAt: askedAt(history, ({ team }) => team?.toLowerCase() === handle) },
    ];
  });
  return [...people, ...teams];
}

/**
 * When a review was asked for that still is (docs/metrics.md#my-work): the latest request that no removal took back, else when the pull request
 * was ready; never before it last became so. The same rule in SQL is `askedAt` of src/server/db/asked-reviewers.ts.
 */
function askedAt(history: History, names: (event: EventRecord) => boolean): Instant {
  const latest = (type: EventType, isMeant: (event: EventRecord) => boolean) =>
    history.events.findLast((event) => event.type === type && isMeant(event))?.at ?? -Infinity;
  const requested = latest('review_requested', names);
  const isRequested = requested > -Infinity && requested >= latest('review_request_removed', names);
  return Math.max(
    isRequested ? requested : (readyAtOf(history) ?? history.createdAt),
    latest('ready_for_review', () => true),
  );
}

/**
 * Who reviews it, for lists: the people with a counting review in order of their first one, then the humans, then the teams
 * (`@org/slug`), whose review is requested now and who have not reviewed, in the host's order
 * (docs/server.md#lists-and-searches).
 */
export function reviewerNames(history: History): string[] {
  const reviewed = new Map(history.countingReviews.map((review: CountingReview) => [review.author.id, review.author]));
  const asked = new Map<string, PersonRef>();
  const teams = new Set<string>();
  for (const request of history.record.requested) {
    if ('team' in request) teams.add(request.team);
    else if (request.person.kind === 'human' && !reviewed.has(request.person.id)) {
      asked.set(request.person.id, request.person);
    }
  }
  return [...[...reviewed.values(), ...asked.values()].map((person) => person.login), ...teams];
}
