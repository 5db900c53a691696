import { describe, expect, it } from 'vitest';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import { hoursOpen, reviewerWords } from './pull-request-columns.tsx';

const now = Date.parse('2026-11-21T12:00:00Z');
const aPullRequest = (changes: Partial<ContributorPullRequest>): ContributorPullRequest => ({
  github_id: 'PR_1',
  pr_number: 1,
  title: 'Post settlement entries',
  state: 'open',
  draft: false,
  repo_name: 'ledger',
  repo_owner: 'brasswick',
  reviewers: [],
  lines_changed: 51,
  created_at: '2026-11-20T12:00:00Z',
  ended_at: null,
  last_review_at: null,
  github_url: 'https://host/brasswick/ledger/pull/1',
  ...changes,
});

describe('how long a pull request was open', () => {
  it('runs up to now while it is open', () => {
    expect(hoursOpen(aPullRequest({}), now)).toBe(24);
  });

  it('stops at its merge or close', () => {
    expect(hoursOpen(aPullRequest({ state: 'merged', ended_at: '2026-11-20T18:30:00Z' }), now)).toBe(6.5);
    expect(hoursOpen(aPullRequest({ state: 'closed', ended_at: '2026-11-20T12:00:00Z' }), now)).toBe(0);
  });

  it('is never negative for an opening from a wrong clock', () => {
    expect(hoursOpen(aPullRequest({ created_at: '2026-11-22T12:00:00Z' }), now)).toBe(0);
  });

  it('is unknown where a date is missing or makes no sense', () => {
    expect(hoursOpen(aPullRequest({ created_at: 'yesterday' }), now)).toBeNull();
    expect(hoursOpen(aPullRequest({ state: 'merged', ended_at: null }), now)).toBeNull();
  });
});

it.each([
  [[], 'No reviewers'],
  [['oren-t'], 'oren-t'],
  [['oren-t', 'paulina-k'], 'oren-t, paulina-k'],
  [['oren-t', 'paulina-k', 'joss-w'], 'oren-t, paulina-k, …'],
])('the reviewers %j read "%s"', (names, words) => {
  expect(reviewerWords(names)).toBe(words);
});
