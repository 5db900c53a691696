import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import classes from './page.module.css';
import { DataAsOf } from './page.tsx';

/** Whether a page says that its data is old, of repositories by how many hours ago each was synced; null where it says nothing. */
async function isOld(...repositories: readonly (readonly [condition: string, hoursAgo: number | null])[]) {
  const queries = new QueryClient();
  const answer = repositories.map(([condition, hours]) => ({
    condition,
    last_synced_at: hours === null ? null : new Date(Date.now() - hours * 3_600_000).toISOString(),
  }));
  queries.setQueryData([...askConnectedRepositories().queryKey], answer);
  const html = await drawn(<DataAsOf />, queries);
  return html.includes('Data as of') ? html.includes(classes.stale!) : null;
}

it('warns of data that is over a day old, which a repository that is archived never is beside others', async () => {
  expect(await isOld(['ok', 1], ['ok', 25])).toBe(true);
  expect(await isOld(['ok', 1], ['archived', 25])).toBe(false);
  expect(await isOld(['archived', 1], ['archived', 25])).toBe(true);
});

it('names an archived one’s moment while the others are imported, and none before anything was synced', async () => {
  expect(await isOld(['ok', null], ['archived', 2])).toBe(false);
  expect(await isOld(['ok', null])).toBeNull();
});
