import { expect, test } from 'vitest';
import type { Calls } from './calls.ts';
import { listTools } from './list-tools.ts';

const names = Array.from({ length: 230 }, (_, at) => `${at % 2 === 0 ? 'red' : 'blue'}-${at}`);
const calls = {
  lastSynced: async () => new Map(),
  call: async (call: string) =>
    names.map((name, id) =>
      call === 'listTeams'
        ? { id, name, handle: null, parent_id: null, members_now: 0, read_at: null }
        : { id, full_name: `octo-org/${name}` },
    ),
} as unknown as Calls;

interface Page {
  readonly items: { name?: string; repository?: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

async function ask(name: string, given: object): Promise<Page> {
  const tool = listTools.find((one) => one.name === name)!;
  const { answer } = await tool.ask(calls, tool.takes.parse(given));
  return tool.answers.parse(answer) as unknown as Page;
}

test.each(['list_teams', 'list_repositories'])(
  '%s has all there is, a hundred at a time, and what is looked for',
  async (name) => {
    const found: string[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(3);
      const page: Page = await ask(name, cursor === undefined ? {} : { cursor });
      expect(page.total).toBe(230);
      found.push(...page.items.map((item) => (item.name ?? item.repository!).replace('octo-org/', '')));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(names);

    const blue = await ask(name, { q: ' BLUE', cursor: 'at-100' });
    expect([blue.items.length, blue.total, blue.next_cursor]).toEqual([15, 115, null]);
    await expect(ask(name, { cursor: 'x' })).rejects.toThrow('cursor: must be the next_cursor of an earlier answer');
  },
);
