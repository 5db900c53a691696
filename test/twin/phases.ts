import type { PullRequestRecord, ReviewRecord, SubmittedState } from '#domain/pull-request.ts';

/** What the walk needs of a pull request that was already read. */
export interface Walked {
  readonly pull: PullRequestRecord;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly now: number;
  readonly pushes: readonly number[];
  /** Oldest first. */
  readonly counting: readonly { readonly id: string; readonly at: number; readonly by: string }[];
  readonly firstReviewAt: number | null;
  readonly openedAsDraft: boolean;
}

export interface TwinPhases {
  /** `[phase, from, to]`; those of no length left out, `to` of the last null while open. */
  readonly spans: readonly (readonly [string, number, number | null])[];
  /** Milliseconds. */
  readonly development: number;
  readonly waiting: number;
  readonly afterApproval: number | null;
  readonly approvedAt: number | null;
  /** When the approvals, and the requests for changes, that stand at the end were given. */
  readonly approvals: readonly number[];
  readonly requests: readonly number[];
  /** When the author, or a push, led from development to waiting; ready_for_review aside. */
  readonly handedBack: readonly number[];
  /** Null once it has ended. */
  readonly turn: { readonly on: string; readonly since: number; readonly reason: string } | null;
}

/** What a review was when it was submitted. */
export function submittedAs(pull: PullRequestRecord, { id, state, stateAtSubmission }: ReviewRecord): SubmittedState {
  if (state !== 'dismissed') return state;
  const told = pull.events.find((event) => event.type === 'review_dismissed' && event.reviewId === id);
  return stateAtSubmission ?? told?.previousState ?? 'commented';
}

interface Happening {
  readonly at: number;
  /** Of things at one instant: 0 draft changes, 1 pushes, 2 what else the author does, 3 reviews, 4 dismissals. */
  readonly rank: number;
  readonly what: string;
  readonly review?: string | null;
}

/** The phases (docs/metrics.md#whose-turn-the-phases-of-a-pull-request): everything in order, and after each thing which phase it is. */
export function walk({
  pull,
  createdAt,
  endedAt,
  now,
  pushes,
  counting,
  firstReviewAt,
  openedAsDraft,
}: Walked): TwinPhases {
  const until = (at: number) => Math.min(at, now);
  const author = pull.author?.id;
  const isAuthor = (id: string | undefined) => id !== undefined && id === author;
  const end = endedAt ?? now;

  const happened: Happening[] = pushes.map((at) => ({ at, rank: 1, what: 'push' }));
  for (const event of pull.events) {
    const at = until(event.at);
    if (event.type === 'convert_to_draft') happened.push({ at, rank: 0, what: 'draft' });
    if (event.type === 'ready_for_review') happened.push({ at, rank: 0, what: 'ready' });
    if (event.type === 'review_requested' && isAuthor(event.actor?.id)) happened.push({ at, rank: 2, what: 'author' });
    if (event.type === 'review_dismissed') happened.push({ at, rank: 4, what: 'dismissal', review: event.reviewId });
  }
  for (const { kind, author: by, createdAt: at } of pull.comments)
    if (kind === 'general' && isAuthor(by?.id)) happened.push({ at: until(at), rank: 2, what: 'author' });
  for (const { author: by, submittedAt: at } of pull.reviews)
    if (isAuthor(by?.id)) happened.push({ at: until(at), rank: 2, what: 'author' });
  for (const { id, at } of counting) happened.push({ at, rank: 3, what: 'review', review: id });
  const story = happened.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.rank - b.rank);

  const stateThen = (id: string) => submittedAs(pull, pull.reviews.find((review) => review.id === id)!);
  /** Whose latest opinion before a place in the story is this one and not dismissed by then: their ids. */
  const standing = (opinion: SubmittedState, before: number): { id: string; at: number }[] => {
    const past = story.slice(0, before);
    const gone = past.filter(({ what }) => what === 'dismissal').map(({ review }) => review);
    const latest = new Map<string, { id: string; at: number }>();
    for (const { what, review } of past) {
      if (what !== 'review' || stateThen(review!) === 'commented') continue;
      const { id, at, by } = counting.find((other) => other.id === review)!;
      latest.set(by, { id, at });
    }
    return [...latest.values()].filter(({ id }) => stateThen(id) === opinion && !gone.includes(id));
  };

  let draft = openedAsDraft;
  const handedBack: number[] = [];
  const stretches: { phase: string; from: number; why: string }[] = [
    { phase: draft ? 'development' : 'waiting', from: createdAt, why: '' },
  ];
  for (const [place, { at, what, review }] of story.entries()) {
    const phase = stretches.at(-1)!.phase;
    let next = phase;
    let why = '';
    const lastPush = Math.max(
      Number.NEGATIVE_INFINITY,
      ...story.slice(0, place).flatMap((past) => (past.what === 'push' ? past.at : [])),
    );
    if (what === 'draft') {
      draft = true;
      next = 'development';
    } else if (what === 'ready') {
      draft = false;
      if (phase === 'development') next = 'waiting';
    } else if (draft) {
      continue;
    } else if (what === 'push' || what === 'author') {
      if (phase === 'development') next = 'waiting';
    } else if (what === 'review') {
      const state = stateThen(review!);
      if (state === 'approved') next = 'approved';
      if (state === 'changes_requested') next = 'development';
      if (state === 'commented' && phase === 'waiting') next = 'development';
      if (state === 'commented' && phase === 'approved') {
        const approval = Math.max(
          ...story
            .slice(0, place)
            .flatMap((past) => (past.what === 'review' && stateThen(past.review!) === 'approved' ? past.at : [])),
        );
        if (lastPush > approval) next = 'development';
      }
    } else if (review !== null && review !== undefined) {
      const wasReview = story.slice(0, place).some((past) => past.what === 'review' && past.review === review);
      const was = wasReview ? stateThen(review) : null;
      const hadStood = was !== null && standing(was, place).some(({ id }) => id === review);
      if (phase === 'approved' && was === 'approved') {
        if (!standing('approved', place + 1).some((other) => other.at >= lastPush)) next = 'waiting';
      } else if (phase === 'development' && was === 'changes_requested' && hadStood) {
        if (standing('changes_requested', place + 1).length === 0) next = 'waiting';
      }
      why = 'dismissal';
    }
    if (next !== phase) stretches.push({ phase: next, from: at, why });
    if (phase === 'development' && next === 'waiting' && (what === 'push' || what === 'author')) handedBack.push(at);
  }

  const last = stretches.at(-1)!;
  const spans: [string, number, number | null][] = [];
  let development = 0;
  let waiting = 0;
  for (const [place, { phase, from }] of stretches.entries()) {
    const to = stretches[place + 1]?.from ?? end;
    const isLast = place === stretches.length - 1;
    if (to > from || (isLast && endedAt === null)) spans.push([phase, from, isLast ? endedAt : to]);
    if (phase === 'development') development += to - from;
    else if (phase === 'waiting' || !isLast) waiting += to - from;
  }
  const approved = last.phase === 'approved';
  return {
    spans,
    development,
    waiting,
    afterApproval: approved ? end - last.from : null,
    approvedAt: approved ? last.from : null,
    approvals: standing('approved', story.length).map(({ at }) => at),
    requests: standing('changes_requested', story.length).map(({ at }) => at),
    handedBack,
    turn: endedAt === null ? { since: last.from, ...waitsFor() } : null,
  };

  function waitsFor(): { on: string; reason: string } {
    if (last.phase === 'approved') return { on: 'merge', reason: 'approved' };
    if (last.phase === 'development') {
      if (draft) return { on: 'author', reason: 'draft' };
      const asked = counting.some(({ id, at }) => at >= last.from && stateThen(id) === 'changes_requested');
      return { on: 'author', reason: asked ? 'changes_requested' : 'commented' };
    }
    if (last.why === 'dismissal') return { on: 'reviewers', reason: 'review_dismissed' };
    return { on: 'reviewers', reason: firstReviewAt === null ? 'never_reviewed' : 'updated_after_review' };
  }
}
