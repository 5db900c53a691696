import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../test/support/test-host.ts';
import { tinyWorld } from './worlds/tiny.ts';

let host: TestHost;

beforeEach(async () => {
  host = await startTestHost(tinyWorld);
});
afterEach(() => host.close());

const hello = 'repos/octo-org/hello';
const pull = async (number: number, fields: string, token?: string) => {
  const query = `query ($number: Int!) { repository(owner: "octo-org", name: "hello") { pullRequest(number: $number) { ${fields} } } }`;
  return (await host.graphql(query, { number }, token)).data.repository.pullRequest;
};

describe('the controls', () => {
  test('describe the world', async () => {
    const { body } = await host.control('GET', 'state');

    expect(body).toMatchObject({ now: '2026-11-21T10:00:00Z', world: 'tiny', signIn: ['octo', 'mona', 'hubot'] });
    expect(body.repositories[0]).toMatchObject({
      full_name: 'octo-org/hello',
      pull_requests: 4,
      counts: { OPEN: 2, CLOSED: 1, MERGED: 1 },
    });
  });

  test('let a pull request live: opened, reviewed, approved, merged', async () => {
    const { body } = await host.control('POST', `${hello}/pulls`, {
      title: 'New here',
      author: 'mona',
      openedAsDraft: true,
    });
    const entries = `${hello}/pulls/${body.number}/entries`;
    await host.control('POST', entries, [
      { kind: 'ready_for_review' },
      { kind: 'review_requested', reviewer: { account: 'octo' } },
      { kind: 'review', by: 'octo', state: 'CHANGES_REQUESTED', comments: [{ path: 'a.ts' }] },
      { kind: 'commits', count: 3 },
    ]);

    const open = await pull(
      body.number,
      'isDraft state reviewDecision reviewRequests(first: 3) { totalCount } commits { totalCount }',
    );
    await host.control('POST', entries, [
      { kind: 'review', by: 'octo', state: 'APPROVED' },
      { kind: 'merged', by: 'octo' },
    ]);
    const merged = await pull(body.number, 'state reviewDecision mergedBy { login }');

    expect(open).toEqual({
      isDraft: false,
      state: 'OPEN',
      reviewDecision: 'CHANGES_REQUESTED',
      reviewRequests: { totalCount: 0 },
      commits: { totalCount: 4 },
    });
    expect(merged).toEqual({ state: 'MERGED', reviewDecision: 'APPROVED', mergedBy: { login: 'octo' } });
  });

  test('keep what is dated later hidden until its time', async () => {
    await host.control('POST', `${hello}/pulls`, {
      title: 'Tomorrow',
      author: 'mona',
      createdAt: '2026-11-22T10:00:00Z',
      number: 99,
    });
    const before = await host.rest('GET', '/repos/octo-org/hello/pulls/99');

    await host.control('POST', 'clock', { set: '2026-11-22T10:00:00Z' });
    const after = await host.rest('GET', '/repos/octo-org/hello/pulls/99');

    expect([before.status, after.status]).toEqual([404, 200]);
    expect(after.body.created_at).toBe('2026-11-22T10:00:00Z');
  });

  test('don’t turn the clock back', async () => {
    const reply = await host.control('POST', 'clock', { set: '2020-01-01T00:00:00Z' });

    expect(reply.status).toBe(422);
    expect(reply.body.message).toContain("can't go back");
  });

  test('delete comments and dismiss reviews', async () => {
    await host.control('POST', `${hello}/pulls/2/entries`, { kind: 'comment_deleted', id: 4001 });
    await host.control('POST', `${hello}/pulls/1/entries`, { kind: 'review_dismissed', review: 5003, by: 'mona' });

    expect((await pull(2, 'comments { totalCount }')).comments.totalCount).toBe(0);
    expect((await pull(1, 'reviews(last: 1) { nodes { state } }')).reviews.nodes).toEqual([{ state: 'DISMISSED' }]);
  });

  test.each([
    [{ kind: 'comment', by: 'nobody' }, "no account 'nobody'"],
    [{ kind: 'review_dismissed', review: 1 }, 'no review 1'],
    [{ kind: 'comment_deleted', id: 1 }, 'no comment 1'],
    [{ kind: 'comment', at: 'yesterday' }, "'yesterday' is no time"],
    [{}, 'needs a kind'],
  ])('refuse %j', async (entry, message) => {
    const reply = await host.control('POST', `${hello}/pulls/1/entries`, entry);

    expect(reply.status).toBe(422);
    expect(reply.body.message).toContain(message);
  });

  test('rename an account, which keeps its id, its rights and its work', async () => {
    const before = (await pull(1, 'author { ... on User { databaseId } }')).author.databaseId;
    await host.control('PATCH', 'accounts/mona', { login: 'lisa' });

    const after = await pull(1, 'author { login ... on User { databaseId } }', 'ghp_lisa');

    expect(after.author).toEqual({ login: 'lisa', databaseId: before });
    expect((await host.rest('GET', '/repos/octo-org/secret', { token: 'ghp_lisa' })).status).toBe(200);
    expect((await host.rest('GET', '/user', { token: 'ghp_mona' })).status).toBe(401);
  });

  test('delete an account, which is nobody from then on', async () => {
    await host.control('PATCH', 'accounts/mona', { deleted: true });

    expect((await pull(1, 'author { login }')).author).toBeNull();
    expect((await host.rest('GET', '/user', { token: 'ghp_mona' })).status).toBe(401);
  });

  test('hide, show, delete and open repositories', async () => {
    const seen = async (login: string) =>
      (await host.rest('GET', '/repos/octo-org/hello', { token: `ghp_${login}` })).status;

    await host.control('PATCH', hello, { private: true, readers: ['mona'] });
    const hidden = [await seen('mona'), await seen('hubot')];
    await host.control('PATCH', hello, { readers: ['hubot'] });
    const moved = [await seen('mona'), await seen('hubot')];
    await host.control('PATCH', hello, { deleted: true });

    expect(hidden).toEqual([200, 404]);
    expect(moved).toEqual([404, 200]);
    expect(await seen('octo')).toBe(404);
  });

  test('transfer a repository: the old name leads to the new one, or to nothing', async () => {
    await host.control('POST', 'accounts', { login: 'other-org', type: 'Organization' });
    await host.control('PATCH', hello, { owner: 'other-org', name: 'greetings' });
    const moved = await host.rest('GET', '/repos/octo-org/hello');
    await host.control('PATCH', 'repos/other-org/greetings', { name: 'farewell', redirect: false });

    expect(moved.status).toBe(301);
    expect((await host.rest('GET', '/repos/other-org/farewell')).status).toBe(200);
    expect((await host.rest('GET', '/repos/other-org/greetings')).status).toBe(404);
  });

  test('revoke tokens', async () => {
    const { token } = (await host.control('POST', 'tokens', { login: 'mona', scopes: ['repo'] })).body;
    const before = (await host.rest('GET', '/user', { token })).status;

    await host.control('DELETE', 'tokens', { token });

    expect([before, (await host.rest('GET', '/user', { token })).status]).toEqual([200, 401]);
  });
});
