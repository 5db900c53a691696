import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { keyOf } from '../../api/query.ts';
import { askConnectedRepositories } from '../../api/questions.ts';
import { SyncProvider } from '../../sync/sync-state.tsx';
import FirstRun from './first-run.tsx';

/** What is shown and spoken of the first sync. */
async function firstSyncAt(percentage: number) {
  const queries = new QueryClient();
  const repository = {
    id: 1,
    full_name: 'acme/web',
    last_synced_at: null,
    first_connected_at: null,
    imported_at: null,
  };
  queries.setQueryData([...askConnectedRepositories().queryKey], [{ ...repository, access: { state: 'readable' } }]);
  const progress = { percentage, estimated_time_remaining: null, message: '' };
  queries.setQueryData([...keyOf('getSync'), [1]], new Map([[1, { status: 'running', progress }]]));
  const html = await drawn(
    <SyncProvider>
      <FirstRun repositories={1} />
    </SyncProvider>,
    queries,
  );
  return { html, spoken: [...html.matchAll(/role="status"[^>]*>(.*?)<\//g)].map(([, text]) => text) };
}

it('shows every step of the first sync, and speaks at every tenth', async () => {
  const { html, spoken } = await firstSyncAt(23.5);

  expect(html).toContain('>23% is imported. The figures appear here by themselves, the current weeks first.<');
  expect(spoken).toEqual(['First sync: 20 percent.']);
  expect((await firstSyncAt(29)).spoken).toEqual(spoken);
  expect((await firstSyncAt(30)).spoken).not.toEqual(spoken);
});
