import { describe, expect, it } from 'vitest';
import { importStateOf, type Unsettled } from './import-state.ts';

const progress = {
  percentage: 64,
  current_phase: 'fetching_prs',
  processed_items: 0,
  processed_prs: 0,
  total_prs: null,
  processed_reviews: 0,
  total_reviews: null,
  estimated_time_remaining: null,
  message: '',
};

function aRepository(
  status: 'idle' | 'running' | 'waiting' | 'failed',
  more: Partial<Unsettled['sync']> = {},
): Unsettled {
  return {
    repository: { full_name: 'brasswick/ledger', last_synced_at: null },
    sync: { status, progress, imported_prs: 100, waiting_until: null, error: null, ...more },
  };
}

describe('what is said about the completeness of the figures', () => {
  it('is nothing when every repository is settled or not yet known', () => {
    expect(importStateOf([], 10)).toEqual({ kind: 'settled' });
    expect(importStateOf([{ ...aRepository('idle'), sync: undefined }], 10)).toEqual({ kind: 'settled' });
  });

  it('calls the current weeks complete only when more than the recent pull requests were imported', () => {
    expect(importStateOf([aRepository('running')], 99)).toMatchObject({
      kind: 'importing',
      currentWeeksComplete: true,
    });
    expect(importStateOf([aRepository('running')], 100)).toMatchObject({ currentWeeksComplete: false });
    expect(importStateOf([aRepository('running')], null)).toMatchObject({ currentWeeksComplete: false });
  });

  it('gives the mean of what is imported of each', () => {
    const half = aRepository('running', { progress: { ...progress, percentage: 36 } });

    expect(importStateOf([aRepository('running'), half], 0)).toMatchObject({ percentage: 50 });
  });

  it('tells what is waited for, and until when, when nothing but waiting goes on', () => {
    const reason = 'Your hourly quota at GitHub is used up.';
    const until = (waiting_until: string | null) =>
      aRepository('waiting', { waiting_until, progress: { ...progress, message: reason } });
    const waiting = until('2026-11-21T15:06:00Z');

    expect(importStateOf([until('2026-11-21T15:07:00Z'), waiting], 0)).toEqual({
      kind: 'waiting',
      reason,
      until: Date.parse('2026-11-21T15:06:00Z'),
    });
    expect(importStateOf([until(null)], 0)).toEqual({ kind: 'waiting', reason, until: null });
    expect(importStateOf([waiting, aRepository('running')], 0)).toMatchObject({ kind: 'importing' });
  });

  it('names what failed, and what was never synced', () => {
    expect(importStateOf([aRepository('failed', { error: 'Gone.' })], 0)).toEqual({
      kind: 'failed',
      names: 'brasswick/ledger',
      since: null,
      error: 'Gone.',
    });
    expect(importStateOf([aRepository('idle'), aRepository('idle'), aRepository('idle')], 0)).toEqual({
      kind: 'never',
      names: 'brasswick/ledger and 2 others',
      many: true,
    });
  });

  it('leaves a synced repository whose newer sync runs alone', () => {
    const synced = {
      ...aRepository('running'),
      repository: { full_name: 'a/b', last_synced_at: '2026-11-01T00:00:00Z' },
    };

    expect(importStateOf([synced], 0)).toEqual({ kind: 'settled' });
  });
});
