import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { keyOf } from '../api/query.ts';
import { askConnectedRepositories, askTeam } from '../api/questions.ts';
import { ImportNotice } from './import-notice.tsx';
import { SyncProvider } from './sync-state.tsx';

/** What the notice shows and speaks while so many repositories are imported, as far as `percentage`. */
async function noticeAt(percentage: number, ids: readonly number[] = [1]) {
  const queries = new QueryClient();
  const repositories = ids.map((id) => ({
    id,
    full_name: `acme/${id}`,
    last_synced_at: null,
    first_connected_at: '2026-11-20T09:00:00Z',
    imported_at: null,
    access: { state: 'readable' },
  }));
  const progress = { percentage, estimated_time_remaining: 1_500, message: '' };
  const sync = { status: 'running', progress, imported_prs: 100, waiting_until: null, error: null };
  queries.setQueryData([...askConnectedRepositories().queryKey], repositories);
  queries.setQueryData([...askTeam().queryKey], { total_prs: 40, previous: { total_prs: 40 } });
  queries.setQueryData([...keyOf('getSync'), ids], new Map(ids.map((id) => [id, sync])));
  const html = await drawn(
    <SyncProvider>
      <ImportNotice />
    </SyncProvider>,
    queries,
  );
  const [spoken, ...others] = [...html.matchAll(/role="status"[^>]*>(.*?)<\//g)].map(([, text]) => text);
  expect(others).toEqual([]);
  return { html, spoken };
}

it('says how far older history is, about how long that takes, and that nobody has to stay', async () => {
  const { html } = await noticeAt(64.9);

  expect(html).toContain(
    'Current weeks are complete. Older history: 64 %, about 25 min left. You can leave; it goes on.',
  );
  expect(html).not.toContain('Details');
  expect((await noticeAt(64, [1, 2])).html).toMatch(/href="\/add-repo\?from=[^"]*host[^"]*"[^>]*>Details</);
});

it('speaks at every tenth of the way, and not at every step', async () => {
  const at = async (percentage: number) => (await noticeAt(percentage)).spoken;

  expect(await at(64)).toBe('Current weeks are complete. Older history: 60 percent.');
  expect(await at(69.9)).toBe(await at(64));
  expect(await at(70)).not.toBe(await at(64));
});
