import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../../test/support/simulator.ts';
import type { HostClient } from '../client.ts';
import type { HostPullRequest } from '../pull-request.ts';
import { addresses } from './addresses.ts';
import { githubHost } from './host.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const ago = (hours: number) => NOW.getTime() - hours * 3_600_000;
const hello = { owner: 'octo-org', name: 'hello' };

let simulator: RunningSimulator;
beforeAll(async () => {
  // Its clock runs until it is stopped at NOW, and cannot go back.
  simulator = await startSimulator({ world: 'tiny', now: new Date(ago(1)) });
  await simulator.control('clock', { frozen: true, set: NOW.toISOString() });
}, 30_000);
afterAll(() => simulator.stop());
afterEach(async () => {
  await simulator.control('faults', undefined, 'DELETE');
  await simulator.control('limits', undefined, 'DELETE');
});

function as(token: string, fetch = globalThis.fetch, timeout = 10_000): HostClient {
  const web = addresses(simulator.url);
  const settings = { key: 'simulated', label: 'GitHub', ...web, oauth: null, now: () => NOW, timeout, fetch };
  return githubHost(settings).as(token);
}

/** Requests and points that the host counts while `work` goes on. */
async function counting<T>(work: () => Promise<T>) {
  await simulator.control('counters', undefined, 'DELETE');
  const result = await work();
  const report = (await simulator.control('counters')) as {
    kinds: Record<string, { requests: number; points: number }>;
    operations: Record<string, number>;
  };
  return { result, ...report.kinds.graphql, operations: report.operations };
}

let made = 0;
/** A repository of its own with these pull requests, numbered from 1. */
async function aRepository(pulls: readonly object[], more: object = {}) {
  made += 1;
  const name = `made-${made}`;
  await simulator.control('repos', {
    owner: 'octo-org',
    name,
    readers: ['octo', 'mona'],
    admins: ['octo'],
    createdAt: ago(1000),
    ...more,
    pullRequests: pulls.map((pull, index) => aPullRequest(made * 10_000 + index + 1, index + 1, pull)),
  });
  return { owner: 'octo-org', name };
}

const aPullRequest = (id: number, number: number, more: object) => ({
  id,
  number,
  title: `Change ${number}`,
  author: 'mona',
  createdAt: ago(500) + number * 60_000,
  openedAsDraft: false,
  baseRef: 'main',
  headRef: `change-${number}`,
  bodyLength: 10,
  commits: [aCommit(id, 0)],
  size: { additions: 10, deletions: 2, files: [{ path: 'src/main.ts', additions: 10, deletions: 2 }] },
  entries: [],
  ...more,
});

const aCommit = (id: number, index: number) => ({
  sha: `${id}`.padStart(20, '0') + `${index}`.padStart(20, '0'),
  account: 'mona',
  authorName: 'mona',
  authorEmail: 'mona@mail.example',
  authoredAt: ago(501) + index * 1000,
  committedAt: ago(501) + index * 1000,
  message: `Commit ${index}`,
});

const { signal } = new AbortController();
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const aReview = (id: number, more: object = {}) => ({
  kind: 'review',
  at: ago(400) + (id % 1000) * 1000,
  by: 'octo',
  id,
  state: 'COMMENTED',
  bodyLength: 0,
  commit: null,
  comments: [],
  ...more,
});
const inlineComments = (from: number, count: number) =>
  times(count, (index) => ({
    id: from + index,
    at: ago(400),
    author: 'octo',
    path: 'a.ts',
    inReplyTo: index ? from : null,
  }));
const withReviews = (id: number, count: number) => ({
  entries: times(count, (index) => aReview(id + index, { comments: inlineComments((id + index) * 10, 1) })),
});

/** A page of open pull requests and nothing beside it. */
const listing = (cursor: string | null = null) => ({ cursor, changes: false, closer: { threads: [], checks: [] } });

async function allPages(client: HostClient, of: typeof hello, size: number) {
  const pull_requests: HostPullRequest[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.pullRequests(of, { cursor, size });
    pull_requests.push(...page.pull_requests);
    sizes.push(page.page_size);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { pull_requests, numbers: pull_requests.map(({ number }) => number), sizes };
}

describe('a page of pull requests', () => {
  it('holds them with all that happened to them, newest first', async () => {
    const page = await as('ghp_octo').pullRequests(hello, { cursor: null, size: 30 });

    const [bump, remember, , sayHello] = page.pull_requests;
    expect(page).toMatchObject({
      total: 4,
      next_cursor: null,
      page_size: 30,
      skipped: [],
      rate_limit: { limit: 5000 },
    });
    expect(page.repository).toMatchObject({
      id: '101',
      private: false,
      default_branch: 'main',
      pull_requests: 4,
    });
    expect(bump).toMatchObject({
      author: { login: 'dependabot[bot]', type: 'bot', id: '49699333' },
      checks: [
        { name: 'build', outcome: 'failure' },
        { name: 'ci/lint', outcome: 'success' },
      ],
    });
    expect(remember?.review_requests).toMatchObject([
      { account: { login: 'mona' } },
      { team: { handle: '@octo-org/greeters' } },
    ]);
    expect(remember?.events.map(({ type }) => type)).toEqual([
      'ready_for_review',
      'review_requested',
      'review_requested',
    ]);
    expect(sayHello).toMatchObject({
      state: 'merged',
      author: { login: 'mona' },
      reviews: [
        { id: '5001', state: 'changes_requested', has_body: true },
        { id: '5002', state: 'commented', has_body: false },
        { id: '5003', state: 'approved', has_body: true },
      ],
      comments: [
        { id: '6001', kind: 'inline', review_id: '5001', in_reply_to: null, path: 'src/hello.ts' },
        { id: '6002', kind: 'inline', review_id: '5002', in_reply_to: '6001', author: { login: 'mona' } },
      ],
      commit_count: 2,
      review_comment_count: 2,
    });
  });

  it('holds every list to its end, in few requests however long the lists are', async () => {
    const of = await aRepository([
      {
        commits: times(260, (index) => aCommit(1, index)),
        size: {
          additions: 230,
          deletions: 0,
          files: times(230, (index) => ({ path: `src/${index}.ts`, additions: 1, deletions: 0 })),
        },
        entries: [
          ...times(230, (index) => ({ kind: 'comment', at: ago(490) + index * 1000, by: 'octo', id: 100_000 + index })),
          ...times(120, (index) => aReview(200_000 + index, { comments: inlineComments(300_000 + index * 10, 2) })),
          aReview(200_500, { at: ago(300), comments: inlineComments(400_000, 150) }),
          ...times(130, (index) => ({
            kind: index % 2 ? 'ready_for_review' : 'convert_to_draft',
            at: ago(200) + index * 1000,
            by: 'mona',
          })),
          ...times(70, (index) => ({
            kind: 'check',
            at: ago(100) + index * 1000,
            by: null,
            id: 500_000 + index,
            name: `check ${index}`,
            app: 'CI',
            startedAt: ago(100),
            outcome: 'SUCCESS',
          })),
        ],
      },
      {
        entries: times(60, (index) => ({
          kind: 'comment',
          at: ago(490) + index * 1000,
          by: 'octo',
          id: 600_000 + index,
        })),
      },
    ]);

    const { result: page, requests } = await counting(() =>
      as('ghp_octo').pullRequests(of, { cursor: null, size: 30 }),
    );

    const [short, long] = page.pull_requests;
    const inline = long?.comments.filter(({ kind }) => kind === 'inline') ?? [];
    const distinct = (items: readonly { id: string }[] | null | undefined) => new Set(items?.map(({ id }) => id)).size;
    expect(short?.comments).toHaveLength(60);
    expect({
      commits: new Set(long?.commits?.map(({ sha }) => sha)).size,
      files: new Set(long?.files.map(({ path }) => path)).size,
      general: distinct(long?.comments.filter(({ kind }) => kind === 'general')),
      reviews: distinct(long?.reviews),
      inline: distinct(inline),
      of_the_long_review: inline.filter(({ review_id }) => review_id === '200500').length,
      events: distinct(long?.events),
      checks: distinct(long?.checks),
    }).toEqual({
      commits: 260,
      files: 230,
      general: 230,
      reviews: 121,
      inline: 390,
      of_the_long_review: 150,
      events: 130,
      checks: 70,
    });
    expect(long).toMatchObject({ commit_count: 260, comment_count: 230, review_comment_count: 390 });
    // The page, the rest of the timeline side by side and on from its end, and what it tells of.
    expect(requests).toBe(6);
  });

  it('holds inline comments that belong to no review, and their answers, each once', async () => {
    const of = await aRepository([
      {
        entries: [
          { kind: 'inline_comment', at: ago(450), by: 'octo', id: 650_001, path: 'a.ts', inReplyTo: null },
          { kind: 'inline_comment', at: ago(449), by: 'mona', id: 650_002, path: 'a.ts', inReplyTo: 650_001 },
          aReview(650_010, {
            comments: [{ id: 650_003, at: ago(400), author: 'octo', path: 'a.ts', inReplyTo: 650_001 }],
          }),
          aReview(650_011, { comments: inlineComments(650_020, 2) }),
        ],
      },
    ]);

    const { pull_requests } = await as('ghp_octo').pullRequests(of, { cursor: null, size: 30 });

    const [pull] = pull_requests;
    expect(new Map(pull?.comments.map(({ id, review_id, in_reply_to }) => [id, { review_id, in_reply_to }]))).toEqual(
      new Map([
        ['650001', { review_id: null, in_reply_to: null }],
        ['650002', { review_id: null, in_reply_to: '650001' }],
        ['650003', { review_id: '650010', in_reply_to: '650001' }],
        ['650020', { review_id: '650011', in_reply_to: null }],
        ['650021', { review_id: '650011', in_reply_to: '650020' }],
      ]),
    );
    expect(pull?.comments).toHaveLength(5);
    expect(pull?.comments.every(({ kind }) => kind === 'inline')).toBe(true);
    expect(pull?.review_comment_count).toBe(5);
  });

  it('leaves what is to be read on to the request that begins the next one, so that each costs a whole point', async () => {
    const of = await aRepository(times(100, (index) => withReviews(700_000 + index * 10, 3)));

    const { result, requests, points } = await counting(() => allPages(as('ghp_octo'), of, 74));

    expect(result.numbers).toEqual(times(100, (index) => 100 - index));
    expect(result.pull_requests.every(({ comments }) => comments.length === 3)).toBe(true);
    // 74 pull requests; 149 of their 222 reviews; the other 73 and 26 pull requests; their 78 reviews.
    expect({ requests, points }).toEqual({ requests: 4, points: 4 });
  });

  it('tells of a page that the host does not give along to whoever asks for it', async () => {
    const of = await aRepository(times(40, (index) => withReviews(660_000 + index * 10, 1)));
    const client = as('ghp_octo');
    await simulator.control('faults', {
      match: { operation: 'PullRequests', after: 1 },
      effect: { name: 'gateway_timeout' },
    });

    const first = await client.pullRequests(of, { cursor: null, size: 20 });
    const second = client.pullRequests(of, { cursor: first.next_cursor, size: 20 });

    expect(first.pull_requests.map(({ comments }) => comments.length)).toEqual(times(20, () => 1));
    await expect(second).rejects.toMatchObject({ kind: 'unavailable', status: 504 });
  });

  it('that was begun along is begun again where what comes after it is asked for', async () => {
    const of = await aRepository(times(60, (index) => withReviews(670_000 + index * 10, 1)));
    const client = as('ghp_octo');

    const first = await client.pullRequests(of, { cursor: null, size: 20 });
    const again = await client.pullRequests(of, { cursor: null, size: 20 });
    const second = await client.pullRequests(of, { cursor: first.next_cursor, size: 20 });

    const numbers = (page: typeof first) => page.pull_requests.map(({ number }) => number);
    expect(numbers(again)).toEqual(numbers(first));
    expect(numbers(second)).toEqual(times(20, (index) => 40 - index));
  });

  it('has the commits that the timeline leaves out from their own list', async () => {
    const of = await aRepository([{ commits: times(3, (index) => aCommit(680_001, index)) }]);
    const silent: typeof globalThis.fetch = async (...request) => {
      const answer = await globalThis.fetch(...request);
      const body = JSON.parse(await answer.text());
      const [pull] = body.data?.repository?.pullRequests?.nodes ?? [];
      if (pull) pull.timelineItems = { pageCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
      return new Response(JSON.stringify(body), answer);
    };

    const { pull_requests, skipped } = await as('ghp_octo', silent).pullRequests(of, { cursor: null, size: 30 });

    expect(pull_requests[0]?.commits?.map(({ message }) => message)).toEqual(['Commit 0', 'Commit 1', 'Commit 2']);
    expect(skipped).toEqual([]);
  });

  it('goes on where the last one ended and names each once', async () => {
    const of = await aRepository(times(25, () => ({})));

    const { numbers, sizes } = await allPages(as('ghp_octo'), of, 10);

    expect(numbers).toEqual(times(25, (index) => 25 - index));
    expect(sizes).toEqual([10, 10, 10]);
  });

  it('is never larger than the host allows nor smaller than one', async () => {
    expect(await as('ghp_octo').pullRequests(hello, { cursor: null, size: 500 })).toMatchObject({ page_size: 100 });
    expect(await as('ghp_octo').pullRequests(hello, { cursor: null, size: 0 })).toMatchObject({ page_size: 1 });
  });
});

describe('a page that is too much for the host', () => {
  it.each(['bad_gateway', 'gateway_timeout', 'went_wrong', 'resource_limits', 'silent_truncation'])(
    'for %s is asked for at half the size until it works, and nothing is lost',
    async (name) => {
      const of = await aRepository(times(23, (index) => withReviews(800_000 + index * 10, 2)));
      await simulator.control('faults', {
        match: { operation: 'PullRequests', pullRequestsOver: 5 },
        effect: { name },
      });

      const { pull_requests, numbers, sizes } = await allPages(as('ghp_octo'), of, 20);

      expect(numbers).toEqual(times(23, (index) => 23 - index));
      expect(sizes).toEqual(times(5, () => 5));
      expect(pull_requests.every(({ reviews, comments }) => reviews.length === 2 && comments.length === 2)).toBe(true);
    },
  );

  it('in its inline comments is asked for in smaller parts as well', async () => {
    const of = await aRepository(times(10, (index) => withReviews(850_000 + index * 10, 4)));
    const match = { operation: 'Parts', pullRequestsOver: 15 };
    await simulator.control('faults', { match, effect: { name: 'gateway_timeout' } });

    const { pull_requests, sizes } = await allPages(as('ghp_octo'), of, 20);

    expect(pull_requests.map(({ comments }) => comments.length)).toEqual(times(10, () => 4));
    expect(sizes).toEqual([20]);
  });

  it('in its requests for review, for which there was no answer in time, holds each of them once', async () => {
    const requested = { kind: 'review_requested', at: ago(400), by: 'mona', reviewer: { account: 'octo' } };
    const of = await aRepository(times(4, () => ({ entries: [requested] })));
    await simulator.control('faults', { match: { operation: 'Parts', next: 1 }, effect: { name: 'hang' } });

    const { pull_requests } = await allPages(as('ghp_octo', globalThis.fetch, 3_000), of, 20);

    expect(pull_requests.map(({ review_requests }) => review_requests.length)).toEqual(times(4, () => 1));
  });

  it('even for a single pull request is an unavailable host', async () => {
    await simulator.control('faults', { match: { operation: 'PullRequests' }, effect: { name: 'bad_gateway' } });

    await expect(as('ghp_octo').pullRequests(hello, { cursor: null, size: 30 })).rejects.toMatchObject({
      kind: 'unavailable',
      status: 502,
    });
  });

  it('of which a pull request stays cut by itself has its lists read one by one', async () => {
    const of = await aRepository([withReviews(870_000, 2), withReviews(870_010, 1)]);
    await simulator.control('faults', { match: {}, effect: { name: 'silent_truncation' } });

    const page = await as('ghp_octo').pullRequests(of, { cursor: null, size: 30 });

    expect(page.pull_requests.map(({ reviews }) => reviews.length)).toEqual([1, 2]);
    expect(page.skipped).toEqual([]);
  });

  it('keeps a pull request of which the host counts more comments than it lists, and names it', async () => {
    const of = await aRepository([{}]);
    const countingHidden: typeof globalThis.fetch = async (...request) => {
      const answer = await globalThis.fetch(...request);
      const text = (await answer.text()).replaceAll(/("(?:comments|list)":\{"totalCount":)0/g, '$11');
      return new Response(text, answer);
    };

    const page = await as('ghp_octo', countingHidden).pullRequests(of, { cursor: null, size: 30 });
    const { pull } = await as('ghp_octo', countingHidden).pullRequest(of, 1);

    expect(page.pull_requests.map(({ number }) => number)).toEqual([1]);
    expect(pull).toEqual(page.pull_requests[0]);
    expect(page.skipped).toEqual([
      { number: 1, reason: 'kept with what GitHub lists (more-comments: 0 listed, 1 missing)' },
    ]);
  });

  it('of which one pull request is cut has that one read again by itself', async () => {
    const of = await aRepository([withReviews(860_000, 3), {}]);
    await simulator.control('faults', { match: { operation: 'PullRequests' }, effect: { name: 'silent_truncation' } });

    const { result: page, operations } = await counting(() =>
      as('ghp_octo').pullRequests(of, { cursor: null, size: 30 }),
    );

    expect(page.page_size).toBe(30);
    expect(page.pull_requests.map(({ reviews }) => reviews.length)).toEqual([0, 3]);
    expect(operations).toMatchObject({ PullRequests: 1, PullRequestsById: 1 });
  });
});

describe('a list that the host fails over while it is read on', () => {
  /** The host as it loses one item of a list that is read on, as often as said. */
  const losing = (times: number): typeof globalThis.fetch => {
    let left = times;
    return async (...request) => {
      const answer = await globalThis.fetch(...request);
      const body = (await answer.json()) as {
        data: Record<string, { list: { nodes: unknown[] } }[]>;
        errors?: object[];
      };
      for (const [part, nodes] of Object.entries(body.data)) {
        if (!part.startsWith('part_') || left === 0) continue;
        left -= 1;
        nodes[0]!.list.nodes[0] = null;
        const path = [part, 0, 'list', 'nodes', 0];
        body.errors = [...(body.errors ?? []), { type: 'INTERNAL', message: 'It went wrong.', path }];
      }
      return new Response(JSON.stringify(body), answer);
    };
  };

  it('once has its pull request read again by itself', async () => {
    const requested = { kind: 'review_requested', at: ago(400), by: 'mona', reviewer: { account: 'octo' } };
    const of = await aRepository(times(3, () => ({ entries: [requested] })));

    const { pull_requests, skipped } = await as('ghp_octo', losing(1)).pullRequests(of, { cursor: null, size: 30 });

    expect(pull_requests.map(({ review_requests }) => review_requests.length)).toEqual([1, 1, 1]);
    expect(skipped).toEqual([]);
  });

  it('again and again leaves its pull request out, and names it', async () => {
    const comment = (index: number) => ({
      kind: 'comment',
      at: ago(490) + index * 1000,
      by: 'octo',
      id: 880_000 + index,
    });
    const of = await aRepository([{}, { entries: times(60, comment) }]);
    const client = as('ghp_octo', losing(Number.POSITIVE_INFINITY));

    const { pull_requests, skipped } = await client.pullRequests(of, { cursor: null, size: 30 });

    expect(pull_requests.map(({ number }) => number)).toEqual([1]);
    expect(skipped).toEqual([{ number: 2, reason: 'It went wrong.' }]);
  });
});

describe('how the host fails', () => {
  it.each([
    ['cut', 'unavailable'],
    ['cut_in_body', 'unavailable'],
    ['truncated_json', 'unavailable'],
    ['server_error', 'unavailable'],
    ['secondary_limit_403', 'secondary_limit'],
    ['secondary_limit_429', 'secondary_limit'],
    ['secondary_limit_200', 'secondary_limit'],
    ['bad_credentials', 'unauthorized'],
  ])('%s is %s', async (name, kind) => {
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name, retryAfter: 7 } });

    const failure = await as('ghp_octo')
      .pullRequests(hello, { cursor: null, size: 30 })
      .catch((error: unknown) => error);

    const retry_at = kind === 'secondary_limit' ? new Date(NOW.getTime() + 7_000) : null;
    expect(failure).toMatchObject({ kind, retry_at });
  });

  it.each(['bad_gateway', 'gateway_timeout', 'went_wrong'])(
    'where there is nothing to ask for in smaller parts, %s is a host that is unavailable',
    async (name) => {
      await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name } });

      await expect(as('ghp_octo').repository('octo-org', 'hello')).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(as('ghp_octo').pullRequest(hello, 1)).rejects.toMatchObject({ kind: 'unavailable' });
    },
  );

  it.each(['primary_limit', 'primary_limit_new_wording'])('%s says until when to wait', async (name) => {
    await simulator.control('faults', { match: { kind: 'graphql', next: 1 }, effect: { name, resetIn: 90 } });

    const asking = as('ghp_octo').pullRequests(hello, { cursor: null, size: 30 });

    await expect(asking).rejects.toMatchObject({ kind: 'rate_limited', retry_at: new Date(NOW.getTime() + 91_000) });
  });

  it.each([
    ['nobody’s token', 'ghp_nobody', hello, 'unauthorized'],
    ['a repository that there is not', 'ghp_octo', { owner: 'octo-org', name: 'nothing' }, 'not_found'],
    ['a private repository of others', 'ghp_hubot', { owner: 'octo-org', name: 'secret' }, 'not_found'],
  ])('%s', async (_, token, of, kind) => {
    await expect(as(token).repository(of.owner, of.name)).rejects.toMatchObject({ kind });
    await expect(as(token).pullRequests(of, { cursor: null, size: 1 })).rejects.toMatchObject({ kind });
  });

  it('a repository behind single sign-on leads to where that is done', async () => {
    const of = await aRepository([{}]);
    await simulator.control(`repos/${of.owner}/${of.name}`, { saml: true }, 'PATCH');

    await expect(as('ghp_octo').repository(of.owner, of.name)).rejects.toMatchObject({
      kind: 'sso_required',
      link: expect.stringMatching(/^http.*sso/),
    });
  });

  it('a blocked repository is blocked', async () => {
    const of = await aRepository([{}]);
    await simulator.control(`repos/${of.owner}/${of.name}`, { blocked: 'dmca' }, 'PATCH');

    await expect(as('ghp_octo').repository(of.owner, of.name)).rejects.toMatchObject({ kind: 'blocked' });
  });
});

describe('what a token may not read', () => {
  it('checks are unknown to a fine-grained token, the rest is there, and they are not asked for again', async () => {
    const client = as('github_pat_octo');

    const first = await client.pullRequests(hello, { cursor: null, size: 30 });
    const second = await client.pullRequests(hello, { cursor: null, size: 30 });

    expect(first.pull_requests.find(({ number }) => number === 4)?.checks).toBeNull();
    expect(second.pull_requests.find(({ number }) => number === 4)?.checks).toBeNull();
    expect(first.pull_requests.map(({ reviews }) => reviews.length)).toEqual([0, 0, 0, 3]);
  });

  it('checks of a single pull request are unknown to a fine-grained token, by its number and by its key', async () => {
    const byNumber = await as('github_pat_octo').pullRequest(hello, 4);
    const byKey = await as('github_pat_octo').pullRequestsById(hello, [byNumber.pull?.node_id ?? '']);

    expect(byNumber.pull).toMatchObject({ number: 4, checks: null });
    expect(byKey).toMatchObject({ pull_requests: [{ number: 4, checks: null }], skipped: [] });
  });

  it('checks make no fingerprint for a fine-grained token, whether a request asks for them or not', async () => {
    const of = await aRepository([{}, {}]);
    for (const number of [1, 2])
      await simulator.control(`repos/${of.owner}/${of.name}/pulls/${number}/entries`, { kind: 'check', name: 'build' });
    const keys = (await as('ghp_octo').openPullRequests(of, listing())).digests.map(({ node_id }) => node_id);
    const closer = { threads: [], checks: keys };
    const client = as('github_pat_octo');

    const list = () => client.openPullRequests(of, { ...listing(), closer });
    const listed = [await list(), await list()];
    const looking = as('github_pat_octo');
    const look = async () => (await looking.look([{ of, closer }], signal))[0];
    const looks = [await look(), await look()];

    const fingerprints = [...listed.map(({ digests }) => digests), ...looks.map((look) => look?.open)];
    expect(fingerprints).toEqual(times(4, () => listed[0]?.digests));
    expect([...listed, ...looks].map((one) => one?.checks.size)).toEqual([0, 0, 0, 0]);
  });

  it('commits, and the default branch, are unknown to a token without the permission for contents', async () => {
    const id = 710_000;
    const reviewed = { entries: [aReview(id + 1, { commit: aCommit(id, 0).sha })] };
    const merged = { entries: [{ kind: 'merged', at: ago(300), by: 'octo', commit: 'f'.repeat(40) }] };
    const of = await aRepository([reviewed, merged], { private: true });
    await simulator.control('permissions', { contents: false }, 'PATCH');

    const { pull_requests, repository, skipped } = await as('github_pat_octo').pullRequests(of, {
      cursor: null,
      size: 30,
    });
    await simulator.control('permissions', { contents: true }, 'PATCH');

    expect(skipped).toEqual([]);
    expect(repository.default_branch).toBeNull();
    expect(pull_requests.map(({ commits, commit_count }) => [commits, commit_count])).toEqual([
      [null, 1],
      [null, 1],
    ]);
    expect(pull_requests.map(({ merge_commit_sha }) => merge_commit_sha)).toEqual([null, null]);
    expect(pull_requests[1]?.reviews).toMatchObject([{ commit_sha: null }]);
  });

  it('teams have no name for a token without the permission for them', async () => {
    await simulator.control('permissions', { members: false }, 'PATCH');

    const { pull_requests } = await as('github_pat_octo').pullRequests(hello, { cursor: null, size: 30 });
    await simulator.control('permissions', { members: true }, 'PATCH');

    const asked = pull_requests.find(({ number }) => number === 3);
    expect(asked?.review_requests).toEqual([
      { account: expect.objectContaining({ login: 'mona' }) },
      { team: { handle: null } },
    ]);
    expect(
      asked?.events.filter(({ type }) => type === 'review_requested').map(({ reviewer }) => reviewer),
    ).toContainEqual({
      team: { handle: null },
    });
  });

  it('teams have no name for a token without the scope for them', async () => {
    const { pull_requests } = await as('ghp_octo_repo').pullRequests(hello, { cursor: null, size: 30 });

    expect(pull_requests.find(({ number }) => number === 3)?.review_requests).toMatchObject([
      { account: { login: 'mona' } },
      { team: { handle: null } },
    ]);
  });
});

describe('single pull requests', () => {
  it('are read by their keys in one request, and those gone are named', async () => {
    const client = as('ghp_octo');
    const { digests } = await client.changes(hello, null);
    const ids = digests.map(({ node_id }) => node_id);

    const { result: batch, operations } = await counting(() => client.pullRequestsById(hello, [...ids, 'PR_gone']));

    expect(batch.pull_requests.map(({ node_id }) => node_id)).toEqual(ids);
    expect(batch).toMatchObject({ missing: ['PR_gone'], skipped: [] });
    expect(operations).toEqual({ PullRequestsById: 1, Parts: 1 });
  });

  it('are not called gone when it is the repository that the token may not read any more', async () => {
    const of = await aRepository([{}], { private: true });
    const { digests } = await as('ghp_octo').changes(of, null);
    await simulator.control(`repos/${of.owner}/${of.name}`, { readers: [], admins: ['mona'] }, 'PATCH');

    const asking = as('ghp_octo').pullRequestsById(
      of,
      digests.map(({ node_id }) => node_id),
    );

    await expect(asking).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('are read by number as on a page; null when there is none', async () => {
    const client = as('ghp_octo');
    const { pull_requests } = await client.pullRequests(hello, { cursor: null, size: 30 });

    expect((await client.pullRequest(hello, 1)).pull).toEqual(pull_requests.find(({ number }) => number === 1));
    expect((await client.pullRequest(hello, 404)).pull).toBeNull();
    await expect(client.pullRequest({ owner: 'octo-org', name: 'nothing' }, 1)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('that the host cannot compute with all that they hold are read with less, and then on', async () => {
    const of = await aRepository([withReviews(890_000, 3), {}]);
    const light: typeof globalThis.fetch = async (url, init) => {
      const { query, variables } = JSON.parse(String(init?.body));
      const isTooMuch = query.includes('threadsNow') && variables.whole !== false;
      return isTooMuch ? new Response('<html>', { status: 502 }) : await fetch(url, init);
    };
    const { pull } = await as('ghp_octo').pullRequest(of, 1);
    const client = as('ghp_octo', light);

    const byNumber = await client.pullRequest(of, 1);
    const byKey = await client.pullRequestsById(of, [pull?.node_id ?? '']);

    expect(pull?.comments).toHaveLength(3);
    expect([byNumber.pull, ...byKey.pull_requests]).toEqual([pull, pull]);
    expect(byKey.skipped).toEqual([]);
  });

  it('are found by the commit at their head while they are open', async () => {
    const client = as('ghp_octo');
    const { pull: open } = await client.pullRequest(hello, 3);
    const { pull: merged } = await client.pullRequest(hello, 1);

    expect(await client.pullRequestsOfCommit(hello, open?.head_sha ?? '')).toEqual([3]);
    expect(await client.pullRequestsOfCommit(hello, merged?.head_sha ?? '')).toEqual([]);
    expect(await client.pullRequestsOfCommit(hello, '0'.repeat(40))).toEqual([]);
  });
});

describe('who started an agent', () => {
  it('is nobody by its session where the repository has no issues', async () => {
    const message = 'Issues has been disabled in this repository.';
    const client = as('ghp_octo', async () => Response.json({ message }, { status: 410 }));

    expect(await client.sessionStarter(hello, 1)).toBeNull();
  });

  it('is not said to be nobody where the repository is not shown to the token', async () => {
    const of = await aRepository([{}], { private: true });
    const { pull } = await as('ghp_octo').pullRequest(of, 1);
    await simulator.control(`repos/${of.owner}/${of.name}`, { readers: [], admins: ['mona'] }, 'PATCH');
    const client = as('ghp_octo');

    const hidden = { kind: 'not_found' };
    await expect(client.sessionStarter(of, 1)).rejects.toMatchObject(hidden);
    const agent = { id: '1', names: [] };
    await expect(client.issueStarters(of, pull?.node_id ?? '', agent)).rejects.toMatchObject(hidden);
  });

  it('is nobody by an issue that has more assignments and comments than are read', async () => {
    const comments = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ kind: 'comment', at: ago(9), by: 'octo', id: at + 1, body: 'More' }));
    const closing = (count: number) => ({
      closes: [{ number: 70, author: 'mona', body: '@shelf-bot Sort it', entries: comments(count) }],
    });
    const of = await aRepository([closing(100), closing(101)]);
    const client = as('ghp_octo');
    const starters = async (number: number) => {
      const { pull } = await client.pullRequest(of, number);
      const found = await client.issueStarters(of, pull?.node_id ?? '', { id: '1', names: ['shelf-bot'] });
      return found.map(({ login }) => login);
    };

    expect([await starters(1), await starters(2)]).toEqual([['mona'], []]);
  });
});

describe('what changed', () => {
  it('is listed by the last change, newest first', async () => {
    const of = await aRepository([{}, {}, {}]);
    await simulator.control(`repos/${of.owner}/${of.name}/pulls/2/entries`, { kind: 'comment', by: 'octo' });

    const { digests, next_cursor } = await as('ghp_octo').changes(of, null);

    expect(digests.map(({ number }) => number)).toEqual([2, 3, 1]);
    expect(digests[0]?.updated_at).toEqual(NOW);
    expect(next_cursor).toBeNull();
  });

  it.each([
    ['a check', { kind: 'check', by: null, name: 'build' }],
    ['a commit', { kind: 'commits', count: 1 }],
    ['a review request', { kind: 'review_requested', by: 'mona', reviewer: { account: 'octo' } }],
    ['a draft', { kind: 'convert_to_draft', by: 'mona' }],
  ])('shows in the fingerprint of an open pull request: %s', async (_, entry) => {
    const of = await aRepository([{}, {}]);
    const client = as('ghp_octo');
    const look = async () =>
      new Map((await client.openPullRequests(of, listing())).digests.map((one) => [one.number, one.fingerprint]));

    const before = await look();
    const unchanged = await look();
    await simulator.control(`repos/${of.owner}/${of.name}/pulls/1/entries`, entry);
    const after = await look();

    expect(unchanged).toEqual(before);
    expect(after.get(1)).not.toBe(before.get(1));
    expect(after.get(2)).toBe(before.get(2));
  });

  it('shows to a closer look when a thread is resolved', async () => {
    const of = await aRepository([{ entries: [aReview(900_001, { comments: inlineComments(900_100, 1) })] }]);
    const client = as('ghp_octo');
    const [key = ''] = (await client.openPullRequests(of, listing())).digests.map(({ node_id }) => node_id);
    const look = async () =>
      await client.openPullRequests(of, { ...listing(), closer: { threads: [key], checks: [] } });

    const before = await look();
    const unchanged = await look();
    await simulator.control(`repos/${of.owner}/${of.name}/pulls/1/entries`, {
      kind: 'thread_resolved',
      by: 'mona',
      comment: 900_100,
    });
    const after = await look();

    expect(before.looked).toEqual({ threads: 1, checks: 0 });
    expect(unchanged.threads).toEqual(before.threads);
    expect(after.threads.get(key)).not.toBe(before.threads.get(key));
  });

  it('shows to a closer look each single check', async () => {
    const of = await aRepository([{}]);
    const client = as('ghp_octo');
    const [key = ''] = (await client.openPullRequests(of, listing())).digests.map(({ node_id }) => node_id);
    const look = async () =>
      await client.openPullRequests(of, { ...listing(), closer: { threads: [], checks: [key] } });

    const before = await look();
    await simulator.control(`repos/${of.owner}/${of.name}/pulls/1/entries`, { kind: 'check', name: 'build' });
    const after = await look();

    expect(before.looked).toEqual({ threads: 0, checks: 1 });
    expect(after.checks.get(key)).not.toBe(before.checks.get(key));
  });

  it('that is gone is left out of the closer look', async () => {
    const of = await aRepository([{}]);
    const client = as('ghp_octo');
    const closer = { threads: ['PR_gone'], checks: ['PR_gone'] };

    const { looked, threads, checks } = await client.openPullRequests(of, { ...listing(), closer });

    expect(looked).toEqual({ threads: 1, checks: 1 });
    expect([threads.size, checks.size]).toEqual([0, 0]);
  });

  it('leaves out what is closed, and names the latest changes in the same request where they are wanted', async () => {
    const client = as('ghp_octo');

    const { result, requests, points } = await counting(() =>
      client.openPullRequests(hello, { ...listing(), changes: true }),
    );

    expect(result.digests.map(({ number }) => number)).toEqual([3, 4]);
    const { digests, next_cursor } = await client.changes(hello, null);
    expect(result.changes).toMatchObject({ digests, next_cursor });
    expect({ requests, points }).toEqual({ requests: 1, points: 1 });
  });

  it('is looked at with a hundred others, and as closely as one point pays for', async () => {
    const of = await aRepository(times(100, () => ({})));
    const client = as('ghp_octo');
    const keys = (await client.openPullRequests(of, listing())).digests.map(({ node_id }) => node_id);

    const { result, points } = await counting(() =>
      client.openPullRequests(of, { cursor: null, changes: true, closer: { threads: keys, checks: keys } }),
    );

    expect(result).toMatchObject({ digests: { length: 100 }, next_cursor: null, looked: { threads: 100, checks: 47 } });
    expect([result.threads.size, result.checks.size]).toEqual([100, 47]);
    expect(points).toBe(1);
  });
});

describe('a look at many repositories', () => {
  const nothingCloser = { threads: [], checks: [] };

  it('tells of each what a look at it alone tells', async () => {
    const client = as('ghp_octo');
    const of = await aRepository([{ entries: [aReview(910_001, { comments: inlineComments(910_100, 1) })] }, {}]);
    await simulator.control(`repos/${of.owner}/${of.name}/pulls/2/entries`, { kind: 'check', name: 'build' });
    const alone = await client.openPullRequests(of, { ...listing(), changes: true });
    const keys = alone.digests.map(({ node_id }) => node_id);
    const closer = { threads: keys, checks: keys };
    const closely = await client.openPullRequests(of, { ...listing(), closer });

    const [one, other] = await client.look(
      [
        { of, closer },
        { of: hello, closer: nothingCloser },
      ],
      signal,
    );

    expect(one).toMatchObject({ repository: alone.repository, open: alone.digests, all_open: true, all_changes: true });
    expect(one?.changes).toEqual(alone.changes?.digests);
    expect([one?.threads, one?.checks]).toEqual([closely.threads, closely.checks]);
    expect(other?.open.map(({ number }) => number)).toEqual([3, 4]);
    expect(other?.threads.size).toBe(0);
  });

  it('costs ten points of two hundred repositories with five closer looks each', async () => {
    const client = as('ghp_octo');
    const names = await Promise.all(times(200, () => aRepository([{}])));
    const closer = { threads: ['PR_gone', 'PR_gone', 'PR_gone'], checks: ['PR_gone', 'PR_gone'] };

    const { result, points, requests } = await counting(() =>
      client.look(
        names.map((of) => ({ of, closer })),
        signal,
      ),
    );

    expect(result.map((look) => look?.open.length)).toEqual(times(200, () => 1));
    expect({ points, requests }).toEqual({ points: 10, requests: 10 });
  });

  it('says nothing of one that is gone, hidden, or larger than it reads, and all of the others', async () => {
    const client = as('ghp_octo');
    const large = await aRepository(times(101, () => ({})));
    const of = await aRepository([{}]);
    const hidden = await aRepository([{}], { private: true, readers: ['mona'], admins: ['mona'] });
    const gone = { owner: 'octo-org', name: 'never-was' };

    const looks = await client.look(
      [gone, hidden, large, of].map((one) => ({ of: one, closer: nothingCloser })),
      signal,
    );

    expect(looks.map((look) => look && [look.open.length, look.all_open, look.all_changes])).toEqual([
      null,
      null,
      [100, false, false],
      [1, true, true],
    ]);
  });
});

describe('a look at many repositories of which the host cannot compute one', () => {
  it('says nothing of that one, and all of the others', async () => {
    const names = await Promise.all(times(9, () => aRepository([{}])));
    const { owner, name } = names[4]!;
    const match = { operation: 'LookAtRepository', repository: `${owner}/${name}` };
    await simulator.control('faults', { match, effect: { name: 'went_wrong' } });
    const look = (client: HostClient) =>
      client.look(
        names.map((of) => ({ of, closer: { threads: [], checks: [] } })),
        signal,
      );

    const { result, requests } = await counting(() => look(as('ghp_octo')));

    expect(result.map((one) => one?.open.length ?? null)).toEqual([1, 1, 1, 1, null, 1, 1, 1, 1]);
    // Nine, five, three, two, the first and the second of them, something small, and each time the others.
    expect(requests).toBeLessThanOrEqual(10);
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'bad_gateway' } });
    await expect(look(as('ghp_octo'))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

interface Changeable {
  pullRequests: { pageInfo: object };
  pullRequest: object | null;
}

/** The host as it answers once `change` was at what it tells of the repository. */
const answering =
  (change: (repository: Changeable, variables: { after: string | null }) => void): typeof globalThis.fetch =>
  async (url, init) => {
    const answer = await fetch(url, init);
    const body = (await answer.json()) as { data: { repository: Changeable } };
    if (String(url).endsWith('/graphql')) change(body.data.repository, JSON.parse(String(init?.body)).variables);
    return new Response(JSON.stringify(body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  };

describe('an answer that cannot be right', () => {
  it('is not followed where a page goes on where it began', async () => {
    const of = await aRepository(times(4, () => ({})));
    const turning = answering((repository, { after }) => {
      if (after !== null) repository.pullRequests.pageInfo = { hasNextPage: true, endCursor: after };
    });
    const client = as('ghp_octo', turning);
    const { next_cursor } = await client.pullRequests(of, { cursor: null, size: 1 });

    expect(next_cursor).not.toBeNull();
    await expect(client.pullRequests(of, { cursor: next_cursor, size: 1 })).rejects.toMatchObject({
      kind: 'too_heavy',
    });
  });

  it('calls no pull request gone where it is left out without a word', async () => {
    const silent = answering((repository) => {
      repository.pullRequest = null;
    });

    await expect(as('ghp_octo', silent).pullRequest(hello, 3)).rejects.toMatchObject({ kind: 'protocol' });
  });

  it('names none of what changed where the host failed inside it, and says so', async () => {
    const match = { operation: 'Changes', next: 1 };
    await simulator.control('faults', { match, effect: { name: 'lost_node', index: 1 } });
    const client = as('ghp_octo');

    const [lost, whole] = [await client.changes(hello, null), await client.changes(hello, null)];

    const reason = 'Something went wrong inside this pull request.';
    expect([lost.untold, whole.untold]).toEqual([[{ after: 1, reason }], []]);
    expect(lost.digests).toEqual(whole.digests.toSpliced(1, 1));
  });

  it('gives nobody the threads of another where it is about fewer pull requests than were asked for', async () => {
    const client = as('ghp_octo', async (url, init) => {
      const answer = await fetch(url, init);
      const body = (await answer.json()) as { data: { nodes: object[] } };
      body.data.nodes = body.data.nodes.slice(-1);
      return new Response(JSON.stringify(body), answer);
    });
    const { digests } = await as('ghp_octo').changes(hello, null);
    const wanted = digests.map(({ node_id }) => ({ node_id, threads: 1 }));

    await expect(client.reviewThreads(wanted, signal)).rejects.toMatchObject({ kind: 'protocol' });
  });
});

describe('a repository on which the host computes little', () => {
  it('is looked at in small pages, and how small is found out once', async () => {
    const of = await aRepository(times(12, () => ({})));
    const match = { operation: 'OpenPullRequests', pullRequestsOver: 4 };
    await simulator.control('faults', { match, effect: { name: 'bad_gateway' } });
    const client = as('ghp_octo');

    const first = await client.openPullRequests(of, listing());
    const { result: second, requests } = await counting(() => client.openPullRequests(of, listing(first.next_cursor)));

    expect([...first.digests, ...second.digests].map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(requests).toBe(1);
  });

  it('is asked for large pages again after one that it could not even do for a single pull request', async () => {
    const of = await aRepository(times(12, () => ({})));
    const client = as('ghp_octo');
    const fail = (match: object) => simulator.control('faults', { match, effect: { name: 'bad_gateway' } });
    await fail({ operation: 'OpenPullRequests', pullRequestsOver: 4 });
    const first = await client.openPullRequests(of, listing());
    await fail({ operation: 'OpenPullRequests' });
    await expect(client.openPullRequests(of, listing(first.next_cursor))).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await simulator.control('faults', undefined, 'DELETE');

    const { digests } = await client.changes(of, null);

    expect(digests).toHaveLength(12);
  });
});

describe('a repository', () => {
  it('is found under its old name after it was renamed, and by its id', async () => {
    const of = await aRepository([{}]);
    const client = as('ghp_octo');
    const { id } = await client.repository(of.owner, of.name);
    await simulator.control(`repos/${of.owner}/${of.name}`, { name: `${of.name}-moved` }, 'PATCH');

    const moved = { id, owner: 'octo-org', name: `${of.name}-moved` };
    expect(await client.repository(of.owner, of.name)).toMatchObject(moved);
    expect(await client.repositoryById(id)).toMatchObject(moved);
    expect(await client.pullRequests(of, { cursor: null, size: 1 })).toMatchObject({ repository: moved, total: 1 });
  });

  it('that was deleted is not found by its id', async () => {
    const of = await aRepository([{}]);
    const client = as('ghp_octo');
    const { id } = await client.repository(of.owner, of.name);
    await simulator.control(`repos/${of.owner}/${of.name}`, { deleted: true }, 'PATCH');

    await expect(client.repositoryById(id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('whose token it is', () => {
  it('is told with organisations and quota', async () => {
    const client = as('ghp_octo');

    expect(await client.viewer()).toMatchObject({
      account: { login: 'octo', type: 'user', name: 'Octo Cat' },
      email: 'octo@mail.example',
      scopes: expect.arrayContaining(['repo', 'read:org']),
    });
    expect(await client.organizations([])).toEqual(['octo-org']);
    expect(await client.rateLimit()).toMatchObject({ limit: 5000 });
  });

  it('has no scopes when it is fine-grained', async () => {
    expect(await as('github_pat_octo').viewer()).toMatchObject({ account: { login: 'octo' }, scopes: null });
  });
});

describe('a webhook', () => {
  const hook = { url: 'https://us.example/webhooks/github/key', secret: 'S' };

  it('is made by who may, and made again it is the same one', async () => {
    const of = await aRepository([]);
    const client = as('ghp_octo');

    const first = await client.createWebhook(of, hook);
    const second = await client.createWebhook(of, { ...hook, secret: 'T' });

    const events = expect.arrayContaining(['pull_request', 'pull_request_review']);
    expect(first).toEqual({ existed: false, id: expect.stringMatching(/^\d+$/), active: true, events });
    expect(second).toEqual({ ...first, existed: true });
  });

  it('is not waited for longer than whoever asks has time', async () => {
    const of = await aRepository([]);
    await simulator.control('faults', { match: { kind: 'rest' }, effect: { name: 'hang' } });

    const made = as('ghp_octo').createWebhook(of, hook, AbortSignal.timeout(200));

    await expect(made).rejects.toMatchObject({ kind: 'unavailable', message: 'GitHub did not answer in time.' });
  });

  it('is refused to who may not', async () => {
    const of = await aRepository([]);

    const failure = await as('ghp_mona')
      .createWebhook(of, hook)
      .catch((error: unknown) => error);

    expect(['forbidden', 'not_found']).toContain((failure as { kind: string }).kind);
  });
});
