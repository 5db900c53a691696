import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../../test/support/test-host.ts';
import { tinyWorld } from '../worlds/tiny.ts';
import { priceOf } from './cost.ts';
import { documentReader, type Operation } from './document.ts';

const shop = buildSchema(`
  type Query { viewer: Viewer, nodes(ids: [ID!]!): [Thing] }
  type Viewer { repositories(first: Int, last: Int): ThingConnection, followers(first: Int): ThingConnection }
  type ThingConnection { nodes: [Thing], edges: [ThingEdge], totalCount: Int }
  type ThingEdge { node: Thing }
  type Thing { id: ID, issues(first: Int): ThingConnection, labels(first: Int): ThingConnection, pullRequests(first: Int): ThingConnection, comments(first: Int): ThingConnection }
`);
const read = documentReader(shop);
const operation = (query: string): Operation => {
  const prepared = read(query);
  expect(prepared.errors).toEqual([]);
  return prepared.operations[0] as Operation;
};

describe('the price of a query', () => {
  test('is the documented 51 points for 100 repositories with 50 issues with 60 labels', () => {
    const query =
      '{ viewer { repositories(first: 100) { edges { node { issues(first: 50) { edges { node { labels(first: 60) { edges { node { id } } } } } } } } } } }';

    const price = priceOf(operation(query), {});

    expect(price).toMatchObject({ requests: 5101, cost: 51, errors: [] });
  });

  test('counts nodes as documented: 22,060 for 50 repositories with pull requests, issues and comments', () => {
    const query = `{ viewer {
      repositories(first: 50) { nodes {
        pullRequests(first: 20) { nodes { comments(first: 10) { nodes { id } } } }
        issues(first: 20) { nodes { comments(first: 10) { nodes { id } } } }
      } }
      followers(first: 10) { nodes { id } }
    } }`;

    expect(priceOf(operation(query), {}).nodes).toBe(22_060);
  });

  test('is at least one point, and rounds to the nearest', () => {
    const pages = (first: number) =>
      `{ viewer { repositories(first: ${first}) { nodes { labels(first: 1) { nodes { id } } } } } }`;

    expect(priceOf(operation('{ viewer { repositories(first: 1) { totalCount } } }'), {}).cost).toBe(1);
    expect(priceOf(operation(pages(48)), {})).toMatchObject({ requests: 49, cost: 1 });
    expect(
      priceOf(
        operation(
          `{ a: viewer { repositories(first: 100) { nodes { labels(first: 1) { nodes { id } } issues(first: 1) { nodes { id } } } } } }`,
        ),
        {},
      ).cost,
    ).toBe(2);
  });

  test('takes sizes and conditions from variables and multiplies by the ids asked for', () => {
    const query = `query ($ids: [ID!]!, $size: Int = 7, $more: Boolean!) {
      nodes(ids: $ids) { issues(first: $size) { nodes { id } } labels(first: 5) @include(if: $more) { nodes { id } } }
    }`;

    expect(priceOf(operation(query), { ids: ['a', 'b'], size: 7, more: false })).toMatchObject({
      requests: 2,
      nodes: 14,
    });
    expect(priceOf(operation(query), { ids: ['a', 'b'], size: 3, more: true })).toMatchObject({
      requests: 4,
      nodes: 16,
    });
  });

  test.each([
    ['{ viewer { repositories(first: 101) { totalCount } } }', 'EXCESSIVE_PAGINATION'],
    ['{ viewer { repositories(last: 101) { totalCount } } }', 'EXCESSIVE_PAGINATION'],
    ['{ viewer { repositories(first: 0) { totalCount } } }', 'ARGUMENT_LIMIT'],
    ['{ viewer { repositories { nodes { id } } } }', 'MISSING_PAGINATION_BOUNDARIES'],
    ['{ viewer { repositories(first: 1, last: 1) { nodes { id } } } }', 'UNPROCESSABLE'],
    [
      '{ viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { labels(first: 51) { nodes { id } } } } } } } }',
      'MAX_NODE_LIMIT_EXCEEDED',
    ],
  ])('refuses %s with %s', (query, type) => {
    expect(priceOf(operation(query), {}).errors.map((error) => error.type)).toEqual([type]);
  });

  test('asks no bounds of a connection that only counts', () => {
    expect(priceOf(operation('{ viewer { repositories { totalCount } } }'), {})).toMatchObject({
      requests: 0,
      cost: 1,
      errors: [],
    });
  });
});

const QUERIES = process.env.GITHUB_QUERIES ?? join(process.cwd(), '../shared/reference/github-queries/full');
/**
 * Cost and nodes of the queries in that folder, by the formula of GitHub (documentation, rate limits and query limits for the GraphQL
 * API).
 */
const PRICES: Record<string, readonly [cost: number, nodes: number]> = {
  '01-viewer-and-repository.graphql': [1, 2],
  '02-pull-requests-page.graphql': [2, 4_140],
  '03-changed-since.graphql': [1, 100],
  '04-open-pull-requests-sweep.graphql': [2, 1_150],
  '05-pull-requests-by-id.graphql': [3, 8_305],
  '06-pull-request-by-number.graphql': [1, 1_661],
  '11-more-review-threads.graphql': [1, 1_050],
  '20-commit-checks.graphql': [1, 110],
  '22-search-merged-window.graphql': [1, 50],
};

if (!existsSync(QUERIES)) console.warn(`SKIPPED: the reference's queries are not at ${QUERIES}.`);

describe.skipIf(!existsSync(QUERIES))('the queries of the reference', () => {
  let host: TestHost;
  let ids: string[];

  beforeAll(async () => {
    host = await startTestHost(tinyWorld);
    const list = await host.graphql(
      '{ repository(owner: "octo-org", name: "hello") { pullRequests(first: 9) { nodes { id } } } }',
    );
    ids = list.data.repository.pullRequests.nodes.map((node: { id: string }) => node.id);
  });
  afterAll(() => host.close());

  test.each(existsSync(QUERIES) ? readdirSync(QUERIES) : [])(
    '%s runs without an error, at the price that was computed for it',
    async (file) => {
      const query = readFileSync(join(QUERIES, file), 'utf8');
      const [first = ''] = ids;
      const five = [...ids, first].slice(0, 5);
      const known = {
        owner: 'octo-org',
        name: 'hello',
        number: 1,
        ids: five,
        oid: '0'.repeat(40),
        q: 'repo:octo-org/hello is:pr',
      };
      const one = await host.graphql(
        'query ($id: ID!) { node(id: $id) { ... on PullRequest { reviews(first: 1) { nodes { id } } reviewThreads(first: 1) { nodes { id } } commits(last: 1) { nodes { commit { statusCheckRollup { id } } } } } } }',
        { id: first },
      );
      const { reviews, reviewThreads, commits } = one.data.node;
      const id = file.startsWith('12')
        ? reviewThreads.nodes[0].id
        : file.startsWith('13')
          ? reviews.nodes[0].id
          : file.startsWith('19')
            ? commits.nodes[0].commit.statusCheckRollup.id
            : first;

      const answer = await host.graphql(query, { ...known, id });

      expect(answer.errors).toEqual([]);
      const [cost, nodes] = PRICES[file] ?? [];
      if (cost !== undefined) expect(answer.data.rateLimit).toMatchObject({ cost, nodeCount: nodes });
    },
  );
});
