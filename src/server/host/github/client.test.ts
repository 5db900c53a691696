import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addresses } from './addresses.ts';
import { githubHost } from './host.ts';

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const TOKEN = 'gho_0123456789abcdefghijABCDEFGHIJ012345';
const now = new Date('2026-11-21T10:00:00Z');
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A host that answers every request in one way, and what it was asked. */
async function aHost(respond: Respond, settings: { timeout?: number } = {}) {
  const asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const logged: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    respond(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const log = { debug: (...line: unknown[]) => logged.push(line), warn: (...line: unknown[]) => logged.push(line) };
  const host = githubHost({
    key: 'https://git.acme.test',
    label: 'git.acme.test',
    ...addresses(`http://127.0.0.1:${port}`),
    oauth: { client_id: 'app', client_secret: 'hush-hush', app: null },
    now: () => now,
    log,
    ...settings,
  });
  return { host, client: host.as(TOKEN), asked, logged, port };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Respond => {
  return (_, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
  };
};

const repository = {
  id: 'R_7',
  databaseId: 7,
  name: 'shop',
  owner: { login: 'acme' },
  url: 'https://git.acme.test/acme/shop',
  isPrivate: true,
  isArchived: false,
  defaultBranchRef: null,
  allPullRequests: { totalCount: 3 },
};

describe('a request', () => {
  it('names the product, the API version and whose token it is', async () => {
    const { client, asked } = await aHost(json(200, { id: 1, login: 'mona', type: 'User', email: 'mona@acme.test' }));

    await client.viewer();

    expect(asked[0]).toMatchObject({
      url: '/api/v3/user',
      headers: { authorization: `Bearer ${TOKEN}`, 'x-github-api-version': '2022-11-28' },
    });
    expect(asked[0]?.headers['user-agent']).toMatch(/^Mergelight/);
  });

  it('that gets no answer ends after the patience it was given', async () => {
    const { client } = await aHost(() => {}, { timeout: 50 });

    await expect(client.repository('acme', 'shop')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'git.acme.test did not answer in time.',
    });
  });

  it('about many pull requests that gets no answer is sent once about one, and not in ever smaller parts', async () => {
    const { client, asked } = await aHost(() => {}, { timeout: 50 });
    const page = () => client.pullRequests({ owner: 'acme', name: 'shop' }, { cursor: null, size: 30 });

    await expect(page()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(page()).rejects.toMatchObject({ kind: 'unavailable' });

    expect(asked.map(({ body }) => JSON.parse(body).variables.first)).toEqual([30, 1, 1]);
  });

  it('whose answer never ends runs out of patience too', async () => {
    const slow: Respond = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const { client } = await aHost(slow, { timeout: 50 });

    await expect(client.repository('acme', 'shop')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it.each<[string, Respond]>([
    ['before', (request) => void request.socket.destroy()],
    [
      'in the middle of',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"data":');
        setTimeout(() => request.socket.destroy(), 10);
      },
    ],
  ])('whose connection breaks %s the answer is a host that is unavailable', async (_, respond) => {
    const { client } = await aHost(respond);

    await expect(client.repository('acme', 'shop')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('to a host that does not listen is a host that is unavailable', async () => {
    const { client } = await aHost(json(200, {}));
    closing.splice(0).forEach((close) => {
      close();
    });

    await expect(client.repository('acme', 'shop')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'git.acme.test cannot be reached.',
    });
  });

  it('that the caller gives up ends with the caller’s own reason', async () => {
    const { client } = await aHost(() => {});
    const caller = new AbortController();
    const reason = new Error('The sync was cancelled.');

    const asking = client.pullRequests(
      { owner: 'acme', name: 'shop' },
      { cursor: null, size: 30, signal: caller.signal },
    );
    caller.abort(reason);

    await expect(asking).rejects.toBe(reason);
  });

  it('for which the caller’s time is over is a host that did not answer in time; counts end with those that are there', async () => {
    const ids = Array.from({ length: 101 }, (_, at) => `R_${at}`);
    const nodes = ids.slice(0, 100).map((id) => ({ id, pullRequests: { totalCount: 3 } }));
    const { client } = await aHost((request, response, body) => {
      if (JSON.parse(body).variables.ids?.length === 100) json(200, { data: { nodes } })(request, response, body);
    });
    const limit = () => AbortSignal.timeout(300);

    await expect(client.repositoriesNamed([{ owner: 'acme', name: 'shop' }], limit())).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'git.acme.test did not answer in time.',
    });
    expect(await client.pullRequestCounts(ids, limit())).toEqual(new Map(nodes.map(({ id }) => [id, 3])));
  });

  it('is sent once: a limit is told to the caller instead of being waited for', async () => {
    const { client, asked } = await aHost(
      json(403, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': '600' }),
    );

    await expect(client.repository('acme', 'shop')).rejects.toMatchObject({
      kind: 'secondary_limit',
      retry_at: new Date('2026-11-21T10:10:00Z'),
    });
    expect(asked).toHaveLength(1);
  });

  it('that the host is going to remove is told to the log', async () => {
    const user = { id: 1, login: 'mona', type: 'User', email: 'mona@acme.test' };
    const { client, logged } = await aHost(json(200, user, { deprecation: 'Sat, 21 Nov 2026 00:00:00 GMT' }));

    await client.viewer();

    expect(JSON.stringify(logged)).toContain('is deprecated');
  });

  it('leaves no token in the log or in the error, however it fails', async () => {
    const { client, host, logged } = await aHost((request) => void request.socket.destroy());
    const exchange = { code: 'the-code', code_verifier: 'the-verifier', redirect_uri: 'https://us.test/auth/callback' };

    const errors = [
      await client.repository('acme', 'shop').catch((error: unknown) => error),
      await client.viewer().catch((error: unknown) => error),
      await host.oauth?.exchange(exchange).catch((error: unknown) => error),
    ];

    const { inspect } = await import('node:util');
    const text = inspect([errors, logged], { depth: 20 });
    expect(errors).toMatchObject([{ kind: 'unavailable' }, { kind: 'unavailable' }, { kind: 'unavailable' }]);
    for (const secret of [TOKEN, 'hush-hush', 'the-code', 'the-verifier']) expect(text).not.toContain(secret);
  });
});

describe('a token that may not read teams', () => {
  const insufficient = { errors: [{ type: 'INSUFFICIENT_SCOPES', message: "requires ['read:org']" }] };
  const page = { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
  const answer = { data: { repository: { ...repository, pullRequests: page } } };
  const of = { owner: 'acme', name: 'shop' };
  const first = { cursor: null, size: 30 };

  it('is asked again without them, once', async () => {
    const { client, asked } = await aHost((request, response, body) =>
      json(200, body.includes('combinedSlug') ? insufficient : answer)(request, response, body),
    );

    await client.pullRequests(of, first);
    await client.pullRequests(of, first);

    expect(asked.map(({ body }) => body.includes('combinedSlug'))).toEqual([true, false, false]);
  });

  it('is not asked for them when an earlier answer named its scopes', async () => {
    const { client, asked } = await aHost(json(200, answer, { 'x-oauth-scopes': 'repo, user:email' }));

    await client.repository('acme', 'shop');
    await client.pullRequests(of, first);

    expect(asked.map(({ body }) => body.includes('combinedSlug'))).toEqual([false, false]);
  });

  it('is told which scope is missing when it is another one', async () => {
    const { client, asked } = await aHost(json(200, insufficient));

    await expect(client.pullRequests(of, first)).rejects.toMatchObject({ kind: 'missing_scope' });
    expect(asked).toHaveLength(2);
  });
});

describe('a token that may not read checks', () => {
  it('is asked for them once', async () => {
    const page = { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
    const path = ['repository', 'pullRequests', 'nodes', 0, 'headCommit', 'nodes', 0, 'commit', 'statusCheckRollup'];
    const { client, asked } = await aHost(
      json(200, {
        data: { repository: { ...repository, pullRequests: page }, threads: [], checks: [] },
        errors: [{ type: 'FORBIDDEN', path, message: 'Resource not accessible by personal access token' }],
      }),
    );

    await client.pullRequests({ owner: 'acme', name: 'shop' }, { cursor: null, size: 30 });
    await client.openPullRequests(
      { owner: 'acme', name: 'shop' },
      { cursor: null, changes: false, closer: { threads: [], checks: [] } },
    );

    expect(asked.map(({ body }) => JSON.parse(body).variables.withChecks)).toEqual([true, false]);
  });
});

describe('signing in', () => {
  const exchange = { code: 'C', code_verifier: 'V', redirect_uri: 'https://us.test/auth/callback' };

  it('leads to the host’s page with state, PKCE and the scopes', async () => {
    const { host, port } = await aHost(json(200, {}));

    const url = new URL(
      host.oauth?.authorizeUrl({
        ...{ state: 'S', code_challenge: 'H', redirect_uri: exchange.redirect_uri },
        access: 'all',
      }) ?? '',
    );

    expect(`${url.origin}${url.pathname}`).toBe(`http://127.0.0.1:${port}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'app',
      redirect_uri: 'https://us.test/auth/callback',
      scope: 'repo read:org read:user user:email',
      state: 'S',
      code_challenge: 'H',
      code_challenge_method: 'S256',
    });
  });

  it('exchanges the code with its verifier and reads the scopes that were granted', async () => {
    const { host, asked } = await aHost(
      json(200, { access_token: TOKEN, scope: 'repo,read:org', token_type: 'bearer' }),
    );

    const granted = await host.oauth?.exchange(exchange);

    expect(granted).toEqual({
      ...{ token: TOKEN, scopes: ['repo', 'read:org'] },
      ...{ expires_at: null, refresh_token: null },
    });
    expect(asked[0]).toMatchObject({ url: '/login/oauth/access_token', headers: { accept: 'application/json' } });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ client_id: 'app', client_secret: 'hush-hush', ...exchange });
  });

  it('a code that the host does not accept is refused in the host’s words', async () => {
    const { host } = await aHost(
      json(200, { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }),
    );

    await expect(host.oauth?.exchange(exchange)).rejects.toMatchObject({
      kind: 'refused',
      message: 'The code passed is incorrect or expired.',
    });
  });
});

describe('whose token it is', () => {
  const user = {
    id: 1,
    login: 'mona',
    type: 'User',
    name: 'Mona',
    avatar_url: 'https://git.acme.test/a.png',
    email: null,
  };
  const answers =
    (emails: Respond, scopes: Record<string, string>): Respond =>
    (request, response, body) =>
      (request.url?.endsWith('/user/emails') ? emails : json(200, user, scopes))(request, response, body);

  it('is read with the scopes and the primary address that is verified', async () => {
    const { client } = await aHost(
      answers(
        json(200, [
          { email: 'old@acme.test', primary: false, verified: true },
          { email: 'mona@acme.test', primary: true, verified: true },
        ]),
        { 'x-oauth-scopes': 'repo, read:org' },
      ),
    );

    expect(await client.viewer()).toEqual({
      account: { id: '1', login: 'mona', type: 'user', name: 'Mona', avatar_url: 'https://git.acme.test/a.png' },
      email: 'mona@acme.test',
      scopes: ['repo', 'read:org'],
    });
  });

  it('has no address where the token may not read it, and no scopes where the host states none', async () => {
    const { client } = await aHost(answers(json(404, { message: 'Not Found' }), {}));

    expect(await client.viewer()).toMatchObject({ email: null, scopes: null });
  });
});

describe('the quota', () => {
  it('is null on a server that has none', async () => {
    const { client } = await aHost(json(404, { message: 'Rate limiting is not enabled.' }));

    expect(await client.rateLimit()).toBeNull();
  });
});
