import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOW, startTestHost, type TestHost } from '../../../test/support/test-host.ts';
import { awkwardWorld } from '../worlds/awkward.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost(awkwardWorld);
});
afterAll(() => host.close());

/** A pull request of `odd/cases` by its title. */
async function oddCase(title: string, fields: string, token = 'ghp_octo') {
  const numbers = await host.graphql(
    '{ repository(owner: "odd", name: "cases") { pullRequests(first: 100) { nodes { number title } } } }',
  );
  const found = numbers.data.repository.pullRequests.nodes.find((node: { title: string }) => node.title === title);
  const answer = await host.graphql(
    `query ($number: Int!) { repository(owner: "odd", name: "cases") { pullRequest(number: $number) { ${fields} } } }`,
    { number: found.number },
    token,
  );
  expect(answer.errors).toEqual([]);
  return answer.data.repository.pullRequest;
}

describe('what GraphQL says', () => {
  test('a bot is named without [bot] here, and with it in REST', async () => {
    const pull = await oddCase('Opened by a bot', 'number author { __typename login } mergedBy { login }');
    const rest = await host.rest('GET', `/repos/odd/cases/pulls/${pull.number}`);

    expect(pull).toMatchObject({
      author: { __typename: 'Bot', login: 'dependabot' },
      mergedBy: { login: 'dependabot' },
    });
    expect(rest.body.user).toMatchObject({ login: 'dependabot[bot]', type: 'Bot' });
  });

  test('a deleted account is null here, and ghost in REST', async () => {
    const pull = await oddCase('Written by a deleted account', 'number author { login }');
    const rest = await host.rest('GET', `/repos/odd/cases/pulls/${pull.number}`);

    expect(pull.author).toBeNull();
    expect(rest.body.user.login).toBe('ghost');
  });

  test('a pending review is seen by its author alone', async () => {
    const fields =
      'reviews(first: 10) { totalCount nodes { state submittedAt } } reviewThreads(first: 5) { nodes { comments(first: 5) { totalCount } } }';
    const title = 'A pending review that only its author sees';

    expect((await oddCase(title, fields)).reviews).toEqual({
      totalCount: 1,
      nodes: [{ state: 'PENDING', submittedAt: null }],
    });
    expect((await oddCase(title, fields, 'ghp_mona')).reviews.totalCount).toBe(0);
  });

  test('a dismissed review keeps only that, and the event tells what it was', async () => {
    const pull = await oddCase(
      'An approval that is dismissed',
      'reviews(first: 5) { nodes { state } } timelineItems(first: 9, itemTypes: [REVIEW_DISMISSED_EVENT]) { nodes { ... on ReviewDismissedEvent { previousReviewState review { state } } } }',
    );

    expect(pull.reviews.nodes).toEqual([{ state: 'DISMISSED' }]);
    expect(pull.timelineItems.nodes).toEqual([{ previousReviewState: 'APPROVED', review: { state: 'DISMISSED' } }]);
  });

  test('a reply names the comment that it answers', async () => {
    const pull = await oddCase(
      'The author answers inline comments',
      'reviews(first: 9) { nodes { bodyText comments(first: 9) { nodes { id replyTo { id } } } } } reviewThreads(first: 9) { totalCount nodes { comments(first: 9) { totalCount } } }',
    );

    const [question, ...replies] = pull.reviews.nodes;
    const id = question.comments.nodes[0].id;
    expect(question.comments.nodes[0].replyTo).toBeNull();
    expect(
      replies.map(
        (reply: { comments: { nodes: { replyTo: { id: string } }[] } }) => reply.comments.nodes[0]?.replyTo.id,
      ),
    ).toEqual([id, id]);
    expect(pull.reviewThreads).toEqual({ totalCount: 1, nodes: [{ comments: { totalCount: 3 } }] });
  });

  test('a text of white space only stays one', async () => {
    const pull = await oddCase('Reviews with empty and blank texts', 'reviews(first: 9) { nodes { body bodyText } }');

    expect(pull.reviews.nodes.map(({ body }: { body: string }) => body)).toEqual(['', ' \n \n', '']);
  });

  test('a force push lists only the commits that survived', async () => {
    const pull = await oddCase(
      'A force push that drops commits',
      'headRefOid additions commits(first: 9) { totalCount nodes { commit { oid } } } timelineItems(first: 9, itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT]) { nodes { ... on HeadRefForcePushedEvent { afterCommit { oid } } } }',
    );

    expect(pull.commits.totalCount).toBe(1);
    expect(pull.headRefOid).toBe(pull.commits.nodes[0].commit.oid);
    expect(pull.timelineItems.nodes[0].afterCommit.oid).toBe(pull.headRefOid);
    expect(pull.additions).toBe(3);
  });

  test('a merge brings one closed event, whether the history tells of it or not', async () => {
    const fields =
      'state closedAt mergedAt timelineItems(first: 9, itemTypes: [MERGED_EVENT, CLOSED_EVENT]) { nodes { __typename } }';
    const kinds = ['MergedEvent', 'ClosedEvent'].map((__typename) => ({ __typename }));

    for (const title of [
      'Closed in the second of the merge',
      'Closed a second after the merge',
      'Merged without any review',
    ]) {
      const pull = await oddCase(title, fields);
      expect(pull.state).toBe('MERGED');
      expect(pull.timelineItems.nodes).toEqual(kinds);
    }
  });

  test('the timeline counts all items, but pageCount those on the page', async () => {
    const { timelineItems } = await oddCase(
      '140 timeline events',
      'timelineItems(first: 30, itemTypes: [CONVERT_TO_DRAFT_EVENT]) { totalCount filteredCount pageCount nodes { __typename } pageInfo { hasNextPage } }',
    );

    expect(timelineItems).toMatchObject({
      totalCount: 141,
      filteredCount: 70,
      pageCount: 30,
      pageInfo: { hasNextPage: true },
    });
    expect(timelineItems.nodes).toHaveLength(30);
  });

  test('long lists go on behind a hundred', async () => {
    const pull = await oddCase(
      '300 reviews',
      'id reviews(first: 100) { totalCount pageInfo { hasNextPage endCursor } nodes { id } }',
    );
    const next = await host.graphql(
      'query ($id: ID!, $after: String) { node(id: $id) { ... on PullRequest { reviews(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage } } } } }',
      { id: pull.id, after: pull.reviews.pageInfo.endCursor },
    );

    const ids = [...pull.reviews.nodes, ...next.data.node.reviews.nodes].map(({ id }: { id: string }) => id);
    expect(pull.reviews.totalCount).toBe(300);
    expect(new Set(ids).size).toBe(200);
    expect(next.data.node.reviews.pageInfo.hasNextPage).toBe(true);
  });

  test('REST stops listing commits at 250', async () => {
    const pull = await oddCase('320 commits', 'number commits(last: 1) { totalCount }');
    const last = await host.rest('GET', `/repos/odd/cases/pulls/${pull.number}/commits?per_page=100&page=3`);

    expect(pull.commits.totalCount).toBe(320);
    expect(last.body).toHaveLength(50);
    expect(last.headers.get('link')).not.toContain('rel="next"');
  });

  test('a field that GitHub does not have refuses the query as GitHub does', async () => {
    const { status, data, errors } = await host.graphql('{ viewer { shoeSize } }');

    expect(status).toBe(200);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: "Field 'shoeSize' doesn't exist on type 'User'",
        extensions: { code: 'undefinedField', typeName: 'User', fieldName: 'shoeSize' },
      },
    ]);
  });

  test('an unknown id is null among others, with an error of its own', async () => {
    const pull = await oddCase('Labelled only', 'id');
    const { data, errors } = await host.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }', {
      ids: [pull.id, 'PR_nothing'],
    });

    expect(data.nodes).toEqual([{ __typename: 'PullRequest' }, null]);
    expect(errors).toMatchObject([{ type: 'NOT_FOUND', path: ['nodes', 1] }]);
  });

  test('checks of the head, and the pull requests of a commit', async () => {
    const pull = await oddCase(
      'Checks that failed, were skipped and passed',
      'number headRefOid commits(last: 1) { nodes { commit { statusCheckRollup { state contexts(first: 9) { totalCount nodes { __typename } } } } } }',
    );
    const { data } = await host.graphql(
      'query ($oid: GitObjectID!) { repository(owner: "odd", name: "cases") { object(oid: $oid) { ... on Commit { associatedPullRequests(first: 5) { nodes { number } } } } } }',
      { oid: pull.headRefOid },
    );

    const rollup = pull.commits.nodes[0].commit.statusCheckRollup;
    expect(rollup).toMatchObject({
      state: 'ERROR',
      contexts: { totalCount: 2, nodes: [{ __typename: 'CheckRun' }, { __typename: 'StatusContext' }] },
    });
    expect(data.repository.object.associatedPullRequests.nodes).toEqual([{ number: pull.number }]);
  });

  test('a check leaves the update date alone, a comment moves it', async () => {
    const { number, updatedAt } = await oddCase('Labelled only', 'number updatedAt');
    const path = `repos/odd/cases/pulls/${number}/entries`;

    await host.control('POST', path, { kind: 'check', by: null });
    const afterCheck = await oddCase('Labelled only', 'updatedAt');
    await host.control('POST', path, { kind: 'comment', by: 'octo' });
    const afterComment = await oddCase('Labelled only', 'updatedAt');

    expect(afterCheck.updatedAt).toBe(updatedAt);
    expect(Date.parse(afterComment.updatedAt)).toBe(NOW);
  });

  test('without the permissions for contents and members, commits and teams are null with a reason', async () => {
    await host.control('POST', 'repos', { owner: 'odd', name: 'hidden', private: true, readers: ['octo'] });
    await host.control('POST', 'repos/odd/hidden/pulls', { title: 'One', author: 'octo' });
    await host.control('POST', 'repos/odd/hidden/pulls/1/entries', [
      { kind: 'review_requested', by: 'octo', reviewer: { team: 'reviewers' } },
      { kind: 'review', by: 'octo', commit: 'a'.repeat(40) },
    ]);
    await host.control('PATCH', 'permissions', { contents: false, members: false });

    const { data, errors } = await host.graphql(
      `{ repository(owner: "odd", name: "hidden") { defaultBranchRef { name } pullRequest(number: 1) {
        commits(first: 1) { totalCount nodes { commit { oid } } } reviews(first: 1) { nodes { commit { oid } } }
        reviewRequests(first: 1) { nodes { requestedReviewer { __typename } } } } } }`,
      {},
      'github_pat_octo',
    );
    await host.control('PATCH', 'permissions', { contents: true, members: true });

    expect(data.repository).toEqual({
      defaultBranchRef: null,
      pullRequest: {
        commits: { totalCount: 1, nodes: [null] },
        reviews: { nodes: [{ commit: null }] },
        reviewRequests: { nodes: [{ requestedReviewer: null }] },
      },
    });
    const inPull = ['repository', 'pullRequest'];
    const forbidden = { type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' };
    expect(errors).toMatchObject(
      [
        ['repository', 'defaultBranchRef'],
        [...inPull, 'commits', 'nodes', 0],
        [...inPull, 'reviews', 'nodes', 0, 'commit'],
        [...inPull, 'reviewRequests', 'nodes', 0, 'requestedReviewer'],
      ].map((path) => ({ ...forbidden, path })),
    );
  });

  test('of the largest pull requests no file is counted or listed, without an error', async () => {
    await host.control('POST', 'repos', { owner: 'odd', name: 'large' });
    const size = { additions: 0, deletions: 0, files: [], tooLarge: true };
    await host.control('POST', 'repos/odd/large/pulls', { title: 'One', author: 'octo', size });

    const { data, errors } = await host.graphql(
      '{ repository(owner: "odd", name: "large") { pullRequest(number: 1) { changedFiles files(first: 5) { nodes { path } } } } }',
    );

    expect(data.repository.pullRequest).toEqual({ changedFiles: 0, files: null });
    expect(errors).toEqual([]);
  });
});
