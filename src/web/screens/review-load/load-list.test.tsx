import { expect, it } from 'vitest';
import type { ReviewLoadRow } from '#contract/team.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { periodWords } from '../../filters/choice-of-figures.ts';
import { LoadList } from './load-list.tsx';

it('marks the heaviest load alone, not what waits for another account that had the same login', async () => {
  const rows = [6, 1].map((outstanding_reviews) => ({
    ...{ reviewer: 'ada', display_name: null, avatar_url: null, kind: 'human', is_contributor: false },
    ...{ reviews_last_week: 0, merged_last_week: 0, complex_reviews: 0, outstanding_reviews },
  })) as ReviewLoadRow[];
  const words = periodWords('7d', false);
  const html = await drawn(<LoadList rows={rows} withBars={false} heaviest={rows} chosen={{}} words={words} />);

  expect([...html.matchAll(/class="\S*chip\S* \S*(watch|outlined)/g)].map(([, meaning]) => meaning)).toEqual([
    'watch',
    'outlined',
  ]);
});
