import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../../test/support/test-host.ts';
import { tinyWorld } from '../worlds/tiny.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
  readonly json: any;
}

const SECRET = "It's a Secret to Everybody";
const EVERYTHING = ['*'];

let host: TestHost;
let receiver: Server;
let received: Received[];
let status: number;
let address: string;

beforeEach(async () => {
  received = [];
  status = 202;
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      received.push({ headers: request.headers, body, json: body.startsWith('{') ? JSON.parse(body) : null });
      response.writeHead(status).end('thanks');
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  host = await startTestHost(tinyWorld);
});

afterEach(async () => {
  await host.close();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

const hooks = '/repos/octo-org/hello/hooks';
async function hook(events: readonly string[], config: object = {}): Promise<number> {
  const body = {
    name: 'web',
    active: true,
    events,
    config: { url: address, content_type: 'json', secret: SECRET, ...config },
  };
  const reply = await host.rest('POST', hooks, { body });
  expect(reply.status).toBe(201);
  return reply.body.id;
}
const happens = (number: number, entry: object) =>
  host.control('POST', `repos/octo-org/hello/pulls/${number}/entries`, entry);

/** Waits until so many events have arrived, the ping aside; gives them by `event.action`. */
async function arrived(count: number): Promise<readonly Received[]> {
  await expect.poll(() => received.filter(({ headers }) => headers['x-github-event'] !== 'ping').length).toBe(count);
  return received.filter(({ headers }) => headers['x-github-event'] !== 'ping');
}
const named = ({ headers, json }: Received) =>
  `${headers['x-github-event']}${json?.action === undefined ? '' : `.${json.action}`}`;

describe('webhooks', () => {
  test('are greeted with a ping', async () => {
    const id = await hook(['pull_request']);

    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.headers['x-github-event']).toBe('ping');
    expect(received[0]?.json.hook_id).toBe(id);
  });

  test('are signed over the bytes that were sent', async () => {
    await hook(['pull_request_review']);
    await happens(2, { kind: 'review', by: 'mona', state: 'APPROVED' });

    const [delivery] = await arrived(1);

    expect(delivery?.headers['x-hub-signature-256']).toBe(
      `sha256=${createHmac('sha256', SECRET)
        .update(delivery?.body ?? '')
        .digest('hex')}`,
    );
    expect(delivery?.headers['x-github-delivery']).toMatch(/^[0-9a-f-]{36}$/);
    expect(delivery?.headers['user-agent']).toMatch(/^GitHub-Hookshot\//);
    expect(delivery?.json).toMatchObject({
      action: 'submitted',
      review: { state: 'approved', user: { login: 'mona' } },
      sender: { login: 'mona' },
    });
    expect(delivery?.json.pull_request).not.toHaveProperty('additions');
    expect(delivery?.json.pull_request).not.toHaveProperty('draft');
  });

  test('carry only the events that were subscribed to', async () => {
    await hook(['issue_comment']);
    await happens(3, [{ kind: 'commits', count: 1 }, { kind: 'comment', by: 'octo' }, { kind: 'ready_for_review' }]);

    const [only] = await arrived(1);

    expect(only && named(only)).toBe('issue_comment.created');
    expect(only?.json.issue).toMatchObject({ number: 3, pull_request: {} });
  });

  test.each([
    [{ kind: 'commits', count: 2 }, ['pull_request.synchronize', 'push']],
    [{ kind: 'force_push' }, ['pull_request.synchronize', 'push']],
    [{ kind: 'ready_for_review' }, ['pull_request.ready_for_review']],
    [{ kind: 'convert_to_draft' }, ['pull_request.converted_to_draft']],
    [{ kind: 'review_requested', reviewer: { account: 'octo' } }, ['pull_request.review_requested']],
    [{ kind: 'review_request_removed', reviewer: { team: 'greeters' } }, ['pull_request.review_request_removed']],
    [
      { kind: 'review', by: 'octo', comments: [{}] },
      ['pull_request_review.submitted', 'pull_request_review_comment.created'],
    ],
    [{ kind: 'review', by: 'octo', state: 'PENDING' }, []],
    [{ kind: 'merged', by: 'octo' }, ['pull_request.closed']],
    [{ kind: 'closed', by: 'octo' }, ['pull_request.closed']],
    [{ kind: 'renamed', from: 'Remember names', to: 'Remember faces' }, ['pull_request.edited']],
    [{ kind: 'labeled', label: 'later' }, ['pull_request.labeled']],
    [{ kind: 'check', by: null }, ['check_run.completed', 'check_suite.completed']],
    [{ kind: 'status', by: 'octo' }, ['status']],
  ])('tell of %j', async (entry, events) => {
    await hook(EVERYTHING);
    await happens(3, entry);
    await happens(3, { kind: 'comment', by: 'octo' });

    const deliveries = await arrived(events.length + 1);

    expect(deliveries.map(named).sort()).toEqual([...events, 'issue_comment.created'].sort());
  });

  test('say that a closed pull request was merged, with its whole size', async () => {
    await hook(['pull_request']);
    await happens(3, { kind: 'merged', by: 'octo' });

    const [closed] = await arrived(1);

    expect(closed?.json.pull_request).toMatchObject({
      merged: true,
      merged_by: { login: 'octo' },
      additions: 10,
      commits: 1,
    });
  });

  test('tell of pull requests that are opened, and of what was dated later when its time comes', async () => {
    await hook(['pull_request', 'issue_comment']);
    const later = '2026-11-21T11:00:00Z';
    await host.control('POST', 'repos/octo-org/hello/pulls', { title: 'Fresh', author: 'mona' });
    await happens(5, { kind: 'comment', at: later });
    await arrived(1);

    await host.control('POST', 'clock', { advanceSeconds: 3600 });
    const [opened, comment] = await arrived(2);

    expect(opened && named(opened)).toBe('pull_request.opened');
    expect(comment?.json.comment.created_at).toBe(later);
  });

  test('tell of a renamed repository', async () => {
    await hook(['repository']);
    await host.control('PATCH', 'repos/octo-org/hello', { name: 'hi' });

    const [renamed] = await arrived(1);

    expect(renamed?.json).toMatchObject({
      action: 'renamed',
      changes: { repository: { name: { from: 'hello' } } },
      repository: { full_name: 'octo-org/hi' },
    });
  });

  test('tell of whoever becomes a collaborator, may do something else, and is none any more', async () => {
    await hook(['member']);
    const repository = expect.objectContaining({ full_name: 'octo-org/hello' });
    const mona = expect.objectContaining({ login: 'mona', id: expect.any(Number) });
    const every = { member: mona, repository, organization: { login: 'octo-org' }, sender: { login: 'octo' } };
    const heard = async (count: number) => (await arrived(count)).at(-1)?.json;

    await host.control('PATCH', 'repos/octo-org/hello', { readers: ['octo'] });
    const removed = await heard(1);
    await host.control('PATCH', 'repos/octo-org/hello', { readers: ['octo', 'mona'] });
    const added = await heard(2);
    await host.control('PATCH', 'repos/octo-org/hello', { admins: ['octo', 'mona'] });
    const edited = await heard(3);

    expect(removed).toMatchObject({ action: 'removed', ...every });
    expect(removed).not.toHaveProperty('changes');
    expect(added).toMatchObject({ action: 'added', changes: { permission: { to: 'read' } }, ...every });
    expect(edited).toMatchObject({
      ...{ action: 'edited', ...every },
      changes: { old_permission: { from: 'read' }, permission: { from: 'read', to: 'admin' } },
    });
  });

  test('can be sent as a form, signed as sent', async () => {
    await hook(['issue_comment'], { content_type: 'form' });
    await happens(3, { kind: 'comment', by: 'octo' });

    const [delivery] = await arrived(1);

    expect(delivery?.headers['x-hub-signature-256']).toBe(
      `sha256=${createHmac('sha256', SECRET)
        .update(delivery?.body ?? '')
        .digest('hex')}`,
    );
    expect(JSON.parse(new URLSearchParams(delivery?.body).get('payload') ?? '{}').action).toBe('created');
  });

  test('that failed are listed and can be sent again with the same GUID', async () => {
    const id = await hook(['issue_comment']);
    status = 500;
    await happens(3, { kind: 'comment', by: 'octo' });
    await arrived(1);
    const failures = () => host.rest('GET', `${hooks}/${id}/deliveries?status=failure`);
    // The ping may have met the 500 as well; only the comment's delivery counts here.
    const failed = async () =>
      (await failures()).body.filter(({ event }: { event: string }) => event === 'issue_comment');
    await expect.poll(async () => (await failed()).length).toBe(1);
    const [failure] = await failed();

    status = 202;
    const attempt = await host.rest('POST', `${hooks}/${id}/deliveries/${failure.id}/attempts`);
    const [first, second] = await arrived(2);

    expect(failure).toMatchObject({ status_code: 500, redelivery: false, action: 'created' });
    expect(attempt.status).toBe(202);
    expect(second?.headers['x-github-delivery']).toBe(first?.headers['x-github-delivery']);
    expect(second?.body).toBe(first?.body);
  });

  test('get lost while they are paused', async () => {
    await hook(['issue_comment']);
    await host.control('POST', 'webhooks', { paused: true });
    await happens(3, { kind: 'comment', by: 'octo' });
    await host.control('POST', 'webhooks', { paused: false });
    await happens(3, { kind: 'comment', by: 'mona' });

    const [only] = await arrived(1);

    expect(only?.json.comment.user.login).toBe('mona');
  });

  test('are managed by administrators alone, and exist once per address', async () => {
    const id = await hook(['push']);
    const body = { name: 'web', config: { url: address } };

    expect((await host.rest('GET', hooks, { token: 'ghp_mona' })).status).toBe(404);
    expect((await host.rest('GET', hooks, { token: 'ghp_octo_read:org' })).status).toBe(404);
    expect((await host.rest('POST', hooks, { body })).status).toBe(422);
    expect((await host.rest('POST', hooks, { body: { config: { url: 'ftp://mail.example' } } })).status).toBe(422);
    expect(
      (await host.rest('PATCH', `${hooks}/${id}`, { body: { active: false, add_events: ['status'] } })).body,
    ).toMatchObject({
      active: false,
      events: ['push', 'status'],
      config: { secret: '********' },
    });
    expect((await host.rest('DELETE', `${hooks}/${id}`)).status).toBe(204);
    expect((await host.rest('GET', hooks)).body).toEqual([]);
  });
});
