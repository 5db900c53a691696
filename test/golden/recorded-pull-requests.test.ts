import { describe, expect, it } from 'vitest';
import { factsOf, phaseTimes } from '#domain/facts.ts';
import { historyOf } from '#domain/history.ts';
import { timelineOf } from '#domain/timeline.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';

if (!isRecorded) console.warn('SKIPPED: the facts of recorded pull requests, because their recordings are not there.');

describe.skipIf(!isRecorded)('recorded pull requests', () => {
  const records = isRecorded ? recordedPullRequests() : [];
  const now = Date.parse('2026-09-01T00:00:00Z');

  it('each have phases that add up to their life, to the millisecond', () => {
    for (const record of records) {
      const facts = factsOf(record, now);
      const times = phaseTimes(facts, now);

      const sum = times.active_development_time + times.waiting_for_review_time + (times.post_approval_time ?? 0);
      expect(Math.round(sum * 3_600_000)).toBe((facts.ended_at ?? now) - record.createdAt);
    }
    expect(records).toHaveLength(537);
  });

  it('have as replies exactly the lone inline comments that the backup lists no review for', () => {
    const roles = records.flatMap((record) => historyOf(record, now).reviews.map(({ role }) => role));

    expect(roles).toHaveLength(2893);
    expect(roles.filter((role) => role === 'reply')).toHaveLength(1105);
  });

  it('name whose turn it is exactly while they are open', () => {
    for (const record of records) {
      expect(factsOf(record, now).waiting_on !== null).toBe(record.state === 'open');
    }
  });

  it('begin their timeline with the opening and never run backwards', () => {
    for (const record of records) {
      const timeline = timelineOf(historyOf(record, now));

      expect(timeline[0]?.type).toBe('opened');
      for (const [index, event] of timeline.slice(1).entries()) {
        expect(event.at).toBeGreaterThanOrEqual(timeline[index]!.at);
      }
      expect(timeline.filter(({ type }) => type === 'merged')).toHaveLength(record.state === 'merged' ? 1 : 0);
    }
  });
});
