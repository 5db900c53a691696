import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { keyOf } from '../api/query.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import FirstImport from './first-import.tsx';

type Sync = Readonly<Record<string, unknown>> | null;

/** The card's text while repositories are in these states; one without a sync is done. */
async function cardOf(syncs: readonly Sync[]): Promise<string> {
  const queries = new QueryClient();
  const repositories = syncs.map((sync, id) => ({
    id,
    full_name: `acme/${'abcdef'[id]}`,
    pull_requests: 1_000 + id,
    last_synced_at: sync === null ? new Date().toISOString() : null,
    first_connected_at: '2026-11-20T09:00:00Z',
    imported_at: sync === null ? '2026-11-20T10:00:00Z' : null,
    access: { state: 'readable' },
  }));
  const answers = syncs.flatMap((sync, id) =>
    sync === null
      ? []
      : [[id, { imported_prs: 0, waiting_until: null, error: null, error_link: null, ...sync }] as const],
  );
  queries.setQueryData([...askConnectedRepositories().queryKey], repositories);
  queries.setQueryData([...keyOf('getSync'), answers.map(([id]) => id)], new Map(answers));
  const html = await drawn(<FirstImport />, queries);
  return html.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|');
}
const running = (percentage: number, processed_prs: number, total_prs: number | null) => ({
  status: 'running',
  progress: { percentage, processed_prs, total_prs, message: '', estimated_time_remaining: null },
});
const queued = { status: 'queued', progress: { percentage: 0, message: '', estimated_time_remaining: null } };
const failed = {
  ...queued,
  status: 'failed',
  error: 'Access needs single sign-on.',
  error_link: 'https://host.test/sso',
};

it('lists what is done, how far the others are, what waits and what failed, with what to do', async () => {
  const text = await cardOf([
    failed,
    queued,
    { ...running(75.9, 640, 852), rate_limit_status: { remaining: 3_412, limit: 5_000 } },
    null,
  ]);

  expect(text).toContain('First import|1 done, 1 running, 1 waiting, 1 failed');
  expect(text).toMatch(/acme\/d\|1,003 pull requests, all there\|.*acme\/c\|640 of 852\|75.*%\|.*acme\/b\|waits\|/);
  expect(text).toMatch(/acme\/b\|.*acme\/a\|Access needs single sign-on\.\|Authorise/);
  expect(text).toContain('Newest first. 3,412 of 5,000 points left this hour.');
});

it('says of one whose size is not known that it begins', async () => {
  expect(await cardOf([running(0, 0, null), queued])).toContain('acme/a|begins');
});

it('is not there for one repository alone, nor where nothing is on its way', async () => {
  expect(await cardOf([running(10, 1, 10)])).not.toContain('First import');
  expect(await cardOf([null, null])).not.toContain('First import');
  expect(await cardOf([failed, null])).not.toContain('First import');
});
