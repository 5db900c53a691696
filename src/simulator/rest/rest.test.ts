import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../../test/support/test-host.ts';
import { awkwardWorld } from '../worlds/awkward.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost(awkwardWorld);
});
afterAll(() => host.close());

const repositoryId = 'query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }';

describe('tokens', () => {
  test.each([
    ['ghp_octo', 200, 'admin:repo_hook, read:org, read:user, repo, user:email'],
    ['ghp_octo_repo-read:org', 200, 'repo, read:org'],
    ['ghp_octo_none', 200, ''],
    ['github_pat_octo', 200, null],
    ['ghp_nobody', 401, null],
    ['ghp_', 401, null],
    ['nonsense', 401, null],
  ])('%s answers %i and the scopes %s', async (token, status, scopes) => {
    const reply = await host.rest('GET', '/user', { token });

    expect(reply.status).toBe(status);
    expect(reply.headers.get('x-oauth-scopes')).toBe(scopes);
  });

  test('without one the user is unknown, and what is public can be read', async () => {
    expect((await host.rest('GET', '/user', { token: '' })).status).toBe(401);
    expect((await host.rest('GET', '/repos/odd/cases', { token: '' })).status).toBe(200);
    expect((await host.rest('GET', '/repos/odd/private', { token: '' })).status).toBe(404);
  });

  test('a request without a user agent is refused', async () => {
    expect(await rawStatusWithoutAgent(host.url)).toBe(403);
  });

  test('an unknown version of the API is refused', async () => {
    expect((await host.rest('GET', '/user', { headers: { 'x-github-api-version': '2020-01-01' } })).status).toBe(400);
    expect((await host.rest('GET', '/user', { headers: { 'x-github-api-version': '2022-11-28' } })).status).toBe(200);
  });
});

/** `fetch` always sends a user agent, so this one speaks HTTP itself. */
async function rawStatusWithoutAgent(url: string): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((done, failed) => {
    request(`${url}/api/v3/user`, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .once('error', failed)
      .end();
  });
}

describe('a repository that stands in the way', () => {
  test.each([
    ['octo', 200],
    ['outsider', 404],
  ])('is hidden when it is private (%s: %i)', async (login, status) => {
    const rest = await host.rest('GET', '/repos/odd/private', { token: `ghp_${login}` });
    const { data, errors } = await host.graphql(repositoryId, { owner: 'odd', name: 'private' }, `ghp_${login}`);

    expect(rest.status).toBe(status);
    expect(data.repository === null).toBe(status === 404);
    expect(errors.map(({ type }) => type)).toEqual(status === 404 ? ['NOT_FOUND'] : []);
  });

  test('is hidden from a token without the scope for private ones', async () => {
    expect((await host.rest('GET', '/repos/odd/private', { token: 'ghp_octo_public_repo' })).status).toBe(404);
  });

  test('that was renamed leads to its id, and from there to its new name', async () => {
    const moved = await host.rest('GET', '/repos/faulty/renamed-away');
    const location = moved.headers.get('location') ?? '';
    const found = await host.rest('GET', new URL(location).pathname.replace('/api/v3', ''));
    const { data } = await host.graphql('{ repository(owner: "faulty", name: "renamed-away") { nameWithOwner } }');

    expect(moved).toMatchObject({ status: 301, body: { message: 'Moved Permanently', url: location } });
    expect(found.body.full_name).toBe('faulty/renamed-here');
    expect(data.repository.nameWithOwner).toBe('faulty/renamed-here');
  });

  test('that was renamed keeps what was asked below it', async () => {
    const moved = await host.rest('GET', '/repos/faulty/renamed-away/pulls/3');
    const location = moved.headers.get('location') ?? '';

    expect(location).toMatch(/\/repositories\/\d+\/pulls\/3$/);
    expect((await host.rest('GET', new URL(location).pathname.replace('/api/v3', ''))).body.number).toBe(3);
    expect((await host.rest('POST', '/repos/faulty/renamed-away/hooks', { body: {} })).status).toBe(307);
  });

  test('is an error by its old name where renames are not followed', async () => {
    const { errors } = await host.graphql(
      '{ repository(owner: "faulty", name: "renamed-away", followRenames: false) { id } }',
    );

    expect(errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  });

  test.each([
    ['blocked', 451, 'dmca'],
    ['against-terms', 403, 'tos'],
  ])('is blocked (%s)', async (name, status, reason) => {
    const reply = await host.rest('GET', `/repos/faulty/${name}`);

    expect(reply).toMatchObject({ status, body: { message: 'Repository access blocked', block: { reason } } });
  });

  test('that demands single sign-on says where', async () => {
    const rest = await host.rest('GET', '/repos/faulty/saml');
    const graphql = await host.graphql(
      '{ repository(owner: "faulty", name: "saml") { id pullRequest(number: 1) { id } } }',
    );
    const fineGrained = await host.rest('GET', '/repos/faulty/saml', { token: 'github_pat_octo' });
    const authorized = (await host.control('POST', 'tokens', { login: 'octo', ssoAuthorized: true })).body.token;

    expect(rest.status).toBe(403);
    expect(rest.headers.get('x-github-sso')).toMatch(/^required; url=/);
    expect(graphql.data.repository.pullRequest).toBeNull();
    expect(graphql.errors).toMatchObject([
      { type: 'FORBIDDEN', path: ['repository', 'pullRequest'], extensions: { saml_failure: true } },
    ]);
    expect(graphql.headers.get('x-github-sso')).toMatch(/^required; url=/);
    expect(fineGrained.status).toBe(200);
    expect((await host.rest('GET', '/repos/faulty/saml', { token: authorized })).status).toBe(200);
  });
});

describe('scopes', () => {
  const team =
    '{ repository(owner: "odd", name: "cases") { pullRequest(number: 21) { title reviewRequests(first: 5) { nodes { requestedReviewer { __typename ... on Team { slug } } } } } } }';

  test('a team’s fields need read:org: the whole query is refused', async () => {
    const { data, errors } = await host.graphql(team, {}, 'ghp_octo_repo');

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ type: 'INSUFFICIENT_SCOPES', message: expect.stringContaining("'slug'") }]);
  });

  test('a team’s kind needs none', async () => {
    const { data, errors } = await host.graphql(team.replace('... on Team { slug }', ''), {}, 'ghp_octo_repo');

    expect(errors).toEqual([]);
    expect(data.repository.pullRequest.reviewRequests.nodes).toEqual([{ requestedReviewer: { __typename: 'Team' } }]);
  });

  test('with them the team is told', async () => {
    const { data } = await host.graphql(team);

    expect(data.repository.pullRequest.reviewRequests.nodes[0].requestedReviewer.slug).toBe('reviewers');
  });

  test('an e-mail address needs user:email', async () => {
    const { errors } = await host.graphql('{ viewer { email } }', {}, 'ghp_octo_repo');

    expect(errors).toMatchObject([{ type: 'INSUFFICIENT_SCOPES' }]);
    expect((await host.rest('GET', '/user/emails', { token: 'ghp_octo_repo' })).status).toBe(404);
    expect((await host.rest('GET', '/user/emails')).body[0]).toMatchObject({
      email: 'octo@mail.example',
      primary: true,
    });
  });

  test('a fine-grained token reads the state of checks but not the checks', async () => {
    const { data, errors } = await host.graphql(
      '{ repository(owner: "odd", name: "cases") { pullRequest(number: 44) { title commits(last: 1) { nodes { commit { statusCheckRollup { state contexts(first: 5) { totalCount nodes { __typename } } } } } } } } }',
      {},
      'github_pat_octo',
    );

    const rollup = data.repository.pullRequest.commits.nodes[0].commit.statusCheckRollup;
    expect(rollup).toEqual({ state: 'ERROR', contexts: { totalCount: 2, nodes: [null, null] } });
    expect(errors[0]).toMatchObject({ type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' });
    expect(errors).toHaveLength(2);
  });

  test('a fine-grained token without the permission reads the metadata of a private repository and none of its pull requests', async () => {
    const token = 'github_pat_octo';
    await host.control('PATCH', 'permissions', { pull_requests: false });
    const asked = (name: string, fields: string) =>
      host.graphql(`{ repository(owner: "odd", name: "${name}") { name ${fields} } }`, {}, token);
    const count = 'all: pullRequests { totalCount }';

    const [metadata, counted, open, one] = [
      await host.rest('GET', '/repos/odd/private', { token }),
      await asked('private', count),
      await asked('cases', count),
      await asked('private', 'pullRequest(number: 1) { title }'),
    ];
    const { data, errors } = await host.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Repository { name pullRequests { totalCount } } } }',
      { ids: [metadata.body.node_id] },
      token,
    );
    const listed = await host.rest('GET', '/repos/odd/private/pulls', { token });
    await host.control('PATCH', 'permissions', { pull_requests: true });

    const refused = { type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' };
    expect(metadata.status).toBe(200);
    expect([counted.data, counted.errors]).toMatchObject([
      { repository: null },
      [{ ...refused, path: ['repository', 'all'] }],
    ]);
    expect(one).toMatchObject({ data: { repository: { pullRequest: null } }, errors: [refused] });
    expect([data, errors]).toMatchObject([{ nodes: [null] }, [{ ...refused, path: ['nodes', 0, 'pullRequests'] }]]);
    expect(listed).toMatchObject({ status: 403, body: { message: refused.message } });
    expect(open.data.repository.all.totalCount).toBeGreaterThan(0);
    expect((await asked('private', count)).data.repository.all.totalCount).toBe(3);
  });

  test('membership of an organisation follows from reading its repositories', async () => {
    expect((await host.rest('GET', '/user/orgs')).body.map(({ login }: { login: string }) => login)).toContain('odd');
    expect((await host.rest('GET', '/user/memberships/orgs/odd')).body.state).toBe('active');
    expect((await host.rest('GET', '/user/memberships/orgs/odd', { token: 'ghp_outsider' })).status).toBe(404);
  });
});

describe('lists', () => {
  test('are paged with links up to the last page', async () => {
    const first = await host.rest('GET', '/repos/odd/exactly-101/pulls?state=all&per_page=100');
    const link = first.headers.get('link') ?? '';
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '';
    const second = await host.rest('GET', next.slice(next.indexOf('/repos')));

    expect(first.body).toHaveLength(100);
    expect(link).toContain('rel="last"');
    expect(second.body).toHaveLength(1);
    expect(second.headers.get('link')).not.toContain('rel="next"');
    expect(
      (await host.rest('GET', '/repos/odd/exactly-100/pulls?state=all&per_page=100')).headers.get('link'),
    ).toBeNull();
  });

  test('of pull requests hold no sizes, a single one does', async () => {
    const [listed] = (await host.rest('GET', '/repos/odd/exactly-100/pulls?state=closed&per_page=1')).body;
    const single = (await host.rest('GET', `/repos/odd/exactly-100/pulls/${listed.number}`)).body;

    expect(listed.additions).toBeUndefined();
    expect(single).toMatchObject({
      state: 'closed',
      merged: true,
      additions: 10,
      deletions: 2,
      changed_files: 1,
      commits: 1,
    });
  });

  test('that have not changed cost nothing', async () => {
    const path = '/repos/odd/archived/pulls?state=all';
    const first = await host.rest('GET', path);
    const etag = first.headers.get('etag') ?? '';

    const same = await host.rest('GET', path, { headers: { 'if-none-match': etag } });
    await host.control('POST', 'repos/odd/archived/pulls/1/entries', { kind: 'comment' });
    const changed = await host.rest('GET', path, { headers: { 'if-none-match': etag } });

    expect(same.status).toBe(304);
    expect(same.headers.get('x-ratelimit-remaining')).toBe(first.headers.get('x-ratelimit-remaining'));
    expect(changed.status).toBe(200);
    expect((await host.rest('GET', path, { headers: { 'if-none-match': etag }, token: 'ghp_mona' })).status).toBe(200);
  });

  test('of one pull request tell the same story as GraphQL', async () => {
    const story = await host.graphql(
      '{ repository(owner: "odd", name: "cases") { pullRequest(number: 5) { reviews(first: 9) { totalCount } comments { totalCount } commits { totalCount } } } }',
    );
    const lengths = await Promise.all(
      ['pulls/5/reviews', 'issues/5/comments', 'pulls/5/commits', 'pulls/5/comments'].map(
        async (path) => (await host.rest('GET', `/repos/odd/cases/${path}`)).body.length,
      ),
    );

    const { reviews, comments, commits } = story.data.repository.pullRequest;
    expect(lengths).toEqual([reviews.totalCount, comments.totalCount, commits.totalCount, 3]);
  });
});

describe('the hourly quota', () => {
  test('is one for REST and another for GraphQL', async () => {
    await host.control('POST', 'limits/spend', { login: 'mona', resource: 'core', remaining: 1, resetInSeconds: 60 });

    const last = await host.rest('GET', '/user', { token: 'ghp_mona' });
    const spent = await host.rest('GET', '/user', { token: 'ghp_mona' });
    const graphql = await host.graphql('{ viewer { login } rateLimit { remaining } }', {}, 'ghp_mona');
    const free = await host.rest('GET', '/rate_limit', { token: 'ghp_mona' });

    expect([last.status, last.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    expect([spent.status, spent.headers.get('x-ratelimit-resource')]).toEqual([403, 'core']);
    expect(graphql.data.rateLimit.remaining).toBe(4999);
    expect(free.body.resources).toMatchObject({ core: { remaining: 0 }, graphql: { remaining: 4999 } });
  });

  test('comes back when its hour is over, for all tokens of the account at once', async () => {
    await host.control('POST', 'limits/spend', { login: 'octo', remaining: 0, resetInSeconds: 30 });

    const spent = await host.graphql('{ viewer { login } }');
    const other = await host.graphql('{ viewer { login } }', {}, 'ghp_octo_repo');
    await host.control('POST', 'clock', { advanceSeconds: 31 });
    const back = await host.graphql('{ viewer { login } }');

    expect(spent.status).toBe(200);
    expect(spent.errors).toMatchObject([{ type: 'RATE_LIMITED' }]);
    expect(spent.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(other.errors).toMatchObject([{ type: 'RATE_LIMITED' }]);
    expect(back.errors).toEqual([]);
  });

  test('can be switched off, as on an Enterprise Server', async () => {
    await host.control('PATCH', 'limits', { graphql: null, core: null });

    const { data, headers } = await host.graphql('{ rateLimit { cost } }');
    const rest = await host.rest('GET', '/rate_limit');
    await host.control('PATCH', 'limits', { graphql: 5000, core: 5000 });

    expect(data.rateLimit).toBeNull();
    expect(headers.get('x-ratelimit-limit')).toBeNull();
    expect(rest.status).toBe(404);
  });
});

describe('the counters', () => {
  test('tell requests and points by kind, account and operation', async () => {
    await host.control('DELETE', 'counters');

    await host.graphql('query Who { viewer { login } }');
    await host.graphql('query Who { viewer { login } }', {}, 'ghp_mona');
    await host.rest('GET', '/repos/odd/cases');
    const { body } = await host.control('GET', 'counters');

    expect(body.kinds.graphql).toMatchObject({ requests: 2, points: 2 });
    expect(body.accounts['mona/graphql'].requests).toBe(1);
    expect(body.operations).toEqual({ Who: 2, 'GET /repos/:owner/:repo': 1 });
  });
});
