import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AvailableRepositories } from '../../src/contract/connecting.ts';
import type { AccessReport, ConnectedRepository } from '../../src/contract/repositories.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { emptyAfterApp, openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/** Octo has imported a private repository; of mona's fine-grained token nobody but the host knows what it may read. */
describe('a token that may read no pull requests', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let app: TestApp;
  let octo: string;
  let elapsed = 0;
  const SECRET = { owner: 'octo-org', name: 'secret' };

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    elapsed = 0;
    simulator = await startSimulator({ world: 'tiny' });
    const now = () => new Date(Date.now() + elapsed);
    app = await openTestApp({ host_url: simulator.url, role: 'all', database, now });
    octo = await app.signIn('octo');
    const added = await app.ask('POST', '/api/repos', { as: octo, body: SECRET });
    const repoId = (added.body as { id: number }).id;
    await app.ask('POST', '/api/sync-repo-complete', { as: octo, body: { repoId } });
    const status = async () =>
      ((await app.ask('GET', `/api/sync-repo-complete?repoId=${repoId}`, { as: octo })).body as { status: string })
        .status;
    await expect.poll(status).toBe('completed');
  });
  afterEach(async () => {
    await app.stop();
    await simulator.stop();
    await emptyAfterApp(database);
  });
  afterAll(() => database.close());

  const permit = (pull_requests: boolean) => simulator.control('permissions', { pull_requests }, 'PATCH');
  const signInMona = () => app.signIn('mona', 'github_pat_mona');
  const get = async <T>(as: string, path: string) => (await app.ask('GET', path, { as })).body as T;
  /** What somebody is shown of what is stored. */
  const shown = async (as: string) => {
    const { prs } = await get<{ prs: { title: string }[] }>(as, '/api/prs');
    return { repositories: (await get<unknown[]>(as, '/api/repositories')).length, pull_requests: prs.length };
  };
  const accessOf = async (as: string) => (await get<ConnectedRepository[]>(as, '/api/repos'))[0]?.access.state;
  const nothing = { repositories: 0, pull_requests: 0 };

  it('is shown nothing of what others imported, by whichever way it is connected', async () => {
    await permit(false);
    const mona = await signInMona();

    const { items } = await get<AvailableRepositories>(mona, '/api/repositories/available');
    const joinable = await get(mona, '/api/repos/joinable');
    const one = await app.ask('POST', '/api/repos', { as: mona, body: SECRET });
    const many = await app.ask('POST', '/api/repos/bulk', { as: mona, body: { repositories: [SECRET] } });
    const afterAsking = await shown(mona);
    await app.ask('PUT', '/api/repos/following', { as: mona, body: { owners: ['octo-org'] } });
    const atOnce = await shown(mona);
    await expect.poll(() => accessOf(mona)).toBe('checking');
    const due = database.db.selectFrom('connections').select('lost_reason').where('lost_reason', 'is not', null);
    await expect.poll(() => due.execute()).toEqual([{ lost_reason: 'forbidden' }]);
    elapsed += 31_000;
    await expect.poll(() => accessOf(mona)).toBe('lost');

    expect(items.find(({ name }) => name === 'secret')).toMatchObject({ private: true, pull_requests: null });
    expect(joinable).toEqual([]);
    expect(one).toMatchObject({ status: 422, body: { code: 'cannot_access_repository' } });
    expect(many.body).toMatchObject({ results: [{ status: 'refused', id: null }], sessions: [] });
    expect([afterAsking, atOnce, await shown(mona)]).toEqual([nothing, nothing, nothing]);
    expect(await shown(octo)).toMatchObject({ repositories: 1 });
  });

  it('loses sight within the hour where the permission is taken from it in place, and gets it back with it', async () => {
    const mona = await signInMona();
    await app.ask('POST', '/api/repos', { as: mona, body: SECRET });
    const before = await shown(mona);

    await permit(false);
    elapsed += 51 * 60_000;
    await expect.poll(() => shown(mona)).toEqual(nothing);
    const { check_due_at, checked_at } = await database.db
      .selectFrom('connections')
      .select(['check_due_at', 'checked_at'])
      .where('lost_reason', '=', 'forbidden')
      .executeTakeFirstOrThrow();
    await permit(true);
    elapsed += 31_000;
    await expect.poll(() => shown(mona)).toEqual(before);

    expect(before).toEqual(await shown(octo));
    expect(before.pull_requests).toBeGreaterThan(0);
    expect(check_due_at.getTime() - checked_at.getTime()).toBe(30_000);
  });

  it('is told by the access test what it lacks, and by an estimate that it reads nothing', async () => {
    await permit(false);
    const mona = await signInMona();

    const tested = await app.ask('POST', '/api/test-github-access', { as: mona, body: SECRET });
    const estimate = await app.ask('POST', '/api/repos/estimate', { as: mona, body: { repositories: [SECRET] } });

    const report = tested.body as AccessReport;
    expect(tested.status).toBe(200);
    expect(report).toMatchObject({ repository: null, repository_error: { message: expect.any(String) } });
    expect(report.repository_error?.message).toMatch(/does not allow this token to read pull requests/);
    expect(report.recommendations[0]).toMatch(/^Give your token read access to the pull requests of octo-org\/secret/);
    expect(estimate.body).toMatchObject({ repositories: 0, unreadable: 1 });
  });

  it('connects a public repository, of which every token may read them', async () => {
    await permit(false);
    const mona = await signInMona();
    const body = { owner: 'octo-org', name: 'hello' };

    expect(await app.ask('POST', '/api/repos', { as: mona, body })).toMatchObject({ status: 201 });
    expect(await accessOf(mona)).toBe('readable');
  });

  it('does not replace without a question one that reads them', async () => {
    await permit(false);

    const asked = await app.ask('POST', '/auth/token', { body: { token: 'github_pat_octo' } });

    expect(asked).toMatchObject({ status: 409, body: { code: 'weaker_token' } });
  });
});
