import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { askReviewers } from './questions.ts';
import { ReviewerTable } from './reviewer-table.tsx';

const row = (reviewer: string, display_name: string | null) => ({
  ...{ reviewer, display_name, avatar_url: null, kind: 'human', review_count: 1, avg_review_time_hours: null },
});

it('has one top reviewer, also where another account had the same login', async () => {
  const queries = new QueryClient();
  queries.setQueryData<unknown>(askReviewers({}).queryKey, [
    row('ada', 'Zoe Quill'),
    row('ben', null),
    row('ada', null),
  ]);

  expect((await drawn(<ReviewerTable />, queries)).split('Top Reviewer')).toHaveLength(2);
});

it('is sorted by the name that comes first in a row', async () => {
  const queries = new QueryClient();
  queries.setQueryData<unknown>(askReviewers({}).queryKey, [
    row('ada', 'Zoe Quill'),
    row('ben', null),
    row('zed', 'Al Marren'),
  ]);
  const order = async (onPage: boolean) => {
    const html = await drawn(
      <ReviewerTable {...(onPage && { filters: () => null })} />,
      queries,
      '/?reviewers=reviewer',
    );
    return [...html.matchAll(/href="\/contributor\/(\w+)/g)].map(([, login]) => login);
  };
  expect(await order(true)).toEqual(['zed', 'ben', 'ada']);
  expect(await order(false)).toEqual(['ada', 'ben', 'zed']);
});
