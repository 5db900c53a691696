import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { TimePlot } from './time-plot.tsx';
import { timeScale } from './time-scale.ts';

it('groups the digits of how many things a value is over', async () => {
  const line = { key: 'all', name: 'All', tone: 'first', pinned: false, values: [7, 8], counts: [12_345, 6] } as const;
  const html = await drawn(
    <TimePlot
      {...{ summary: 'Lines', labels: ['2 to 8 Nov', '9 to 15 Nov'], axis: [], lines: [line], order: [0], marks: [] }}
      {...{ complete: [true, true], isRunning: false, band: null, enough: 5, unit: '', height: 100 }}
      scale={timeScale([7, 8], 2, 1, 100)}
      tick={String}
      format={String}
      pointed={{ at: 0, line: null }}
      onPoint={() => undefined}
    />,
  );
  expect(html.replace(/<[^>]*>/g, '')).toContain('2 to 8 NovAll7n 12,345');
});
