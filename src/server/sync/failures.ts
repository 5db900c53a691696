import { HostError, type HostErrorKind } from '../host/errors.ts';

/** What a failure of the host means for whoever asked. */
export interface FailureRule {
  /** What the person reads; `host` is the host's name, `repository` the full name, `said` the host's own sentence. */
  readonly sentence: (about: { host: string; repository: string; said: string }) => string;
  /** How often the same request is repeated at once, with growing pauses, before anything else happens. */
  readonly retries: number;
  /**
   * What follows: `wait` parks the session until the host's date, or for growing pauses, and goes on by itself; `sign_in` ends all sessions of this user;
   * `lose_sight` ends the session and hides the repository from this user; `give_up` ends the session, to be resumed.
   */
  readonly outcome: 'wait' | 'sign_in' | 'lose_sight' | 'give_up';
}

/** The one table of what each kind of failure leads to (docs/server.md#retries-and-waits). */
export const failureRules: Readonly<Record<HostErrorKind, FailureRule>> = {
  unauthorized: {
    sentence: ({ host }) => `${host} no longer accepts your sign-in. Sign in again to go on.`,
    retries: 0,
    outcome: 'sign_in',
  },
  sso_required: {
    sentence: ({ host, repository }) =>
      `The organization of ${repository} asks for single sign-on: authorize it on ${host}, then resume.`,
    retries: 0,
    outcome: 'lose_sight',
  },
  forbidden: {
    sentence: ({ host, repository, said }) => `${host} does not let you read ${repository}. ${said}`,
    retries: 0,
    outcome: 'lose_sight',
  },
  not_found: {
    sentence: ({ host, repository }) => `${repository} is not there any more, or ${host} no longer lets you see it.`,
    retries: 0,
    outcome: 'lose_sight',
  },
  blocked: {
    sentence: ({ host, repository }) => `${host} has blocked access to ${repository}.`,
    retries: 0,
    outcome: 'lose_sight',
  },
  missing_scope: {
    sentence: ({ said }) => `Your sign-in lacks a permission. ${said} Sign in again and grant it.`,
    retries: 0,
    outcome: 'give_up',
  },
  rate_limited: {
    sentence: ({ host }) => `Your hourly quota at ${host} is used up.`,
    retries: 0,
    outcome: 'wait',
  },
  secondary_limit: {
    sentence: ({ host }) => `${host} asks for a pause.`,
    retries: 0,
    outcome: 'wait',
  },
  too_heavy: {
    sentence: ({ host }) => `${host} cannot compute the answer, not even for a single pull request. Resume later.`,
    retries: 2,
    outcome: 'give_up',
  },
  unavailable: {
    sentence: ({ host, said }) => `${host} cannot be reached. ${said} What is stored stays.`,
    // See `outagePause`.
    retries: 0,
    outcome: 'wait',
  },
  refused: {
    sentence: ({ host, said }) => `${host} declined the request. ${said}`,
    retries: 0,
    outcome: 'give_up',
  },
  protocol: {
    sentence: ({ host, said }) => `The answer of ${host} makes no sense to us. ${said}`,
    retries: 2,
    outcome: 'give_up',
  },
};

/** A failure that is ours. Nothing of its cause is shown: that is in the log. */
export const ownFailure = {
  kind: 'internal',
  sentence: 'Something went wrong on our side. What is stored stays.',
  retries: 3,
} as const;

/** The longest pause that is slept through in place, in milliseconds; a longer one parks the session. */
export const LONGEST_PAUSE = 66_000;

/** The longest that anything waits before it asks the host again, whatever the host says: its quotas are hourly. In milliseconds. */
const LONGEST_WAIT = 61 * 60_000;

/** A session that has waited so long for a host that fails everything gives up, in seconds; somebody can resume it. */
export const OUTAGE_PATIENCE = 30 * 60;

/** How often in a row a session is parked without storing anything in between before it gives up: some 20 hours of an outage. */
export const WAITS_WITHOUT_PROGRESS = 24;

/** The pause before retry 1, 2, 3 …: 1 s, 2 s, 4 s … up to 5 minutes, with up to 1 s of chance, in milliseconds. */
export function backoff(retry: number, random: () => number): number {
  const longest = 300_000;
  const chance = Math.floor(random() * 1000);
  return Math.min(longest - chance, 1000 * 2 ** Math.min(retry - 1, 20) + chance);
}

/**
 * The pause after the `failures`th failure in a row of a host that may be down, in milliseconds: the backoff, longer where the host
 * names a later date, at most an hour and a minute; `waited` seconds were spent so before. Null when that was long enough.
 */
export function outagePause(
  error: HostError,
  failures: number,
  waited: number,
  now: Date,
  random: () => number,
): number | null {
  const left = (OUTAGE_PATIENCE - waited) * 1000;
  if (left <= 0) return null;
  const named = error.retry_at === null ? 0 : Math.min(error.retry_at.getTime() - now.getTime(), LONGEST_WAIT);
  return Math.max(named, Math.min(backoff(failures, random), left));
}

/** The pause before a repeated request, honouring the date that the host names; at least 1 s, in milliseconds. */
export function pauseBefore(error: HostError, retry: number, now: Date, random: () => number): number {
  if (error.retry_at === null) return backoff(retry, random);
  return Math.max(1000, error.retry_at.getTime() - now.getTime());
}

/**
 * Until when a parked session waits. Without a date of the host's, or where that was too early: a minute, doubled with every wait in a row,
 * plus up to a tenth of chance, so that not all come back at once; at most an hour and a minute, since quotas are hourly.
 */
export function waitUntil(error: HostError, earlierWaits: number, now: Date, random: () => number): Date {
  const guess = 60_000 * 2 ** Math.min(earlierWaits, 6) * (1 + random() / 10);
  const named = error.retry_at === null ? 0 : error.retry_at.getTime() - now.getTime();
  // A host that has named a moment and refuses after it, too, is asked less and less often.
  const wanted = error.retry_at !== null && earlierWaits === 0 ? named : Math.max(named, guess);
  return new Date(now.getTime() + Math.max(1000, Math.min(LONGEST_WAIT, wanted)));
}

/** Until when the pause lasts that the host asks for; where it names no date, for the given milliseconds. */
export function pauseEnd({ retry_at }: HostError, now: Date, otherwise: number): Date {
  const wanted = retry_at === null ? otherwise : retry_at.getTime() - now.getTime();
  return new Date(now.getTime() + Math.min(LONGEST_WAIT, wanted));
}

/** Whether a pause lasts; one that ends later than any can is of before the clock was set back. */
export function pauseLasts(until: Date | null, now: Date): boolean {
  return until !== null && until > now && until.getTime() - now.getTime() <= LONGEST_WAIT;
}

/** The sentence and rule of whatever was thrown. */
export function failureOf(
  error: unknown,
  about: { host: string; repository: string },
): { kind: string; sentence: string; link: string | null } {
  if (!(error instanceof HostError)) return { kind: ownFailure.kind, sentence: ownFailure.sentence, link: null };
  const sentence = failureRules[error.kind].sentence({ ...about, said: error.message }).trim();
  return { kind: error.kind, sentence, link: error.link };
}

/**
 * What others than the person whose token the sync uses read of its failure; null where everybody reads the same. The sentence for
 * that person speaks of their quota and their sign-in, and may hold what the host says to them alone.
 */
export function sentenceForOthers(kind: string | null): string | null {
  switch (kind) {
    case 'rate_limited':
      return 'The hourly quota of whoever started this sync is used up.';
    case 'unauthorized':
      return 'The sign-in of whoever started this sync is no longer accepted. Start it again to sync with yours.';
    case 'sso_required':
    case 'forbidden':
    case 'not_found':
    case 'blocked':
    case 'missing_scope':
      return 'Whoever started this sync may no longer read the repository. Start it again to sync with your sign-in.';
    default:
      return null;
  }
}

/**
 * Whether the host may have failed over what was asked for: not in time, its own or ours, or not within its limits. Something small that is
 * asked next tells that from a host which is down.
 */
export function isTooMuch(error: HostError): boolean {
  return (
    error.kind === 'too_heavy' || (error.kind === 'unavailable' && [200, 408, 502, 504].includes(error.status ?? 0))
  );
}
