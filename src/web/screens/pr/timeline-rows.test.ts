import { describe, expect, it } from 'vitest';
import type { TimelineEvent } from '#contract/pull-requests.ts';
import { actorsOf, eventWords, kindOf, reviewNote, runWords, type TimelineRow, timelineRows } from './timeline-rows.ts';

const start = Date.parse('2026-11-03T08:00:00Z');

function anEvent(type: string, hour: number, more: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    id: `${type}-${hour}`,
    type,
    description: '',
    actor: 'mona',
    actor_avatar: null,
    actor_kind: 'human',
    timestamp: new Date(start + hour * 3_600_000).toISOString(),
    metadata: { review_state: null, check_status: null, sha: null, replies: null },
    ...more,
  };
}

const commits = (...hours: number[]) => hours.map((hour) => anEvent('commit', hour));
const closed = { kind: 'all', opened: new Set<string>(), zone: 'UTC' } as const;
const brief = (rows: TimelineRow[]) =>
  rows.map((row) => (row.kind === 'run' ? runWords(row.events).replace(/^pushed /, '') : row.first.event.type));

describe('pushes', () => {
  it('are one row from three commits in a row on', () => {
    expect(brief(timelineRows(commits(0, 1), closed))).toEqual(['commit', 'commit']);
    expect(brief(timelineRows(commits(0, 1, 2), closed))).toEqual(['3 commits']);
  });

  it('end where something else happened', () => {
    const timeline = [...commits(0, 1, 2), anEvent('comment', 3), ...commits(4, 5)];

    expect(brief(timelineRows(timeline, closed))).toEqual(['3 commits', 'comment', 'commit', 'commit']);
  });

  it('never hide a gap of more than four hours', () => {
    expect(brief(timelineRows(commits(0, 1, 5), closed))).toEqual(['3 commits']);
    expect(brief(timelineRows(commits(0, 1, 5.01), closed))).toEqual(['commit', 'commit', 'commit']);
  });

  it('end with the day of the viewer', () => {
    const overMidnight = commits(14, 15, 17, 18, 19);

    expect(brief(timelineRows(overMidnight, closed))).toEqual(['commit', 'commit', '3 commits']);
    expect(brief(timelineRows(overMidnight, { ...closed, zone: 'America/New_York' }))).toEqual(['5 commits']);
  });

  it('show their commits once they are opened', () => {
    const rows = timelineRows(commits(0, 1, 2), { ...closed, opened: new Set(['run-commit-0']) });

    expect(brief(rows)).toEqual(['3 commits', 'commit', 'commit', 'commit']);
  });

  it('name who pushed', () => {
    const by = (...names: (string | null)[]) =>
      actorsOf(names.map((actor, hour) => ({ event: anEvent('commit', hour, { actor }), at: hour, gap: null })));

    expect([by('mona', 'mona'), by('mona', 'octo'), by('mona', 'octo', null)]).toEqual([
      'mona',
      'mona and octo',
      'mona and 2 others',
    ]);
  });
});

describe('events that read the same', () => {
  const replied = (hour: number, replies: number, more: Partial<TimelineEvent> = {}) =>
    anEvent('review', hour, {
      metadata: { review_state: 'commented', check_status: null, sha: null, replies },
      ...more,
    });
  const says = (type: string, hour: number, more: Partial<TimelineEvent> = {}) =>
    anEvent(type, hour, { description: type === 'comment' ? 'commented' : 'force-pushed', ...more });

  it('are one row that says how often', () => {
    expect(brief(timelineRows([replied(0, 1), replied(1, 12), replied(2, 1)], closed))).toEqual(['replied 14 times']);
    expect(brief(timelineRows([says('comment', 0), says('comment', 1)], closed))).toEqual(['commented 2 times']);
    expect(brief(timelineRows([says('force_push', 0), says('force_push', 1)], closed))).toEqual([
      'force-pushed 2 times',
    ]);
  });

  it('stay apart where somebody else acts, a review says more, or a long gap lies between', () => {
    const rows = timelineRows(
      [
        replied(0, 1),
        replied(1, 1, { actor: 'octo' }),
        anEvent('review', 2, { actor: 'octo' }),
        anEvent('review', 3, { actor: 'octo' }),
        says('comment', 4),
        says('comment', 8.1),
      ],
      closed,
    );

    expect(brief(rows)).toEqual(['review', 'review', 'review', 'review', 'comment', 'comment']);
  });
});

it('calls a bot that is asked as the screens do, and leaves what people wrote', () => {
  const asked = anEvent('review_requested', 1, { description: 'asked copilot[bot] for a review' });
  const pushed = anEvent('commit', 1, { description: 'pushed “Greet ci[bot]”' });

  expect([eventWords(asked), eventWords(pushed)]).toEqual(['asked copilot for a review', 'pushed “Greet ci[bot]”']);
});

it('heads each day once', () => {
  const rows = timelineRows([anEvent('opened', 0), anEvent('comment', 1), anEvent('comment', 20)], closed);

  expect(rows.map(({ heading }) => heading)).toEqual([
    Date.parse('2026-11-03T00:00:00Z'),
    null,
    Date.parse('2026-11-04T00:00:00Z'),
  ]);
});

it('tells the gap since the event before, also of one that the filter hides', () => {
  const timeline = [anEvent('opened', 0), anEvent('comment', 2), anEvent('review', 5)];

  const gaps = (kind: 'all' | 'reviews') => timelineRows(timeline, { ...closed, kind }).map(({ first }) => first.gap);

  expect(gaps('all')).toEqual([null, 2, 3]);
  expect(gaps('reviews')).toEqual([3]);
});

it('keeps three thousand events in a moment', () => {
  const timeline = Array.from({ length: 3000 }, (_, index) => anEvent(index % 2 ? 'comment' : 'commit', index * 5));

  expect(timelineRows(timeline, { ...closed, zone: 'Europe/Oslo' })).toHaveLength(3000);
});

it.each([
  ['commit', 'commits'],
  ['force_push', 'force-pushes'],
  ['review_dismissed', 'reviews'],
  ['status_check', 'checks'],
  ['ready_for_review', 'states'],
  ['something new', 'states'],
])('files %s under %s', (type, kind) => {
  expect(kindOf(anEvent(type, 0))).toBe(kind);
});

describe('beside a review', () => {
  const counting = { id: '1', reviewer: 'octo', reviewer_avatar: null, state: 'approved' as const };
  const detail = (firstReviewAt: string | null) =>
    ({
      author: 'mona',
      reviews: [{ ...counting, submitted_at: '', comments_count: 0, response_time: null }],
      time_metrics: { first_review_at: firstReviewAt },
      merged_at: anEvent('merged', 2).timestamp,
      closed_at: anEvent('merged', 2).timestamp,
    }) as unknown as Parameters<typeof reviewNote>[1];
  const aReview = (id: string, more: Partial<TimelineEvent> = {}) =>
    anEvent('review', 1, { id: `review-${id}`, actor: 'octo', ...more });

  it('stands that it is the first one, and nothing beside a later one', () => {
    expect(reviewNote(aReview('1'), detail(aReview('1').timestamp))).toBe('First review');
    expect(reviewNote(aReview('1'), detail(null))).toBeNull();
  });

  it.each([
    [aReview('2', { actor: 'patchwise[bot]', actor_kind: 'agent' }), 'not counted'],
    [aReview('2', { actor: 'ci[bot]', actor_kind: 'bot' }), 'not counted'],
    [aReview('2', { actor: 'mona' }), 'By the author, not counted'],
    [aReview('2', { actor: null, actor_kind: null }), 'Deleted account, not counted'],
    [aReview('2', { timestamp: anEvent('merged', 2).timestamp }), 'Replies, not counted'],
    [aReview('2', { timestamp: anEvent('merged', 3).timestamp }), 'After the end, not counted'],
  ])('stands why it does not count', (event, note) => {
    expect(reviewNote(event, detail(null))).toBe(note);
  });

  it('stands nothing for any other event', () => {
    expect(reviewNote(anEvent('comment', 1), detail(null))).toBeNull();
  });
});
