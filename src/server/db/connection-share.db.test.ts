import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  connectionLane,
  connectionsAtOnce,
  figuresAtOnce,
  sharedConnections,
  withinConnectionShare,
} from './connection-share.ts';
import { lensOf } from './lens.ts';
import type { OpenDatabase } from './open.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database?.close();
});

const count = (to: number, on = database.db) =>
  sql`select count(*) from generate_series(1, ${sql.lit(to)})`.execute(on);
const asRequest = <Result>(work: () => Result) => withinConnectionShare(connectionsAtOnce(database), work);

test('whoever comes while a large question is asked has an answer before that has its last', async () => {
  let answered = 0;
  const question = async () => {
    await count(100_000);
    answered += 1;
  };
  const large = asRequest(() => Promise.all(Array.from({ length: 60 }, question)));
  await asRequest(() => count(1));
  const before = answered;
  await large;

  expect(before).toBeLessThan(10);
  expect(answered).toBe(60);
});

test('a page has its answer before the figures that many asked for a moment earlier, whose turns go round', async () => {
  const lane = connectionLane(figuresAtOnce(database.pool.options.max));
  const answered: string[] = [];
  const figures = (name: string, statements: number) =>
    withinConnectionShare(
      connectionsAtOnce(database),
      async () => {
        await Promise.all(Array.from({ length: statements }, () => count(200_000)));
        answered.push(name);
      },
      lane,
    );
  const large = Array.from({ length: 12 }, () => figures('large', 6));
  const small = figures('small', 1);
  const page = asRequest(() => count(1)).then(() => answered.push('page'));
  await Promise.all([...large, small, page]);

  expect(answered.slice(0, 2)).toEqual(['page', 'small']);
  expect(answered).toHaveLength(14);
});

test('what is small does not wait for the rest of large figures, of which each has had a part, and keeps its turn', async () => {
  const lane = connectionLane(figuresAtOnce(database.pool.options.max));
  const figures = <Result>(work: () => Promise<Result>) =>
    withinConnectionShare(connectionsAtOnce(database), work, lane);
  const parts = Array.from({ length: 8 }, () => 0);
  const answered = () => parts.reduce((sum, one) => sum + one);
  const larges = parts.map((_, at) =>
    figures(() =>
      Promise.all(
        Array.from({ length: 12 }, async () => {
          await sql`select pg_sleep(0.02)`.execute(database.db);
          parts[at]! += 1;
        }),
      ),
    ),
  );
  await expect.poll(() => Math.min(...parts), { interval: 1 }).toBeGreaterThan(3);
  const before = answered();
  const meanwhile: number[] = [];
  const one = async () => {
    await count(1);
    meanwhile.push(answered() - before);
  };
  await figures(async () => {
    await Promise.all([one(), one(), one()]);
    for (let more = 0; more < 4; more += 1) await one();
  });
  await Promise.all(larges);

  // In the order in which they came, 15 and more would be before it, and as many again before each of its statements. What waits gives way
  // within half a second at most: the large ones take little of a machine, so that a busy one answers each well within that.
  expect(meanwhile[0]).toBeLessThan(10);
  expect(meanwhile.at(-1)! - meanwhile[0]!).toBeLessThan(3);
  expect(answered()).toBe(96);
});

test('figures leave a connection to what is small, where there is a second one', () => {
  expect([1, 2, 3, 10, 20, 500].map(figuresAtOnce)).toEqual([1, 1, 2, 2, 4, 100]);
});

test('a statement that fails, one in a transaction and one of a lens give their turn back', async () => {
  const done = await asRequest(async () => {
    const failing = Array.from({ length: 5 }, () => sql`select 1 / 0`.execute(database.db));
    const written = Array.from({ length: 5 }, () =>
      database.db.transaction().execute(async (within) => count(2, within)),
    );
    const undone = Array.from({ length: 5 }, () =>
      database.db.transaction().execute(async (within) => {
        await count(3, within);
        throw new Error('changed my mind');
      }),
    );
    const seen = Array.from({ length: 5 }, () => count(4, lensOf(database.pool, 1)));
    return await Promise.allSettled([...failing, ...written, ...undone, ...seen]);
  });

  expect(done.map(({ status }) => status)).toEqual(
    ['rejected', 'fulfilled', 'rejected', 'fulfilled'].flatMap((status) => Array(5).fill(status)),
  );
});

test('work within work takes its turns from the same share', async () => {
  const order: string[] = [];
  await withinConnectionShare(1, async () => {
    const first = count(500_000).then(() => order.push('first'));
    const second = withinConnectionShare(1, () => count(1)).then(() => order.push('second'));
    await Promise.all([first, second]);
  });

  expect(order).toEqual(['first', 'second']);
});

test('pieces of work that were begun apart and share connections wait for each other, and for nobody else', async () => {
  const within = sharedConnections(1);
  const order: string[] = [];
  const told = (name: string) => () => order.push(name);
  const first = within(() => count(500_000)).then(told('first'));
  const second = within(() => count(1)).then(told('second'));
  const another = count(1).then(told('another'));
  await Promise.all([first, second, another]);

  expect(order.indexOf('first')).toBeLessThan(order.indexOf('second'));
  if (database.kind === 'postgresql') expect(order[0]).toBe('another');
});

test.each([1, 2])('of figures in a lane of %i, one person’s do not wait for what another asks for', async (most) => {
  const lane = connectionLane(most);
  let answered = 0;
  const figures = (owner: number, statements: number) =>
    withinConnectionShare(
      connectionsAtOnce(database),
      () =>
        Promise.all(
          Array.from({ length: statements }, async () => {
            await count(100_000);
            if (owner === 1) answered += 1;
          }),
        ),
      lane,
      owner,
    );
  const many = Array.from({ length: 40 }, () => figures(1, 3));
  // What is asked first of all gets there first.
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(5);
  const before = answered;
  const after = await Promise.all(
    [figures(2, 4), figures(3, 4)].map(async (asked) => {
      await asked;
      return answered - before;
    }),
  );
  await Promise.all(many);

  expect(Math.max(...after)).toBeLessThan(25);
  expect(answered).toBe(120);
});

test.each([
  { most: 1, others: 2 },
  { most: 2, others: 4 },
])(
  'in a lane of $most, figures that one person asks for at once have turns among those of $others who ask for one after the other',
  async ({ most, others }) => {
    const lane = connectionLane(most);
    const figure = (owner: number) =>
      withinConnectionShare(connectionsAtOnce(database), () => count(50_000), lane, owner);
    let answered = false;
    const oneAfterTheOther = async (owner: number) => {
      let asked = 0;
      for (; !answered && asked < 50; asked += 1) {
        await figure(owner);
        // A browser asks on a moment after the answer.
        await sleep(1);
      }
      return asked;
    };
    const meanwhile = Array.from({ length: others }, (_, at) => oneAfterTheOther(at + 1));
    await Promise.all(Array.from({ length: 5 }, () => figure(0)));
    answered = true;

    expect(Math.max(...(await Promise.all(meanwhile)))).toBeLessThan(20);
  },
);
