import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { aRepository, aUser } from '../../../test/support/stored.ts';
import { listenForMetrics } from '../http/metrics.ts';

/** What an operator can be woken by, and that it tells nobody's name. */
const NOW = new Date('2026-03-29T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
let simulator: RunningSimulator;
let app: TestApp;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: simulator.url, now: () => NOW, config: { metrics: true } });
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

/** Adds a repository and its newest session as a sync would have left them; `importing`: its first one. */
async function aSyncedRepository(
  user_id: number,
  name: string,
  hours: number,
  session: {
    status: 'queued' | 'running' | 'waiting' | 'completed' | 'cancelled';
    rate_remaining: number | null;
    skipped?: readonly number[];
  },
  importing = false,
): Promise<void> {
  const { db } = app.database;
  const repository_id = await aRepository(db, `planted/${name}`, [user_id]);
  await db
    .updateTable('repositories')
    .set({ created_at: hoursAgo(hours), last_synced_at: importing ? null : hoursAgo(hours) })
    .where('id', '=', repository_id)
    .execute();
  const times = { created_at: hoursAgo(hours), updated_at: hoursAgo(hours), rate_reset_at: hoursAgo(-1) };
  await db
    .insertInto('sync_sessions')
    .values({
      ...{ id: crypto.randomUUID(), repository_id, user_id, asked_by: 'schedule', mode: 'incremental', phase: 'x' },
      ...{ stage: 'done', status: session.status, rate_remaining: session.rate_remaining, ...times, rate_limit: 5000 },
      heartbeat_at: sql<Date>`clock_timestamp()`,
    })
    .execute();
  for (const number of session.skipped ?? [])
    await db
      .insertInto('unstorable_pull_requests')
      .values({ repository_id, number, updated_at: NOW, reason: 'planted reason', noted_at: NOW, again_at: null })
      .execute();
  await db
    .insertInto('hints')
    .values({ repository_id, subject: 'repository', due_at: NOW, leased_until: null, looked_at: null })
    .execute();
}

test('every figure that pages somebody is there, and no login and no name of a repository', async () => {
  const { db } = app.database;
  const [ann, ben, cleo] = [await aUser(db), await aUser(db), await aUser(db)];
  const skipped = [3];
  await aSyncedRepository(ann, 'one', 3, { status: 'waiting', rate_remaining: 12, skipped });
  await aSyncedRepository(ben, 'two', 2, { status: 'completed', rate_remaining: 400, skipped });
  await aSyncedRepository(cleo, 'three', 1, { status: 'completed', rate_remaining: 4000 });
  // First imports: what of them could run now is less than what is queued.
  const [fay, gus] = [await aUser(db), await aUser(db)];
  const imports = [
    ...[['fay-1', fay, 'running'] as const, ['fay-2', fay, 'queued'] as const, ['fay-3', fay, 'queued'] as const],
    ...['gus-1', 'gus-2', 'gus-3'].map((name) => [name, gus, 'queued'] as const),
  ];
  for (const [name, user, status] of imports)
    await aSyncedRepository(user, name, 9, { status, rate_remaining: null }, true);
  // Nothing syncs what nobody's token reads any more, nor a first import that somebody cancelled.
  const [dan, eve] = [await aUser(db), await aUser(db)];
  await aSyncedRepository(dan, 'signed-out', 100, { status: 'completed', rate_remaining: null, skipped });
  await db.deleteFrom('credentials').where('user_id', '=', dan).execute();
  await aSyncedRepository(eve, 'given-up', 100, { status: 'cancelled', rate_remaining: null, skipped });
  // Of a host that is not served, such as the demo since it was switched off.
  await db.updateTable('repositories').set({ host: simulator.url }).execute();
  await aSyncedRepository(ann, 'left', 200, { status: 'completed', rate_remaining: null, skipped });
  const mona = await app.signIn('mona');
  await app.ask('GET', '/api/contributors/planted-person/metrics', { as: mona });

  const { body } = await app.ask('GET', '/metrics');

  const lines = String(body).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'mergelight_oldest_sync_age_seconds 10800',
      'mergelight_sync_sessions{status="waiting"} 1',
      'mergelight_sync_sessions{status="queued"} 5',
      'mergelight_syncs_waiting_for_worker 3',
      'mergelight_sync_sessions{status="completed"} 4',
      'mergelight_upkeep_failures_total{step="check_access"} 0',
      'mergelight_upkeep_failures_total{step="backup"} 0',
      'mergelight_hints_waiting 12',
      'mergelight_skipped_pull_requests 2',
      'mergelight_host_quota_remaining{class="waiting",stat="lowest"} 12',
      'mergelight_host_quota_remaining{class="idle",stat="lowest"} 400',
      'mergelight_host_quota_remaining{class="idle",stat="median"} 400',
      '# TYPE mergelight_host_waits_total counter',
      expect.stringMatching(/^mergelight_event_loop_lag_seconds\{quantile="0.99"\} /),
      expect.stringMatching(/^mergelight_pool_connections\{state="active"\} \d+$/),
      expect.stringMatching(/^process_resident_memory_bytes \d{8,}$/),
      expect.stringMatching(/^mergelight_database_bytes \d{7,}$/),
      expect.stringMatching(
        /^mergelight_http_request_duration_seconds_bucket\{method="GET",route="\/api\/contributors\/:username\/metrics",le="10"\} 1$/,
      ),
    ]),
  );
  expect(String(body)).not.toMatch(/planted|mona|could not be read/);
});

test('a worker tells its metrics on a port of its own, and answers nothing but probes otherwise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mergelight-gauges-'));
  await app.database.pool.query("insert into jobs.job (name, policy) values ('backup', 'exclusive')");
  // Not sooner: it would take up what the figures above count.
  const worker = await openTestApp({
    ...{ host_url: simulator.url, now: () => NOW, role: 'worker', database: app.database },
    config: { metrics: true, metrics_port: 9464, backups: { folder, keep: 1 } },
  });
  const port = await listenForMetrics(worker.server.metrics!, { host: '127.0.0.1', port: 0 });

  for (const path of ['/metrics', '/api/openapi.json', '/', '/login', '/api/prs', '/auth/me', '/assets/x.js'])
    expect([path, (await worker.ask('GET', path)).status]).toEqual([path, 404]);
  expect((await worker.ask('GET', '/healthz')).status).toBe(200);
  expect((await worker.ask('GET', '/readyz')).status).toBe(200);
  const answer = await fetch(`${port.listeningOrigin}/metrics`);
  expect(await answer.text()).toContain('mergelight_oldest_sync_age_seconds');
  expect((await fetch(`${port.listeningOrigin}/`)).status).toBe(404);
  // The job of the backup has failed: the app of a test makes none.
  const metrics = async () => await (await fetch(`${port.listeningOrigin}/metrics`)).text();
  await expect.poll(metrics, { timeout: 30_000 }).toContain('mergelight_upkeep_failures_total{step="backup"} 1\n');
  await port.close();
  await worker.stop();
  await rm(folder, { recursive: true });
});
