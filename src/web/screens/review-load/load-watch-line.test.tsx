import { expect, it } from 'vitest';
import type { ReviewLoadRow } from '#contract/team.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { LoadWatchLine } from './load-watch-line.tsx';

/** What the line says of people with these outstanding reviews. */
async function lineOf(amongOthers: boolean, ...outstanding: readonly number[]) {
  const rows = outstanding.map((outstanding_reviews, at) => ({ reviewer: `dev-${at}`, outstanding_reviews }));
  const line = (
    <LoadWatchLine rows={rows as ReviewLoadRow[]} chosen={{}} during="last week" amongOthers={amongOthers} />
  );
  return (await drawn(line)).replace(/<[^>]*>/g, '');
}

it('is about people, and says so where bots and agents are listed', async () => {
  expect(await lineOf(false, 0)).toBe('No review is outstanding.');
  expect(await lineOf(true, 0)).toBe('No review by a person is outstanding.');
  expect(await lineOf(true)).toBe('No review by a person is outstanding.');
  expect(await lineOf(true, 2, 1)).toBe('Evenly spread among people: the most is 2 of 3, dev-0.');
  expect(await lineOf(true, 6, 1)).toContain('6 of 7 outstanding reviews by people wait for dev-0');
  expect(await lineOf(false, 6, 1)).toContain('6 of 7 outstanding reviews wait for dev-0');
});
