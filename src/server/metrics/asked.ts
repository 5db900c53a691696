import type { Window } from '#domain/period.ts';
import type { Scope } from './scope.ts';
import type { Asked, Span, Viewpoint } from './sources/source.ts';

/** All time, up to now and later. */
export const always: Span = { after: new Date(0), until: null };

/** No person's row id: nothing is theirs. */
export const NO_PERSON = 0;

/** The team's view of all time. */
export const ofTeam: Viewpoint = {
  now: new Date(0),
  time_zone: 'UTC',
  window: always,
  person: null,
  people: 'everybody',
  byPerson: false,
  compared: null,
  health: null,
  reviewer: null,
};

/** A question about the team over all time, unless `more` says otherwise. */
export function asking(scope: Scope, now: Date, time_zone: string, more: Partial<Asked> = {}): Asked {
  return { ...ofTeam, scope, now, time_zone, ...more };
}

/** The time since a moment, that itself not counted; what is dated later than now counts as now. */
export function since(after: number): Span {
  return { after: new Date(after), until: null };
}

/** The time of a window that is over. */
export function over({ after, until }: Window): Span {
  return { after: new Date(after), until: new Date(until) };
}

/** From an instant, it too, up to another, that one not; `to` null: until now. Stored moments are whole milliseconds. */
export function fromTo(from: number, to: number | null): Span {
  return { after: new Date(from - 1), until: to === null ? null : new Date(to - 1) };
}
