import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import type { Trend } from '#contract/trends.ts';
import { defaultHealthSettings } from '#domain/signals.ts';
import { aPullRequest, approves, hour, merged } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import type { SignedIn } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { HttpError } from '../http/errors.ts';
import { fillSignals } from '../sync/fill-signals.ts';
import { trendRoutes } from '../trends/routes.ts';
import { healthRoutes, healthSettingsRoutes } from './routes.ts';

const NOW = new Date('2026-04-01T12:00:00Z');

let database: OpenDatabase;
let user: number;
beforeAll(async () => {
  database = await openTestDatabase();
  user = await aUser(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  await empty(database.db, 'health_settings', 'repositories');
});

const signedIn = (): SignedIn => ({ id: user, host: HOST, login: 'root', time_zone: 'UTC', own_marks: false });
const administrators = { require: async () => {} };
const routes = () => healthSettingsRoutes({ db: database.db, now: () => NOW, administrators });

const held = async () => await routes().getHealthSettings({ user: signedIn() } as never);
const save = async (body: unknown) =>
  await routes().saveHealthSettings({ user: signedIn(), body: endpoints.saveHealthSettings.body.parse(body) } as never);

async function changes(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from health_settings`.execute(database.db);
  return rows[0]!.n;
}

describe('thresholds', () => {
  it('are the defaults until somebody changes one, and what is left out of a change stays', async () => {
    expect(await held()).toEqual({ ...defaultHealthSettings, counting: false });

    await save({ big: 500 });
    await save({ trivial: { files: 2 }, stamped: { minutes: 0 } });

    expect(await held()).toEqual({
      ...defaultHealthSettings,
      big: 500,
      trivial: { lines: 10, files: 2 },
      stamped: { words: 2, minutes: 0, lines_per_minute: 30 },
      counting: false,
    });
    expect(await changes()).toBe(2);
  });

  it('keep what each of two administrators changes at once', async () => {
    await Promise.all([save({ big: 500 }), save({ long_open_days: 21 }), save({ stamped: { words: 3 } })]);

    expect(await held()).toMatchObject({ big: 500, long_open_days: 21, stamped: { words: 3 } });
  });

  it('that are saved as they are have not changed, whatever order they come in', async () => {
    await save({ big: 500 });
    const { counting: _, ...settings } = await held();
    await save({});
    await save(settings);
    await save({ stamped: { lines_per_minute: 30, words: 2, minutes: 5 }, trivial: {} });

    expect(await changes()).toBe(1);
  });

  it('put an event on the trends at the moment of the change, and none for what is the same', async () => {
    await save({ big: 500 });
    await save({ big: 500 });
    const { getTrends } = trendRoutes({ db: database.db, now: () => new Date(NOW.getTime() + 1000) });
    const query = endpoints.getTrends.query.parse({ figure: 'big' });

    const { items } = (await getTrends({ user: signedIn(), query } as never)) as { items: Trend[] };

    expect(items[0]!.events.map(({ at, kind }) => ({ at, kind }))).toEqual([
      { at: NOW.toISOString(), kind: 'thresholds' },
    ]);
  });

  it('are for administrators to change', async () => {
    const refusing = healthSettingsRoutes({
      db: database.db,
      now: () => NOW,
      administrators: {
        require: async () => {
          throw new HttpError('administrators_only', 'no');
        },
      },
    });

    const refused = refusing.saveHealthSettings({ user: signedIn(), body: { big: 500 } } as never);

    await expect(refused).rejects.toMatchObject({ status: 403 });
    expect(await changes()).toBe(0);
  });

  it.each([
    [{ trivial: { lines: -1 } }, 'trivial.lines', 'must be 0 or more'],
    [{ trivial: { files: 1001 } }, 'trivial.files', 'must be 1000 or less'],
    [{ stamped: { words: 1.5 } }, 'stamped.words', 'must be a whole number'],
    [{ stamped: { minutes: 1441 } }, 'stamped.minutes', 'must be 1440 or less'],
    [{ stamped: { lines_per_minute: 0 } }, 'stamped.lines_per_minute', 'must be 1 or more'],
    [{ ping_pong: { rounds: 1 } }, 'ping_pong.rounds', 'must be 2 or more'],
    [{ ping_pong: { turns: null } }, 'ping_pong.turns', 'must be a number'],
    [{ big: '400' }, 'big', 'must be a number'],
    [{ long_open_days: 0 }, 'long_open_days', 'must be 1 or more'],
    [{ stale_approval_days: 366 }, 'stale_approval_days', 'must be 365 or less'],
    [{ generated: ['*.lock', ' '] }, 'generated.1', 'must not be empty'],
    [{ generated: ['x'.repeat(201)] }, 'generated.0', 'at most 200 characters'],
    [{ generated: ['a\nb'] }, 'generated.0', 'must be one line'],
    [{ generated: Array.from({ length: 101 }, (_, at) => `*.${at}`) }, 'generated', 'at most 100 patterns'],
  ])('out of range are refused beside their field: %j', (body, path, message) => {
    const { error } = endpoints.saveHealthSettings.body.safeParse(body);

    expect(error!.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))).toEqual([
      { path, message },
    ]);
  });
});

describe('a change of thresholds', () => {
  const share = async (key: string) => {
    const { getHealth } = healthRoutes({ db: database.db, now: () => NOW });
    const query = endpoints.getHealth.query.parse({});
    const { signals } = await getHealth({ user: signedIn(), query } as never);
    const { value, n } = signals.find((signal) => signal.key === key)!;
    return { value, n };
  };
  const fill = async () =>
    await fillSignals(
      { db: database.db, now: () => NOW, stepFailed: (_, error) => void Promise.reject(error) },
      new AbortController().signal,
    );

  beforeEach(async () => {
    const { db } = database;
    const id = await aRepository(db, 'acme/web', [user]);
    const life = (number: number, path: string, lines: number) =>
      aPullRequest(
        {
          ...{ number, createdAt: hour(number), additions: lines, deletions: 0, changedFiles: 1 },
          files: [{ path, additions: lines, deletions: 0 }],
          filesTruncated: false,
        } as never,
        approves(number + 2, 'bo'),
        merged(number + 4),
      );
    await store(db, id, NOW.getTime(), [
      life(1, 'src/a.ts', 450),
      life(2, 'src/api.pb.go', 900),
      life(3, 'src/b.ts', 9),
    ]);
    await sql`update repositories set default_branch = 'main'`.execute(db);
    await sql`update pull_requests set base_ref = 'main'`.execute(db);
    await sql`update pull_request_facts set base_ref = 'main'`.execute(db);
  });

  it('tells every share anew at once', async () => {
    expect(await share('big')).toEqual({ value: 2 / 3, n: 3 });
    expect(await share('merged_unapproved')).toEqual({ value: 0, n: 2 });

    await save({ big: 500, trivial: { lines: 9 } });

    expect(await share('big')).toEqual({ value: 1 / 3, n: 3 });
    expect(await share('merged_unapproved')).toEqual({ value: 0, n: 3 });
    expect((await held()).counting).toBe(false);
  });

  it('of generated files says that lines are counted again until they are', async () => {
    const changed = await save({ generated: ['*.pb.go'] });
    expect(changed.counting).toBe(true);
    expect((await held()).counting).toBe(true);

    await fill();

    expect((await held()).counting).toBe(false);
    expect(await share('big')).toEqual({ value: 1 / 3, n: 3 });
    await save({ generated: [] });
    await fill();
    expect(await share('big')).toEqual({ value: 2 / 3, n: 3 });
  });
});
