import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { WholeTeam } from '#contract/teams.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { askTeams } from '../../api/questions.ts';
import { Members } from './members.tsx';

type Entry = WholeTeam['members'][number];

/** Undefined: the viewer may not know since when. */
const entry = (from: string | null | undefined, via: readonly number[] = [], to: string | null = null): Entry => ({
  ...{ username: 'ada', display_name: null, avatar_url: null, is_contributor: true },
  ...(from !== undefined && { from, to }),
  via: [...via],
});

/** What is said of ada beside her name. */
async function wordsOf(...members: readonly Entry[]) {
  const html = await listed(...members);
  const said = [...html.matchAll(/<span class="[^"]*since[^"]*">([^<]*)<\/span>/g)].map(([, words]) => words);
  expect(said).toHaveLength(1);
  return said[0];
}

async function listed(...members: readonly Entry[]): Promise<string> {
  const queries = new QueryClient();
  queries.setQueryData([...askTeams().queryKey], [{ id: 7, name: 'Pricing', handle: 'brasswick/pricing' }]);
  const team = { id: 1, source: 'own', members, hidden_members: 0, assumed_before: null, archived_at: null };
  return await drawn(<Members team={team as unknown as WholeTeam} />, queries);
}

it('leads to whoever has a page of their own', async () => {
  const leads = async (member: Entry) => (await listed(member)).includes('href=');

  expect(await leads(entry(null))).toBe(true);
  expect(await leads({ ...entry(null), is_contributor: false })).toBe(false);
});

it('tells of somebody who belongs to the team in several ways the longest of them that lasts', async () => {
  expect(await wordsOf(entry(null), entry('2024-03-12T00:00:00Z', [7]))).toBe('always');
  expect(await wordsOf(entry('2024-03-12T00:00:00Z', [7]), entry('2025-06-01T00:00:00Z'))).toBe(
    'through @brasswick/pricing',
  );
  expect(await wordsOf(entry(null, [], '2024-01-01T00:00:00Z'), entry('2024-03-12T00:00:00Z'))).toBe(
    'joined 12 Mar 2024',
  );
});

it('says nothing of when somebody joined to whom the viewer only knows it of others', async () => {
  const html = await listed(
    { ...entry('2024-03-12T00:00:00Z'), username: 'grace' },
    // Of a part that is not listed any more.
    entry(undefined, [8]),
  );

  expect(html).toContain('joined 12 Mar 2024');
  expect(html).not.toContain('always');
});
