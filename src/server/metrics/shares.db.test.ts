import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultHealthSettings, type SignalMetric } from '#domain/signals.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { randomHistory } from '../../../test/support/random-history.ts';
import { aRepository, aScope, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { asking, fromTo } from './asked.ts';
import { compile } from './compile.ts';
import { type Stretch, sharesOver } from './shares.ts';
import { healthViewOf, signals } from './signals.ts';
import { mergedForSignals } from './sources/for-signals.ts';
import type { Asked } from './sources/source.ts';

const shares = (Object.keys(signals) as SignalMetric[]).filter(
  (key) => signals[key].from === mergedForSignals && signals[key].made === 'share',
) as [SignalMetric, ...SignalMetric[]];

let database: OpenDatabase;
let asked: Asked;
/** When something was merged, ascending. */
let merges: number[];

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const user = await aUser(db);
  const histories = fc.sample(randomHistory, { seed: 3, numRuns: 4 });
  const now = Math.max(...histories.map((history) => history.now));
  const ids: number[] = [];
  for (const { pulls } of histories.flatMap(({ repositories }) => repositories)) {
    const id = await aRepository(db, `acme/shares-${ids.length}`, [user]);
    await store(db, id, now, pulls);
    ids.push(id);
  }
  // Of some it cannot be told, some are said not to be so, and some are reverted and put right.
  await sql`update pull_request_facts set signals = 0 where number % 11 = 3`.execute(db);
  await sql`update pull_request_facts set files_known = number % 5 <> 2, credited_id = author_id`.execute(db);
  await sql`
    insert into signal_dismissals (repository_id, number, key, reason, set_by, set_at)
    select repository_id, number, key, 'In a call', ${user}, now() from pull_request_facts, unnest(${shares}::text[]) key
    where number % 7 = 1 on conflict do nothing`.execute(db);
  await sql`
    insert into reverts (repository_id, number, target) select y.repository_id, y.number, x.number from pull_request_facts x
    join pull_request_facts y on y.repository_id = x.repository_id and y.number = x.number + 2
    where x.number % 4 = 0 on conflict do nothing`.execute(db);
  await sql`
    insert into follow_ups (repository_id, number, by_number) select x.repository_id, x.number, y.number from pull_request_facts x
    join pull_request_facts y on y.repository_id = x.repository_id and y.number = x.number + 1
    where x.number % 3 = 0 on conflict do nothing`.execute(db);
  asked = asking(await aScope(db, ids), new Date(now), 'UTC', {
    health: healthViewOf(defaultHealthSettings, { all_bases: 'true' }),
  });
  const { rows } = await sql<{ at: Date }>`
    select distinct ended_at as at from pull_request_facts where time_to_merge is not null order by 1`.execute(db);
  merges = rows.map(({ at }) => at.getTime());
});
afterAll(() => database.close());

describe('shares over many stretches', () => {
  it('are those of each stretch alone, with a merge at its very ends, and without an end', async () => {
    const [first, last] = [merges[0]!, merges.at(-1)!];
    const edges = [first, merges[Math.floor(merges.length / 3)]!, merges[Math.floor(merges.length / 2)]!, last];
    const stretches: [Stretch, ...Stretch[]] = [
      { from: first, to: null },
      { from: last, to: null },
      { from: last + 1, to: null },
      { from: first - 1000, to: first },
      ...edges.flatMap((from) =>
        edges
          .filter((to) => to > from)
          .flatMap((to) => [
            { from, to },
            { from: from + 1, to },
            { from, to: to + 1 },
          ]),
      ),
    ];
    const told = await sharesOver(database.db, asked, shares, stretches);

    const seen = new Set<number>();
    for (const stretch of stretches) {
      const columns = Object.fromEntries(
        shares.flatMap((metric) => [
          [metric, { metric }],
          [`${metric} n`, { metric, statistic: 'n' } as const],
        ]),
      );
      const window = fromTo(stretch.from, stretch.to);
      const { rows } = await sql<Record<string, number | null>>`
        select * from ${compile({ ...asked, window }, columns, 'whole')} numbers`.execute(database.db);
      for (const metric of shares) {
        const { value, n } = told(metric, stretch);
        expect({ metric, stretch, value, n }).toEqual({
          metric,
          stretch,
          value: rows[0]![metric] === null ? null : expect.closeTo(rows[0]![metric]!, 12),
          n: rows[0]![`${metric} n`],
        });
        if (value !== null) seen.add(value);
      }
    }
    // Not all and none alone.
    expect(seen.size).toBeGreaterThan(20);
  });

  it('are not told of what is of something else, or no share', async () => {
    const stretches: [Stretch] = [{ from: 0, to: null }];
    for (const key of ['review_depth', 'concentration', 'long_open'] as const)
      await expect(sharesOver(database.db, asked, [shares[0], key], stretches)).rejects.toThrow(
        'cannot be told at once',
      );
  });
});
