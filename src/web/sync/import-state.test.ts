import { describe, expect, it } from 'vitest';
import { type Imported, importStateOf, importsToShow, stateOfImport } from './import-state.ts';

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

function aRepository(status: NonNullable<Imported['sync']>['status'], more: Partial<Imported['sync']> = {}): Imported {
  return {
    repository: {
      full_name: 'brasswick/ledger',
      last_synced_at: null,
      first_connected_at: '2026-11-20T09:00:00Z',
      imported_at: null,
    },
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

  it('does not fall while the repositories that are imported together are done one by one', () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();
    const read = (connected: number, percentage: number, status: 'running' | 'failed' = 'running'): Imported => ({
      repository: { ...aRepository('running').repository, first_connected_at: at(connected) },
      sync: { ...aRepository(status).sync!, progress: { ...progress, percentage } },
    });
    const done = (connected: number, imported: number): Imported => ({
      repository: {
        ...aRepository('running').repository,
        first_connected_at: at(connected),
        imported_at: at(imported),
        last_synced_at: at(imported),
      },
      sync: undefined,
    });
    const longAgo = done(-900, -800);
    // The third was connected when the first was done: only the second connects the two.
    const story: Imported[][] = [
      [read(0, 30), read(5, 5), read(15, 1)],
      [read(0, 99), read(5, 6), read(15, 1)],
      [done(0, 10), read(5, 6), read(15, 1)],
      [done(0, 10), read(5, 60), read(15, 2)],
      [done(0, 10), read(5, 60, 'failed'), read(15, 3)],
      [done(0, 10), done(5, 20), read(15, 70)],
    ];

    const shown = story.map((repositories) => importStateOf([longAgo, ...repositories], 0));

    expect(shown.map((state) => (state.kind === 'importing' ? Math.floor(state.percentage) : state.kind))).toEqual([
      12, 35, 35, 54, 54, 90,
    ]);
  });

  it('leaves what was done before and what is not on its way out of the mean', () => {
    const before: Imported = {
      repository: {
        ...aRepository('running').repository,
        first_connected_at: '2026-11-19T09:00:00Z',
        imported_at: '2026-11-20T08:59:59Z',
        last_synced_at: '2026-11-20T10:00:00Z',
      },
      sync: undefined,
    };
    const same = { ...before, repository: { ...before.repository, imported_at: '2026-11-20T09:00:00Z' } };
    const running = aRepository('running');

    expect(importStateOf([running, before], 0)).toMatchObject({ percentage: 64 });
    expect(importStateOf([running, same], 0)).toMatchObject({ percentage: 82 });
    expect(importStateOf([running, aRepository('idle'), aRepository('cancelled')], 0)).toMatchObject({
      percentage: 64,
    });
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
      repository: { ...aRepository('running').repository, last_synced_at: '2026-11-01T00:00:00Z' },
    };

    expect(importStateOf([synced], 0)).toEqual({ kind: 'settled' });
  });

  it('of many shows first what is under way and what failed, in the order of their states', () => {
    const of = (status: Parameters<typeof aRepository>[0], count: number) =>
      Array.from({ length: count }, () => aRepository(status));
    const done = { ...aRepository('completed'), sync: undefined };
    const synced = { ...done, repository: { ...done.repository, last_synced_at: '2026-11-20T10:00:00Z' } };
    const all = [synced, ...of('completed', 12), ...of('queued', 3), ...of('failed', 1), ...of('running', 1)];

    const shown = (most: number) => importsToShow(all, most).map(stateOfImport);

    expect(shown(2)).toEqual(['running', 'failed']);
    expect(shown(6)).toEqual(['done', 'running', 'waiting', 'waiting', 'waiting', 'failed']);
    expect(shown(100)).toHaveLength(all.length);
  });
});
