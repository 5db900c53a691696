import { describe, expect, it } from 'vitest';
import type { SyncResponse } from '#contract/sync.ts';
import type { RepositorySync } from './run-sync.ts';
import { formatTimeLeft, overallOf } from './sync-overview.ts';

function one(status: RepositorySync['status'], progress: Partial<SyncResponse['progress']> | null): RepositorySync {
  const full = {
    percentage: 0,
    current_phase: 'fetching_prs',
    processed_items: 0,
    processed_prs: 0,
    total_prs: null,
    processed_reviews: 0,
    total_reviews: null,
    estimated_time_remaining: null,
    message: '',
    ...progress,
  };
  const answer = { progress: full, rate_limit_status: null } as unknown as SyncResponse;
  return {
    repository: { id: 1, owner: 'o', name: 'n' },
    status,
    attempts: 0,
    answer: progress === null ? null : answer,
    error: null,
  };
}
const overall = (...repositories: RepositorySync[]) => overallOf({ mode: 'smart', repositories });

describe('the progress over several repositories', () => {
  it('is the mean of their percentages, rounded down', () => {
    expect(overall(one('syncing', { percentage: 25 }), one('syncing', { percentage: 50 })).percentage).toBe(37);
  });

  it('counts what went well as whole, and what did not as far as it came', () => {
    expect(overall(one('done', { percentage: 3 }), one('syncing', { percentage: 0 })).percentage).toBe(50);
    expect(overall(one('failed', { percentage: 4 }), one('partial', { percentage: 30 })).percentage).toBe(17);
    expect(overall(one('failed', null)).percentage).toBe(0);
  });

  it('of what timed out is as it was last known, and has not failed', () => {
    const left = { ...one('timed-out', { percentage: 40 }), error: 'Sync timeout.' };

    expect(overall(left)).toMatchObject({ percentage: 40, phase: 'fetching_prs', secondsLeft: null });
    expect(overall(left, one('done', {}))).toMatchObject({ percentage: 70, phase: 'fetching_prs' });
  });

  it('is in the earliest phase of those still at work', () => {
    const state = [one('syncing', { current_phase: 'processing_data' }), one('syncing', { current_phase: 'starting' })];

    expect(overall(...state).phase).toBe('starting');
    expect(overall(one('done', {}), one('syncing', { current_phase: 'fetching_reviews' })).phase).toBe(
      'fetching_reviews',
    );
  });

  it('is completed when all have ended well, and an error when none has', () => {
    const failed = { ...one('failed', {}), error: 'Bad gateway' };

    expect(overall(one('done', {}), one('partial', {})).phase).toBe('completed');
    expect(overall(failed, { ...failed, status: 'partial' }).phase).toBe('error');
  });

  it('has a total only when every repository has told its own', () => {
    expect(overall(one('syncing', { total_prs: 10 }), one('syncing', { total_prs: null })).totalPrs).toBeNull();
    expect(overall(one('syncing', { total_prs: 10 }), one('syncing', null)).totalPrs).toBeNull();
    expect(overall(one('syncing', { total_prs: 10 }), one('done', { total_prs: 5 })).totalPrs).toBe(15);
  });

  it('lasts as long as its slowest repository, or says nothing while one cannot tell', () => {
    const quick = one('syncing', { estimated_time_remaining: 10 });

    expect(overall(quick, one('syncing', { estimated_time_remaining: 90 })).secondsLeft).toBe(90);
    expect(overall(quick, one('syncing', {})).secondsLeft).toBeNull();
  });

  it('shows the scarcest quota of one’s own; somebody else’s has no figures and stands back', () => {
    const limited = (remaining: number | null): RepositorySync => {
      const rate_limit_status = {
        remaining,
        limit: remaining === null ? null : 5000,
        reset_at: '2026-11-21T12:00:00Z',
      };
      return { ...one('syncing', {}), answer: { ...one('syncing', {}).answer!, rate_limit_status } };
    };

    expect(overall(limited(null), limited(400), limited(90)).rateLimit).toMatchObject({ remaining: 90 });
    expect(overall(limited(null), limited(null)).rateLimit).toMatchObject({ remaining: null, limit: null });
  });

  it('is nothing before a sync', () => {
    expect(overallOf(null)).toMatchObject({ percentage: 0, phase: 'starting', rateLimit: null, secondsLeft: null });
  });
});

describe('the time left', () => {
  it.each([
    [null, null],
    [0, 'less than a minute left'],
    [59, 'less than a minute left'],
    [60, 'about 1 min left'],
    [130, 'about 2 min left'],
    [5_400, 'about 1.5 h left'],
  ])('of %s seconds reads %s', (seconds, text) => {
    expect(formatTimeLeft(seconds)).toBe(text);
  });
});
