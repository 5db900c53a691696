import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { RepositoryImport } from '#contract/connecting.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { Imports } from './imports.tsx';
import { askImports } from './questions.ts';

const running: RepositoryImport = {
  id: '0193a1b2-0000-7000-8000-000000000001',
  started_at: '2026-11-28T10:00:00Z',
  state: 'running',
  total: 100,
  done: 0,
  running: 4,
  waiting: 10,
  failed: [],
};

/** What is spoken of an import. */
async function spokenOf(more: Partial<RepositoryImport>): Promise<string[]> {
  const queries = new QueryClient();
  queries.setQueryData(askImports().queryKey, [{ ...running, ...more }]);
  const html = await drawn(<Imports began={running.id} onEnd={() => {}} />, queries);
  expect(html).toContain(`${more.done} of 100 done`);
  return [...html.matchAll(/role="status"[^>]*>(.*?)<\//g)].map(([, text = '']) => text);
}

it('speaks of an import when its state changes and at every tenth of the way, and not at each repository', async () => {
  const at = (done: number) => spokenOf({ done });

  expect(await at(41)).toEqual(['Importing. You can leave this page; it goes on.', 'Import: 40 percent.']);
  expect(await at(49)).toEqual(await at(41));
  expect(await at(50)).not.toEqual(await at(41));
  expect(await spokenOf({ done: 100, state: 'done' })).toEqual(['Imported.', '']);
});
