import { describe, expect, it } from 'vitest';
import { HostError } from '../host/errors.ts';
import { OUTAGE_PATIENCE, ownFailure, WAITS_WITHOUT_PROGRESS } from './failures.ts';
import { type Settlement, settlementOf } from './settle.ts';

const now = new Date('2026-11-21T12:00:00Z');
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const host = (kind: HostError['kind'], retry_at: Date | null = null) =>
  new HostError(kind, 'It said so.', { retry_at });
const ours = new Error('relation "secrets" does not exist');

/** What is stored of the failure before; `waited` seconds for a host that is down. */
const stored = (error_kind: string | null = null, attempts = 0, waited = 0) => ({
  error_kind,
  attempts,
  waited_seconds: waited,
});
const first = stored();
const waits = (seconds: number, attempts: number, waited_seconds = 0): Settlement => ({
  outcome: 'wait',
  until: inSeconds(seconds),
  attempts,
  waited_seconds,
});
const fails: Settlement = { outcome: 'fail' };

const settled = (error: unknown, earlier = first, isRejected = false) =>
  settlementOf(error, earlier, isRejected, now, () => 0);

describe('a sync that failed', () => {
  it.each<[string, unknown, ReturnType<typeof stored>, Settlement]>([
    ['a spent quota until the host’s date', host('rate_limited', inSeconds(600)), first, waits(600, 1)],
    ['a limit without a date for a minute', host('secondary_limit'), first, waits(60, 1)],
    ['a second time for longer', host('secondary_limit'), stored('secondary_limit', 1), waits(120, 2)],
    ['after another limit like a first time', host('secondary_limit'), stored('rate_limited', 5), waits(60, 6)],
    ['a host that is down for a second', host('unavailable'), first, waits(1, 1, 1)],
    ['a host that stays down for longer', host('unavailable'), stored('unavailable', 3, 7), waits(8, 4, 15)],
    ['a host that is down, after a limit', host('unavailable'), stored('rate_limited', 9, 7), waits(1, 1, 1)],
    ['a host that is down until its date', host('unavailable', inSeconds(90)), first, waits(90, 1, 90)],
    ['a limit after a host that was down', host('rate_limited'), stored('unavailable', 3, 7), waits(60, 4)],
    ['a failure of ours for a second', ours, first, waits(1, 1)],
    ['the same again for longer', ours, stored('internal', 2), waits(4, 3)],
    ['a failure of ours after a limit', ours, stored('rate_limited', 9), waits(1, 1)],
    ['a 401 that was not repeated', host('unauthorized'), first, waits(60, 1)],
  ])('waits: %s', (_what, error, earlier, settlement) => {
    expect(settled(error, earlier)).toEqual(settlement);
  });

  it.each([
    ['rate_limited', host('rate_limited'), WAITS_WITHOUT_PROGRESS],
    ['secondary_limit', host('secondary_limit'), WAITS_WITHOUT_PROGRESS],
    ['unauthorized', host('unauthorized'), WAITS_WITHOUT_PROGRESS],
    ['internal', ours, ownFailure.retries],
  ])('waits so often in a row for %s, and then ends', (kind, error, most) => {
    expect(settled(error, stored(kind, most - 1))).toMatchObject({ outcome: 'wait', attempts: most });
    expect(settled(error, stored(kind, most))).toEqual(fails);
  });

  it('ends after its last wait for the host, whatever each was for', () => {
    expect(settled(host('rate_limited'), stored('secondary_limit', WAITS_WITHOUT_PROGRESS))).toEqual(fails);
  });

  it('waits for a host that is down until its patience is spent, however often that was', () => {
    const earlier = (waited: number) => stored('unavailable', WAITS_WITHOUT_PROGRESS, waited);

    expect(settled(host('unavailable'), earlier(OUTAGE_PATIENCE - 10))).toEqual(
      waits(10, WAITS_WITHOUT_PROGRESS + 1, OUTAGE_PATIENCE),
    );
    expect(settled(host('unavailable'), earlier(OUTAGE_PATIENCE))).toEqual(fails);
  });

  it.each([
    'sso_required',
    'forbidden',
    'not_found',
    'blocked',
    'missing_scope',
    'too_heavy',
    'refused',
    'protocol',
  ] as const)('ends at once: %s', (kind) => {
    expect(settled(host(kind))).toEqual(fails);
  });

  it('is passed on where the token is rejected, however often it has waited', () => {
    expect(settled(host('unauthorized'), first, true)).toEqual({ outcome: 'pass_on' });
    expect(settled(host('unauthorized'), stored('unauthorized', WAITS_WITHOUT_PROGRESS), true)).toEqual({
      outcome: 'pass_on',
    });
  });
});
