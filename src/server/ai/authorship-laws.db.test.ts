import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { endpoints } from '#contract/endpoints.ts';
import { compareWithinSizes, figuresWithinSizes, NO_TRACE } from '#domain/ai-within-sizes.ts';
import { percentiles } from '#domain/percentiles.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { randomReviewed } from '../../../test/support/random-reviewed.ts';
import { type StoredReviews, storedReviews } from '../../../test/support/reviews.ts';
import type { OpenDatabase } from '../db/open.ts';
import { explainRoutes } from '../explain/routes.ts';
import { authorshipExplanations } from './explain-authorship.ts';
import { aiRoutes } from './routes.ts';

/*
 * What holds of agents' pull requests beside people's whatever happened, over a random history.
 */

const DAY = 24 * 3_600_000;

let database: OpenDatabase;
let view: StoredReviews;
let now: number;
beforeAll(async () => {
  database = await openTestDatabase();
  view = await storedReviews(database.db, randomReviewed(20_261_125), 'Europe/Oslo');
  now = view.now;
});
afterAll(() => database.close());

const context = () => ({ db: database.db, now: () => new Date(now) });
const reader = () => ({ id: view.user, host: view.host, login: 'me', time_zone: view.zone });

async function ask(query: object): Promise<AiAuthorship> {
  const parsed = endpoints.getAiAuthorship.query.parse(query);
  return endpoints.getAiAuthorship.answer.parse(
    JSON.parse(JSON.stringify(await aiRoutes(context()).getAiAuthorship({ user: reader(), query: parsed } as never))),
  );
}

async function explainFigure(figure: string, query: object) {
  const { explainMetric } = explainRoutes(context(), authorshipExplanations);
  const parsed = endpoints.explainMetric.query.parse(query);
  return await explainMetric({ user: reader(), params: { metric: `ai.${figure}` }, query: parsed } as never);
}

describe('of any history', () => {
  const counts = ({ n_opened, n_merged, tried }: AiAuthorship['groups'][number]) =>
    [n_opened, n_merged, tried] as const;
  const sumOf = (rows: readonly (readonly number[])[]) =>
    [0, 1, 2].map((at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0));
  const window = () => ({ from: new Date(now - 300 * DAY).toISOString(), to: new Date(now - 3 * DAY).toISOString() });

  test('people, people with an agent, agents and bots are all but deleted accounts', async () => {
    const told = await ask({ ...window(), bots: 'true' });
    const { rows } = await sql<{ opened: number; merged: number }>`
      select (count(*) filter (where f.created_at >= ${window().from} and f.created_at < ${window().to}))::int as opened,
        (count(*) filter (where f.time_to_merge is not null and f.ended_at >= ${window().from} and f.ended_at < ${window().to}))::int as merged
      from pull_request_facts f where f.authorship <> 'ghost' and f.repository_id in (select repository_id from connections)`.execute(
      database.db,
    );
    const all = sumOf(told.groups.map(counts));
    expect(all.slice(0, 2)).toEqual([rows[0]!.opened, rows[0]!.merged]);
    expect(told.groups.every(({ n_opened }) => n_opened > 0)).toBe(true);
    const without = await ask(window());
    expect(without.groups.map(counts)).toEqual(told.groups.slice(0, 3).map(counts));
    expect([without.credited, without.bots_with_trace]).toEqual([told.credited, told.bots_with_trace]);
    expect(told.credited.of).toBe(told.groups[2]!.n_opened);
  });

  test.each(['group', 'tool'])('what is told by %s within sizes and of weeks adds up to the whole', async (by) => {
    const told = await ask({ ...window(), by, bots: 'true' });
    for (const [at, group] of told.groups.entries()) {
      expect(sumOf(told.within_sizes.map(({ groups }) => counts(groups[at]!))), group.key).toEqual([...counts(group)]);
      const weeks = told.series.filter((week) => week.group === group.key);
      const [opened, merged_] = sumOf(weeks.map(({ opened: a, merged: b }) => [a, b]));
      expect([opened, merged_], group.key).toEqual([group.n_opened, group.n_merged]);
    }
  });
});

test('every figure opens to the value and the number that the call tells, of each group and tool', async () => {
  const all = {
    from: new Date(now - 200 * DAY).toISOString(),
    to: new Date(now - 20 * DAY).toISOString(),
    bots: 'true',
  };
  for (const [by, at] of [
    ['group', null],
    ['tool', 1],
  ] as const) {
    const told = await ask({ ...all, by });
    const groups = at === null ? told.groups : told.within_sizes[at]!.groups;
    const size = at === null ? {} : { size: told.within_sizes[at]!.size };
    for (const { key, tried, figures } of groups.slice(0, 4)) {
      for (const [figure, { value, n }] of Object.entries(figures)) {
        const opened = await explainFigure(figure, { ...all, ...size, by, part: key });
        const [a, b] = [opened.value ?? -1, value ?? -1];
        expect(Math.abs(a - b), `${figure} of ${key}`).toBeLessThan(1e-9);
        if (!figure.startsWith('share_')) expect(opened.n, `${figure} of ${key}`).toBe(n);
      }
      expect((await explainFigure('tried', { ...all, ...size, by, part: key })).value).toBe(tried);
    }
  }
});

test('every figure within the same sizes opens to what the sizes of the call come to, of each group, tool and percentile', async () => {
  const all = {
    from: new Date(now - 250 * DAY).toISOString(),
    to: new Date(now - 10 * DAY).toISOString(),
    bots: 'true',
  };
  const byGroup = await ask(all);
  let counted = 0;
  for (const [by, told] of [
    ['group', byGroup],
    ['tool', await ask({ ...all, by: 'tool' })],
  ] as const)
    for (const { key } of told.groups.filter((group) => group.key !== NO_TRACE).slice(0, 3))
      for (const [at, figure] of figuresWithinSizes.entries()) {
        const statistic = percentiles[at % percentiles.length]!;
        const inSize = (answer: AiAuthorship, size: string, group: string) =>
          answer.within_sizes.find((one) => one.size === size)!.groups.find((one) => one.key === group)?.figures[
            figure
          ];
        const expected = compareWithinSizes(
          told.within_sizes.map(({ size }) => ({
            size,
            group: inSize(told, size, key),
            no_trace: inSize(byGroup, size, NO_TRACE),
          })),
          statistic,
        );
        const { sides, sizes, total } = await explainFigure(`within_sizes.${figure}`, {
          ...{ ...all, by, group: key, statistic },
        });
        const where = `${figure} of ${key}`;
        const [own, people] = sides!;
        for (const [side, of] of [
          [own!, expected.group],
          [people!, expected.no_trace],
        ] as const) {
          expect(Math.abs((side.value ?? -1) - (of.value ?? -1)), where).toBeLessThan(1e-9);
          expect([side.n, side.total], where).toEqual([of.n, of.n]);
        }
        expect(total, where).toBe(expected.group.n + expected.no_trace.n);
        expect(
          sizes!.map(({ weight }) => weight),
          where,
        ).toEqual(expected.sizes.map(({ weight }) => weight));
        counted += expected.group.n;
      }
  expect(counted).toBeGreaterThan(100);
});
