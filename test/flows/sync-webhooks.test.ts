import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AddedRepository } from '../../src/contract/repositories.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { emptyAfterApp, openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

describe('webhooks', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let app: TestApp;
  let octo: string;
  let added: AddedRepository & { webhook_url: string; webhook_secret: string };
  let public_url: string;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    simulator = await startSimulator({ world: 'tiny' });
    const port = await freePort();
    public_url = `http://127.0.0.1:${port}`;
    app = await openTestApp({ host_url: simulator.url, role: 'all', database, config: { public_url } });
    await app.server.app.listen({ port, host: '127.0.0.1' });
    octo = cookieOf(await post('/auth/token', { token: 'ghp_octo' }));
    added = (await (await post('/api/repos', { owner: 'octo-org', name: 'hello' })).json()) as typeof added;
  });
  afterEach(async () => {
    await app.stop();
    await simulator.stop();
    await emptyAfterApp(database);
  });
  afterAll(() => database.close());

  async function importHistory(): Promise<void> {
    await post('/api/sync-repo-complete', { repoId: added.id });
    await until(async () => {
      const answer = await fetch(`${public_url}/api/sync-repo-complete?repoId=${added.id}`, {
        headers: { cookie: octo },
      });
      return ((await answer.json()) as { status: string }).status === 'completed';
    });
  }

  const post = (path: string, body: object) =>
    fetch(`${public_url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: public_url, ...(octo && { cookie: octo }) },
      body: JSON.stringify(body),
    });
  const happen = (number: number, entry: object) =>
    simulator.control(`repos/octo-org/hello/pulls/${number}/entries`, entry);
  const comments = (number: number) =>
    app.database.db.selectFrom('comments').select('host_id').where('number', '=', number).execute();
  function deliver(
    event: string,
    payload: unknown,
    {
      signature,
      url = added.webhook_url,
      type = 'application/json',
    }: Partial<Record<'signature' | 'url' | 'type', string>> = {},
  ): Promise<Response> {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const signed = `sha256=${createHmac('sha256', added.webhook_secret).update(body).digest('hex')}`;
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': type,
        'x-github-event': event,
        'x-hub-signature-256': signature ?? signed,
      },
      body,
    });
  }
  const aboutPull = (number: number) => ({ action: 'edited', pull_request: { number } });
  const requestsFor = async (operation: string) => {
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    return operations[operation] ?? 0;
  };

  it('of the host arrive, are noted, and what they name is stored', async () => {
    await importHistory();
    const made = await post(`/api/repos/${added.id}/webhook`, {});

    for (let index = 1; index <= 3; index++) {
      await happen(index, { kind: 'comment', by: 'mona' });
      const had = index === 2 ? 1 : 0;
      await until(async () => (await comments(index)).length > had);
    }

    const row = await app.database.db
      .selectFrom('repositories')
      .select(['webhook_last_delivery_at', 'webhook_last_event'])
      .executeTakeFirst();
    expect(made.status).toBe(201);
    expect(row?.webhook_last_delivery_at).not.toBeNull();
    expect(row?.webhook_last_event).toBe('issue_comment');
  });

  it('are refused without the right signature, at an unknown address, and when they are no JSON', async () => {
    const wrong = await deliver('ping', {}, { signature: `sha256=${'0'.repeat(64)}` });
    const missing = await deliver('ping', {}, { signature: '' });
    const unknown = await deliver('ping', {}, { url: `${public_url}/webhooks/github/nobody` });
    const garbage = await deliver('ping', '{"cut');

    expect([wrong.status, missing.status, unknown.status, garbage.status]).toEqual([401, 401, 404, 400]);
    expect(await wrong.json()).toMatchObject({
      code: 'wrong_signature',
      error: 'Signature mismatch: the webhook must have the secret that belongs to its address.',
    });
  });

  it('at an unknown address are refused before their body was sent, and the connection ends', async () => {
    const socket = connect(Number(new URL(public_url).port), '127.0.0.1');
    const heard: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => heard.push(text));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      'POST /webhooks/github/nobody HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20000000\r\n\r\n{',
    );
    await ended;

    expect(heard.join('')).toMatch(/^HTTP\/1\.1 404 /);
    expect(heard.join('')).toMatch(/^connection: close\r$/im);
  });

  it('with what no commit, branch or number can be are accepted and ignored', async () => {
    const answers = [
      await deliver('status', { sha: 'a\0b' }),
      await deliver('status', { sha: 'a'.repeat(10_000) }),
      await deliver('check_suite', {
        check_suite: { head_sha: `\0${'a'.repeat(39)}`, pull_requests: [{ number: 1 }] },
      }),
      await deliver('push', { ref: 'refs/heads/ma\0in' }),
      await deliver('push', { ref: `refs/heads/${'x'.repeat(10_000)}` }),
      await deliver('pull_request', aboutPull(2 ** 40)),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202, 202, 202, 202]);
    expect(await app.database.db.selectFrom('hints').selectAll().execute()).toEqual([]);
  });

  it('over 25 MB are too large', async () => {
    const answer = await deliver('ping', { filling: 'x'.repeat(25 * 1024 * 1024) });

    expect(answer.status).toBe(413);
  });

  it('that mean nothing to us are accepted and ignored', async () => {
    const form = new URLSearchParams({ payload: JSON.stringify({ zen: 'Keep it simple.' }) }).toString();
    const answers = [
      await deliver('star', { action: 'created' }),
      await deliver('ping', { zen: 'Keep it simple.' }),
      await deliver('ping', form, { type: 'application/x-www-form-urlencoded' }),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect(await app.database.db.selectFrom('hints').selectAll().execute()).toEqual([]);
  });

  it('that say what is not so store nothing: the host is asked', async () => {
    await importHistory();
    await deliver('pull_request', {
      action: 'closed',
      pull_request: { number: 3, title: 'Forged', state: 'closed', merged: true, updated_at: '2036-01-01T00:00:00Z' },
    });
    await deliver('pull_request', aboutPull(4711));
    await until(async () => (await requestsFor('PullRequestByNumber')) >= 2);
    await until(async () => (await pendingHints()) === 0);

    const pull = await app.database.db
      .selectFrom('pull_requests')
      .select(['title', 'state'])
      .where('number', '=', 3)
      .execute();
    expect(pull).toEqual([{ title: 'Remember names', state: 'open' }]);
    expect((await app.database.db.selectFrom('pull_requests').select('number').execute()).length).toBe(4);
  });

  it('that name 100,000 pull requests have a hundred looked up, and what changed read in one sync', async () => {
    await importHistory();
    await simulator.control('counters', undefined, 'DELETE');
    const pull_requests = Array.from({ length: 100_000 }, (_, index) => ({ number: index + 1 }));

    const answer = await deliver('check_suite', { check_suite: { head_sha: 'ab'.repeat(20), pull_requests } });
    await until(async () => (await requestsFor('PullRequestByNumber')) >= 100 && (await pendingHints()) === 0);

    const { db } = app.database;
    const sessions = await db.selectFrom('sync_sessions').select(['mode', 'asked_by']).orderBy('created_at').execute();
    expect(answer.status).toBe(202);
    expect(await requestsFor('PullRequestByNumber')).toBe(100);
    expect(sessions).toEqual([
      { mode: 'full', asked_by: 'person' },
      { mode: 'incremental', asked_by: 'schedule' },
    ]);
  });

  it('become one look in five seconds however many arrive, and the last one is never lost', async () => {
    await importHistory();
    await simulator.control('counters', undefined, 'DELETE');
    const started = performance.now();

    for (let index = 0; index < 40; index++) await deliver('pull_request', aboutPull(1));
    await until(async () => (await requestsFor('PullRequestByNumber')) >= 1);
    await happen(1, { kind: 'comment', by: 'mona' });
    await deliver('pull_request', aboutPull(1));
    await until(async () => (await comments(1)).some(({ host_id }) => host_id !== '6001' && host_id !== '6002'));

    const took = performance.now() - started;
    expect(await requestsFor('PullRequestByNumber')).toBeLessThanOrEqual(1 + Math.ceil(took / 5000));
  });

  it('of a push and of a commit’s checks lead to the open pull requests with that head', async () => {
    await importHistory();
    const [four] = await app.database.db
      .selectFrom('pull_requests')
      .select(['head_ref', 'head_sha'])
      .where('number', '=', 4)
      .execute();
    const fetchedAt = async () =>
      (
        await app.database.db
          .selectFrom('pull_requests')
          .select('fetched_at')
          .where('number', '=', 4)
          .executeTakeFirst()
      )?.fetched_at;
    const first = await fetchedAt();

    await deliver('push', { ref: `refs/heads/${four?.head_ref}` });
    await until(async () => (await fetchedAt())?.getTime() !== first?.getTime());
    const second = await fetchedAt();
    await deliver('status', { sha: four?.head_sha });
    await until(async () => (await fetchedAt())?.getTime() !== second?.getTime());

    expect((await fetchedAt())! > second!).toBe(true);
  });

  it('of the repository have everybody’s access checked and its new name taken', async () => {
    const mona = cookieOf(
      await fetch(`${public_url}/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: public_url },
        body: JSON.stringify({ token: 'ghp_hubot' }),
      }),
    );
    await fetch(`${public_url}/api/repos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: public_url, cookie: mona },
      body: JSON.stringify({ owner: 'octo-org', name: 'hello' }),
    });
    await simulator.control('repos/octo-org/hello', { name: 'goodbye', private: true, readers: ['octo'] }, 'PATCH');

    await deliver('repository', { action: 'privatized' });
    await until(
      async () =>
        (await app.database.db.selectFrom('connections').selectAll().where('readable', '=', false).execute()).length ===
        1,
    );

    const stored = () => app.database.db.selectFrom('repositories').select(['name', 'private']).executeTakeFirst();
    // Whoever may still read it is asked beside the others.
    await until(async () => (await stored())?.name === 'goodbye');
    const row = await stored();
    const theirs = await fetch(`${public_url}/api/repos`, { headers: { cookie: mona } });
    expect(row).toEqual({ name: 'goodbye', private: true });
    // Under the name by which they saw it last.
    expect(await theirs.json()).toMatchObject([{ name: 'hello', access: { state: 'checking' }, pull_requests: null }]);
    const shown = await fetch(`${public_url}/api/repositories`, { headers: { cookie: mona } });
    expect(await shown.json()).toEqual([]);
  });

  it('of an organisation have everybody’s access to its repository checked when a collaborator is taken off it', async () => {
    await simulator.control('repos/octo-org/hello', { private: true, readers: ['octo', 'mona'] }, 'PATCH');
    await simulator.control('organizations/octo-org', { members: { octo: 'ADMIN' } }, 'PATCH');
    const mona = cookieOf(
      await fetch(`${public_url}/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: public_url },
        body: JSON.stringify({ token: 'ghp_mona' }),
      }),
    );
    await fetch(`${public_url}/api/repos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: public_url, cookie: mona },
      body: JSON.stringify({ owner: 'octo-org', name: 'hello' }),
    });
    const shown = async () =>
      await (await fetch(`${public_url}/api/repositories`, { headers: { cookie: mona } })).json();
    const { url, secret } = (await (await post('/api/organisations/octo-org/webhook', {})).json()) as {
      url: string;
      secret: string;
    };
    const hook = await fetch(`${simulator.url}/api/v3/orgs/octo-org/hooks`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer ghp_octo_admin:org_hook',
        'content-type': 'application/json',
        'user-agent': 'test',
      },
      body: JSON.stringify({ name: 'web', events: ['member'], config: { url, secret, content_type: 'json' } }),
    });
    expect([hook.status, await shown()]).toMatchObject([201, [{ name: 'hello' }]]);

    await simulator.control('repos/octo-org/hello', { readers: ['octo'] }, 'PATCH');
    await until(async () => ((await shown()) as object[]).length === 0);

    const noted = async () =>
      await app.database.db
        .selectFrom('repositories')
        .select(['webhook_last_delivery_at', 'webhook_last_event'])
        .executeTakeFirst();
    await expect.poll(noted).toEqual({ webhook_last_delivery_at: expect.any(Date), webhook_last_event: 'member' });
  });

  it('are answered while the database is busy with something longer, and followed afterwards', async () => {
    await importHistory();
    await deliver('ping', { zen: 'Keep it simple.' });
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const busy = app.database.db.transaction().execute(async () => {
      begun.resolve();
      await over.promise;
    });
    await begun.promise;

    await happen(3, { kind: 'comment', by: 'mona' });
    const answer = await deliver('issue_comment', { action: 'created', issue: { number: 3, pull_request: {} } });
    over.resolve();
    await busy;
    await until(async () => (await comments(3)).length > 0);

    expect(answer.status).toBe(202);
  });

  it('of a repository that was removed meet an address that is not there any more', async () => {
    await deliver('ping', { zen: 'Keep it simple.' });
    await fetch(`${public_url}/api/repos/${added.id}`, {
      method: 'DELETE',
      headers: { origin: public_url, cookie: octo },
    });

    const statusOf = async () => (await deliver('pull_request', aboutPull(1))).status;
    await statusOf();

    await expect.poll(statusOf).toBe(404);
    expect((await deliver('ping', {})).status).toBe(404);
  });

  async function pendingHints(): Promise<number> {
    return (await app.database.db.selectFrom('hints').selectAll().where('due_at', 'is not', null).execute()).length;
  }
});

async function until(test: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await test()); ) {
    if (Date.now() > deadline) throw new Error('It did not happen within a minute.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
