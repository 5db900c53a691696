import { expect, it } from 'vitest';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { ComparativeTab } from './comparative-tab.tsx';

/** What the tab says of the cycle time of one that took these hours, beside the author's and the team's, and with which colours. */
async function saidOf(state: 'open' | 'merged' | 'closed', hours: number) {
  const detail = {
    state,
    author: 'octo',
    author_kind: 'human',
    repository: { owner: 'octo-org', name: 'hello' },
    pr_number: 1,
    additions: 10,
    deletions: 0,
    time_metrics: {
      time_to_merge: state === 'merged' ? hours : null,
      active_development_time: hours,
      waiting_for_review_time: 0,
      post_approval_time: null,
      review_cycles: 1,
      time_to_first_review: null,
    },
    comparative_metrics: {
      author_avg_pr_size: null,
      author_avg_cycle_time: 20,
      author_set_size: 6,
      comparison_set_size: 6,
      team_p50_cycle_time: 20,
      team_p75_cycle_time: 30,
      team_p90_cycle_time: 40,
      team_p50_pr_size: null,
      cycle_time_percentile: 50,
      size_percentile: null,
    },
  };
  const html = await drawn(<ComparativeTab detail={detail as unknown as PullRequestDetail} />);
  return [...html.matchAll(/class="([^"]*difference[^"]*)">(.*?)<\/span>/g)].map(([, look, words]) => [
    words!.replace(/<[^>]*>/g, ''),
    /better|worse/i.test(look!),
  ]);
}

it.each([
  ['merged', 10, 'Much Faster 50%', 'Much Faster 50%', true],
  ['merged', 25, 'Much Slower 25%', 'Much Slower 25%', true],
  ['merged', 20, 'Equal to the average', 'Equal to the median', false],
  ['open', 10, 'Below the average so far', 'Below the median so far', false],
  ['open', 25, 'Much Slower 25%', 'Much Slower 25%', true],
  ['closed', 10, 'Below the average', 'Below the median', false],
  ['closed', 25, 'Above the average', 'Above the median', false],
  ['closed', 20, 'Equal to the average', 'Equal to the median', false],
] as const)('the cycle time of one that is %s after %i h reads "%s"', async (state, hours, ...said) => {
  const [average, median, coloured] = said;

  expect(await saidOf(state, hours)).toEqual([
    [average, coloured],
    [median, coloured],
  ]);
});
