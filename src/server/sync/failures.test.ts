import { describe, expect, it } from 'vitest';
import { HostError } from '../host/errors.ts';
import { backoff, failureOf, failureRules, outagePause, pauseBefore, waitUntil } from './failures.ts';

const now = new Date('2026-11-21T12:00:00Z');
const in_seconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const error = (kind: HostError['kind'], retry_at: Date | null = null) =>
  new HostError(kind, 'It said so.', { retry_at });

describe('failures of the host', () => {
  it('all end in a sentence for a person', () => {
    for (const [kind, rule] of Object.entries(failureRules)) {
      const sentence = rule.sentence({ host: 'GitHub', repository: 'octo-org/hello', said: 'It said so.' });
      expect(sentence, kind).toMatch(/^[A-Z].+[.]$|^octo-org/);
      expect(sentence, kind).not.toMatch(/undefined|null|\[object/);
    }
  });

  it('of our own tell nothing of their cause', () => {
    const failure = failureOf(new Error('relation "secrets" does not exist'), { host: 'GitHub', repository: 'a/b' });

    expect(failure).toEqual({ kind: 'internal', sentence: expect.stringMatching(/on our side/), link: null });
    expect(failure.sentence).not.toMatch(/secrets/);
  });
});

describe('pauses', () => {
  it('double from one second up to five minutes, with up to a second of chance', () => {
    expect([1, 2, 3, 4, 6, 9, 10, 40].map((retry) => backoff(retry, () => 0))).toEqual([
      1000, 2000, 4000, 8000, 32_000, 256_000, 300_000, 300_000,
    ]);
    expect(backoff(1, () => 0.999)).toBe(1999);
  });

  it('are the host’s where it names a date, and at least a second', () => {
    expect(pauseBefore(error('unavailable', in_seconds(7)), 1, now, () => 0)).toBe(7000);
    expect(pauseBefore(error('unavailable', in_seconds(-7)), 1, now, () => 0)).toBe(1000);
    expect(pauseBefore(error('unavailable'), 3, now, () => 0)).toBe(4000);
  });

  it('for a host that is down are spent within half an hour, never less than it asks for', () => {
    const pause = (failures: number, waited: number, at: Date | null = null) =>
      outagePause(error('unavailable', at), failures, waited, now, () => 0);

    expect([pause(1, 0), pause(8, 127), pause(20, 511), pause(14, 1711), pause(15, 1800)]).toEqual([
      1000,
      128_000,
      300_000,
      89_000,
      null,
    ]);
    expect(pause(1, 0, in_seconds(90))).toBe(90_000);
    expect(pause(5, 15, in_seconds(1))).toBe(16_000);
    expect(pause(1, 0, in_seconds(86_400))).toBe(61 * 60_000);
  });

  it('for a limit last until the host’s date, else a minute, then longer, never more than about an hour', () => {
    const until = (failed: HostError, waits = 0, chance = 0) => waitUntil(failed, waits, now, () => chance);

    expect(until(error('rate_limited', in_seconds(600)))).toEqual(in_seconds(600));
    expect(until(error('rate_limited', in_seconds(-5)))).toEqual(in_seconds(1));
    expect(until(error('rate_limited', in_seconds(86_400)))).toEqual(in_seconds(61 * 60));
    // What the host named was too early: it is asked less and less often.
    expect([0, 1, 2].map((waits) => until(error('secondary_limit', in_seconds(60)), waits))).toEqual(
      [60, 120, 240].map(in_seconds),
    );
    expect(until(error('rate_limited', in_seconds(600)), 1)).toEqual(in_seconds(600));
    expect([0, 1, 2, 9].map((waits) => until(error('unavailable'), waits))).toEqual(
      [60, 120, 240, 3660].map(in_seconds),
    );
    expect([0, 1, 9].map((waits) => until(error('unavailable'), waits, 0.5))).toEqual([63, 126, 3660].map(in_seconds));
  });
});
