import { expect, test } from 'vitest';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { TeamStats } from '#contract/team.ts';
import type { Calls } from './calls.ts';
import { figureTools } from './figure-tools.ts';

const window = {
  ...{ total_contributors: 4, pr_merge_rate: 0.5, merged_prs: 40, ended_prs: 80, first_reviewed_prs: 30 },
  ...{ avg_time_to_merge_hours: 30, avg_review_time_hours: 2, total_prs: 60, total_reviews: 20, avg_pr_size: 100 },
};
const before = { ...window, merged_prs: 3, total_prs: 5, total_reviews: 2, avg_time_to_merge_hours: 4 };
const stats: Omit<TeamStats, 'compared_with'> = {
  ...{ ...window, open_prs: 9, active_prs_today: 1, active_prs_yesterday: 1, previous: before, series: [] },
};
const mine: Partial<ContributorMetrics> = {
  ...{ total_prs_opened: 7, total_prs_merged: 6, total_prs_reviewed: 5, avg_time_to_merge_hours: 30 },
  ...{ current_open_prs: 1, active_days: 9, avg_pr_size: 100, pr_merge_rate: 0.5, avg_review_cycles: 1 },
  ...{ avg_review_response_time: 2, unique_developers_reviewed: 3 },
  previous: { total_prs_opened: 1, total_prs_merged: 1, total_prs_reviewed: 2, avg_time_to_merge_hours: 4 },
};

const from = '2026-01-29T12:00:00.000Z';
const compared = {
  whole: { from, history_begins: '2024-05-02T00:00:00.000Z', import_complete: true },
  importing: { from, history_begins: '2024-05-02T00:00:00.000Z', import_complete: false },
  short: { from, history_begins: '2026-02-03T00:00:00.000Z', import_complete: true },
};

async function ask(name: string, compared_with: TeamStats['compared_with']) {
  const calls = {
    ...{ person: async () => 'mona', repositoryId: async () => undefined, time_zone: 'UTC' },
    call: async (call: string) => ({ ...(call === 'getTeamStats' ? stats : mine), compared_with }),
  } as unknown as Calls;
  const tool = figureTools.find((one) => one.name === name)!;
  const { text, answer } = await tool.ask(calls, tool.takes.parse({}));
  return { text, answer: tool.answers.parse(answer) };
}

test.each(['team_figures', 'my_figures'])(
  'an assistant that asks %s is told of no earlier window that is not there',
  async (name) => {
    for (const [compared_with, words] of [
      [compared.importing, 'comparison follows'],
      [compared.short, 'history begins Feb 2026'],
    ] as const) {
      const { text, answer } = await ask(name, compared_with);
      const { from: before_from, ...rest } = compared_with;
      expect(text).not.toMatch(/\(/);
      expect(text.split('\n').at(-1)).toBe(`Against the 30 days before: ${words}.`);
      expect(answer).toMatchObject({ before_from, ...rest });
    }

    const { text, answer } = await ask(name, compared.whole);
    expect(text).toMatch(/ \(\d in the 30 days before\)/);
    expect(text).not.toContain('Against');
    expect(answer).toMatchObject({ import_complete: true });
  },
);

test('an assistant is told in which unit the change of a trend is', () => {
  expect(figureTools.find(({ name }) => name === 'trend')?.description).toContain('0.05 is 5 points');
});
