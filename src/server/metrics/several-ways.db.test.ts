import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { aPerson, aPullRequest, approves, finds, hour, merged, pushed } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { asking, fromTo } from './asked.ts';
import { type Column, compile } from './compile.ts';
import { compileSeveralWays } from './several-ways.ts';
import type { Asked } from './sources/source.ts';

const TOOLS = ['agent-a', 'agent-b'];
const WEEK = 7 * 24;
const NOW = 6 * WEEK;
/** The second and the third week have no pull request that ended. */
const starts = [0, 1, 2, 3, 4].map((week) => new Date(hour(week * WEEK)));
const whole = (metric: Column['metric']): Record<string, Column> => ({
  [metric]: { metric },
  [`${metric} n`]: { metric, statistic: 'n' },
});
const found: Record<string, Column> = {
  ...whole('ai_acted_on'),
  ...whole('ai_noise'),
  ...whole('ai_silent'),
  ...whole('ai_talkative'),
  ...whole('ai_on_automation'),
  ...whole('ai_findings_per_100_lines'),
  ...whole('ai_findings_per_pr'),
  'ai_findings_per_pr p50': { metric: 'ai_findings_per_pr', statistic: 'p50' },
  'ai_findings_per_pr p90': { metric: 'ai_findings_per_pr', statistic: 'p90' },
  ai_changed: { metric: 'ai_changed' },
  ai_thumbs_down: { metric: 'ai_thumbs_down' },
};
const coverage = whole('ai_coverage');

let database: OpenDatabase;
let asked: (of: NonNullable<Asked['reviewer']>['of']) => Asked;
beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const repository = await aRepository(db, 'acme/web');
  const marks = [{}, { outdated: true }, { thumbsDown: 1 }];
  const pulls = Array.from({ length: 90 }, (_, index) => {
    const opened = [0, 3, 4][Math.floor(index / 30)]! * WEEK + (index % 30);
    const reviews = TOOLS.flatMap((tool, at) =>
      index % (at + 2) === 0
        ? [
            approves(opened + 1, tool),
            ...Array.from({ length: (7 * index) % 13 }, () => finds(opened + 1, tool, marks[index % 3])),
          ]
        : [],
    );
    const people = Array.from({ length: (5 * index) % 4 }, () => finds(opened + 2, 'rita', marks[(index + 1) % 3]));
    const author = index % 7 === 0 ? { author: aPerson('bot-b') } : {};
    return aPullRequest(
      { number: index + 1, createdAt: hour(opened), additions: 3 ** (index % 8), deletions: index, ...author },
      ...[...reviews, ...people, approves(opened + 2, 'rita'), pushed(opened + 3), merged(opened + 4)],
    );
  });
  await store(db, repository, hour(NOW), pulls);
  const scope = await aScope(db, [repository]);
  asked = (of) =>
    asking(scope, new Date(hour(NOW)), 'UTC', {
      window: fromTo(hour(0), null),
      reviewer: { of, authorKinds: null, sizes: null },
    });
});
afterAll(() => database.close());

type Row = Readonly<Record<string, unknown>>;
const rowsOf = async (relation: ReturnType<typeof compile>) =>
  (await sql<Row>`select * from ${relation} rows`.execute(database.db)).rows;

test('numbers that are told in several ways at once are those of each way alone, to the last digit', async () => {
  const each = [...TOOLS.map((tool) => ({ tool, accounts: [] }))];
  const rows = await rowsOf(
    compileSeveralWays(asked({ each, people: true }), found, 'ai_reviewer', [{ starts }, 'size']),
  );

  const told = (line: string, way: number) =>
    rows.filter((row) => row.line === line && row.way === way).map(({ line: _, way: __, ...numbers }) => numbers);
  for (const line of [...TOOLS, 'people']) {
    const alone = asked(line === 'people' ? 'people' : { tool: line, accounts: [] });
    expect(told(line, 0)).toEqual([{ key: null, ...(await rowsOf(compile(alone, found, 'whole')))[0] }]);
    const weeks = (await rowsOf(compile(alone, found, { starts }))).filter((row) => row['ai_silent n'] !== 0);
    const byWeek = told(line, 1).toSorted((a, b) => Number(a.key) - Number(b.key));
    expect(byWeek.map(({ key }) => key)).toEqual(['1', '4', '5']);
    expect(byWeek).toEqual(weeks.map((row) => ({ ...row, key: String(row.key) })));
    const bySize = await rowsOf(compile(alone, found, 'size'));
    const inOrder = (all: readonly Row[]) => sizeBuckets.flatMap((size) => all.filter(({ key }) => key === size));
    expect(bySize.length).toBeGreaterThan(2);
    expect(inOrder(told(line, 2))).toEqual(inOrder(bySize));
  }
});

test('without a line all is one, and what nobody did has no row', async () => {
  const of = { tool: 'agent-a', accounts: [] };
  const rows = await rowsOf(compileSeveralWays(asked(of), coverage, null, ['size']));

  expect(rows.filter(({ way }) => way === 0)).toEqual([
    { line: 'all', way: 0, key: null, ...(await rowsOf(compile(asked(of), coverage, 'whole')))[0] },
  ]);
  const nobody = { tool: 'agent-z', accounts: [] };
  expect(await rowsOf(compileSeveralWays(asked(nobody), found, 'ai_reviewer', ['size']))).toEqual([]);
});

test('what sums do not make is refused', () => {
  const of = asked('people');
  const percentiles = {
    one: { metric: 'time_to_merge', statistic: 'p50' },
    two: { metric: 'time_to_first_review', statistic: 'p50' },
  } as const;
  expect(() => compileSeveralWays(of, percentiles, null, [])).toThrow('is not made of sums');
});
