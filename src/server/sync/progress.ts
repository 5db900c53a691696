import type { SyncResponse } from '#contract/sync.ts';
import { syncPhaseMessage } from '#domain/sync-phase.ts';
import { POINTS_PER_PULL_REQUEST } from '../host/price.ts';
import { sentenceForOthers } from './failures.ts';
import { canResume, type SyncSession } from './sessions.ts';

type Counters = Pick<SyncSession, 'mode' | 'stage' | 'processed_prs' | 'total_prs'>;

/** Where each stage begins and ends, in percent. */
const spans: Readonly<Record<SyncSession['mode'], Record<SyncSession['stage'], readonly [number, number]>>> = {
  full: { history: [1, 95], changes: [95, 99], done: [100, 100] },
  incremental: { history: [1, 1], changes: [1, 99], done: [100, 100] },
};

/** How far a session is, in percent. The caller keeps it from falling: the host's total grows while it is read. */
export function percentageOf({ mode, stage, processed_prs, total_prs }: Counters): number {
  const [from, to] = spans[mode][stage];
  const counted = mode === 'full' ? stage === 'history' : true;
  const share = !counted || total_prs === null || total_prs === 0 ? 0 : Math.min(1, processed_prs / total_prs);
  return from + (to - from) * share;
}

/** How much of a page's pace goes into the smoothed one at the least, once five such pages were read. */
const SMOOTHING = 0.2;
/** One page's pace counts as at most so many times the smoothed one, or as little: a pause of the host's is no new pace. */
const MAX_PACE_CHANGE = 3;

/**
 * The smoothed seconds per pull request after a page of `count` took `seconds`, with which `processed` are read; null until
 * something was. The first pages weigh alike, later ones more than what was long ago: pages of other years cost otherwise.
 */
export function smoothedPace(before: number | null, seconds: number, count: number, processed: number): number | null {
  if (count === 0) return before;
  const pace = seconds / count;
  if (before === null) return pace;
  const within = Math.min(Math.max(pace, before / MAX_PACE_CHANGE), before * MAX_PACE_CHANGE);
  return before + Math.max(SMOOTHING, count / Math.max(count, processed)) * (within - before);
}

const HOUR = 3600;

/** Seconds until the end; null while it cannot be told honestly: before the first page, without a total, and while nothing moves. */
export function remainingSeconds(session: SyncSession, now: Date): number | null {
  if (session.status !== 'running' && session.status !== 'waiting') return null;
  if (session.seconds_per_pull_request === null || session.total_prs === null) return null;
  const left = Math.max(0, session.total_prs - session.processed_prs);
  if (session.status === 'running') {
    const work = withinQuota(left, session.seconds_per_pull_request, session, session.updated_at);
    return Math.max(0, Math.round(work - secondsBetween(session.updated_at, now)));
  }
  if (session.waiting_until === null) return null;
  const work = withinQuota(left, session.seconds_per_pull_request, session, session.waiting_until);
  return Math.max(0, Math.round(secondsBetween(now, session.waiting_until) + work));
}

/** Seconds from `from` on for so many pull requests, with the waiting for further hours of the quota where this one's is too small. */
function withinQuota(left: number, pace: number, session: SyncSession, from: Date): number {
  const { rate_remaining, rate_limit, rate_reset_at } = session;
  if (rate_remaining === null || rate_limit === null || rate_reset_at === null || rate_limit <= 0) return left * pace;
  const unspent = rate_reset_at > from;
  let affordable = Math.floor((unspent ? rate_remaining : rate_limit) / POINTS_PER_PULL_REQUEST);
  let seconds = 0;
  for (let hour = unspent ? secondsBetween(from, rate_reset_at) : HOUR; left > affordable; hour = HOUR) {
    seconds += Math.max(affordable * pace, hour);
    left -= affordable;
    affordable = Math.ceil(rate_limit / POINTS_PER_PULL_REQUEST);
  }
  return seconds + left * pace;
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}

/**
 * The answer about a repository's newest session as this user may see it; of a repository that was never synced, `idle`. Whose token
 * it uses, and what the host says to that person alone, is not for others.
 */
export function syncResponseOf(session: SyncSession | null, user_id: number, now: Date): SyncResponse {
  if (session === null) return neverSynced;
  const own = session.user_id === user_id;
  const resumable = own && canResume(session);
  const error = session.error && ((own ? null : sentenceForOthers(session.error_kind)) ?? session.error);
  const status = shownStatus(session, now);
  const phase = shownPhase(session);
  return {
    success: session.status !== 'failed',
    session_id: session.id,
    resume_session_id: resumable ? session.id : null,
    status,
    started_by_you: own,
    is_complete: session.status === 'completed',
    has_more: canResume(session) && hasHistoryLeft(session),
    can_resume: resumable,
    imported_prs: session.processed_prs,
    imported_reviews: session.processed_reviews,
    progress: {
      percentage: session.percentage,
      current_phase: phase,
      processed_items: session.processed_items,
      processed_prs: session.processed_prs,
      total_prs: session.total_prs,
      processed_reviews: session.processed_reviews,
      total_reviews: session.status === 'completed' ? session.processed_reviews : null,
      estimated_time_remaining: remainingSeconds(session, now),
      message: messageOf(session, status, phase, error),
    },
    rate_limit_status: rateLimitStatus(session, status, own),
    waiting_until: status === 'waiting' ? (session.waiting_until?.toISOString() ?? null) : null,
    error: status === 'failed' || (status === 'waiting' && session.error_kind === 'unavailable') ? error : null,
    error_link: own && session.status === 'failed' ? session.error_link : null,
    skipped: session.skipped,
  };
}

/** A session that pauses before it asks the host again waits, too, although a worker holds it. */
function shownStatus({ status, error_kind, waiting_until }: SyncSession, now: Date): SyncSession['status'] {
  const pauses = status === 'running' && error_kind !== null && waiting_until !== null && waiting_until > now;
  return pauses ? 'waiting' : status;
}

/** In later stages a cursor, or no total, says that history could not be read to its end. */
function hasHistoryLeft({ mode, stage, cursor, total_prs }: SyncSession): boolean {
  return mode === 'full' && (stage === 'history' || cursor !== null || total_prs === null);
}

function shownPhase(session: SyncSession): string {
  if (session.status === 'failed' || session.status === 'cancelled') return 'error';
  return session.phase;
}

function messageOf(session: SyncSession, status: SyncSession['status'], phase: string, error: string | null): string {
  if (session.status === 'cancelled') return 'Sync cancelled';
  if (status === 'waiting' && error !== null) return error;
  return syncPhaseMessage(phase);
}

/** While it waits for a limit, `reset_at` says until when, whichever limit it is. */
function rateLimitStatus(
  session: SyncSession,
  status: SyncSession['status'],
  own: boolean,
): SyncResponse['rate_limit_status'] {
  const { rate_remaining, rate_limit, rate_reset_at } = session;
  const limited = session.error_kind === 'rate_limited' || session.error_kind === 'secondary_limit';
  const reset_at = status === 'waiting' && limited ? session.waiting_until : rate_reset_at;
  if (reset_at === null) return null;
  return {
    remaining: own ? rate_remaining : null,
    limit: own ? rate_limit : null,
    reset_at: reset_at.toISOString(),
  };
}

const neverSynced: SyncResponse = {
  success: true,
  session_id: null,
  resume_session_id: null,
  status: 'idle',
  started_by_you: true,
  is_complete: false,
  has_more: false,
  can_resume: false,
  imported_prs: 0,
  imported_reviews: 0,
  progress: {
    percentage: 0,
    current_phase: 'idle',
    processed_items: 0,
    processed_prs: 0,
    total_prs: null,
    processed_reviews: 0,
    total_reviews: null,
    estimated_time_remaining: null,
    message: '',
  },
  rate_limit_status: null,
  waiting_until: null,
  error: null,
  error_link: null,
  skipped: [],
};
