import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { askTeam } from '../api/questions.ts';
import { TeamStatsStrip } from './team-stats-strip.tsx';

const dates = ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28'];
const figures = {
  total_contributors: 3,
  pr_merge_rate: 0.75,
  merged_prs: 9,
  avg_time_to_merge_hours: 12,
  avg_review_time_hours: 3,
  total_prs: 12,
  total_reviews: 14,
  avg_pr_size: 90,
  ended_prs: 12,
  first_reviewed_prs: 10,
};
const ofDay = { merged_prs: 2, open_prs: 4, avg_time_to_merge_hours: 11, avg_review_time_hours: 2, pr_merge_rate: 1 };

/** The strip where the earliest imported pull request was opened then. */
function stripOf(history_begins: string, import_complete: boolean): Promise<string> {
  const queries = new QueryClient();
  queries.setQueryData(askTeam({}).queryKey, {
    ...figures,
    open_prs: 4,
    active_prs_today: 2,
    active_prs_yesterday: 2,
    previous: figures,
    compared_with: { from: '2026-11-19T00:00:00Z', history_begins, import_complete },
    series: dates.map((date) => ({ date, ...ofDay })),
  });
  return drawn(<TeamStatsStrip />, queries);
}

const LINES = 5;
const notImported = (html: string) => html.split('not imported yet').length - 1;
const LATE = '2026-11-27T10:00:00Z';

it('leaves days out of its lines that are not imported yet, and says how many are there in place of changes', async () => {
  const html = await stripOf(LATE, false);

  // Each day is told by its tooltip and by its name.
  expect(notImported(html)).toBe(LINES * 3 * 2);
  expect(html).toMatch(/data-tip="Thu 26 Nov: not imported yet"/);
  expect(html).toMatch(/data-tip="Fri 27 Nov: 2 merged"/);
  expect(html.split('>2 days so far<').length - 1).toBe(4);
});

it('says of an import that has reached beyond the window that the time before is still to come', async () => {
  const html = await stripOf('2026-11-20T10:00:00Z', false);

  expect(notImported(html)).toBe(0);
  expect(html.split('>earlier days still to come<').length - 1).toBe(4);
});

it('takes a day without anything for what it is once the import is complete', async () => {
  const html = await stripOf(LATE, true);

  expect(notImported(html)).toBe(0);
  expect(html).not.toMatch(/so far|still to come/);
});
