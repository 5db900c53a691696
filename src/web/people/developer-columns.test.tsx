import { expect, it } from 'vitest';
import type { DeveloperStat } from '#contract/team.ts';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { authoringColumns, developerColumn } from './developer-columns.tsx';

it('no share reads as all or as none of them unless it is', async () => {
  const read = async (first_time_approval_rate: number | null) => {
    const html = await drawn(
      authoringColumns.first_time_approval_rate.cell({ first_time_approval_rate } as DeveloperStat),
    );
    return html.replace(/<[^>]*>/g, '').replace(' inside the target', '');
  };
  expect(await Promise.all([99.6, 100, 0.4, 0, 66.7, null].map(read))).toEqual([
    ...['99.6 %', '100 %', '0.4 %', '0 %', '67 %'],
    'N/A',
  ]);
});

it('has one top contributor, also where another account had the same login', async () => {
  const [top, namesake] = [1, 2].map(() => ({ author: 'ada', display_name: null, avatar_url: null, kind: 'human' }));
  const { cell } = developerColumn(top as DeveloperStat);

  expect(await drawn(cell(top as DeveloperStat))).toContain('Top Contributor');
  expect(await drawn(cell(namesake as DeveloperStat))).not.toContain('Top Contributor');
});
