import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SyncEvent, SyncResponse } from '../../src/contract/sync.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { emptyAfterApp, openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

describe('the calls of a sync', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let app: TestApp;
  let octo: string;
  let repository: number;

  beforeAll(async () => {
    [simulator, database] = await Promise.all([startSimulator({ world: 'tiny' }), openTestDatabase()]);
  });
  beforeEach(async () => {
    app = await openTestApp({ host_url: simulator.url, role: 'all', database });
    octo = await app.signIn('octo');
    const added = await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo-org', name: 'hello' } });
    repository = (added.body as { id: number }).id;
  });
  afterEach(async () => {
    await app.stop();
    await emptyAfterApp(database);
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  const start = async (body: object, as = octo) => await app.ask('POST', '/api/sync-repo-complete', { as, body });
  async function finished(): Promise<SyncResponse> {
    for (;;) {
      const { body } = await app.ask('GET', `/api/sync-repo-complete?repoId=${repository}`, { as: octo });
      if (!['queued', 'running', 'waiting'].includes((body as SyncResponse).status)) return body as SyncResponse;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('say idle of a repository that was never synced', async () => {
    const answer = await app.ask('GET', `/api/sync-repo-complete?repoId=${repository}`, { as: octo });

    expect(answer).toMatchObject({ status: 200, body: { status: 'idle', session_id: null, can_resume: false } });
  });

  it('start a sync at once and follow it to its end', async () => {
    const started = await start({
      repoId: repository,
      owner: 'octo-org',
      name: 'hello',
      mode: 'smart',
      options: { includeCommits: true, includeUserMetadata: true },
      featureOverrides: {
        ROLLOUT_PERCENTAGE: 100,
        USE_GRAPHQL: true,
        ENABLE_RESUME: true,
        ENABLE_PROGRESS_TRACKING: true,
        MAX_CHUNK_SIZE: 30,
      },
    });
    const end = await finished();
    const { session_id } = started.body as SyncResponse;
    const bySession = await app.ask('GET', `/api/sync-progress/${session_id}`, { as: octo });

    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({
      success: true,
      status: 'queued',
      progress: { current_phase: 'starting', message: 'Initializing sync...', percentage: 0 },
    });
    expect(end).toMatchObject({ status: 'completed', imported_prs: 4, imported_reviews: 3 });
    expect(end.rate_limit_status?.limit).toBe(5000);
    expect(bySession.body).toEqual(end);
  });

  it('find the repository by its owner and name as well, whatever their case', async () => {
    expect((await start({ owner: 'Octo-Org', name: 'HELLO' })).status).toBe(202);
    expect((await app.ask('POST', '/api/sync-repo', { as: octo, body: { repoId: repository } })).status).toBe(202);
    await finished();
  });

  it.each([
    ['neither id nor name', {}, 400, /Name the repository/],
    ['an owner without a name', { owner: 'octo-org' }, 400, /Name the repository/],
    ['a mode that does not exist', { repoId: 1, mode: 'quick' }, 400, /mode/],
    ['an unknown id', { repoId: 999_999 }, 404, /^Repository not found$/],
    ['an unknown name', { owner: 'octo-org', name: 'nowhere' }, 404, /^Repository not found$/],
  ])('refuse %s', async (_, body, status, sentence) => {
    const answer = await start(body);

    expect(answer.status).toBe(status);
    expect((answer.body as { error: string }).error).toMatch(sentence);
  });

  it('of nothing say what is missing where', async () => {
    const issuesOf = async (body: object) =>
      ((await start(body)).body as { issues: { path: string; message: string }[] }).issues;

    expect(await issuesOf({})).toEqual([
      { path: 'repoId', message: 'is missing, as are owner and name' },
      { path: 'owner', message: 'is missing' },
      { path: 'name', message: 'is missing' },
    ]);
    expect(await issuesOf({ owner: 'octo-org', name: ' ' })).toEqual([{ path: 'name', message: 'is missing' }]);
  });

  it('refuse with "not eligible" whoever switches this way of syncing off, so that the older call is used', async () => {
    for (const featureOverrides of [{ USE_GRAPHQL: false }, { ROLLOUT_PERCENTAGE: 0 }]) {
      const answer = await start({ repoId: repository, featureOverrides });
      expect(answer).toMatchObject({ status: 409, body: { error: 'not eligible', code: 'not_eligible' } });
    }
  });

  it.each([
    [1, 5],
    [30, 30],
    [undefined, null],
  ])('ask for pages of at most MAX_CHUNK_SIZE %s, of five at the least', async (MAX_CHUNK_SIZE, limit) => {
    const { session_id } = (await start({ repoId: repository, featureOverrides: { MAX_CHUNK_SIZE } }))
      .body as SyncResponse;
    await finished();

    const stored = app.database.db.selectFrom('sync_sessions').select('page_size_limit').where('id', '=', session_id);
    expect(await stored.executeTakeFirst()).toEqual({ page_size_limit: limit });
  });

  it('know nothing of somebody else’s repositories and sessions', async () => {
    const { session_id } = (await start({ repoId: repository })).body as SyncResponse;
    const mona = await app.signIn('mona');

    const answers = [
      await start({ repoId: repository }, mona),
      await app.ask('GET', `/api/sync-repo-complete?repoId=${repository}`, { as: mona }),
      await app.ask('GET', `/api/sync-progress/${session_id}`, { as: mona }),
      await app.ask('POST', `/api/sync-resume/${session_id}`, { as: mona }),
      await app.ask('POST', `/api/sync-cancel/${session_id}`, { as: mona }),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404]);
    await finished();
  });

  it('of somebody else can be watched, not stopped, hurried or gone on with, and tell nothing of their quota', async () => {
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 300 } });
    const mona = await app.signIn('mona');
    await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo-org', name: 'hello' } });
    const { session_id } = (await start({ repoId: repository, featureOverrides: { MAX_CHUNK_SIZE: 1 } }))
      .body as SyncResponse;

    const started = await start({ repoId: repository }, mona);
    const cancelled = await app.ask('POST', `/api/sync-cancel/${session_id}`, { as: mona });
    await app.ask('POST', `/api/sync-cancel/${session_id}`, { as: octo });
    const resumed = await app.ask('POST', `/api/sync-resume/${session_id}`, { as: mona });
    await app.ask('POST', `/api/sync-resume/${session_id}`, { as: octo });
    await simulator.control('faults', undefined, 'DELETE');
    const end = await finished();
    const theirs = await app.ask('GET', `/api/sync-progress/${session_id}`, { as: mona });

    expect(started).toMatchObject({ status: 202, body: { session_id, started_by_you: false } });
    for (const refused of [cancelled, resumed])
      expect(refused).toMatchObject({ status: 403, body: { error: 'started by somebody else' } });
    expect(end).toMatchObject({ status: 'completed', started_by_you: true, rate_limit_status: { limit: 5000 } });
    expect(theirs.body).toEqual({
      ...end,
      started_by_you: false,
      rate_limit_status: { remaining: null, limit: null, reset_at: end.rate_limit_status?.reset_at },
    });
  });

  it('that somebody goes on with after another are told nothing of the other’s quota', async () => {
    const { db } = app.database;
    const { user_id } = await db.selectFrom('connections').select('user_id').executeTakeFirstOrThrow();
    const at = new Date();
    await db
      .insertInto('sync_sessions')
      .values({
        ...{ id: randomUUID(), repository_id: repository, user_id, asked_by: 'person', mode: 'full' },
        ...{ status: 'failed', phase: 'error', stage: 'history', error_kind: 'unauthorized' },
        ...{ rate_remaining: 17, rate_limit: 5000, rate_reset_at: at, created_at: at, updated_at: at },
      })
      .execute();
    const mona = await app.signIn('mona');
    await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo-org', name: 'hello' } });
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 300 } });

    const answer = await start({ repoId: repository }, mona);
    await simulator.control('faults', undefined, 'DELETE');
    await finished();

    expect(answer.body).toMatchObject({ started_by_you: true, rate_limit_status: null });
  });

  it('cancel and resume, and refuse to resume what has nothing left', async () => {
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 300 } });
    const { session_id } = (await start({ repoId: repository, featureOverrides: { MAX_CHUNK_SIZE: 1 } }))
      .body as SyncResponse;

    const cancelled = await app.ask('POST', `/api/sync-cancel/${session_id}`, { as: octo });
    const resumed = await app.ask('POST', `/api/sync-resume/${session_id}`, { as: octo });
    await simulator.control('faults', undefined, 'DELETE');
    const again = await app.ask('POST', `/api/sync-resume/${session_id}`, { as: octo });
    const end = await finished();

    expect(cancelled).toMatchObject({
      status: 202,
      body: { status: 'cancelled', can_resume: true, has_more: true, resume_session_id: session_id },
    });
    expect(resumed).toMatchObject({ status: 202, body: { status: 'queued', session_id } });
    expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_resume' } });
    expect(end).toMatchObject({ status: 'completed', imported_prs: 4 });
  });

  it('tell open pages nothing of a pull request that never was, so that none asks again for ever', async () => {
    await start({ repoId: repository });
    await finished();
    const changedAt = async () =>
      await app.database.db
        .selectFrom('repositories')
        .select('changed_at')
        .where('id', '=', repository)
        .executeTakeFirstOrThrow();
    const before = await changedAt();

    const unknown = await app.ask('GET', '/api/pr/octo-org/hello/4711', { as: octo });

    expect(unknown.status).toBe(404);
    expect(await changedAt()).toEqual(before);
  });

  it('stream progress and changes to an open page until it signs out', async () => {
    const address = await app.server.app.listen({ port: 0, host: '127.0.0.1' });
    const stream = await fetch(`${address}/api/sync-events`, { headers: { cookie: octo } });
    const events: SyncEvent[] = [];
    const reading = (async () => {
      let text = '';
      for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
        text += part;
        const lines = text.split('\n\n');
        text = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as SyncEvent);
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));

    // Slow enough to be seen at work: whoever listens looks once a second.
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 700 } });
    await start({ repoId: repository, featureOverrides: { MAX_CHUNK_SIZE: 1 } });
    const has = (test: (event: SyncEvent) => boolean) => events.some(test);
    for (let waited = 0; waited < 60_000; waited += 50) {
      const completed = has((event) => event.type === 'progress' && event.sync.status === 'completed');
      if (completed && has((event) => event.type === 'changed')) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const polled = await finished();
    await simulator.control('faults', undefined, 'DELETE');
    await app.ask('POST', '/auth/logout', { as: octo });
    await reading;

    const told = events.flatMap((event) => (event.type === 'progress' ? [event.sync] : []));
    const percentages = told.map(({ progress }) => progress.percentage);
    expect(percentages).toEqual(percentages.toSorted((one, other) => one - other));
    expect(told.some(({ status, progress }) => status === 'running' && progress.processed_prs > 0)).toBe(true);
    expect(told.at(-1)).toEqual(polled);

    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(has((event) => event.type === 'progress' && event.sync.status === 'completed')).toBe(true);
    expect(has((event) => event.type === 'changed' && event.repository_id === repository)).toBe(true);
  });
});
