import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { AiReviewer, AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { askReviewer, askReviewers } from './questions.ts';
import { ReviewersTab } from './reviewers-tab.tsx';
import { readAiSearch } from './search.ts';

const none = { value: null, n: 0 };
const fates = { changed: 0, resolved: 0, answered: 0, dismissed_by_hand: 0, ignored: 0 };
const compared = {
  ...{ acted_on: none, noise: none, silent: none, talkative: none, findings_per_100_lines: none, fates },
  findings_per_pr: { ...none, p50: null, p90: null },
};
const reviewer = (account: string, tool: string): AiReviewer => ({
  ...{ reviewer: account, tools: [tool], avatar_url: null, ...compared, control: compared, lift: null },
  ...{ first_seen: '2026-11-02T09:00:00Z', last_seen: '2026-11-20T09:00:00Z', thumbs: { up: 0, down: 0 } },
  ...{ coverage: none, before_human: none, on_automation: none, resolution: null },
  time_to_agent_review: { ...none, p90: null },
});

const search = readAiSearch({});
const reviewers = [reviewer('coderabbitai[bot]', 'coderabbitai'), reviewer('anthropic-claude[bot]', 'claude')];

/** By which texts the page offers its reviewers, and which of them is chosen. */
async function offeredAt(address: string) {
  const queries = new QueryClient();
  queries.setQueryData([...askReviewers(search).queryKey], reviewers);
  const html = await drawn(<ReviewersTab />, queries, address);
  const [, choice = ''] = /<select[^>]*aria-label="Reviewer"[^>]*>(.*?)<\/select>/.exec(html) ?? [];
  const options = [...choice.matchAll(/<option value="([^"]*)"( selected="")?>/g)];
  return options.map(([, value, selected]) => (selected === undefined ? value : `${value} is chosen`));
}

it('keeps to the reviewer that the address names, whichever of its accounts acted last', async () => {
  expect(await offeredAt('/')).toEqual(['coderabbitai is chosen', 'claude']);
  expect(await offeredAt('/?reviewer=nobody')).toEqual(['coderabbitai is chosen', 'claude']);
  for (const named of ['claude', 'claude[bot]', 'Claude[bot]', 'anthropic-claude[bot]'])
    expect(await offeredAt(`/?reviewer=${encodeURIComponent(named)}`), named).toEqual([
      'coderabbitai',
      'claude is chosen',
    ]);
});

it('shows people’s time beside a reviewer of which another account has acted since it was listed', async () => {
  const sides = { time_to_first_review: none, reviews: none, human_findings: none, rounds: none, time_to_merge: none };
  const depth: AiReviewerInDepth = {
    ...{ ...reviewer('claude[bot]', 'claude'), series: [], sizes: [] },
    groups: { reviewed_first: 0, not_reviewed: 0, within_sizes: { reviewed_first: sides, not_reviewed: sides } },
    before_after: { together: null, repositories: [] },
  };
  const queries = new QueryClient();
  queries.setQueryData([...askReviewers(search).queryKey], reviewers);
  queries.setQueryData([...askReviewer(search, 'anthropic-claude[bot]').queryKey], depth);

  expect(await drawn(<ReviewersTab />, queries, '/?reviewer=claude')).toContain('Pull requests</th>');
});
