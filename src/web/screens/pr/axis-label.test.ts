import { expect, it } from 'vitest';
import { zoneDays } from '../../time/zone-days.ts';
import { axisLabel } from './axis-label.ts';

it('labels days and weeks without the year, which the start of the axis says, months and years with it', () => {
  const from = Date.parse('2021-06-14T00:00:00Z');
  const [day] = zoneDays({ from, to: from + 1 }, 'UTC');

  const labels = (['day', 'week', 'month', 'year'] as const).map((unit) => axisLabel(day!, unit, 'UTC'));

  expect(labels).toEqual(['Mon 14 Jun', '14 Jun', 'Jun 2021', '2021']);
});
