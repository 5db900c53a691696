import { describe, expect, it } from 'vitest';
import type { TimelineEvent } from '#contract/pull-requests.ts';
import { zoneDays } from '../../time/zone-days.ts';
import { hasNights, laneOf, marksOf, phaseBlocks, scaleOf, shadesOf, ticksOf } from './band-layout.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-11-03T00:00:00Z');

function anEvent(type: string, hour: number, more: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    id: `${type}-${hour}`,
    type,
    description: '',
    actor: 'mona',
    actor_avatar: null,
    actor_kind: 'human',
    timestamp: new Date(start + hour * HOUR).toISOString(),
    metadata: { review_state: null, check_status: null, sha: null, replies: null },
    ...more,
  };
}

const hundredHours = scaleOf({ from: start, to: start + 100 * HOUR }, 1000);

describe('lanes', () => {
  it('keeps the author, other people, and automation apart', () => {
    expect(laneOf(anEvent('comment', 1), 'mona')).toBe('author');
    expect(laneOf(anEvent('comment', 1, { actor: 'octo' }), 'mona')).toBe('reviewers');
    expect(laneOf(anEvent('review', 1, { actor: 'patchwise[bot]', actor_kind: 'agent' }), 'mona')).toBe('automation');
    expect(laneOf(anEvent('status_check', 1, { actor: null, actor_kind: null }), 'mona')).toBe('automation');
  });

  it('gives a commit of nobody to the author, and a comment of a deleted account to the others', () => {
    expect(laneOf(anEvent('commit', 1, { actor: null, actor_kind: null }), 'mona')).toBe('author');
    expect(laneOf(anEvent('comment', 1, { actor: null, actor_kind: null }), 'mona')).toBe('reviewers');
  });
});

describe('marks', () => {
  const marks = (timeline: TimelineEvent[]) =>
    marksOf('author', { timeline, author: 'mona' }, hundredHours).map(({ at, events }) => [at, events.length]);

  it('fold when they are closer than 24 pixels', () => {
    expect(marks([anEvent('commit', 10), anEvent('commit', 12.3)])).toEqual([[100, 2]]);
    expect(marks([anEvent('commit', 10), anEvent('commit', 12.4)])).toEqual([
      [100, 1],
      [124, 1],
    ]);
  });

  it('stay whole at both ends', () => {
    expect(marks([anEvent('opened', 0), anEvent('closed', 100)])).toEqual([
      [10, 1],
      [990, 1],
    ]);
  });

  it('show the weightiest of the events that fell together', () => {
    const timeline = [anEvent('commit', 1), anEvent('ready_for_review', 2), anEvent('commit', 3)];

    const [mark] = marksOf('author', { timeline, author: 'mona' }, hundredHours);

    expect(mark?.look.weight).toBeGreaterThan(
      marksOf('author', { timeline: [anEvent('commit', 1)], author: 'mona' }, hundredHours)[0]!.look.weight,
    );
  });

  it('leave room for the count that stands before the last one', () => {
    const timeline = [
      ...Array.from({ length: 12 }, () => anEvent('commit', 94.5)),
      anEvent('commit', 99),
      anEvent('closed', 100),
    ];

    expect(marks(timeline)).toEqual([[990, 14]]);
    expect(marks([anEvent('commit', 90), anEvent('commit', 99), anEvent('closed', 100)])).toEqual([
      [900, 1],
      [990, 2],
    ]);
  });

  it('of thousands of events stay as few as the width allows', () => {
    const timeline = Array.from({ length: 3000 }, (_, index) => anEvent('commit', index / 30));

    expect(marksOf('author', { timeline, author: 'mona' }, hundredHours).length).toBeLessThan(1000 / 24);
  });
});

describe('the axis', () => {
  const daysLong = (length: number) => {
    const span = { from: start, to: start + length * 24 * HOUR - 1 };
    return { days: zoneDays(span, 'UTC'), scale: scaleOf(span, 1000) };
  };
  const unit = (length: number) => {
    const { days, scale } = daysLong(length);
    return ticksOf(days, scale)[0]?.unit;
  };

  it('shows days up to 14 of them, then weeks, months and years', () => {
    expect([unit(14), unit(16), unit(180), unit(400), unit(1500)]).toEqual(['day', 'week', 'week', 'month', 'year']);
  });

  it('keeps its labels apart, and has a line at every beginning', () => {
    const { days, scale } = daysLong(900);

    const ticks = ticksOf(days, scale);
    const at = ticks.filter(({ labelled }) => labelled).map((tick) => tick.at);

    expect(ticks).toHaveLength(29);

    expect(Math.min(...at.slice(1).map((x, index) => x - at[index]!))).toBeGreaterThanOrEqual(76);
  });

  it('shades nights while they can be seen, then weekends, then nothing', () => {
    const shades = (length: number) => {
      const { days, scale } = daysLong(length);
      return [shadesOf(days, scale).length, hasNights(days, scale)];
    };

    expect(shades(7)).toEqual([6, true]);
    expect(shades(70)).toEqual([10, false]);
    expect(shades(700)).toEqual([0, false]);
  });

  it('puts what happened outside of it at its edges, and copes with no length', () => {
    expect(hundredHours.at(start - HOUR)).toBe(0);
    expect(hundredHours.at(start + 101 * HOUR)).toBe(1000);
    expect(scaleOf({ from: start, to: start }, 1000).at(start)).toBe(0);
  });
});

it('the running phase lasts until the end, and an approval with something after it was lost', () => {
  const iso = (hour: number) => new Date(start + hour * HOUR).toISOString();

  const blocks = phaseBlocks(
    [
      { phase: 'waiting', from: iso(0), to: iso(1) },
      { phase: 'approved', from: iso(1), to: iso(2) },
      { phase: 'waiting', from: iso(2), to: iso(3) },
      { phase: 'approved', from: iso(3), to: null },
    ],
    start + 9 * HOUR,
  );

  expect(blocks.map(({ lost }) => lost)).toEqual([false, true, false, false]);
  expect(blocks.at(-1)?.to).toBe(start + 9 * HOUR);
});
