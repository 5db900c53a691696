import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import type { HostClient } from '../host/client.ts';
import { HostError } from '../host/errors.ts';
import { secretBox } from '../secret-box.ts';
import { cancelSession, resumeSession, startSession } from '../sync/sessions.ts';
import { checkAccess } from './access.ts';
import { connectSeveral, connectWhatIsPending, type SeveralDeps } from './connect-several.ts';
import { changeImport, importsOf } from './imports.ts';

/** How long what connects several repositories waits, and what it waits for meanwhile. */
let host: RunningSimulator;
let app: TestApp;
let mona: string;
let user: { id: number; host: string };

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: host.url });
  mona = await app.signIn('mona');
  user = await app.database.db.selectFrom('users').select(['id', 'host']).executeTakeFirstOrThrow();
  await host.control('faults', {
    match: { operation: 'Parts' },
    effect: { name: 'latency', milliseconds: 3_000 },
  });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});

const depsWith = (given: Partial<SeveralDeps>): SeveralDeps => ({
  ...{ db: app.database.db, ...app.server.credentials, box: secretBox(Buffer.alloc(32, 1)), public_url: PUBLIC_URL },
  ...{ log: { warn: () => undefined }, noteSecurityEvent: async () => undefined, app: null },
  ...{ now: () => new Date(), sleep: () => new Promise<void>(() => undefined) },
  startSync: async () => null,
  cancelSession: async (id) => void (await cancelSession(app.database.db, id, new Date())),
  stepFailed: (error) => {
    throw error;
  },
  ...given,
});
const statusOf = async (name: string) =>
  (await app.database.db.selectFrom('import_repositories').select('status').where('name', '=', name).executeTakeFirst())
    ?.status;

test('the 15 seconds begin with the request, and leave time for the answer; what is not known then goes on behind it', async () => {
  const calls: string[] = [];
  const now = () => {
    calls.push('now');
    return new Date();
  };
  const sleep = async (milliseconds: number) => {
    calls.push(`sleep ${milliseconds}`);
  };

  const { results } = await connectSeveral(
    depsWith({ now, sleep }),
    user,
    [{ owner: 'octo-org', name: 'hello' }],
    false,
  );

  expect(calls[0]).toBe('sleep 14000');
  expect(results).toEqual([{ owner: 'octo-org', name: 'hello', id: null, status: 'pending', reason: null }]);
  await expect.poll(() => statusOf('hello'), { timeout: 20_000 }).toBe('connected');
});

test('what was left pending before the clock was set back is connected at once', async () => {
  const wanted = { owner: 'octo-org', name: 'set-back' };
  await host.control('repos', wanted);
  const { id } = (await host.control('faults', {
    ...{ match: { repository: 'octo-org/set-back', kind: 'graphql' }, effect: { name: 'bad_gateway' } },
  })) as { id: number };
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  const { bulk_id, results } = await connectSeveral(depsWith({ now: tomorrow }), user, [wanted], false);
  // Elsewhere the newest import is that of the test.
  onTestFinished(async () => void (await app.database.db.deleteFrom('imports').where('id', '=', bulk_id).execute()));
  await host.control(`faults/${id}`, undefined, 'DELETE');

  await connectWhatIsPending(depsWith({}), new AbortController().signal);

  expect(results.map(({ status }) => status)).toEqual(['pending']);
  expect(await statusOf('set-back')).toBe('connected');
});

test('what the host is slow to tell does not keep back what is known', async () => {
  await app.ask('GET', '/api/repositories/available', { as: mona });
  await host.control('repos', { owner: 'octo-org', name: 'unlisted' });
  const sleep = async (milliseconds: number) => {
    if (milliseconds > 10_000) await expect.poll(() => statusOf('secret'), { timeout: 20_000 }).toBe('connected');
  };
  const wanted = ['unlisted', 'secret'].map((name) => ({ owner: 'octo-org', name }));

  const { results } = await connectSeveral(depsWith({ now: () => new Date(), sleep }), user, wanted, false);

  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['unlisted', 'pending'],
    ['secret', 'connected'],
  ]);
  await expect.poll(() => statusOf('unlisted'), { timeout: 20_000 }).toBe('connected');
});

test('a refusal that comes while the repositories of a list are being connected holds', async () => {
  await host.control('repos', { owner: 'octo', name: 'plans', private: true, readers: ['mona'] });
  await aFreshList();
  await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo', name: 'plans' } });
  await host.control('repos', { owner: 'octo-org', name: 'slow' });
  const sleep = async (milliseconds: number) => {
    if (milliseconds > 10_000) return await new Promise<void>(() => undefined);
    await host.control('repos/octo/plans', { readers: [] }, 'PATCH');
    await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo', name: 'plans' } });
  };
  const wanted = [
    { owner: 'octo-org', name: 'slow' },
    { owner: 'octo', name: 'plans' },
  ];

  const { results } = await connectSeveral(depsWith({ sleep }), user, wanted, false);

  expect(results.map(({ status }) => status)).toEqual(['connected', 'already']);
  expect((await app.ask('GET', '/api/repos', { as: mona })).body).toContainEqual(
    expect.objectContaining({ full_name: 'octo/plans', access: expect.objectContaining({ state: 'checking' }) }),
  );
});

test('what another process has connected meanwhile is not connected again, since its person may have removed it', async () => {
  const { db } = app.database;
  await host.control('repos', { owner: 'octo-org', name: 'removed' });
  await aFreshList();
  await host.control('repos', { owner: 'octo-org', name: 'not-listed' });
  const sleep = async (milliseconds: number) => {
    if (milliseconds > 10_000) return await new Promise<void>(() => undefined);
    await db.updateTable('import_repositories').set({ status: 'connected' }).where('name', '=', 'removed').execute();
  };
  const wanted = ['not-listed', 'removed'].map((name) => ({ owner: 'octo-org', name }));

  const { results } = await connectSeveral(depsWith({ sleep }), user, wanted, false);

  expect(results).toMatchObject([{ status: 'connected' }, { name: 'removed', id: null }]);
  expect(await db.selectFrom('repositories').select('id').where('name', '=', 'removed').execute()).toEqual([]);
});

describe('with a host that is quick to tell', () => {
  beforeAll(async () => {
    await host.control('faults', undefined, 'DELETE');
  });

  test('a list takes nothing back of what the host has said of a repository since, and its reader is checked at once', async () => {
    const { db } = app.database;
    await host.control('repos', { owner: 'octo', name: 'site', readers: ['mona'] });
    const octo = await app.signIn('octo');
    await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo', name: 'site' } });
    await aFreshList();
    await host.control('repos/octo/site', { name: 'home', private: true }, 'PATCH');
    const stored = () => db.selectFrom('repositories').selectAll().where('name', 'in', ['site', 'home']).execute();
    const [{ id } = { id: 0 }] = await stored();
    const first = await userOf('octo');
    await checkAccess(depsWith({}), first.id, id);
    const described = await stored();

    const { results } = await connectSeveral(depsWith({}), user, [{ owner: 'octo', name: 'site' }], false);

    expect(results).toMatchObject([{ id, name: 'site', status: 'connected' }]);
    expect((await app.ask('GET', '/api/repos', { as: mona })).body).toContainEqual(
      expect.objectContaining({ full_name: 'octo/site', access: expect.objectContaining({ state: 'checking' }) }),
    );
    expect(described).toMatchObject([{ name: 'home', private: true, former_name: 'site' }]);
    expect(await stored()).toEqual(described);
    const { check_due_at } = await db
      .selectFrom('connections')
      .select('check_due_at')
      .where('user_id', '=', user.id)
      .where('repository_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(check_due_at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ['cancel', 'cancelled'],
    ['pause', 'paused'],
  ] as const)(
    '%s stops a sync that is just beginning, and its repository is told as connected',
    async (action, state) => {
      const { db } = app.database;
      const name = `begun-before-${action}`;
      await host.control('repos', { owner: 'octo-org', name });
      const never = () => Promise.reject(new Error('Nothing is resumed.'));
      const deps = depsWith({});
      const startSync = async (user_id: number, repository_id: number) => {
        const how = { mode: 'smart', asked_by: 'person', page_size_limit: null } as const;
        const session = await startSession(db, { repository_id, user_id, ...how }, new Date());
        const [newest] = await importsOf(db, user.id);
        await changeImport({ ...deps, resumeSession: never, connectSoon: never }, user.id, newest!.id, action);
        return session;
      };

      const { bulk_id, results } = await connectSeveral(
        { ...deps, startSync },
        user,
        [{ owner: 'octo-org', name }],
        true,
      );

      expect(results).toMatchObject([{ status: 'connected', reason: null }]);
      expect(await importsOf(db, user.id, bulk_id)).toMatchObject([{ state, running: 0, waiting: 0, failed: [] }]);
      const syncs = await db
        .selectFrom('sync_sessions')
        .select('status')
        .where('repository_id', '=', results[0]!.id)
        .execute();
      expect(syncs).toEqual([{ status: 'cancelled' }]);
    },
  );

  test.each([
    ['cancel', 'cancelled'],
    ['pause', 'paused'],
  ] as const)('%s while a paused import is gone on with leaves no sync of it', async (action, state) => {
    const { db } = app.database;
    const names = [1, 2, 3].map((count) => ({ owner: 'octo-org', name: `gone-on-with-${action}-${count}` }));
    for (const name of names) await host.control('repos', name);
    const startSync = async (user_id: number, repository_id: number) => {
      const how = { mode: 'smart', asked_by: 'person', page_size_limit: null } as const;
      return await startSession(db, { repository_id, user_id, ...how }, new Date());
    };
    let resumed = 0;
    const change = (what: 'pause' | 'resume' | 'cancel') => changeImport(deps, user.id, bulk_id, what);
    const deps = {
      ...depsWith({ startSync }),
      async resumeSession(id: string, user_id: number) {
        resumed += 1;
        if (resumed === 2) await change(action);
        await resumeSession(db, id, user_id, 'person', new Date());
      },
      connectSoon: () => undefined,
    };
    const { bulk_id, sessions } = await connectSeveral(deps, user, names, true);
    await change('pause');

    const after = await change('resume');

    expect(after).toMatchObject({ state, running: 0, waiting: 0 });
    expect(resumed).toBe(2);
    const syncs = await db
      .selectFrom('sync_sessions')
      .select('status')
      .where(
        'id',
        'in',
        sessions.map(({ session_id }) => session_id),
      )
      .execute();
    expect(syncs).toEqual(names.map(() => ({ status: 'cancelled' })));
  });

  test('one that the host cannot compute keeps back none of the others, and has failed when it was tried for half an hour', async () => {
    const wanted = ['light', 'heavy', 'lighter'].map((name) => ({ owner: 'octo-org', name }));
    for (const name of wanted) await host.control('repos', name);
    const { id } = (await host.control('faults', {
      ...{ match: { repository: 'octo-org/heavy', kind: 'graphql' }, effect: { name: 'bad_gateway' } },
    })) as { id: number };
    const minutesOn = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
    const told = async () => (await importsOf(app.database.db, user.id, bulk_id))[0];

    const { bulk_id, results } = await connectSeveral(depsWith({ now: minutesOn(0) }), user, wanted, false);
    const after = [];
    for (const now of [29, 31].map(minutesOn)) {
      await connectWhatIsPending(depsWith({ now }), new AbortController().signal);
      after.push(await told());
    }
    await host.control(`faults/${id}`, undefined, 'DELETE');

    expect(results.map(({ status }) => status)).toEqual(['connected', 'pending', 'connected']);
    expect(after).toMatchObject([
      { state: 'running', done: 2, waiting: 1, failed: [] },
      { state: 'done', done: 2, waiting: 0, failed: [{ full_name: 'octo-org/heavy' }] },
    ]);
    expect(after[1]?.failed[0]?.reason).toMatch(/^Cannot access repository: .* did not compute the answer in time/);
  });

  test('one of which the host says nothing among others has failed only when it says nothing of it alone either', async () => {
    const wanted = ['talked-over', 'unheard', 'heard'].map((name) => ({ owner: 'octo-org', name }));
    for (const name of wanted) await host.control('repos', name);
    const says = (names: readonly { name: string }[], silentAbout: readonly string[]) => (found: readonly unknown[]) =>
      found.map((one, at) =>
        silentAbout.includes(names[at]!.name) ? new HostError('protocol', 'GitHub left it out.') : one,
      ) as Awaited<ReturnType<HostClient['repositoriesNamed']>>;
    const clientFor = async (user_id: number) => {
      const { client, ...personal } = (await app.server.credentials.clientFor(user_id))!;
      const repositoriesNamed: HostClient['repositoriesNamed'] = async (names, signal) =>
        says(
          names,
          names.length > 1 ? ['talked-over', 'unheard'] : ['unheard'],
        )(await client.repositoriesNamed(names, signal));
      return { ...personal, client: { ...client, repositoriesNamed } };
    };
    const minutesOn = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
    const told = async () => (await importsOf(app.database.db, user.id, bulk_id))[0];

    const { bulk_id } = await connectSeveral(depsWith({ clientFor }), user, wanted, false);
    const before = await told();
    await connectWhatIsPending(depsWith({ clientFor, now: minutesOn(31) }), new AbortController().signal);

    expect(before).toMatchObject({ done: 1, waiting: 2 });
    expect(await told()).toMatchObject({ done: 2, waiting: 0, failed: [{ full_name: 'octo-org/unheard' }] });
  });

  test('a 401 that the host does not repeat refuses none of them: they are connected the next time', async () => {
    const wanted = ['let-in', 'let-in-too'].map((name) => ({ owner: 'octo-org', name }));
    for (const name of wanted) await host.control('repos', name);
    await host.control('faults', { match: { operation: 'Parts', next: 1 }, effect: { name: 'bad_credentials' } });
    const inAMinute = () => new Date(Date.now() + 60_000);

    const { bulk_id, results } = await connectSeveral(depsWith({}), user, wanted, false);
    await connectWhatIsPending(depsWith({ now: inAMinute }), new AbortController().signal);

    expect(results.map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect(await importsOf(app.database.db, user.id, bulk_id)).toMatchObject([{ state: 'done', done: 2, failed: [] }]);
  });

  test('of one that the host cannot compute an estimate says neither that it cannot be read nor that it takes nothing', async () => {
    const repositories = ['estimated', 'not-estimated'].map((name) => ({ owner: 'octo-org', name }));
    for (const name of repositories) await host.control('repos', name);
    const { id } = (await host.control('faults', {
      ...{ match: { repository: 'octo-org/not-estimated', kind: 'graphql' }, effect: { name: 'bad_gateway' } },
    })) as { id: number };
    const estimate = () => app.ask('POST', '/api/repos/estimate', { as: mona, body: { repositories } });

    const failed = await estimate();
    await host.control(`faults/${id}`, undefined, 'DELETE');
    const told = await estimate();

    expect(failed).toMatchObject({ status: 502, body: { code: 'host_failed' } });
    expect(told).toMatchObject({ status: 200, body: { repositories: 2, unreadable: 0 } });
  });

  test('once the host asks for a pause it is asked for no more webhooks, and the rest is told so', async () => {
    const octo = await app.signIn('octo');
    const ids: number[] = [];
    for (const name of ['hooked', 'not-hooked', 'left']) {
      await host.control('repos', { owner: 'octo-org', name, admins: ['octo'] });
      const { body } = await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo-org', name } });
      ids.push((body as { id: number }).id);
    }
    await host.control('counters', undefined, 'DELETE');
    const match = { operation: 'POST /repos/:owner/:repo/hooks', after: 1 };
    const effect = { name: 'secondary_limit_403', retryAfter: 60 };
    const { id } = (await host.control('faults', { match, effect })) as { id: number };

    const { body } = await app.ask('POST', '/api/repos/webhooks', { as: octo, body: { ids } });
    const { operations } = (await host.control('counters')) as { operations: Record<string, number> };
    await host.control(`faults/${id}`, undefined, 'DELETE');

    const reason = 'GitHub asks for a pause because of too many requests at once.';
    expect(body).toEqual({
      results: [
        { id: ids[0], status: 'created', reason: null },
        { id: ids[1], status: 'refused', reason },
        { id: ids[2], status: 'refused', reason },
      ],
    });
    expect(operations[match.operation]).toBe(2);
  });

  describe('of the imports of a person', () => {
    beforeEach(async () => {
      await app.database.db.deleteFrom('imports').execute();
    });

    test('five may have repositories that are not connected yet, also of those that are paused', async () => {
      const waiting = [];
      for (const minutes of [1, 2, 3, 4]) waiting.push(await anImport(user.id, minutes, 'pending'));
      waiting.push(await anImport(user.id, 5, 'pending', 'paused'));
      const post = () => app.ask('POST', '/api/repos/bulk', { as: mona, body: { repositories: [hello], sync: false } });

      const refused = await post();
      const kept = (await importsOf(app.database.db, user.id)).map(({ id }) => id);
      await app.ask('POST', `/api/repos/bulk/${waiting[4]}/cancel`, { as: mona });
      const taken = await post();

      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'too_many', error: expect.stringMatching(/^5 of your imports have .* or cancel one\.$/) },
      });
      expect(kept).toEqual(waiting);
      expect(taken.status).toBe(202);
    });

    test('a hundred are kept at most, whatever they wait for', async () => {
      for (let minutes = 0; minutes < 100; minutes += 1) await anImport(user.id, minutes, 'already', 'paused');

      await expect(connectSeveral(depsWith({}), user, [hello], false)).rejects.toMatchObject({
        ...{ status: 409, message: expect.stringMatching(/^100 of your imports have not ended\./) },
      });
    });

    test('the newest 20 are listed, and earlier ones that run or are paused', async () => {
      const ended = [];
      for (let minutes = 1; minutes <= 21; minutes += 1) ended.push(await anImport(user.id, minutes, 'already'));
      const others = [await anImport(user.id, 60, 'pending'), await anImport(user.id, 61, 'already', 'paused')];
      await anImport(user.id, 62, 'refused', 'cancelled');

      const { body } = await app.ask('GET', '/api/repos/bulk', { as: mona });

      expect((body as { id: string }[]).map(({ id }) => id)).toEqual([...ended.slice(0, 20), ...others]);
    });

    test('those that have ended go once they are not listed any more', async () => {
      const ended = [];
      for (let minutes = 1; minutes <= 22; minutes += 1) ended.push(await anImport(user.id, minutes, 'already'));
      await anImport(user.id, 60, 'refused', 'cancelled');
      const others = [await anImport(user.id, 61, 'pending'), await anImport(user.id, 62, 'already', 'paused')];
      const somebody = await userOf('octo');
      others.push(await anImport(somebody.id, 63, 'already'));

      const { bulk_id } = await connectSeveral(depsWith({}), user, [hello], false);

      const rows = await app.database.db.selectFrom('imports').select('id').orderBy('started_at', 'desc').execute();
      expect(rows.map(({ id }) => id)).toEqual([bulk_id, ...ended.slice(0, 19), ...others]);
    });

    test('what is pending is gone on with person by person', async () => {
      const somebody = await userOf('octo');
      for (const minutes of [30, 20, 10]) await anImport(user.id, minutes, 'pending');
      for (const minutes of [9, 8]) await anImport(somebody.id, minutes, 'pending');
      const asked: number[] = [];
      const clientFor = async (user_id: number) => {
        asked.push(user_id);
        return null;
      };

      await connectWhatIsPending(depsWith({ clientFor }), new AbortController().signal);

      expect(asked).toEqual([user.id, somebody.id, user.id, somebody.id, user.id]);
    });
  });
});

const hello = { owner: 'octo-org', name: 'hello' };
const userOf = (login: string) =>
  app.database.db.selectFrom('users').select(['id', 'host']).where('login', '=', login).executeTakeFirstOrThrow();

/** What mona's token lists, as it is now. */
async function aFreshList(): Promise<void> {
  await app.database.db.deleteFrom('repository_lists').execute();
  await app.ask('GET', '/api/repositories/available', { as: mona });
}

/** An import of one repository that began some minutes ago, by its id. */
async function anImport(
  user_id: number,
  minutes: number,
  status: 'pending' | 'already' | 'refused',
  state: 'running' | 'paused' | 'cancelled' = 'running',
): Promise<string> {
  const id = randomUUID();
  const started_at = new Date(Date.now() - minutes * 60_000);
  await app.database.db.insertInto('imports').values({ id, user_id, state, sync: true, started_at }).execute();
  await app.database.db
    .insertInto('import_repositories')
    .values({ import_id: id, position: 0, ...hello, status })
    .execute();
  return id;
}
