import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { aChannel } from '../../../test/support/stored.ts';
import type { AddedRepository } from '../../contract/repositories.ts';
import { newWebhookSecret } from '../repositories/webhook-secret.ts';
import { secretBox } from '../secret-box.ts';
import { type Allowed, pauseChannelsOfUnlisted } from './allowed.ts';
import { refreshMemberships } from './memberships.ts';

const MINUTE = 60_000;
const secret = 'what the App signs with';
const allowed = { logins: null, orgs: ['octo-org'] };

let host: RunningSimulator;
let app: TestApp;
let elapsed = 0;
const now = () => new Date(Date.now() + elapsed);
let octo: string;
let mona: string;

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({
    ...{ host_url: host.url, now },
    config: { allowed_orgs: allowed.orgs, github_webhook_secret: secret },
  });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});
beforeEach(async () => {
  elapsed = 0;
  await host.control('faults', undefined, 'DELETE');
  await members('octo', 'mona');
  await app.database.db.deleteFrom('users').execute();
  octo = await app.signIn('octo');
  mona = await app.signIn('mona');
});

/** At the host, who reads a repository of an organisation is a member of it. */
const members = async (...logins: string[]) => {
  const { repositories } = (await host.control('state')) as { repositories: { full_name: string }[] };
  for (const { full_name } of repositories)
    if (full_name.startsWith('octo-org/'))
      await host.control(
        `repos/${full_name}`,
        { readers: logins, admins: logins.filter((login) => login === 'octo') },
        'PATCH',
      );
};
const me = async (as: string) => (await app.ask('GET', '/auth/me', { as })).status;
const askMemberships = (by = app) => {
  const { clientFor, rejectToken } = by.server.credentials;
  const log = { warn: vi.fn(), error: vi.fn() };
  const deps = { db: app.database.db, allowed, host: host.url, clientFor, rejectToken, now, log };
  return refreshMemberships(deps, new AbortController().signal);
};
const asked = async () => {
  const { operations } = (await host.control('counters')) as { operations: Record<string, number> };
  return operations['GET /user/orgs'] ?? 0;
};
const hostIdOf = async (login: string) =>
  Number(
    (await app.database.db.selectFrom('users').select('host_id').where('login', '=', login).executeTakeFirstOrThrow())
      .host_id,
  );
function deliver(path: string, signedWith: string, event: string, payload: object): Promise<{ status: number }> {
  const signature = createHmac('sha256', signedWith).update(JSON.stringify(payload)).digest('hex');
  return app.ask('POST', path, {
    body: payload,
    headers: { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` },
  });
}

test('while somebody is active their membership is asked within the hour, and whoever has left is signed out', async () => {
  await members('octo');
  await host.control('counters', undefined, 'DELETE');
  elapsed = 40 * MINUTE;
  await Promise.all([me(octo), me(mona)]);
  await askMemberships();
  const early = await asked();
  elapsed = 55 * MINUTE;
  await askMemberships();

  expect(early).toBe(0);
  expect(await asked()).toBe(2);
  expect([await me(octo), await me(mona)]).toEqual([200, 401]);
});

test('that the sessions of whoever has left ended is noted once, whatever a page asks at once', async () => {
  const { db } = app.database;
  await db.updateTable('users').set({ organizations: [] }).where('login', '=', 'mona').execute();
  await db.deleteFrom('security_events').execute();
  const statuses = await Promise.all(Array.from({ length: 8 }, () => me(mona)));

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await db.selectFrom('security_events').select(['event', 'actor', 'subject']).execute()).toEqual([
    { event: 'session_ended', actor: 'mona', subject: 'not_allowed' },
  ]);
});

/** Each person's channel, with why it is paused. */
async function channels(): Promise<Record<string, string | null>> {
  const rows = await app.database.db
    .selectFrom('notification_channels as channel')
    .innerJoin('users', 'users.id', 'channel.user_id')
    .select(['users.login', 'channel.paused_reason'])
    .orderBy('users.login')
    .execute();
  return Object.fromEntries(rows.map(({ login, paused_reason }) => [login, paused_reason]));
}
async function everybodyHasAChannel(): Promise<void> {
  const { db } = app.database;
  const box = secretBox(Buffer.alloc(32, 1));
  for (const { id } of await db.selectFrom('users').select('id').execute())
    await aChannel(db, box, id, 'https://hooks.slack.com/services/a', { type: 'slack' });
}

test('the channels of whoever has left are paused and say why, those of others are not', async () => {
  await everybodyHasAChannel();
  await members('octo');
  elapsed = 55 * MINUTE;
  await Promise.all([me(octo), me(mona)]);
  await askMemberships();

  expect(await channels()).toEqual({ mona: pauseReasons.not_allowed, octo: null });
  const { paused_at } = await app.database.db
    .selectFrom('notification_channels')
    .select('paused_at')
    .where('paused_at', 'is not', null)
    .executeTakeFirstOrThrow();
  expect(Math.abs(paused_at!.getTime() - now().getTime())).toBeLessThan(MINUTE);
});

test('a host that does not answer pauses no channel', async () => {
  await everybodyHasAChannel();
  await host.control('faults', { match: { operation: 'GET /user/orgs' }, effect: { name: 'bad_gateway' } });
  elapsed = 25 * 60 * MINUTE;
  await app.database.db.updateTable('users').set({ seen_at: now() }).execute();
  await askMemberships();

  expect(await channels()).toEqual({ mona: null, octo: null });
});

const unlisted = pauseReasons.not_allowed;
test.each<[string, Allowed, number, Record<string, string | null>]>([
  ['is paused', { logins: ['octo'], orgs: null }, 0, { mona: unlisted, octo: null }],
  ['goes on where everybody may sign in', { logins: null, orgs: null }, 0, { mona: null, octo: null }],
  ['goes on for a member', { logins: ['octo'], orgs: ['octo-org'] }, 0, { mona: null, octo: null }],
  ['is paused for a member of others', { logins: ['octo'], orgs: ['else'] }, 0, { mona: unlisted, octo: null }],
  ['goes on while nobody knows', { logins: ['octo'], orgs: ['else'] }, 24 * 60, { mona: null, octo: null }],
  ['goes on after the clock was set back', { logins: ['octo'], orgs: ['else'] }, -25 * 60, { mona: null, octo: null }],
])('what a login that is not listed any more made %s', async (_, after, minutes, expected) => {
  const { db } = app.database;
  await everybodyHasAChannel();
  await db.deleteFrom('allowed_logins').execute();
  await db
    .insertInto('allowed_logins')
    .columns(['host', 'login', 'host_id'])
    .expression(db.selectFrom('users').select(['host', 'login', 'host_id']))
    .execute();
  elapsed = minutes * MINUTE;
  await pauseChannelsOfUnlisted(db, after, now());
  await db.deleteFrom('allowed_logins').execute();

  expect(await channels()).toEqual(expected);
});

test.each([
  ['an hour', 60, 200],
  ['more than a day', 25 * 60, 401],
])('after the clock was set back by %s memberships are asked for at once', async (_, minutes, before) => {
  const { db } = app.database;
  const later = new Date(Date.now() + minutes * MINUTE);
  await db.updateTable('users').set({ organizations_at: later, seen_at: later }).execute();
  await members('octo');
  await host.control('counters', undefined, 'DELETE');
  const unasked = await me(mona);
  await askMemberships();

  expect([unasked, await asked()]).toEqual([before, 2]);
  expect([await me(octo), await me(mona)]).toEqual([200, 401]);
});

test('nobody is asked about who has not been here for an hour', async () => {
  await host.control('counters', undefined, 'DELETE');
  elapsed = 130 * MINUTE;
  await askMemberships();

  expect(await asked()).toBe(0);
});

test('whoever has a personal token is asked about while they are away, and nobody who cannot be asked', async () => {
  const { db } = app.database;
  const body = { name: 'Weekly', scopes: ['read:figures'], repositories: 'all' };
  expect((await app.ask('POST', '/api/tokens', { as: octo, body })).status).toBe(201);
  await host.control('counters', undefined, 'DELETE');
  elapsed = 13 * 60 * MINUTE;
  await askMemberships();
  expect(await asked()).toBe(1);

  await db.deleteFrom('credentials').execute();
  const { organizations_at: before } = await db
    .selectFrom('users')
    .select('organizations_at')
    .where('login', '=', 'octo')
    .executeTakeFirstOrThrow();
  elapsed = 26 * 60 * MINUTE;
  await askMemberships();
  expect(before?.getTime()).toBeGreaterThan(Date.now());
  expect(await asked()).toBe(1);
});

test('a host that does not answer leaves membership as it was for a day, then it counts as none', async () => {
  await host.control('faults', { match: { operation: 'GET /user/orgs' }, effect: { name: 'bad_gateway' } });
  elapsed = 23 * 60 * MINUTE;
  await app.database.db.updateTable('users').set({ seen_at: now() }).execute();
  await app.database.db.updateTable('sessions').set({ last_used_at: now() }).execute();
  await askMemberships();
  const within = await me(octo);
  elapsed = 24 * 60 * MINUTE + 2 * MINUTE;
  await askMemberships();
  const after = await app.ask('GET', '/auth/me', { as: octo });
  elapsed = 0;

  expect(within).toBe(200);
  expect(after.status).toBe(401);
  // The session has ended: the host's answer alone does not bring it back.
  expect(await me(octo)).toBe(401);
});

test('where single sign-on hides the organisation, memberships stay as they were, and a sign-in is refused with that reason', async () => {
  const { fetch } = globalThis;
  let shown = [{ login: 'somebody-else' }];
  const headers = { 'x-github-sso': 'partial-results; organizations=3' };
  const protects = { type: 'FORBIDDEN', path: ['organization'], message: 'SAML', extensions: { saml_failure: true } };
  let organization: object = { data: { organization: null }, errors: [protects] };
  vi.stubGlobal('fetch', async (...of: Parameters<typeof fetch>) => {
    if (String(of[0]).includes('/user/orgs')) return Response.json(shown, { headers });
    return String(of[1]?.body).includes('query Organization') ? Response.json(organization) : await fetch(...of);
  });
  const hidden = await openTestApp({
    ...{ host_url: host.url, now, database: app.database },
    config: { allowed_orgs: allowed.orgs },
  });
  vi.unstubAllGlobals();
  const known = () =>
    app.database.db.selectFrom('users').select(['login', 'organizations', 'organizations_at']).execute();
  const before = await known();
  elapsed = 55 * MINUTE;
  await Promise.all([me(octo), me(mona)]);
  await askMemberships(hidden);
  const after = await known();
  const statuses = [await me(octo), await me(mona)];
  const signIn = () => hidden.ask('POST', '/auth/token', { body: { token: 'ghp_mona' } });
  const refused = await signIn();
  organization = { data: { organization: { viewerIsAMember: false } } };
  const stranger = await signIn();
  shown = [{ login: 'Octo-org' }];
  const member = await signIn();
  await hidden.stop();

  expect(after).toEqual(expect.arrayContaining(before));
  expect(statuses).toEqual([200, 200]);
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'sso_required', error: expect.stringContaining('single sign-on') },
  });
  expect(stranger).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  expect((stranger.body as { error: string }).error).not.toContain('single sign-on');
  expect(member.status).toBe(200);
});

test('the App’s deliveries about members of an organisation ask at once, and once more a minute later at most', async () => {
  const id = await hostIdOf('mona');
  const ofOrg = { organization: { login: 'octo-org' } };
  const left = { ...ofOrg, action: 'member_removed', membership: { user: { id } } };
  await host.control('counters', undefined, 'DELETE');
  const first = await deliver('/webhooks/github/app', secret, 'organization', left);
  await expect.poll(() => asked()).toBe(1);
  const stayed = await me(mona);
  await app.database.db.updateTable('users').set({ organizations_at: now() }).execute();
  for (let again = 0; again < 5; again += 1)
    await deliver('/webhooks/github/app', secret, 'membership', { ...ofOrg, action: 'removed', member: { id } });

  expect([first.status, stayed]).toEqual([202, 200]);
  expect(await asked()).toBe(1);
});

test('nobody’s memberships are asked for because of another organisation, or of what a repository’s own hook says', async () => {
  const connected = await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo-org', name: 'hello' } });
  await members('octo');
  await host.control('counters', undefined, 'DELETE');
  const { db } = app.database;
  const row = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow();
  expect(connected.status).toBe(201);
  const path = `/webhooks/github/${row.webhook_key}`;
  const { webhook_secret } = connected.body as AddedRepository;
  const member = { id: await hostIdOf('mona') };
  const organization = { id: 1, login: 'octo-org' };

  const own = await deliver(path, String(webhook_secret), 'organization', { action: 'renamed', organization });
  const other = await deliver('/webhooks/github/app', secret, 'membership', {
    ...{ action: 'removed', member, organization: { login: 'somebody-else' } },
  });
  // What would have been asked is asked before this.
  await deliver('/webhooks/github/app', secret, 'membership', { action: 'removed', member, organization });

  expect([own.status, other.status]).toEqual([202, 202]);
  await expect.poll(() => me(mona)).toBe(401);
  expect(await asked()).toBe(1);
  expect(await me(octo)).toBe(200);
});

test('a delivery that names an organisation and nobody asks about everybody', async () => {
  await members('octo');
  await deliver('/webhooks/github/app', secret, 'organization', {
    action: 'renamed',
    organization: { login: 'octo-org' },
  });

  await expect.poll(() => me(mona)).toBe(401);
  expect(await me(octo)).toBe(200);
});

/** Delivers to the webhook of an organisation that was called otherwise when it was made; returns its name as it is known after that. */
async function toAnOrganizations(
  organization_id: string,
  login: string,
  event: string,
  about: object,
): Promise<string> {
  const { db } = app.database;
  const key = 'of-an-organisation';
  const { secret: signedWith, sealed } = newWebhookSecret(secretBox(Buffer.alloc(32, 1)), key);
  const { id: created_by } = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'octo')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('organization_webhooks').execute();
  await db
    .insertInto('organization_webhooks')
    .values({
      ...{ host: host.url, organization_id, login: 'Its-former-name', webhook_key: key },
      ...{ webhook_secret_encrypted: sealed, created_by, created_at: now() },
    })
    .execute();
  const { status } = await deliver(`/webhooks/github/organisation/${key}`, signedWith, event, {
    ...{ ...about, organization: { id: Number(organization_id), login } },
  });
  expect(status).toBe(202);
  const webhook = () =>
    db.selectFrom('organization_webhooks').select(['login', 'last_delivery_at']).executeTakeFirstOrThrow();
  await expect.poll(async () => (await webhook()).last_delivery_at).not.toBeNull();
  return (await webhook()).login;
}

/** The host's id of octo-org, of which a repository is connected. */
async function idOfOctoOrg(): Promise<string> {
  await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo-org', name: 'hello' } });
  const { owner_id } = await app.database.db.selectFrom('repositories').select('owner_id').executeTakeFirstOrThrow();
  return owner_id!;
}

test('an organisation’s webhook has memberships asked for also after the organisation was renamed', async () => {
  const id = await idOfOctoOrg();
  const removed = { action: 'removed', member: { id: await hostIdOf('mona') } };
  await members('octo');

  expect(await toAnOrganizations(id, 'Octo-org', 'membership', removed)).toBe('octo-org');
  await expect.poll(() => me(mona)).toBe(401);
});

test('nobody’s memberships are asked for where an organisation’s webhook is made to name another organisation', async () => {
  const another = 1 + Number(await idOfOctoOrg());
  const member = { id: await hostIdOf('mona') };
  await members('octo');
  await host.control('counters', undefined, 'DELETE');

  const known = await toAnOrganizations(`${another}`, 'octo-org', 'organization', { action: 'renamed' });
  expect(known).toBe('Its-former-name');
  // Everybody would have been asked about before this.
  await deliver('/webhooks/github/app', secret, 'membership', {
    ...{ action: 'removed', member, organization: { login: 'octo-org' } },
  });
  await expect.poll(() => me(mona)).toBe(401);
  expect(await asked()).toBe(1);
});

test('one person’s failure keeps nobody else from being asked about', async () => {
  await members('mona');
  await host.control('tokens', { token: 'ghp_mona' }, 'DELETE');
  elapsed = 55 * MINUTE;
  await Promise.all([me(octo), me(mona)]);
  await askMemberships();

  expect([await me(octo), await me(mona)]).toEqual([401, 401]);
});
