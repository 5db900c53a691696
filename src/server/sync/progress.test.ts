import { describe, expect, it } from 'vitest';
import { percentageOf, remainingSeconds, smoothedPace, syncResponseOf } from './progress.ts';
import type { SyncSession } from './sessions.ts';

const now = new Date('2026-11-21T12:00:00Z');
const aSession = (about: Partial<SyncSession> = {}): SyncSession => ({
  id: '00000000-0000-4000-8000-000000000000',
  repository_id: 1,
  user_id: 1,
  asked_by: 'person',
  mode: 'full',
  status: 'running',
  phase: 'fetching_prs',
  stage: 'history',
  cursor: null,
  page_size_limit: null,
  scan_started_at: null,
  total_prs: 100,
  processed_prs: 20,
  processed_reviews: 5,
  processed_items: 30,
  percentage: 20,
  seconds_per_pull_request: 0.5,
  skipped: [],
  attempts: 0,
  error: null,
  error_kind: null,
  error_link: null,
  rate_remaining: 4000,
  rate_limit: 5000,
  rate_reset_at: new Date('2026-11-21T12:30:00Z'),
  waiting_until: null,
  worker: null,
  heartbeat_at: null,
  claimed_at: null,
  turn: null,
  sequence: 1,
  waited_seconds: 0,
  created_at: now,
  started_at: now,
  updated_at: now,
  finished_at: null,
  ...about,
});

describe('progress', () => {
  it('rises from stage to stage up to 100', () => {
    const steps = [
      percentageOf(aSession({ processed_prs: 0, total_prs: null })),
      percentageOf(aSession({ processed_prs: 0 })),
      percentageOf(aSession({ processed_prs: 50 })),
      percentageOf(aSession({ processed_prs: 100 })),
      percentageOf(aSession({ stage: 'changes', processed_prs: 100 })),
      percentageOf(aSession({ stage: 'done' })),
    ];

    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(100);
    expect(steps.at(-2)).toBeLessThan(100);
  });

  it('of an incremental sync is told by what there is to fetch', () => {
    const incremental = { mode: 'incremental', stage: 'changes' } as const;

    expect(percentageOf(aSession({ ...incremental, processed_prs: 0, total_prs: null }))).toBe(1);
    expect(percentageOf(aSession({ ...incremental, processed_prs: 5, total_prs: 10 }))).toBe(50);
  });

  it('tells the time that is left by a smoothed pace', () => {
    expect(remainingSeconds(aSession(), now)).toBe(40);
    expect(remainingSeconds(aSession(), new Date(now.getTime() + 10_000))).toBe(30);
    expect(remainingSeconds(aSession(), new Date(now.getTime() + 100_000))).toBe(0);
  });

  it('weighs the first pages alike and later ones more than those of long ago', () => {
    expect(smoothedPace(null, 10, 20, 20)).toBe(0.5);
    expect(smoothedPace(0.5, 20, 20, 40)).toBeCloseTo(0.75);
    expect(smoothedPace(0.5, 20, 20, 2000)).toBeCloseTo(0.6);
    expect(smoothedPace(0.5, 30, 0, 20)).toBe(0.5);
  });

  it('takes a single page that the host kept it waiting for as no new pace', () => {
    const paused = smoothedPace(0.5, 600, 20, 2000)!;
    const still = [1, 2, 3, 4, 5, 6].reduce((pace) => smoothedPace(pace, 40, 20, 2000)!, 0.5);

    expect(paused).toBeLessThan(1);
    expect(still).toBeGreaterThan(1.5);
  });

  it('counts the hours of the quota in that an import will spend', () => {
    const in20Minutes = new Date(now.getTime() + 20 * 60_000);
    const large = { total_prs: 60_000, processed_prs: 0, seconds_per_pull_request: 0.02, rate_limit: 5000 };
    const seconds = (about: Partial<SyncSession>) =>
      remainingSeconds(aSession({ ...large, rate_reset_at: in20Minutes, ...about }), now);

    // 60,000 cost 1,800 points: 1,200 s of work where they are at hand.
    expect(seconds({ rate_remaining: null, rate_limit: null, rate_reset_at: null })).toBe(1200);
    expect(seconds({ rate_remaining: 12_500, rate_limit: 12_500 })).toBe(1200);
    // 1,200 points are 40,000 of them; for the last 20,000 the reset is waited for.
    expect(seconds({ rate_remaining: 1200 })).toBe(20 * 60 + 400);
    // Nothing is left now: 50,000 after the reset, the rest an hour later.
    expect(seconds({ rate_remaining: 0, rate_limit: 1500 })).toBeCloseTo(20 * 60 + 3600 + 10_000 * 0.02, -1);
    // The hour of the quota is over: a new one begins.
    expect(seconds({ rate_remaining: 0, total_prs: 1000, rate_reset_at: now })).toBe(20);
  });

  it('tells no time before it can', () => {
    expect(remainingSeconds(aSession({ seconds_per_pull_request: null }), now)).toBeNull();
    expect(remainingSeconds(aSession({ total_prs: null }), now)).toBeNull();
    expect(remainingSeconds(aSession({ status: 'queued' }), now)).toBeNull();
    expect(remainingSeconds(aSession({ status: 'completed' }), now)).toBeNull();
  });

  it('counts the waiting for the rate limit in', () => {
    const limited = { status: 'waiting', error_kind: 'rate_limited' } as const;
    const waiting = aSession({ ...limited, waiting_until: new Date(now.getTime() + 60_000) });

    expect(remainingSeconds(waiting, now)).toBe(100);
    expect(syncResponseOf(waiting, 1, now).rate_limit_status).toEqual({
      remaining: 4000,
      limit: 5000,
      reset_at: '2026-11-21T12:01:00.000Z',
    });
  });
});

describe('the answer about a sync', () => {
  it('of a failed import says why, and that there is more to be had', () => {
    const failed = aSession({ status: 'failed', error: 'GitHub cannot be reached.', error_link: null, phase: 'error' });

    expect(syncResponseOf(failed, 1, now)).toMatchObject({
      success: false,
      status: 'failed',
      has_more: true,
      can_resume: true,
      resume_session_id: failed.id,
      error: 'GitHub cannot be reached.',
      progress: { current_phase: 'error', message: 'Sync failed' },
    });
  });

  it('has no more once history was read, though one was left out and it can be resumed', () => {
    expect(
      syncResponseOf(aSession({ status: 'cancelled', stage: 'changes', processed_prs: 99 }), 1, now),
    ).toMatchObject({
      success: true,
      has_more: false,
      can_resume: true,
      progress: { message: 'Sync cancelled' },
    });
  });

  it('has more where what follows a page of history could not be reached', () => {
    const unreached = { status: 'failed', stage: 'changes' } as const;

    expect(syncResponseOf(aSession({ ...unreached, cursor: 'page 3' }), 1, now).has_more).toBe(true);
    expect(syncResponseOf(aSession({ ...unreached, total_prs: null }), 1, now).has_more).toBe(true);
  });

  it('says what it waits for and until when, as no failure, and keeps an outage apart from the quota', () => {
    const waiting_until = new Date(now.getTime() + 60_000);
    const away = { status: 'waiting', error: 'GitHub cannot be reached.', error_kind: 'unavailable' } as const;

    expect(syncResponseOf(aSession({ ...away, waiting_until }), 1, now)).toMatchObject({
      success: true,
      status: 'waiting',
      error: 'GitHub cannot be reached.',
      waiting_until: waiting_until.toISOString(),
      rate_limit_status: { reset_at: '2026-11-21T12:30:00.000Z' },
      progress: { message: 'GitHub cannot be reached.' },
    });
    expect(syncResponseOf(aSession({ ...away, status: 'running', waiting_until }), 1, now).status).toBe('waiting');
    expect(syncResponseOf(aSession({ ...away, status: 'running', waiting_until: now }), 1, now).status).toBe('running');
    expect(syncResponseOf(aSession({ ...away, error_kind: 'rate_limited', waiting_until }), 1, now).error).toBeNull();
    expect(syncResponseOf(aSession(), 1, now).waiting_until).toBeNull();
  });

  it('tells others than the person whose token it uses neither their quota nor what the host says to them', () => {
    const limited = aSession({
      ...{ status: 'waiting', error_kind: 'rate_limited', error: 'Your hourly quota at GitHub is used up.' },
      waiting_until: now,
    });
    const refused = aSession({
      ...{ status: 'failed', error_kind: 'sso_required', error: 'Authorize it.', error_link: 'https://github.com/sso' },
    });

    expect(syncResponseOf(limited, 2, now)).toMatchObject({
      started_by_you: false,
      rate_limit_status: { remaining: null, limit: null, reset_at: now.toISOString() },
      progress: { message: 'The hourly quota of whoever started this sync is used up.' },
    });
    expect(syncResponseOf(refused, 2, now)).toMatchObject({
      ...{ error_link: null, can_resume: false, resume_session_id: null },
      error: expect.stringMatching(/^Whoever started this sync may no longer read the repository/),
    });
    expect(syncResponseOf(refused, 1, now)).toMatchObject({
      ...{ error_link: 'https://github.com/sso', can_resume: true, error: 'Authorize it.', started_by_you: true },
    });
  });

  it('knows the number of reviews once it is complete', () => {
    expect(syncResponseOf(aSession(), 1, now).progress.total_reviews).toBeNull();
    expect(syncResponseOf(aSession({ status: 'completed' }), 1, now).progress.total_reviews).toBe(5);
  });
});
