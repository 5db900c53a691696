import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../test/support/test-host.ts';
import { awkwardWorld } from './worlds/awkward.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost(awkwardWorld);
});
afterAll(() => host.close());

const PAGE = `query Page($name: String!, $size: Int!) { repository(owner: "faulty", name: $name) { pullRequests(first: $size) {
  nodes { number reviews(first: 5) { totalCount pageInfo { hasNextPage } nodes { id } } timelineItems(first: 5, itemTypes: [MERGED_EVENT]) { pageCount nodes { __typename } } }
} } }`;
const page = (name: string, size = 20) => host.graphql(PAGE, { name, size });

describe('repositories that fail by their name', () => {
  test('heavy pages answer 502 with a web page, small ones do not', async () => {
    const [heavy, small] = [await page('heavy', 6), await page('heavy', 5)];

    expect(heavy.status).toBe(502);
    expect(heavy.headers.get('content-type')).toContain('text/html');
    expect(small.status).toBe(200);
    expect((await page('times-out', 6)).status).toBe(504);
  });

  test('flaky ones fail every third time', async () => {
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await page('flaky', 1)).status);

    expect(statuses).toEqual([200, 200, 502, 200, 200, 502]);
  });

  test('truncating ones leave rows out without a word, though their counts tell', async () => {
    const { data, errors } = await page('truncating', 20);
    const rows = data.repository.pullRequests.nodes;

    expect(errors).toEqual([]);
    expect(rows[0].reviews).toMatchObject({ totalCount: 1, nodes: [{}] });
    expect(rows[10].reviews).toEqual({ totalCount: 1, nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
    expect(rows[10].timelineItems).toEqual({ pageCount: 1, nodes: [] });
    expect((await page('truncating', 5)).data.repository.pullRequests.nodes[4].reviews.nodes).toHaveLength(1);
  });

  test('those at their limits answer part of the data and say where it was cut', async () => {
    const { status, data, errors } = await page('resource-limits', 20);

    expect(status).toBe(200);
    expect(data.repository.pullRequests.nodes[10].reviews).toBeNull();
    expect(errors[0]).toMatchObject({
      type: 'RESOURCE_LIMITS_EXCEEDED',
      path: ['repository', 'pullRequests', 'nodes', 10, 'reviews'],
    });
  });

  test('others are not touched', async () => {
    const { errors } = await host.graphql(
      '{ repository(owner: "odd", name: "exactly-100") { pullRequests(first: 100) { nodes { id } } } }',
    );

    expect(errors).toEqual([]);
  });
});

describe('faults by rule', () => {
  afterEach(() => host.control('DELETE', 'faults'));
  const rule = (effect: object, match: object = {}) => host.control('POST', 'faults', { match, effect });
  const who = () => host.graphql('query Who { viewer { login } }');

  test.each([
    ['bad_gateway', 502],
    ['gateway_timeout', 504],
    ['gateway_not_found', 404],
    ['not_found', 404],
    ['server_error', 500],
    ['bad_credentials', 401],
    ['secondary_limit_429', 429],
    ['secondary_limit_403', 403],
  ])('%s answers %i, once when that is said', async (name, status) => {
    await rule({ name }, { operation: 'Who', next: 1 });

    expect([(await who()).status, (await who()).status]).toEqual([status, 200]);
  });

  test('a secondary limit may say how long to wait', async () => {
    await rule({ name: 'secondary_limit_403', retryAfter: 7 }, { next: 1 });
    await rule({ name: 'secondary_limit_200' }, { next: 1, after: 1 });

    const [told, untold] = [await host.rest('GET', '/user'), await host.rest('GET', '/user')];

    expect(told.headers.get('retry-after')).toBe('7');
    expect(untold.status).toBe(200);
    expect(untold.headers.get('retry-after')).toBeNull();
    expect(untold.body.message).toMatch(/secondary rate/i);
  });

  test('the primary limit is spent until its time, in either wording', async () => {
    await rule({ name: 'primary_limit', resetIn: 20 }, { operation: 'Who', next: 1 });
    const spent = await who();
    const still = await who();
    await host.control('POST', 'clock', { advanceSeconds: 21 });
    const back = await who();
    await rule({ name: 'primary_limit_new_wording', resetIn: 20 }, { operation: 'Who', next: 1 });
    const worded = await who();
    await host.control('DELETE', 'limits');

    expect(spent).toMatchObject({ status: 200, errors: [{ type: 'RATE_LIMITED' }] });
    expect(still.errors).toMatchObject([{ type: 'RATE_LIMITED' }]);
    expect(back.errors).toEqual([]);
    expect(worded.errors).toMatchObject([{ type: 'RATE_LIMIT', code: 'graphql_rate_limit' }]);
  });

  test('something can go wrong with status 200', async () => {
    await rule({ name: 'went_wrong' }, { operation: 'Who', next: 1 });

    const { status, data, errors } = await who();

    expect([status, data]).toEqual([200, null]);
    expect(errors[0]?.message).toMatch(/^Something went wrong while executing your query/);
  });

  test.each(['cut', 'cut_in_body'])('a connection can break (%s)', async (name) => {
    await rule({ name }, { operation: 'Who', next: 1 });

    await expect(who()).rejects.toThrow();
  });

  test('JSON can be cut in half', async () => {
    await rule({ name: 'truncated_json' }, { operation: 'Who', next: 1 });

    await expect(who()).rejects.toThrow(/JSON/);
  });

  test('an answer can be waited for in vain', async () => {
    await rule({ name: 'hang' }, { kind: 'rest', next: 1 });

    const waiting = fetch(`${host.url}/api/v3/user`, {
      headers: { authorization: 'Bearer ghp_octo', 'user-agent': 'test' },
      signal: AbortSignal.timeout(200),
    });

    await expect(waiting).rejects.toThrow(/timeout/i);
  });

  test('latency delays and lets the answer through', async () => {
    await rule({ name: 'latency', milliseconds: 120 }, { operation: 'Who', next: 1 });
    const started = performance.now();

    expect((await who()).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(100);
  });

  test('what is delayed goes on once the rules are removed', async () => {
    await rule({ name: 'latency', milliseconds: 600_000 }, { operation: 'Who' });
    const delayed = who();
    await expect.poll(async () => (await host.control('GET', 'faults')).body.at(-1).done).toBe(1);

    await host.control('DELETE', 'faults');

    expect((await delayed).status).toBe(200);
  });

  test('an unknown effect is refused with the names that there are', async () => {
    const reply = await rule({ name: 'earthquake' });

    expect(reply.status).toBe(422);
    expect(reply.body.message).toContain('bad_gateway');
  });
});
