import { describe, expect, it } from 'vitest';
import { datesOf, linesQuery } from './questions.ts';
import { aggregateOf, pinnedText, readTrendsSearch } from './search.ts';

describe('the address of trends', () => {
  it('that says nothing asks for the time to first review by week, the median, of 26 weeks', () => {
    const search = readTrendsSearch({});
    expect(search).toMatchObject({ figures: ['time_to_first_review'], bucket: 'week', weeks: 26, split: 'none' });
    expect(aggregateOf('time_to_first_review', search)).toBe('p50');
  });

  it('names up to six figures, each once; what is none is left out', () => {
    const figure = 'opened,merged,opened,nothing,closed,size,rounds,reviews,open';
    expect(readTrendsSearch({ figure }).figures).toEqual(['opened', 'merged', 'closed', 'size', 'rounds', 'reviews']);
  });

  it('has no days of a time that would be more points than a line may have', () => {
    expect(readTrendsSearch({ bucket: 'day', weeks: '104' }).bucket).toBe('week');
    expect(readTrendsSearch({ bucket: 'day', weeks: '52' }).bucket).toBe('day');
    expect(readTrendsSearch({ bucket: 'day', from: '2025-01-01', to: '2026-03-01' }).bucket).toBe('week');
  });

  it('asks for all base branches of the review practice alone', () => {
    expect(readTrendsSearch({ figure: 'opened', all_bases: 'true' }).allBases).toBe(false);
    expect(readTrendsSearch({ figure: 'opened,big', all_bases: 'true' }).allBases).toBe(true);
    // Reviews are carried whatever branch they are for.
    expect(readTrendsSearch({ figure: 'concentration', all_bases: 'true' }).allBases).toBe(false);
  });

  it('with a filter that names nothing asks without it: the call refuses an empty one', () => {
    const asked = (search: Record<string, string>) => linesQuery(readTrendsSearch(search), '2026-11-19');
    const empty = { authorship: '', size: '', labels: ' , ', repository: '', team: '' };

    expect(asked(empty)).toEqual(asked({}));
  });

  it('pins lines by whatever key they have: branches may have commas in their names', () => {
    const keys = ['main', 'fix,later', '50%'];
    expect(readTrendsSearch({ pinned: pinnedText(keys) }).pinned).toEqual(keys);
    expect(readTrendsSearch({ pinned: '0-50,acme/web,100%,,main' }).pinned).toEqual([
      '0-50',
      'acme/web',
      '100%',
      'main',
    ]);
    expect(pinnedText([])).toBeUndefined();
  });

  it('splits by what all of its figures can be split by, as the call takes it', () => {
    const splitOf = (figure: string, split: string) => readTrendsSearch({ figure, split }).split;
    expect(splitOf('opened', 'team')).toBe('team');
    expect(['from_outside', 'to_outside', 'opened,to_outside'].map((figure) => splitOf(figure, 'team'))).toEqual([
      ...['none', 'none', 'none'],
    ]);
    expect(['ai_lift', 'ai_lift,ai_noise', 'ai_lift,opened'].map((figure) => splitOf(figure, 'reviewer'))).toEqual([
      ...['reviewer', 'reviewer', 'none'],
    ]);
  });

  it('asks a figure for what it has: the median of durations and sizes, its own number of all others', () => {
    const search = readTrendsSearch({});
    const chosen = readTrendsSearch({ aggregate: 'p90' });
    expect(['size', 'rounds', 'opened'].map((figure) => aggregateOf(figure as 'size', search))).toEqual([
      'p50',
      'value',
      'value',
    ]);
    expect(['size', 'rounds', 'opened'].map((figure) => aggregateOf(figure as 'size', chosen))).toEqual([
      'p90',
      'p90',
      'value',
    ]);
  });
});

describe('the time of a trend', () => {
  const today = '2026-11-19';
  const from = (search: Record<string, string>) => datesOf(readTrendsSearch(search), today);

  it('is so many weeks with the running one, from a Monday', () => {
    expect(from({})).toEqual({ from: '2026-05-25' });
    expect(datesOf(readTrendsSearch({ weeks: '12' }), '2026-11-22')).toEqual({ from: '2026-08-31' });
  });

  it('begins with a month where points are months, of two years never earlier than may be asked', () => {
    expect(from({ bucket: 'month' })).toEqual({ from: '2026-05-01' });
    expect(from({ bucket: 'month', weeks: '104' })).toEqual({ from: '2024-12-01' });
  });

  it('is that of chosen days', () => {
    expect(from({ from: '2026-01-01', to: '2026-02-01' })).toEqual({ from: '2026-01-01', to: '2026-02-01' });
  });
});
