import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { aScope } from '../../../test/support/stored.ts';
import { scopeOf } from '../metrics/scope.ts';
import { auditPage } from './audit.ts';
import { forgetOldSecurityEvents, securityEventsIn } from './security-events.ts';

/** Who came in, who took what out: one line in the log and a row for administrators each. */
const START = Date.parse('2026-03-29T01:00:00Z');
let moment = START;
let simulator: RunningSimulator;
let app: TestApp;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  await simulator.control('repos', { owner: 'octo', name: 'plans', private: true, readers: ['octo', 'mona'] });
  app = await openTestApp({ host_url: simulator.url, now: () => new Date(moment), config: { admin_logins: ['mona'] } });
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

async function eventsOf(actor: string) {
  const scope = await aScope(app.database.db, []);
  return (await auditPage(app.database.db, scope, { actor }, { limit: 200, cursor: null })).items;
}

const lines = () =>
  app.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'security event');

test('signing in and out, connecting, exporting, marking and removing leave a line in the log and a row each, with the request they came by', async () => {
  app.logged.length = 0;
  const mona = await app.signIn('mona');
  const connected = await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo', name: 'plans' } });
  const { id } = connected.body as { id: number };
  await app.ask('DELETE', `/api/repos/${id}`, { as: mona });
  const signedOut = await app.ask('POST', '/auth/logout', { as: mona });

  const items = await eventsOf('MONA');
  expect(items.map(({ event }) => event)).toEqual([
    'token_deleted',
    'signed_out',
    'repository_disconnected',
    'repository_connected',
    'signed_in',
    'token_stored',
  ]);
  expect(items[1]).toEqual({
    at: new Date(START).toISOString(),
    event: 'signed_out',
    actor: 'mona',
    subject: null,
    address: '127.0.0.1',
    request_id: signedOut.headers['x-request-id'],
  });
  const { address, request_id } = items[4]!;
  expect(items[5]).toMatchObject({ address, request_id });
  expect(lines()).toHaveLength(6);
  expect(lines()[2]).toMatchObject({
    event: 'repository_connected',
    actor: 'mona',
    subject: 'octo/plans',
    address: '127.0.0.1',
    request_id: connected.headers['x-request-id'],
  });
});

test('a refused sign-in is noted with the reason, and what was sent stands nowhere', async () => {
  app.logged.length = 0;
  await app.ask('POST', '/auth/token', { body: { token: 'ghp_nobody_knows_this' } });

  expect(lines()).toMatchObject([{ event: 'sign_in_refused', actor: null, subject: 'token_rejected' }]);
  expect(app.logged.join('\n')).not.toContain('nobody_knows_this');
});

test('who administers reads the name of a repository only where their own token reads it', async () => {
  const mona = await app.signIn('mona');
  const connected = await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo', name: 'plans' } });
  const { id } = connected.body as { id: number };
  const { body } = await app.ask('GET', '/auth/me', { as: mona });
  const filter = { event: 'repository_connected' } as const;
  const page = { limit: 1, cursor: null };

  const herself = await auditPage(
    app.database.db,
    await scopeOf(app.database.db, (body as { id: number }).id),
    filter,
    page,
  );
  const somebody = await auditPage(app.database.db, await aScope(app.database.db, []), filter, page);

  expect(herself.items[0]?.subject).toBe('octo/plans');
  expect(somebody.items[0]?.subject).toBe(`repository ${id}`);
});

test('that a repository was connected is noted once: asking for its webhook again connects nothing', async () => {
  const octo = await app.signIn('octo');
  const connect = () => app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo', name: 'plans' } });
  const statuses = [(await connect()).status, (await connect()).status];

  const connected = (await eventsOf('octo')).filter(({ event }) => event === 'repository_connected');
  expect([statuses, connected.length]).toEqual([[201, 200], 1]);
});

test('repositories connected together, by following their owner, or for followers at a sign-in are noted with the request they came by', async () => {
  const { db } = app.database;
  const [mona, octo] = [await app.signIn('mona'), await app.signIn('octo')];
  for (const name of ['together', 'followed', 'at-sign-in'])
    await simulator.control('repos', { owner: 'octo', name, private: true, readers: ['octo', 'mona'] });
  for (const name of ['followed', 'at-sign-in'])
    await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo', name } });
  const importHere = (name: string) =>
    db
      .updateTable('repositories')
      .set({ history_completed_at: new Date(moment) })
      .where('name', '=', name)
      .execute();
  const body = { repositories: [{ owner: 'octo', name: 'together' }], sync: false };

  const together = await app.ask('POST', '/api/repos/bulk', { as: mona, body });
  await importHere('followed');
  const followed = await app.ask('PUT', '/api/repos/following', { as: mona, body: { owners: ['octo'] } });
  await importHere('at-sign-in');
  const signedIn = await app.ask('POST', '/auth/token', { body: { token: 'ghp_mona' } });

  const connected = async () =>
    await db
      .selectFrom('security_events')
      .select(['subject', 'address', 'request_id'])
      .where('event', '=', 'repository_connected')
      .where('actor', '=', 'mona')
      .where('subject', 'in', ['octo/together', 'octo/followed', 'octo/at-sign-in'])
      .orderBy('id')
      .execute();
  const by = ({ headers }: Answer) => ({ address: '127.0.0.1', request_id: headers['x-request-id'] });
  await expect.poll(connected).toEqual([
    { subject: 'octo/together', ...by(together) },
    { subject: 'octo/followed', ...by(followed) },
    { subject: 'octo/at-sign-in', ...by(signedIn) },
  ]);
});

test('pages follow each other without a gap', async () => {
  const note = securityEventsIn(app.database.db, () => new Date(moment), app.server.app.log as never);
  for (let at = 0; at < 5; at += 1)
    await note({ event: 'exported', actor: 'pager', subject: `=${at}\n;"x"` }, { ip: '192.0.2.1', id: `id ${at}` });
  const scope = await aScope(app.database.db, []);
  const read: (string | null)[] = [];
  let cursor: string | null = null;
  do {
    const page = await auditPage(app.database.db, scope, { actor: 'pager' }, { limit: 2, cursor });
    read.push(...page.items.map(({ request_id }) => request_id));
    cursor = page.next_cursor;
  } while (cursor !== null);

  expect(read).toEqual(['id 4', 'id 3', 'id 2', 'id 1', 'id 0']);
});

test('nobody but an administrator reads them, and that somebody took them out is an event', async () => {
  const mona = await app.signIn('mona');
  const octo = await app.signIn('octo');
  const csv = '/api/administration/audit?format=csv&actor=mona';

  expect((await app.ask('GET', '/api/administration/audit')).status).toBe(401);
  for (const path of ['/api/administration/audit', csv])
    expect(await app.ask('GET', path, { as: octo })).toMatchObject({
      status: 403,
      body: { error: 'Only administrators can do that.' },
    });
  const list = await app.ask('GET', '/api/administration/audit?limit=1', { as: mona });
  expect(list).toMatchObject({ status: 200, body: { items: [{ event: 'signed_in', actor: 'octo' }] } });
  const file = await app.ask('GET', csv, { as: mona });
  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="mergelight-audit-2026-03-29.csv"',
  });
  const paged = await app.ask('GET', '/api/administration/audit?actor=pager', {
    ...{ as: mona, headers: { accept: 'text/csv' } },
  });
  expect(String(paged.body).split('\r\n')).toHaveLength(7);
  expect(paged.body).toContain(`"2026-03-29T01:00:00.000Z","exported","pager","'=4\n;""x""","192.0.2.1","id 4"\r\n`);
  expect(String(file.body).split('\r\n').slice(0, 2)).toEqual([
    '"at","event","actor","subject","address","request_id"',
    expect.stringMatching(/^"2026-03-29T01:00:00.000Z","exported","mona","audit log \(csv\)","127.0.0.1","[\w-]{36}"$/),
  ]);
});

test('that a list left whole is an event: CSV that no limit cuts, and lines from their beginning', async () => {
  const octo = await app.signIn('octo');
  const paths = ['/api/prs?format=csv', '/api/prs?format=csv&limit=10', '/api/prs', '/api/export/pull-requests'];
  const requests: unknown[] = [];
  for (const path of paths) {
    const { status, headers } = await app.ask('GET', path, { as: octo });
    expect([path, status]).toEqual([path, 200]);
    requests.push(headers['x-request-id']);
  }

  const exported = (await eventsOf('octo')).filter(({ event }) => event === 'exported');
  expect(exported.map(({ subject, request_id }) => [subject, request_id])).toEqual([
    ['exportPullRequests (lines)', requests[3]],
    ['listPullRequests (csv)', requests[0]],
  ]);
});

test('one person cannot fill the table: beyond 1,000 events an hour there are lines in the log alone', async () => {
  const note = securityEventsIn(app.database.db, () => new Date(moment), app.server.app.log as never);
  app.logged.length = 0;
  for (let at = 0; at < 1005; at += 1) await note({ event: 'exported', actor: 'loop', subject: null }, null);

  const { db } = app.database;
  const stored = async () =>
    (await db.selectFrom('security_events').select('id').where('actor', '=', 'loop').execute()).length;
  expect(await stored()).toBe(1000);
  expect(lines()).toHaveLength(1005);

  moment += 3_600_000;
  await note({ event: 'exported', actor: 'loop', subject: null }, null);
  expect(await stored()).toBe(1001);
});

test('after 400 days an event is forgotten', async () => {
  await forgetOldSecurityEvents(app.database.db, new Date(START + 399 * 86_400_000));
  expect((await eventsOf('pager')).length).toBe(5);

  await forgetOldSecurityEvents(app.database.db, new Date(START + 401 * 86_400_000));
  expect(await eventsOf('pager')).toEqual([]);
});
