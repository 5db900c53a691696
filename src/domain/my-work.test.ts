import { describe, expect, it } from 'vitest';
import { isCalledBack } from './my-work.ts';

const DAY = 24 * 3_600_000;
const now = Date.parse('2026-03-31T12:00:00Z');

describe('a reviewer whom nobody asked again', () => {
  const waits = (days: number, reviewedBefore: number, opinion: 'approved' | 'changes_requested' | null = null) => {
    const waiting_since = now - days * DAY;
    return isCalledBack({ waiting_since }, { reviewedAt: waiting_since - reviewedBefore * DAY, opinion }, now);
  };

  it('is called back by what was done within 30 days of their review, for 90 days', () => {
    expect(waits(90, 30)).toBe(true);
    expect(waits(90, 30.001)).toBe(false);
    expect(waits(90.001, 30)).toBe(false);
  });

  it('is called back for a year where they asked for changes, however old that is', () => {
    expect(waits(365, 500, 'changes_requested')).toBe(true);
    expect(waits(365.001, 500, 'changes_requested')).toBe(false);
  });

  it('is never called back while their approval stands, nor without a review', () => {
    expect(waits(1, 1, 'approved')).toBe(false);
    expect(isCalledBack({ waiting_since: now - DAY }, { reviewedAt: null, opinion: null }, now)).toBe(false);
  });
});
