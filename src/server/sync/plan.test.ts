import { describe, expect, it } from 'vitest';
import {
  firstPageSize,
  needsFetch,
  nextPageSize,
  OVERLAP,
  planMode,
  rememberedPageSize,
  SMART_AGE,
  scanFloor,
  watermarkOf,
} from './plan.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const complete = { watermark: ago(1000), history_completed_at: ago(1000), last_synced_at: ago(1000) };

describe('which mode a sync runs in', () => {
  it('is full when nothing was synced yet, whatever was asked for', () => {
    const nothing = { watermark: null, history_completed_at: null, last_synced_at: null };

    for (const mode of ['smart', 'incremental', 'full'] as const) expect(planMode(mode, nothing, now)).toBe('full');
  });

  it('is full while an import was never completed', () => {
    expect(planMode('smart', { ...complete, history_completed_at: null }, now)).toBe('full');
    expect(planMode('incremental', { ...complete, watermark: null }, now)).toBe('full');
  });

  it('is what was asked for after a completed sync', () => {
    expect(planMode('smart', complete, now)).toBe('incremental');
    expect(planMode('incremental', complete, now)).toBe('incremental');
    expect(planMode('full', complete, now)).toBe('full');
  });

  it('turns full for smart when the last sync is 30 days old, not a moment earlier', () => {
    expect(planMode('smart', { ...complete, last_synced_at: ago(SMART_AGE - 1) }, now)).toBe('incremental');
    expect(planMode('smart', { ...complete, last_synced_at: ago(SMART_AGE) }, now)).toBe('full');
    expect(planMode('incremental', { ...complete, last_synced_at: ago(SMART_AGE) }, now)).toBe('incremental');
  });
});

describe('the watermark', () => {
  it('is when the scan started, unless the host has not come so far yet', () => {
    expect(watermarkOf(now, new Date(now.getTime() + 5000))).toEqual(now);
    expect(watermarkOf(now, ago(5000))).toEqual(ago(5000));
  });

  it('is a day earlier where no pull request tells the host’s time', () => {
    expect(watermarkOf(now, null)).toEqual(ago(24 * 3_600_000));
  });

  it('is read again with two minutes before it', () => {
    expect(scanFloor(now)).toEqual(ago(OVERLAP));
    expect(OVERLAP).toBe(120_000);
  });
});

describe('a pull request named by a scan', () => {
  const stored = { updated_at: ago(1000), settled: true };

  it('is fetched when it is new, has another update date, or may have changed again within its second', () => {
    expect(needsFetch({ updated_at: now }, null)).toBe(true);
    expect(needsFetch({ updated_at: now }, stored)).toBe(true);
    expect(needsFetch({ updated_at: ago(1000) }, { ...stored, settled: false })).toBe(true);
  });

  it('is left alone otherwise', () => {
    expect(needsFetch({ updated_at: ago(1000) }, stored)).toBe(false);
  });
});

describe('the page size', () => {
  it('begins at what the host could compute last, within what the caller wants', () => {
    expect(firstPageSize(null, null)).toBe(74);
    expect(firstPageSize(null, 30)).toBe(30);
    expect(firstPageSize(12, 30)).toBe(12);
    expect(firstPageSize(80, 30)).toBe(30);
    expect(firstPageSize(100, null)).toBe(74);
    expect(firstPageSize(null, 1)).toBe(1);
  });

  it.each([
    ['what the host could compute', { remembered: 74, size: 18, limit: null }, 18],
    ['what it could compute of as many as the caller wanted', { remembered: 74, size: 15, limit: 30 }, 15],
    ['nothing smaller where it is the caller who wants no more', { remembered: 74, size: 30, limit: 30 }, 74],
    ['what was never too much', { remembered: null, size: 1, limit: 1 }, null],
    ['more once as many as the caller wants were not too much', { remembered: 12, size: 30, limit: 30 }, 30],
  ])('remembers %s', (_name, { remembered, size, limit }, after) => {
    expect(rememberedPageSize(remembered, size, limit)).toBe(after);
  });

  it('follows the host down at once', () => {
    expect(nextPageSize({ size: 40, good: 9 }, 20, null)).toEqual({ size: 20, good: 0 });
    expect(nextPageSize({ size: 1, good: 0 }, 1, null)).toEqual({ size: 1, good: 1 });
  });

  it('grows by a quarter after ten good pages, never beyond what the caller wants', () => {
    let sizing = { size: 20, good: 0 };
    for (let page = 0; page < 9; page++) sizing = nextPageSize(sizing, 20, null);
    expect(sizing).toEqual({ size: 20, good: 9 });
    expect(nextPageSize(sizing, 20, null)).toEqual({ size: 25, good: 0 });
    expect(nextPageSize(sizing, 20, 22)).toEqual({ size: 22, good: 0 });
    expect(nextPageSize({ size: 1, good: 9 }, 1, null).size).toBe(2);
    expect(nextPageSize({ size: 74, good: 9 }, 74, null).size).toBe(74);
  });
});
