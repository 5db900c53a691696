import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../../test/support/test-host.ts';
import type { WorkflowRun } from '../history.ts';
import { awkwardWorld } from '../worlds/awkward.ts';

let host: TestHost;
const MINUTE = 60_000;
const path = '/repos/odd/private/actions/runs';

function aRun(id: number, createdAt: number, more: Partial<WorkflowRun> = {}): WorkflowRun {
  const job = (attempt: number, outcome: 'SUCCESS' | 'FAILURE') => ({
    ...{ id: id * 10 + attempt, name: 'build', outcome },
    startedAt: createdAt + (attempt - 1) * 10 * MINUTE,
    completedAt: createdAt + (attempt - 1) * 10 * MINUTE + MINUTE,
  });
  return {
    ...{ id, workflow: 'CI', event: 'pull_request', createdAt, headRef: 'change-1', headSha: 'a'.repeat(40) },
    pullRequests: [1],
    attempts: [
      { startedAt: createdAt, jobs: [job(1, 'FAILURE')] },
      { startedAt: createdAt + 10 * MINUTE, jobs: [job(2, 'SUCCESS')] },
    ],
    ...more,
  };
}

beforeAll(async () => {
  host = await startTestHost(awkwardWorld);
  const now = host.clock.now();
  const runs = Array.from({ length: 150 }, (_, index) => aRun(100 + index, now - (index + 1) * 60 * MINUTE));
  await host.control('POST', 'repos/odd/private/runs', runs);
  await host.control('POST', 'repos/odd/private/runs', aRun(99, now - 5 * MINUTE, { event: 'push' }));
});
afterAll(() => host.close());

describe('workflow runs', () => {
  test('come page by page, the newest first, of one event and within times', async () => {
    const first = await host.rest('GET', `${path}?event=pull_request&per_page=100`);
    const second = await host.rest('GET', `${path}?event=pull_request&per_page=100&page=2`);
    const to = new Date(host.clock.now() - 100.5 * 60 * MINUTE).toISOString();
    const older = await host.rest('GET', `${path}?event=pull_request&created=2020-01-01..${to}`);

    expect(first.body.total_count).toBe(150);
    expect(first.body.workflow_runs[0]).toMatchObject({ id: 100, run_attempt: 2, conclusion: 'success', name: 'CI' });
    expect(first.headers.get('link')).toContain('rel="next"');
    expect(second.body.workflow_runs).toHaveLength(50);
    expect(older.body.total_count).toBe(50);
  });

  test('have attempts, each with its jobs', async () => {
    const attempt = await host.rest('GET', `${path}/100/attempts/1`);
    const jobs = await host.rest('GET', `${path}/100/attempts/1/jobs`);
    const latest = await host.rest('GET', `${path}/100/jobs`);
    const all = await host.rest('GET', `${path}/100/jobs?filter=all`);

    expect(attempt.body).toMatchObject({ run_attempt: 1, conclusion: 'failure' });
    expect(jobs.body.jobs).toMatchObject([{ run_attempt: 1, conclusion: 'failure', name: 'build' }]);
    expect(latest.body.jobs).toMatchObject([{ run_attempt: 2, conclusion: 'success' }]);
    expect(all.body.total_count).toBe(2);
    expect((await host.rest('GET', `${path}/100/attempts/3`)).status).toBe(404);
  });

  test('of which an attempt goes on have no conclusion yet, and no attempt that begins later', async () => {
    const run = (await host.rest('GET', `${path}/99`)).body;

    expect(run).toMatchObject({ run_attempt: 1, status: 'completed', conclusion: 'failure' });
    await host.control('POST', 'repos/odd/private/runs', aRun(98, host.clock.now() - 1_000));
    expect((await host.rest('GET', `${path}/98`)).body).toMatchObject({ status: 'in_progress', conclusion: null });
  });

  test('of a private repository need the permission, or the scope', async () => {
    const fineGrained = await host.rest('GET', path, { token: 'github_pat_octo' });
    await host.control('PATCH', 'permissions', { actions: true });

    expect(fineGrained).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by personal access token' },
    });
    expect((await host.rest('GET', path, { token: 'github_pat_octo' })).status).toBe(200);
    expect((await host.rest('GET', path, { token: 'ghp_octo_public_repo' })).status).toBe(404);
    expect((await host.rest('GET', '/repos/odd/cases/actions/runs', { token: '' })).status).toBe(200);
  });
});
