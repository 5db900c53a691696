import { expect, test } from 'vitest';
import type { Contributor } from '#contract/contributors.ts';
import { completeContributor } from './complete-contributor.ts';

test('a number that an answer lacks counts 0, whether it is missing or null', () => {
  const answered = { username: 'ada', total_prs_opened: 3, total_prs_merged: null } as unknown as Contributor;

  expect(completeContributor(answered)).toMatchObject({
    username: 'ada',
    total_prs_opened: 3,
    total_prs_merged: 0,
    current_open_prs: 0,
    repositories_count: 0,
  });
});
