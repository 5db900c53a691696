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

/** What is spoken of imports, the first of which was begun on the page. */
async function spokenOf(...imports: readonly Partial<RepositoryImport>[]): Promise<string[]> {
  const queries = new QueryClient();
  const list = imports.map((more, at) => ({ ...running, id: `${running.id.slice(0, -1)}${at}`, ...more }));
  queries.setQueryData(askImports().queryKey, list);
  const html = await drawn(<Imports began={list[0]!.id} onEnd={() => {}} />, queries);
  expect(html).toContain(`${list[0]!.done} of 100 done`);
  return [...html.matchAll(/role="status"[^>]*>(.*?)<\//g)].map(([, text = '']) => text);
}

it('speaks of an import when its state changes and at every tenth of the way, and not at each repository', async () => {
  const at = (done: number) => spokenOf({ done });

  expect(await at(41)).toEqual(['Importing. You can leave this page; it goes on.', 'Import: 40 percent.']);
  expect(await at(49)).toEqual(await at(41));
  expect(await at(50)).not.toEqual(await at(41));
  expect(await spokenOf({ done: 100, state: 'done' })).toEqual(['Imported.', '']);
});

it('says of an import that has ended how many failed', async () => {
  const failed = ['acme/web', 'acme/api'].map((full_name) => ({ full_name, reason: 'Not found.' }));

  expect(await spokenOf({ done: 98, state: 'done', failed })).toEqual(['Ended: 98 of 100 imported, 2 failed.', '']);
});

it('shows each import that goes on or is paused, and of those that have ended the newest that one saw', async () => {
  const paused = 'Paused. What is imported is shown already.';
  const others = [{ done: 20, state: 'paused' }, { state: 'done' }, { done: 30 }, { state: 'cancelled' }] as const;

  expect(await spokenOf({ done: 100, state: 'done' }, ...others)).toEqual([
    ...['Imported.', '', paused, 'Import: 20 percent.'],
    ...['Importing. You can leave this page; it goes on.', 'Import: 30 percent.'],
  ]);
});
