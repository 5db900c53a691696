import { expect, it } from 'vitest';
import type { PullRequestDetail, RequestedReviewer } from '#contract/pull-requests.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { AskedRow } from './reviewers-card.tsx';

const asked: RequestedReviewer = { reviewer: 'octo', avatar_url: null, asked_at: '2026-11-02T09:00:00Z' };

it.each([
  [{ contributors: ['octo'] }, true],
  [{ contributors: [] }, false],
  // As the version before answers.
  [{}, false],
])('leads to whoever has a page, of %j: %s', async (told, leads) => {
  const detail = { state: 'merged', ...told } as unknown as PullRequestDetail;

  expect((await drawn(<AskedRow asked={asked} detail={detail} />)).includes('href=')).toBe(leads);
});
