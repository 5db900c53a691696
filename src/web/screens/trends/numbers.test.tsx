import { expect, it } from 'vitest';
import type { Trend } from '#contract/trends.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { EveryNumber, LastFull } from './numbers.tsx';
import { readTrendsSearch } from './search.ts';
import { ShownContext } from './shown.ts';

const points = [3, 4, 5].map((value) => ({ value, n: 9 }));
const left_out = { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 };
const trend: Trend = {
  ...{ figure: 'merged', unit: 'count', clock: 'hours', aggregate: 'value', events: [] },
  buckets: ['2025-10-20', '2025-10-27', '2025-11-03'],
  complete: [true, true, true],
  lines: [{ key: 'all', name: 'All', points, left_out, change: null, usual: null }],
};

it('calls weeks weeks, and fades them, while months are under way', async () => {
  const shown = { search: readTrendsSearch({ bucket: 'week' }), isOutdated: true };
  const html = await drawn(
    <ShownContext value={shown}>
      <LastFull trends={[{ name: 'Merged', trend }]} />
      <EveryNumber trend={trend} />
    </ShownContext>,
    undefined,
    '/?bucket=month',
  );
  const words = html.replace(/<[^>]*>/g, ' ');
  expect(words).toContain('Last full week');
  expect(words).toContain('3 to 9 Nov 2025');
  expect(words).toContain('3 of 3 weeks');
  expect(html.match(/<section[^>]* data-outdated/g)).toHaveLength(2);
});
