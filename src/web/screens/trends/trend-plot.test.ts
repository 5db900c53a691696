import { describe, expect, it } from 'vitest';
import type { Trend } from '#contract/trends.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { happeningsOf, type TrendEvent } from './happenings.ts';
import { readTrendsSearch } from './search.ts';
import { plotOf } from './trend-plot.ts';

const plotted = (buckets: readonly string[], asked: RawSearch, events: TrendEvent[] = []) => {
  const trend: Trend = {
    figure: 'merged',
    unit: 'count',
    clock: 'hours',
    aggregate: 'value',
    events,
    buckets: [...buckets],
    complete: buckets.map((_, at) => at < buckets.length - 1),
    lines: [
      {
        ...{ key: 'all', name: 'All', change: null, usual: null },
        points: buckets.map(() => ({ value: 9, n: 9 })),
        left_out: { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 },
      },
    ],
  };
  return plotOf({
    ...{ trend, name: 'Merged', today: '2026-03-20', height: 300, width: 800 },
    search: readTrendsSearch(asked),
    pointed: { at: null, line: null },
    happenings: happeningsOf(trend, 'UTC'),
  });
};

describe('the drawing of a trend', () => {
  it('has one upright line at each place, whatever happened there', () => {
    const note = (at: string, text: string): TrendEvent => ({ at: `${at}T09:00:00Z`, kind: 'note', text });
    const events = [
      ...[note('2026-03-05', 'New rules'), note('2026-03-05', 'New people')],
      // Whatever happens in the last point stands at that point.
      ...[note('2026-03-17', 'A freeze'), note('2026-03-19', 'Its end')],
    ];

    const { marks } = plotted(['2026-03-02', '2026-03-09', '2026-03-16'], {}, events);

    expect(marks).toEqual([expect.closeTo(3 / 7), 2]);
  });

  it.each([
    ['weeks up to now', { weeks: '12' }, true],
    ['days up to today', { from: '2026-01-01', to: '2026-03-21' }, true],
    ['days that end before', { from: '2026-01-01', to: '2026-03-11' }, false],
    ['days up to yesterday', { from: '2026-01-01', to: '2026-03-20' }, false],
  ] as const)(
    'calls the last point of %s the running one only where these go on until now: %j, %j',
    (_, asked, isRunning) => {
      const plot = plotted(['2026-01-01', '2026-02-01', '2026-03-01'], { bucket: 'month', ...asked });

      expect(plot.isRunning).toBe(isRunning);
      expect(plot.labels.at(-1)).toBe(isRunning ? 'March, running, day 20' : 'March, in part');
      expect(plot.axis.at(-1)?.words).toBe(isRunning ? 'this month, day 20' : 'Mar');
    },
  );
});
