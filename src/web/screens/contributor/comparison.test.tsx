import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { useComparison } from './comparison.ts';
import { askMetrics, type View } from './questions.ts';

const view: View = { username: 'ada', period: '30d', repository: null, team: undefined, credit: undefined };

function Beside() {
  const { compared, error } = useComparison(view, undefined, true);
  return `${compared?.name}, ${(error as Error).message}`;
}

it('keeps what was fetched of the other one when it cannot be fetched again', async () => {
  const queries = new QueryClient();
  const { queryKey } = askMetrics({ ...view, username: 'ben' });
  queries.setQueryData<unknown>(queryKey, { username: 'ben', display_name: 'Ben Oak' });
  queries
    .getQueryCache()
    .find({ queryKey })!
    .setState({ status: 'error', error: new Error('Not now.') });

  expect(await drawn(<Beside />, queries, '/?compare=ben')).toContain('Ben Oak, Not now.');
});
