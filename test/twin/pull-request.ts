import type { PersonRef, ReviewRecord } from '#domain/pull-request.ts';
import type { RandomHistory, RandomPullRequest, RandomRepository } from '../support/random-history.ts';
import { type TwinPhases, walk } from './phases.ts';

/*
 * The figures a second time, as plain loops over everything in memory, sharing no code with the questions or with the rules that
 * compute what is stored. Slow and simple on purpose: what both say is likely so.
 */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** Open for longer is stuck, and waiting for reviewers for longer is awaiting review. */
export const STUCK = 48 * HOUR;
export const AWAITING = 48 * HOUR;

export interface TwinReview {
  readonly review: ReviewRecord;
  readonly at: number;
  readonly by: PersonRef;
  readonly comments: number;
  readonly response: number | null;
  /** When it was asked for last before. */
  readonly asked: number;
  readonly inDraft: boolean;
}

export interface TwinPull {
  readonly repository: string;
  readonly owner: string;
  readonly name: string;
  readonly pull: RandomPullRequest;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly isDraftAt: (at: number) => boolean;
  /** Commits and force pushes, in any order. */
  readonly pushes: readonly number[];
  readonly size: number;
  readonly mergeHours: number | null;
  readonly readyAt: number | null;
  readonly firstReviewAt: number | null;
  readonly firstReviewHours: number | null;
  readonly firstAgentReviewAt: number | null;
  readonly rounds: number;
  /** By humans, oldest first. */
  readonly counting: readonly TwinReview[];
  /** By bots and agents. */
  readonly automated: readonly TwinReview[];
  readonly latestOpinion: string | null;
  readonly approvedFirst: boolean | null;
  readonly humanActivityAt: number;
  readonly openedAsDraft: boolean;
  readonly phases: TwinPhases;
  /** Who started the agent that opened it, where it counts as theirs, too. */
  readonly startedBy?: PersonRef | null;
  /** Every timeline event, with its account. */
  readonly moments: readonly { readonly at: number; readonly by: PersonRef | null }[];
}

export function readAll(history: RandomHistory, names: readonly string[]): TwinPull[] {
  return history.repositories
    .filter(({ owner, name }) => names.includes(`${owner}/${name}`))
    .flatMap((repository) => repository.pulls.map((pull) => readPull(repository, pull, history.now)));
}

export function isHuman(person: PersonRef | null): person is PersonRef {
  return person?.kind === 'human';
}

function isMachine(person: PersonRef | null): boolean {
  return person?.kind === 'bot' || person?.kind === 'agent';
}

export function readPull({ owner, name }: RandomRepository, pull: RandomPullRequest, now: number): TwinPull {
  const until = (at: number) => Math.min(at, now);
  const createdAt = until(pull.createdAt);
  const ended = pull.state === 'merged' ? pull.mergedAt : pull.state === 'closed' ? pull.closedAt : null;
  const endedAt = ended === null ? null : until(ended);
  const end = endedAt ?? now;

  const isDraftAt = draftAt(pull);
  const firstDraftEvent = draftEvents(pull)[0];
  const openedAsDraft = firstDraftEvent === undefined ? pull.draft : firstDraftEvent.type === 'ready_for_review';
  const firstReady = draftEvents(pull).find(({ type }) => type === 'ready_for_review');
  const readyAt = openedAsDraft ? (firstReady?.at ?? null) : createdAt;

  const pushes: number[] = [];
  for (const commit of pull.commits) pushes.push(Math.max(createdAt, Math.min(end, commit.committedAt)));
  for (const event of pull.events) if (event.type === 'force_push') pushes.push(until(event.at));

  const counting: TwinReview[] = [];
  const automated: TwinReview[] = [];
  const oldestFirst = [...pull.reviews].sort((a, b) => a.submittedAt - b.submittedAt || Number(a.id) - Number(b.id));
  for (const review of oldestFirst) {
    const by = review.author;
    const at = until(review.submittedAt);
    const inline = pull.comments.filter(({ reviewId }) => reviewId === review.id);
    const isReply =
      review.state === 'commented' && !review.hasBody && inline.length > 0 && inline.every((c) => c.inReplyTo !== null);
    if (by === null || isReply || by.id === pull.author?.id || at < createdAt || at > end) continue;
    const list = by.kind === 'human' ? counting : automated;
    const asked = Math.max(
      createdAt,
      ...pushes.filter((push) => push <= at),
      ...pull.events
        .filter(
          (event) =>
            event.type === 'ready_for_review' ||
            (event.type === 'review_requested' && (event.team !== null || event.reviewer?.id === by.id)),
        )
        .map((event) => until(event.at))
        .filter((moment) => moment <= at),
    );
    const followUp = list.some((earlier) => earlier.by.id === by.id && earlier.at >= asked);
    list.push({
      review,
      at,
      by,
      comments: inline.length + (review.hasBody ? 1 : 0),
      response: followUp || isDraftAt(at) ? null : (at - asked) / HOUR,
      asked,
      inDraft: isDraftAt(at),
    });
  }

  const first = readyAt === null ? undefined : counting.find(({ at }) => at >= readyAt && !isDraftAt(at));
  let outOfDraft = 0;
  if (first !== undefined && readyAt !== null) {
    const edges = [readyAt, ...draftEvents(pull).map(({ at }) => at), first.at]
      .filter((edge) => edge >= readyAt && edge <= first.at)
      .sort((a, b) => a - b);
    for (let i = 1; i < edges.length; i += 1) if (!isDraftAt(edges[i - 1]!)) outOfDraft += edges[i]! - edges[i - 1]!;
  }

  const byAgents: number[] = [];
  for (const { author, submittedAt } of pull.reviews) if (author?.kind === 'agent') byAgents.push(until(submittedAt));

  let rounds = 0;
  for (let i = 0; i < counting.length; i += 1) {
    const before = counting[i - 1]?.at;
    if (before === undefined || pushes.some((push) => push > before && push <= counting[i]!.at)) rounds += 1;
  }

  const opinions = counting
    .map(({ review }) => review.state)
    .filter((state) => ['approved', 'changes_requested'].includes(state));
  const human = [createdAt];
  for (const commit of pull.commits)
    if (!commit.authorIsBot && !isMachine(commit.author))
      human.push(Math.max(createdAt, Math.min(end, commit.committedAt)));
  for (const comment of pull.comments) if (!isMachine(comment.author)) human.push(until(comment.createdAt));
  for (const review of pull.reviews) if (!isMachine(review.author)) human.push(until(review.submittedAt));
  for (const event of pull.events)
    if (['force_push', 'ready_for_review', 'convert_to_draft'].includes(event.type) && !isMachine(event.actor))
      human.push(until(event.at));

  return {
    repository: `${owner}/${name}`,
    owner,
    name,
    pull,
    createdAt,
    endedAt,
    isDraftAt,
    pushes,
    size: pull.additions + pull.deletions,
    mergeHours: pull.state === 'merged' ? (end - createdAt) / HOUR : null,
    readyAt,
    firstReviewAt: first?.at ?? null,
    firstReviewHours: first === undefined ? null : outOfDraft / HOUR,
    firstAgentReviewAt: byAgents.length === 0 ? null : Math.min(...byAgents),
    rounds,
    counting,
    automated,
    latestOpinion: opinions.at(-1) ?? null,
    approvedFirst: counting.length === 0 ? null : opinions[0] === 'approved',
    humanActivityAt: Math.max(...human),
    openedAsDraft,
    phases: walk({
      pull,
      createdAt,
      endedAt,
      now,
      pushes,
      counting: counting.map(({ review, at, by }) => ({ id: review.id, at, by: by.id })),
      firstReviewAt: first?.at ?? null,
      openedAsDraft,
    }),
    moments: momentsOf(pull, createdAt, until),
  };
}

function draftEvents(pull: RandomPullRequest) {
  return pull.events
    .filter(({ type }) => type === 'ready_for_review' || type === 'convert_to_draft')
    .sort((a, b) => a.at - b.at);
}

function draftAt(pull: RandomPullRequest): (at: number) => boolean {
  const events = draftEvents(pull);
  const opened = events[0] === undefined ? pull.draft : events[0].type === 'ready_for_review';
  return (at) => {
    let draft = opened;
    for (const event of events) if (event.at <= at) draft = event.type === 'convert_to_draft';
    return draft;
  };
}

function momentsOf(
  pull: RandomPullRequest,
  createdAt: number,
  until: (at: number) => number,
): { at: number; by: PersonRef | null }[] {
  const moments = [{ at: createdAt, by: pull.author }];
  for (const commit of pull.commits) {
    const nobody = commit.authorIsBot && isHuman(commit.author);
    moments.push({ at: until(Math.max(createdAt, commit.committedAt)), by: nobody ? null : commit.author });
  }
  for (const comment of pull.comments)
    if (comment.reviewId === null) moments.push({ at: until(comment.createdAt), by: comment.author });
  for (const review of pull.reviews) moments.push({ at: until(review.submittedAt), by: review.author });
  for (const event of pull.events) {
    // The host may date a merge's event a second after the merge.
    const merges = [pull.mergedAt, ...pull.events.map(({ type, at }) => (type === 'merged' ? at : null))];
    const partOfMerge = event.type === 'closed' && merges.includes(event.at);
    if (!partOfMerge) moments.push({ at: until(event.at), by: event.actor });
  }
  for (const check of pull.checks)
    if (check.completedAt !== null) moments.push({ at: until(check.completedAt), by: null });
  return moments;
}
