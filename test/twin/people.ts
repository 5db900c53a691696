import type { PersonRef } from '#domain/pull-request.ts';
import { dateOf } from './arithmetic.ts';
import { isHuman, type TwinPull, type TwinReview } from './pull-request.ts';

/** Everybody who is named by an event, a review or as an author, once. */
export function everybody(pulls: readonly TwinPull[]): PersonRef[] {
  const found = new Map<string, PersonRef>();
  for (const { pull, moments, startedBy = null } of pulls) {
    for (const person of [
      pull.author,
      startedBy,
      ...moments.map(({ by }) => by),
      ...pull.comments.map(({ author }) => author),
    ])
      if (person !== null) found.set(person.id, person);
    for (const request of pull.requested) if ('person' in request) found.set(request.person.id, request.person);
  }
  return [...found.values()];
}

/** The reviews that make a person's figures: counting ones of a human, automated ones of a bot or agent. */
export function reviewsOf(pulls: readonly TwinPull[], person: PersonRef): (TwinReview & { readonly on: TwinPull })[] {
  const reviews: (TwinReview & { on: TwinPull })[] = [];
  for (const on of pulls)
    for (const review of isHuman(person) ? on.counting : on.automated)
      if (review.by.id === person.id) reviews.push({ ...review, on });
  return reviews;
}

/** Whether it counts as authored by a person. */
const isBy = ({ pull, startedBy }: TwinPull, { id }: PersonRef) => pull.author?.id === id || startedBy?.id === id;

/** Whether a person exists as a contributor. */
export function exists(pulls: readonly TwinPull[], person: PersonRef): boolean {
  return pulls.some((on) => isBy(on, person) || on.pull.reviews.some(({ author }) => author?.id === person.id));
}

export function authoredBy(pulls: readonly TwinPull[], person: PersonRef): TwinPull[] {
  return pulls.filter((on) => isBy(on, person));
}

/** What makes a person active: each opening, authored commit (once), review and comment, with its moment. */
export function doings(pulls: readonly TwinPull[], person: PersonRef, now: number): number[] {
  const moments: number[] = [];
  const seen = new Set<string>();
  for (const on of pulls) {
    const { pull, createdAt } = on;
    if (isBy(on, person)) moments.push(createdAt);
    for (const commit of pull.commits) {
      if (commit.author?.id !== person.id || (commit.authorIsBot && isHuman(person)) || seen.has(commit.sha)) continue;
      seen.add(commit.sha);
      moments.push(Math.min(commit.authoredAt, now));
    }
    for (const comment of pull.comments)
      if (comment.author?.id === person.id) moments.push(Math.min(comment.createdAt, now));
  }
  for (const review of reviewsOf(pulls, person)) moments.push(review.at);
  return moments;
}

/** On how many of some dates a person was active. */
export function activeDatesOf(
  pulls: readonly TwinPull[],
  person: PersonRef,
  now: number,
  zone: string,
  dates: readonly string[],
): number {
  const active = new Set(doings(pulls, person, now).map((at) => dateOf(zone, at)));
  return dates.filter((date) => active.has(date)).length;
}

/** Their latest timeline event or inline comment; null when they have none. */
export function lastActivityOf(pulls: readonly TwinPull[], person: PersonRef, now: number): number | null {
  const moments: number[] = [];
  for (const { pull, moments: events } of pulls) {
    for (const { at, by } of events) if (by?.id === person.id) moments.push(at);
    for (const comment of pull.comments)
      if (comment.author?.id === person.id) moments.push(Math.min(comment.createdAt, now));
  }
  return moments.length === 0 ? null : Math.max(...moments);
}
