import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../../test/support/test-host.ts';
import { generatedWorld } from '../worlds/generated.ts';

const COUNT = 200;
const PAGE = `query ($after: String, $field: IssueOrderField!, $direction: OrderDirection!, $states: [PullRequestState!]) {
  repository(owner: "load", name: "big") {
    pullRequests(first: 20, after: $after, states: $states, orderBy: { field: $field, direction: $direction }) {
      totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { number updatedAt }
    }
  }
}`;

let host: TestHost;

beforeEach(async () => {
  host = await startTestHost((now) => generatedWorld(COUNT, now, 7));
});
afterEach(() => host.close());

interface Row {
  readonly number: number;
  readonly updatedAt: string;
}

/** Reads all pages; `between` runs after each one. */
async function walk(
  variables: Record<string, unknown>,
  between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  for (;;) {
    const { data, errors } = await host.graphql(PAGE, { ...variables, after }, 'ghp_dev-1');
    expect(errors).toEqual([]);
    const page = data.repository.pullRequests;
    rows.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return rows;
    after = page.pageInfo.endCursor;
    await between();
  }
}

const distinct = (rows: readonly Row[]) => new Set(rows.map(({ number }) => number)).size;
/** Three comments a page, each ten seconds after the one before. */
const life = (each = 3) => {
  let turn = 0;
  return async () => {
    for (let count = 0; count < each; count += 1) {
      turn += 37;
      await host.control('POST', 'clock', { advanceSeconds: 10 });
      await host.control('POST', `repos/load/big/pulls/${(turn % COUNT) + 1}/entries`, {
        kind: 'comment',
        by: 'dev-1',
      });
    }
  };
};

describe('pages of pull requests', () => {
  test.each(['ASC', 'DESC'])(
    'hold every pull request once and in order while nothing moves (%s)',
    async (direction) => {
      const rows = await walk({ field: 'UPDATED_AT', direction });

      const times = rows.map(({ updatedAt }) => updatedAt);
      expect(distinct(rows)).toBe(COUNT);
      expect(rows).toHaveLength(COUNT);
      expect(times).toEqual(direction === 'ASC' ? [...times].sort() : [...times].sort().reverse());
    },
  );

  test('by creation miss and repeat nothing while pull requests change', async () => {
    const rows = await walk({ field: 'CREATED_AT', direction: 'ASC' }, life());

    expect(rows).toHaveLength(COUNT);
    expect(distinct(rows)).toBe(COUNT);
  });

  test('by update date, newest first, miss only what moved ahead of the cursor, and repeat nothing', async () => {
    const before = new Map(
      (await walk({ field: 'UPDATED_AT', direction: 'DESC' })).map((row) => [row.number, row.updatedAt]),
    );

    const rows = await walk({ field: 'UPDATED_AT', direction: 'DESC' }, life());

    const after = new Map(
      (await walk({ field: 'UPDATED_AT', direction: 'DESC' })).map((row) => [row.number, row.updatedAt]),
    );
    const seen = new Set(rows.map(({ number }) => number));
    const missed = [...after.keys()].filter((number) => !seen.has(number));
    expect(distinct(rows)).toBe(rows.length);
    expect(missed.length).toBeGreaterThan(0);
    expect(missed.every((number) => before.get(number) !== after.get(number))).toBe(true);
  });

  test('by update date, oldest first, show again what moved behind the cursor', async () => {
    const rows = await walk({ field: 'UPDATED_AT', direction: 'ASC' }, life(1));

    expect(distinct(rows)).toBe(COUNT);
    expect(rows.length).toBeGreaterThan(COUNT);
  });

  test('of one state count and hold only that state', async () => {
    const { data } = await host.graphql(PAGE, { field: 'CREATED_AT', direction: 'ASC', states: ['OPEN'] }, 'ghp_dev-1');
    const rows = await walk({ field: 'CREATED_AT', direction: 'DESC', states: ['OPEN'] });

    expect(rows).toHaveLength(data.repository.pullRequests.totalCount);
    expect(rows.length).toBeLessThan(COUNT);
  });

  test('are refused after a cursor that the host never gave', async () => {
    const { data, errors } = await host.graphql(
      PAGE,
      { field: 'CREATED_AT', direction: 'ASC', after: 'nonsense' },
      'ghp_dev-1',
    );

    expect(data.repository).toBeNull();
    expect(errors[0]).toMatchObject({ type: 'INVALID_CURSOR_ARGUMENTS', path: ['repository', 'pullRequests'] });
  });

  test('read backwards give the same rows', async () => {
    const { data } = await host.graphql(
      `{ repository(owner: "load", name: "big") {
        head: pullRequests(first: 3) { nodes { number } pageInfo { endCursor } }
        tail: pullRequests(last: 2) { nodes { number } pageInfo { hasNextPage hasPreviousPage startCursor } }
      } }`,
      {},
      'ghp_dev-1',
    );

    expect(data.repository.head.nodes.map((node: Row) => node.number)).toEqual([1, 2, 3]);
    expect(data.repository.tail).toMatchObject({
      nodes: [{ number: 199 }, { number: 200 }],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
  });

  test('drift by themselves when the control says so', async () => {
    await host.control('POST', 'drift', { perPage: 3, advanceSeconds: 10 });

    const rows = await walk({ field: 'UPDATED_AT', direction: 'DESC' });

    expect(distinct(rows)).toBeLessThan(COUNT);
  });
});
