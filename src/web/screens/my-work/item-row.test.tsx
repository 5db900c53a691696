import { expect, it } from 'vitest';
import type { WorkItem } from '#contract/my-work.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { ItemRow } from './item-row.tsx';
import type { Snoozes } from './snoozes.ts';

const item = {
  ...{ repo_owner: 'octo-org', repo_name: 'desk', pr_number: 1, title: 'Raise a version', github_url: '#' },
  ...{ author: 'dependabot[bot]', author_avatar_url: null, author_kind: 'bot', draft: false, kind: 'review' },
  ...{ by_agent: false, authorship: 'bot', agents: [], credited_to: null, credit_by: null, reason: 'requested' },
  ...{ lines_changed: 10, since: '2026-11-16T13:03:00Z', team: null, checks: null, reviewers: [], waits_for: [] },
  ...{ snooze: null, overdue: false },
} as unknown as WorkItem;
const snoozes = { isLeaving: () => false } as unknown as Snoozes;

/** What stands for the author, without tags. */
async function author(more: Partial<WorkItem>): Promise<string> {
  const html = await drawn(<ItemRow item={{ ...item, ...more }} hasEnded={false} snoozes={snoozes} />);
  const [, told = ''] = /<bdi>(.*?)<span[^>]*linesBeside/.exec(html) ?? [];
  return told
    .replace(/<[^>]*>/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

it('says of a bot that it is one', async () => {
  expect(await author({})).toBe('dependabot Bot');
  expect(await author({ author: 'ada', author_kind: 'human', authorship: 'human' })).toBe('ada');
});
