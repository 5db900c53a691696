import type { EventRecord, PullRequestRecord } from '#domain/pull-request.ts';

type Recorded = PullRequestRecord & { readonly title: string };

/**
 * What the host listed of a pull request at a moment, as far as its end tells; null where it was not open then. Who was asked then is told
 * by the timeline: whoever reviews is asked no more.
 */
export function openAt(pull: Recorded, at: number): Recorded | null {
  if (pull.createdAt > at) return null;
  const events = pull.events.filter((event) => event.at <= at);
  const last = latest(events, 'closed', 'merged', 'reopened');
  if (last !== undefined ? last.type !== 'reopened' : endedBy(pull, at)) return null;
  const reviews = pull.reviews
    .filter(({ submittedAt }) => submittedAt <= at)
    .map((review) => {
      if (review.state !== 'dismissed') return review;
      const dismissed = pull.events.find(({ type, reviewId }) => type === 'review_dismissed' && reviewId === review.id);
      const isLater = dismissed !== undefined && dismissed.at > at;
      return isLater
        ? { ...review, state: review.stateAtSubmission ?? dismissed.previousState ?? 'commented' }
        : review;
    });
  const drafted = latest(events, 'convert_to_draft', 'ready_for_review');
  const first = pull.events.find(({ type }) => type === 'convert_to_draft' || type === 'ready_for_review');
  const openedAsDraft = first === undefined ? pull.draft : first.type === 'ready_for_review';
  const asked = new Map<string, EventRecord>();
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    if (event.reviewer === null) continue;
    if (event.type === 'review_requested') asked.set(event.reviewer.id, event);
    if (event.type === 'review_request_removed') asked.delete(event.reviewer.id);
  }
  for (const { author, submittedAt } of reviews)
    if (author !== null && submittedAt >= (asked.get(author.id)?.at ?? Number.POSITIVE_INFINITY))
      asked.delete(author.id);
  return {
    ...pull,
    ...{ state: 'open', mergedAt: null, closedAt: null, mergedBy: null, reviews, events },
    draft: drafted === undefined ? openedAsDraft : drafted.type === 'convert_to_draft',
    commits: pull.commits.filter(({ committedAt }) => committedAt <= at),
    comments: pull.comments.filter(({ createdAt }) => createdAt <= at),
    requested: [...asked.values()].map(({ reviewer }) => ({ person: reviewer! })),
  };
}

function latest(events: readonly EventRecord[], ...types: EventRecord['type'][]): EventRecord | undefined {
  return events
    .filter(({ type }) => types.includes(type))
    .sort((a, b) => a.at - b.at)
    .at(-1);
}

const endedBy = ({ mergedAt, closedAt }: PullRequestRecord, at: number) => (mergedAt ?? closedAt ?? at + 1) <= at;
