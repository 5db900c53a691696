import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { connectionLane, withinConnectionShare } from './connection-share.ts';
import type { Database } from './database.ts';
import type { OpenDatabase } from './open.ts';
import { dialectWithReplica, fromReplica, type Replica } from './replica.ts';

/** What happens to statements while a standby comes and goes, which a second pool of the same server stands for (with real ones: test/processes). */
describe.runIf(process.env.TEST_DATABASE === 'postgresql')('statements that a replica may answer', () => {
  let database: OpenDatabase;
  let standby: pg.Pool;
  let isBehind = false;
  const waiting = new Set<(error: Error) => void>();
  const lose = () => {
    for (const told of waiting) told(new Error('It is lost.'));
  };
  let db: Kysely<Database>;

  beforeAll(async () => {
    database = await openTestDatabase();
    standby = new pg.Pool({
      ...database.pool.options,
      application_name: 'standby',
      onConnect: (client) => client.query("set statement_timeout = '5s'"),
    });
    const replica: Replica = {
      pool: standby,
      staleness: () => 0,
      lag: () => 0,
      has: () => !isBehind,
      failed: () => undefined,
      onLost(told) {
        waiting.add(told);
        return () => void waiting.delete(told);
      },
      stop: async () => undefined,
    };
    db = new Kysely<Database>({ dialect: dialectWithReplica(database.pool, replica, null) });
  });
  afterAll(async () => {
    await standby?.end();
    await database?.close();
  });

  const ask = async (text: string) =>
    (await fromReplica(() => sql<{ at: string }>`${sql.raw(text)}`.execute(db))).rows[0];
  const where = "current_setting('application_name') as at";

  it('are forgotten once they are answered, and what they were answered with', async () => {
    for (let n = 0; n < 10; n += 1) expect(await ask(`select ${where}`)).toEqual({ at: 'standby' });
    await expect(ask('select 1 / 0')).rejects.toThrow('division by zero');

    expect(waiting.size).toBe(0);
  });

  it('go to the primary when it is lost, those that waited for their turn there, too, and leave the turn to others', async () => {
    const lane = connectionLane(1);
    const inLane = async (text: string) => await withinConnectionShare(2, async () => await ask(text), lane);
    const slow = inLane(`select ${where}, pg_sleep(3)`);
    await expect.poll(() => standby.totalCount - standby.idleCount).toBe(1);
    const behind = [inLane(`select ${where}`), inLane(`select ${where}`)];
    await expect.poll(() => waiting.size).toBe(3);
    lose();

    expect((await slow)?.at).not.toBe('standby');
    for (const one of await Promise.all(behind)) expect(one?.at).not.toBe('standby');
    expect(await inLane(`select ${where}`)).toEqual({ at: 'standby' });
    await expect.poll(() => standby.idleCount).toBe(standby.totalCount);
  });

  it('go to the primary where it fell behind while they waited for their turn', async () => {
    const lane = connectionLane(1);
    const inLane = async (text: string) => await withinConnectionShare(2, async () => await ask(text), lane);
    const slow = inLane(`select ${where}, pg_sleep(1)`);
    await expect.poll(() => standby.totalCount - standby.idleCount).toBe(1);
    const behind = inLane(`select ${where}`);
    await expect.poll(() => waiting.size).toBe(2);
    isBehind = true;
    const [first, second] = await Promise.all([slow, behind]);
    isBehind = false;

    expect(first).toMatchObject({ at: 'standby' });
    expect(second?.at).not.toBe('standby');
  });

  it('are not begun once more by the primary where their time was up', async () => {
    await expect(ask(`select ${where}, pg_sleep(7)`)).rejects.toMatchObject({ code: '57014' });
  });
});
