import { describe, expect, it } from 'vitest';
import { placeOf } from './happenings.ts';
import { areWeeksFew } from './months-proposal.tsx';
import { readTrendsSearch } from './search.ts';
import {
  gapWords,
  type Line,
  meanBefore,
  nothingWords,
  nounOf,
  populationOf,
  rangeWords,
  readingWords,
  runningWords,
} from './words.ts';

const line = (values: (number | null)[], more: Partial<Line> = {}): Line => ({
  key: 'all',
  name: 'All',
  points: values.map((value) => ({ value, n: value === null ? 0 : 9 })),
  left_out: { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 },
  change: 10,
  usual: { from: 1, to: 20 },
  ...more,
});

describe('the last full point', () => {
  const complete = [true, true, true, true, true, false];
  const buckets = ['2026-10-12', '2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'];
  const reading = (of: Line) => readingWords({ buckets, complete, figure: 'size' }, of, 'week', '2026-11-19');

  it('is read beside its usual range, and not at all over fewer than five', () => {
    expect(reading(line([1, 1, 1, 1, 10, 99])).words).toBe('within its usual range');
    expect(reading(line([1, 1, 1, 1, 21, 1]))).toMatchObject({
      words: 'higher than usual',
      direction: 1,
    });
    const few = line([1, 1, 1, 1, 21, 1]);
    expect(reading({ ...few, points: few.points.map((point) => ({ ...point, n: 4 })) }).words).toBe(
      'Fewer than 5: too few to say',
    );
    expect(reading(line([1, 1, 1, 1, 2, 1], { usual: null })).words).toBe('Too early for a usual range');
  });

  it('is told later where it may still come', () => {
    const told = (figure: 'reverted' | 'followed_up', today: string) =>
      readingWords({ buckets, complete, figure }, line([0, 0, 0, null, null, null]), 'week', today).words;
    expect(told('reverted', '2026-11-19')).toBe('Told 30 days after the merge');
    expect(told('followed_up', '2026-11-22')).toBe('Told 7 days after the merge');
  });

  it('has nothing to read where nothing was merged in days that are decided', () => {
    const told = (bucket: 'week' | 'month', today: string) =>
      readingWords({ buckets, complete, figure: 'reverted' }, line([0, 0, 0, 0, null, 0]), bucket, today).words;
    expect(told('week', '2026-12-15')).toBe('Told 30 days after the merge');
    expect(told('week', '2026-12-16')).toBe('Nothing to read');
    expect(told('month', '2026-12-30')).toBe('Told 30 days after the merge');
    expect(told('month', '2026-12-31')).toBe('Nothing to read');
  });

  it('has a mean of the four before it, by those on screen or by its change', () => {
    expect(meanBefore({ unit: 'hours', complete }, line([2, 4, null, 6, 10, 1]))).toBe(4);
    expect(meanBefore({ unit: 'hours', complete: [true, false] }, line([11, 1]))).toBeCloseTo(10);
    expect(meanBefore({ unit: 'share', complete: [true, false] }, line([0.5, 1], { change: 0.1 }))).toBeCloseTo(0.4);
    expect(meanBefore({ unit: 'points', complete: [true, false] }, line([-0.2, 1], { change: 0.1 }))).toBeCloseTo(-0.3);
    expect(meanBefore({ unit: 'count', complete: [true] }, line([0], { change: -100 }))).toBeNull();
    expect(meanBefore({ unit: 'count', complete }, line([1, 1, 1, 1, 1, 1], { change: null }))).toBeNull();
  });
});

describe('months are proposed', () => {
  it('where the median full week is over fewer than five', () => {
    const of = (counts: number[]) => ({
      complete: counts.map((_, at) => at < counts.length - 1),
      lines: [line([], { points: counts.map((n) => ({ value: 1, n })) })],
    });
    expect(areWeeksFew(of([3, 4, 9, 99]))).toBe(true);
    expect(areWeeksFew(of([3, 5, 9, 0]))).toBe(false);
    expect(areWeeksFew(of([0]))).toBe(false);
  });
});

describe('moments on the axis', () => {
  it('lie between the points around them', () => {
    const buckets = ['2026-11-02', '2026-11-09', '2026-11-16'];
    expect(placeOf('2026-11-09', buckets)).toBe(1);
    expect(placeOf('2026-11-12', buckets)).toBeCloseTo(1 + 3 / 7);
    expect(placeOf('2026-11-18', buckets)).toBe(2);
  });

  it('are named by their days', () => {
    expect(rangeWords('2026-11-09', 'week', '2026-11-19')).toBe('9 to 15 Nov');
    expect(rangeWords('2026-09-28', 'week', '2027-01-01')).toBe('28 Sept 2026 to 4 Oct 2026');
    expect(rangeWords('2026-10-01', 'month', '2026-11-19')).toBe('October');
    expect(runningWords('2026-11-16', 'week', '2026-11-19')).toBe('this week, day 4');
    expect(runningWords('2026-11-19', 'day', '2026-11-19')).toBe('today');
  });
});

describe('a window without a value', () => {
  const merged = { moment: 'merged', additive: false } as const;
  const weeks = { bucket: 'week', split: 'none' } as const;
  const undecided = line([null, null], { left_out: { trivial: 0, dismissed: 0, unknown: 0, undecided: 12 } });

  it('holds nothing, or nothing of which it is known yet', () => {
    expect(nothingWords({ ...merged, key: 'reverted' }, [line([null, null])], weeks)).toBe(
      'Nothing was merged in this window.',
    );
    expect(nothingWords({ ...merged, key: 'reverted' }, [line([null, null]), undecided], weeks)).toBe(
      'It is told 30 days after the merge.',
    );
    expect(nothingWords({ ...merged, key: 'followed_up' }, [undecided], weeks)).toBe(
      'It is told 7 days after the merge.',
    );
  });

  it('says what it leaves out, and of what a figure is', () => {
    const left_out = { trivial: 5, dismissed: 1, unknown: 2, undecided: 0 };
    expect(nothingWords({ ...merged, key: 'merged_unreviewed' }, [line([null], { left_out })], weeks)).toBe(
      'Nothing that counts was merged in this window. Left out: 5 too small to be reviewed, 1 marked “Not so”, 2 not known.',
    );
    // Split, it has no line that could say so.
    expect(nothingWords({ ...merged, key: 'stamped' }, [], weeks)).toBe(
      'Nothing that counts was merged in this window.',
    );
    expect(nothingWords({ ...merged, key: 'review_depth' }, [line([null])], weeks)).toBe(
      'Nothing that was reviewed was merged in this window.',
    );
  });

  it.each([
    ['stuck', 'end of each bucket', 'Nothing was stuck at the end of a week in this window.'],
    ['open', 'end of each bucket', 'Nothing was open at the end of a week in this window.'],
    ['tried', 'merged or closed', 'Nothing was tried and thrown away in this window.'],
    ['independent_reviews', 'merged', 'Nothing by an agent was merged in this window.'],
    ['merged_on_own_word', 'merged', 'Nothing by an agent was merged in this window.'],
  ] as const)('says of %s what it counts: %s: %s', (key, moment, words) => {
    expect(nothingWords({ key, moment, additive: true }, [line([0], { points: [{ value: 0, n: 0 }] })], weeks)).toBe(
      words,
    );
  });

  it('has no line by reviewer, also where no AI reviewer was seen', () => {
    const coverage = { key: 'ai_coverage', moment: 'ready for review', additive: false } as const;
    expect(nothingWords(coverage, [], { bucket: 'week', split: 'reviewer' })).toBe(
      'No AI reviewer was seen, or nothing was ready for review in this window.',
    );
  });
});

describe('a gap', () => {
  const all = [line([null, 1])];
  it.each([
    ['merged', 'time_to_merge', 'A gap: nothing was merged.'],
    ['submitted', 'concentration', 'A gap: nothing was submitted, or fewer than 3 people were active.'],
    ['merged', 'rounds', 'A gap: nothing that was reviewed was merged.'],
    ['merged', 'review_depth', 'A gap: nothing that was reviewed was merged.'],
    ['merged', 'ping_pong', 'A gap: nothing that was reviewed was merged.'],
    ['merged', 'approved_then_pushed', 'A gap: nothing with a standing approval was merged.'],
    ['merged', 'ci_wait', 'A gap: nothing whose checks are known was merged.'],
    ['merged', 'reverted', 'A gap: nothing was merged, or less than 30 days ago.'],
    ['end of each bucket', 'long_open', 'A gap: nothing but drafts was open.'],
    ['end of each bucket', 'stale_approval', 'A gap: nothing approved was open.'],
    ['ready for review', 'ai_coverage', 'A gap: nothing was ready for review.'],
    ['merged or closed', 'ai_noise', 'A gap: nothing with findings was merged or closed.'],
    ['merged or closed', 'ai_lift', 'A gap: fewer than 20 findings by AI or by people.'],
  ] as const)('of what was %s, of %s: %s', (moment, key, words) => {
    expect(gapWords({ key, moment, additive: false }, all)).toBe(words);
  });

  it('may be a time of which everything is left out', () => {
    const left_out = { trivial: 3, dismissed: 0, unknown: 0, undecided: 0 };
    expect(gapWords({ key: 'self_merged', moment: 'merged', additive: false }, [line([null, 1], { left_out })])).toBe(
      'A gap: nothing was merged, or all of it is left out.',
    );
  });

  it('is none of counts', () => {
    expect(gapWords({ key: 'merged', moment: 'merged', additive: true }, all)).toBeNull();
  });
});

describe('whose pull requests count', () => {
  it.each([
    ['big', 'Pull requests by people, default branch'],
    ['opened', 'Pull requests by anyone, every base branch'],
    ['concentration', 'Pull requests by anyone, every base branch'],
    [
      'big,concentration',
      'Review practice: pull requests by people, default branch; the rest: pull requests by anyone, every base branch',
    ],
  ])('with %s: %s', (figure, words) => {
    expect(populationOf(readTrendsSearch({ figure }))).toBe(words);
  });
});

describe('what an n counts', () => {
  it.each([
    ['merged', 'PRs', undefined],
    ['response_time', 'Reviews', undefined],
    ['ai_lift', 'Findings', 'pull requests'],
    ['ai_acted_on', 'Findings', 'pull requests'],
    ['ai_coverage', 'PRs', undefined],
  ] as const)('of %s: %s', (figure, head, listed) => {
    const noun = nounOf({ figure });
    expect([noun.head, noun.listed?.many]).toEqual([head, listed]);
  });
});
