import { describe, expect, it } from 'vitest';
import { inTurn, rememberedFingerprint, sweepIsDue } from './sweep.ts';

const HOUR = 3_600_000;
const keys = (count: number) => Array.from({ length: count }, (_, index) => `key ${index}`);

describe('a sweep of the open pull requests', () => {
  it.each([
    ['a person’s', { mode: 'incremental', asked_by: 'person' }, 0, true],
    ['the schedule’s after 53 minutes', { mode: 'incremental', asked_by: 'schedule' }, 53, false],
    ['the schedule’s after 54 minutes', { mode: 'incremental', asked_by: 'schedule' }, 54, true],
    ['one that reads everything anyway', { mode: 'full', asked_by: 'person' }, 600, false],
  ] as const)('belongs to an hourly look: %s', (_, session, minutes, due) => {
    const swept_at = new Date('2026-11-20T12:00:00Z');

    expect(sweepIsDue(session, { swept_at }, new Date(swept_at.getTime() + minutes * 60_000))).toBe(due);
  });

  it.each([1, 47, 100, 147, 1000])('comes to the checks of each of %i pull requests, 47 at a time', (count) => {
    const seen = new Set<string>();

    for (let hour = 0; hour < Math.ceil(count / 40) + 1; hour += 1) {
      const turn = inTurn(keys(count), new Date(hour * HOUR));
      expect(turn.length).toBe(count);
      for (const key of turn.slice(0, 47)) seen.add(key);
    }

    expect(seen.size).toBe(count);
  });

  it('has no turns where there are no checks', () => {
    expect(inTurn([], new Date(0))).toEqual([]);
  });

  it.each([
    ['nothing', 'L.T.C', { listed: 'L', threads: 'T', checks: 'C' }, false],
    ['nothing that was read', 'L.T.C', { listed: 'L', threads: null, checks: null }, false],
    ['what the list tells', 'L.T.C', { listed: 'M', threads: null, checks: null }, true],
    ['a thread', 'L.T.C', { listed: 'L', threads: 'U', checks: null }, true],
    ['a check', 'L.T.C', { listed: 'L', threads: null, checks: 'D' }, true],
    ['everything, since nothing was remembered', null, { listed: 'L', threads: null, checks: null }, true],
    ['what was never looked at closely', 'L..', { listed: 'L', threads: 'T', checks: null }, true],
  ])('finds changed: %s', (_, before, read, changed) => {
    const after = rememberedFingerprint(before, read);

    expect(after !== before).toBe(changed);
    expect(rememberedFingerprint(after, read)).toBe(after);
  });

  it('keeps in mind what it did not read this time', () => {
    const after = rememberedFingerprint('L.T.C', { listed: 'M', threads: null, checks: null });

    expect(rememberedFingerprint(after, { listed: 'M', threads: 'T', checks: 'C' })).toBe(after);
  });
});
