import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Trend } from '#contract/trends.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import type { TeamsSearch, WeeklyFigure } from './search.ts';
import { Weeks } from './weeks.tsx';

const teams = [
  { id: 3, name: 'Platform', handle: 'acme/platform' },
  { id: 4, name: 'Platform', handle: 'brasswick/platform' },
];

/** What stands of each team, where the first one alone has a line, of 2 in the one full week. */
async function shown(figure: WeeklyFigure): Promise<string[]> {
  const queries = new QueryClient();
  const weeks = <Weeks search={{ figure, repository: undefined } as unknown as TeamsSearch} teams={teams} />;
  await drawn(weeks, queries);
  const [asked] = queries.getQueryCache().getAll();
  const line = { key: '3', points: [{ value: 2, n: 2 }] };
  const trend = { figure, unit: 'count', buckets: ['2026-11-16'], complete: [true], lines: [line] };
  queries.setQueryData([...asked!.queryKey], { items: [trend as unknown as Trend] });
  const html = await drawn(weeks, queries);
  expect(html).toContain('role="group" aria-label="Each week’s value"');
  return [...html.matchAll(/<div role="img" aria-label="([^"]*)"/g)].map(([, label]) => label!);
}

it('a team of which nothing was counted has none in each week', async () => {
  expect(await shown('merged')).toEqual([
    'acme/platform: from 2 to 2, in the last full week 2',
    'brasswick/platform: from 0 to 0, in the last full week 0',
  ]);
});

it('a median over nothing has no value', async () => {
  expect((await shown('size')).at(-1)).toBe('brasswick/platform: no values');
});

it('twelve weeks are drawn from a Monday on, the running one marked', async () => {
  const queries = new QueryClient();
  const search = { figure: 'merged', repository: undefined } as unknown as TeamsSearch;
  const weeks = <Weeks search={search} teams={teams.slice(0, 1)} />;
  await drawn(weeks, queries);
  const [asked] = queries.getQueryCache().getAll();
  const from = Date.parse(/"from":"([^"]*)"/.exec(JSON.stringify(asked!.queryKey))?.[1] ?? '');
  expect(new Date(from).getUTCDay()).toBe(1);
  expect(Math.floor((Date.now() - from) / (7 * 24 * 3_600_000))).toBe(11);

  const line = { key: '3', points: [2, 4, 1].map((value) => ({ value, n: value })) };
  const buckets = ['2026-11-09', '2026-11-16', '2026-11-23'];
  const trend = { figure: 'merged', unit: 'count', buckets, complete: [true, true, false], lines: [line] };
  queries.setQueryData([...asked!.queryKey], { items: [trend as unknown as Trend] });
  const html = await drawn(weeks, queries);
  expect(html).toContain('"Platform: from 2 to 4, in the last full week 4, in the running one 1"');
  expect(html).toMatch(/data-tip="Week of Mon 16 Nov[^:]*: 4, n 4"/);
  expect(html).toMatch(/data-tip="Week of Mon 23 Nov[^:]*: 1, n 1, running"/);
  const [full, running, ...more] = [...html.matchAll(/<polyline class="([^"]*)" points="([^"]*)"/g)];
  expect(more).toEqual([]);
  expect(full![2]!.split(' ')).toHaveLength(2);
  expect(running![1]).toContain('running');
});
