import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import type { AddedRepository, ConnectedRepository } from '../../contract/repositories.ts';

/** Who is told a webhook's address and secret, and what becomes of a secret that is replaced or lost. */
let host: RunningSimulator;
let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let time = Date.parse('2026-03-02T09:00:00Z');
/** An admin of the repository at the host, and somebody who may read it. */
let octo: string;
let mona: string;
let added: AddedRepository;

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  const now = () => new Date(time);
  app = await openTestApp({ host_url: host.url, now });
  other = await openTestApp({ host_url: host.url, now, database: app.database });
});
beforeEach(async () => {
  // The days that pass here end their sessions.
  octo = await app.signIn('octo');
  mona = await app.signIn('mona');
  added = await connect(octo);
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await host?.stop();
});

async function connect(as: string): Promise<AddedRepository> {
  const answer = await app.ask('POST', '/api/repos', { as, body: { owner: 'octo-org', name: 'hello' } });
  expect([200, 201]).toContain(answer.status);
  return answer.body as AddedRepository;
}

async function deliver(secret: string | null, to = app): Promise<number> {
  const body = { zen: 'Keep it simple.' };
  const signature = createHmac('sha256', secret ?? '')
    .update(JSON.stringify(body))
    .digest('hex');
  const headers = { 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${signature}` };
  const path = new URL(added.webhook_url ?? '').pathname;
  return (await to.ask('POST', path, { body, headers })).status;
}

async function listed(as: string): Promise<ConnectedRepository> {
  const { body } = await app.ask('GET', '/api/repos', { as });
  return (body as ConnectedRepository[])[0] as ConnectedRepository;
}

/** Who made a secret of which repository, as administrators read it. */
async function secretsMade(): Promise<unknown[]> {
  const made = await app.database.db
    .selectFrom('security_events')
    .select(['actor', 'subject', 'repository_id', 'address'])
    .where('event', '=', 'webhook_secret_made')
    .orderBy('id')
    .execute();
  await app.database.db.deleteFrom('security_events').execute();
  return made;
}

const rotate = (as: string) => app.ask('POST', `/api/repos/${added.id}/webhook/rotate`, { as });

test('address and secret are told to whom the host calls an admin of the repository, to nobody else', async () => {
  expect(added).toMatchObject({
    webhook_url: expect.any(String),
    webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await connect(mona)).toEqual({ ...added, webhook_url: null, webhook_secret: null });
  expect(await listed(mona)).toMatchObject({ webhook_active: expect.any(Boolean), webhook_message: null });
  expect(JSON.stringify(await listed(octo))).not.toContain(added.webhook_secret);
});

test('the host is asked at that moment: whoever is an admin no longer is told nothing any more', async () => {
  await host.control('repos/octo-org/hello', { admins: ['mona'] }, 'PATCH');
  const [before, now] = [await connect(octo), await connect(mona)];
  const refused = await rotate(octo);
  await host.control('repos/octo-org/hello', { admins: ['octo'] }, 'PATCH');

  expect(before.webhook_secret).toBeNull();
  expect(now.webhook_secret).toBe(added.webhook_secret);
  expect(refused).toMatchObject({ status: 403, body: { error: 'Only an admin of octo-org/hello can do that.' } });
});

test('where the host does not answer who is an admin, connecting works and nobody is told', async () => {
  await host.control('faults', {
    match: { kind: 'rest' },
    effect: { name: 'bad_gateway' },
  });
  const connected = await connect(octo);
  const rotated = await rotate(octo);
  await host.control('faults', undefined, 'DELETE');

  expect(connected.webhook_secret).toBeNull();
  expect(rotated.status).toBe(502);
});

test('a new secret is made by an admin only; the one before is taken for a day and not longer', async () => {
  await connect(mona);
  await secretsMade();
  const refused = await rotate(mona);
  expect([await deliver(added.webhook_secret), await deliver(added.webhook_secret, other)]).toEqual([202, 202]);
  const answer = await rotate(octo);
  const { webhook_url, webhook_secret } = answer.body as AddedRepository;

  expect(refused).toMatchObject({ status: 403, body: { code: 'not_admin_of_repository' } });
  expect([answer.status, webhook_url]).toEqual([200, added.webhook_url]);
  expect(await secretsMade()).toEqual([
    { actor: 'octo', subject: 'octo-org/hello', repository_id: added.id, address: '127.0.0.1' },
  ]);
  expect(webhook_secret).not.toBe(added.webhook_secret);
  // Also by a process that has known the old one alone.
  expect([await deliver(webhook_secret), await deliver(webhook_secret, other)]).toEqual([202, 202]);
  expect([await deliver(added.webhook_secret), await deliver(added.webhook_secret, other)]).toEqual([202, 202]);
  time += 24 * 3_600_000 - 1000;
  expect([await deliver(added.webhook_secret), await deliver(webhook_secret)]).toEqual([202, 202]);
  time += 61_000;
  expect([await deliver(added.webhook_secret), await deliver(added.webhook_secret, other)]).toEqual([401, 401]);
  expect([await deliver(webhook_secret), await deliver(webhook_secret, other)]).toEqual([202, 202]);
});

test('a delivery that is signed with a secret that has ended tells that the host lacks the new one, until one is accepted', async () => {
  const { webhook_secret } = (await rotate(octo)).body as AddedRepository;
  const said = async () => (await listed(octo)).webhook_message;
  time += 24 * 3_600_000 - 1000;
  octo = await app.signIn('octo');
  expect(await deliver(added.webhook_secret)).toBe(202);
  time += 30_000;
  expect(await deliver(added.webhook_secret), 'by a process that read it half a minute ago').toBe(202);
  time += 61_000;

  expect([await deliver('of somebody'), await said()]).toEqual([401, null]);
  expect(await deliver(added.webhook_secret)).toBe(401);
  await expect.poll(said).toBe('Deliveries are refused: give GitHub the new secret');
  expect(await deliver(webhook_secret)).toBe(202);
  await expect.poll(said).toBeNull();
  // It is another webhook's then.
  expect(await deliver(added.webhook_secret)).toBe(401);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await said()).toBeNull();
});

test('where the webhook is created again, the host has the new secret, and nothing is refused', async () => {
  await rotate(octo);
  time += 24 * 3_600_000 + 61_000;
  octo = await app.signIn('octo');
  const said = async () => (await listed(octo)).webhook_message;
  expect(await deliver(added.webhook_secret)).toBe(401);
  await expect.poll(said).toBe('Deliveries are refused: give GitHub the new secret');

  const { status } = await app.ask('POST', `/api/repos/${added.id}/webhook`, { as: octo });

  expect([status, await said()]).toEqual([201, null]);
});

test('each of several secrets replaced within a day is taken for its own day', async () => {
  const second = (await rotate(octo)).body as AddedRepository;
  time += 3_600_000;
  const third = (await rotate(octo)).body as AddedRepository;

  expect(await Promise.all([added, second, third].map((one) => deliver(one.webhook_secret)))).toEqual([202, 202, 202]);
  time += 23 * 3_600_000 + 61_000;
  expect(await deliver(added.webhook_secret)).toBe(401);
  expect(await deliver(second.webhook_secret)).toBe(202);
});

test('a secret that cannot be opened is made again, and the list says what to do until the host has it', async () => {
  const { db } = app.database;
  const lost = () => db.updateTable('repositories').set({ webhook_secret_encrypted: 'v1.AAAA' }).execute();
  await secretsMade();
  await lost();
  time += 61_000;

  expect(await deliver(added.webhook_secret)).toBe(401);
  expect(await listed(mona)).toMatchObject({
    webhook_message: 'Deliveries are refused: give GitHub the new secret',
  });
  const { webhook_secret } = await connect(octo);
  expect(webhook_secret).not.toBe(added.webhook_secret);
  expect(await deliver(webhook_secret)).toBe(202);
  await expect.poll(async () => (await listed(mona)).webhook_message).toBeNull();

  // Found by whoever connects it again before any delivery, by two at once: one secret.
  await lost();
  const [first, second] = await Promise.all([connect(octo), connect(octo)]);
  expect(first.webhook_secret).toBe(second.webhook_secret);
  const made = { actor: null, subject: 'octo-org/hello: could not be opened', repository_id: added.id, address: null };
  expect(await secretsMade()).toEqual([made, made]);
  expect(app.logged.filter((line) => line.includes('could not be opened'))).not.toEqual([]);
  expect(app.logged.join()).not.toContain(String(first.webhook_secret));
});

test('who made the secret of an organisation’s webhook is noted, and once more where it could not be opened', async () => {
  await host.control('organizations/octo-org', { members: { octo: 'ADMIN' } }, 'PATCH');
  await secretsMade();
  const ask = () => app.ask('POST', '/api/organisations/octo-org/webhook', { as: octo });
  const [made, again] = [await ask(), await ask()];
  const first = await secretsMade();
  await app.database.db.updateTable('organization_webhooks').set({ webhook_secret_encrypted: 'v1.AAAA' }).execute();
  const replaced = await ask();

  expect([made.status, again.status, replaced.status]).toEqual([201, 200, 200]);
  expect(replaced.body).not.toEqual(made.body);
  const noted = { actor: 'octo', subject: 'octo-org', repository_id: null, address: '127.0.0.1' };
  expect(first).toEqual([noted]);
  expect(await secretsMade()).toEqual([{ ...noted, subject: 'octo-org: could not be opened' }]);
});
