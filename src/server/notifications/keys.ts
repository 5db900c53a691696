import type { Passing } from '#domain/notifications/moments.ts';
import type { Kind } from '#domain/notifications/subscriptions.ts';
import type { Instant } from '#domain/pull-request.ts';
import { type Address, nameOf } from './recipients.ts';

/** One thing that a message tells; a key is told once. */
export interface Tell {
  readonly key: string;
  readonly kind: Kind;
  /** Before that it is not told. */
  readonly due_at: Instant;
  readonly repository_id: number | null;
  readonly number: number | null;
  readonly since: Instant | null;
  readonly repetition: number | null;
}

/** That it is somebody's turn on a pull request since then. */
export function turnOf(to: Address, pull: Pull, since: Instant, due_at: Instant): Tell {
  const key = `${nameOf(to)} turn ${nameOfPull(pull)} ${secondsOf(since)}`;
  return { key, kind: 'turn', due_at, ...placeOf(pull), since, repetition: null };
}

/** That a pull request which waits since then passed a limit. Keys of earlier versions end with the number of the repetition. */
export function stuckOf(to: Address, pull: Pull, since: Instant, { at, repetition, hours }: Passing): Tell {
  const key = `${nameOf(to)} stuck ${nameOfPull(pull)} ${secondsOf(since)} ${hours}h`;
  return { key, kind: 'stuck', due_at: at, ...placeOf(pull), since, repetition };
}

/** What all keys of one wait begin with, whichever passing they name. */
export function waitOf({ key }: Tell): string {
  return key.slice(0, key.lastIndexOf(' ') + 1);
}

export function digestOf(to: Address, kind: 'daily' | 'weekly', period: string, due_at: Instant): Tell {
  return { key: `${nameOf(to)} ${kind} ${period}`, kind, due_at, ...nowhere };
}

/** `what` names what needs somebody, and since when. */
export function syncOf(to: Address, what: string, due_at: Instant): Tell {
  return { key: `${nameOf(to)} sync ${what}`, kind: 'sync', due_at, ...nowhere };
}

interface Pull {
  readonly repository_id: number;
  readonly number: number;
}

const nowhere = { repository_id: null, number: null, since: null, repetition: null };
const placeOf = ({ repository_id, number }: Pull) => ({ repository_id, number });
const nameOfPull = ({ repository_id, number }: Pull) => `${repository_id}#${number}`;
/** The host's precision. */
const secondsOf = (at: Instant) => Math.floor(at / 1000);
