import { describe, expect, it } from 'vitest';
import type { HostPullRequest } from '../pull-request.ts';
import type { ActorAnswer } from './answers.ts';
import type { GraphqlError } from './failures.ts';
import { GithubGraphql } from './github-graphql.ts';
import { beginReading, finishReading } from './reading.ts';
import { accountOf, reviewerOf } from './translate.ts';

const anActor = (more: Partial<ActorAnswer> = {}): ActorAnswer => ({
  __typename: 'User',
  id: 'U_1',
  databaseId: 1,
  login: 'mona',
  name: 'Mona',
  avatarUrl: 'https://host.test/1.png',
  ...more,
});

const aList = (...nodes: unknown[]) => ({
  totalCount: nodes.length,
  pageInfo: { hasNextPage: false, endCursor: null },
  nodes,
});

const aTimeline = (...nodes: unknown[]) => ({
  pageCount: nodes.length,
  pageInfo: { hasNextPage: false, endCursor: null },
  nodes,
});

const aRollup = (...checks: unknown[]) => ({
  statusCheckRollup: { id: 'SCR_1', contexts: { totalCount: checks.length } },
});

const aReview = (more: object = {}) => ({
  __typename: 'PullRequestReview',
  id: 'PRR_1',
  fullDatabaseId: '90',
  state: 'APPROVED',
  submittedAt: '2026-11-02T10:00:00Z',
  createdAt: '2026-11-02T09:00:00Z',
  body: '',
  author: anActor(),
  commit: { oid: 'c1' },
  comments: { totalCount: 0 },
  ...more,
});

const reviewed = (...reviews: unknown[]) => ({
  reviews: { totalCount: reviews.length },
  timelineItems: aTimeline(...reviews),
});

const anEvent = (__typename: string, more: object = {}) => ({
  __typename,
  id: `E_${__typename}`,
  createdAt: '2026-11-03T10:00:00Z',
  actor: anActor(),
  ...more,
});

const aPullRequest = (more: object = {}) => ({
  id: 'PR_1',
  fullDatabaseId: '4294967297',
  number: 7,
  title: 'Sell shoes',
  url: 'https://host.test/acme/shop/pull/7',
  state: 'OPEN',
  isDraft: false,
  createdAt: '2026-11-01T10:00:00Z',
  updatedAt: '2026-11-03T10:00:00Z',
  closedAt: null,
  mergedAt: null,
  additions: 10,
  deletions: 2,
  changedFiles: 1,
  baseRefName: 'main',
  headRefName: 'shoes',
  headRefOid: 'c1',
  body: '',
  mergeCommit: null,
  author: anActor(),
  mergedBy: null,
  reviewThreads: { totalCount: 0 },
  reviewRequests: { totalCount: 0 },
  reviews: { totalCount: 0 },
  comments: { totalCount: 0 },
  commits: { totalCount: 0 },
  files: aList(),
  timelineItems: aTimeline(),
  statusCheckRollup: null,
  ...more,
});

/** Reads an answer; what it leaves to be asked for is answered with `lists`, one request after the other. */
async function read(answer: unknown, errors: readonly GraphqlError[] = [], lists: readonly unknown[] = []) {
  const left = [...lists];
  const graphql = async () => {
    if (left.length === 0) throw new Error('Nothing is left to ask for.');
    const data = { part_0: [{ list: left.shift() }] };
    return { api: 'graphql' as const, status: 200, headers: {}, body: { data } };
  };
  const github = new GithubGraphql({
    label: 'GitHub',
    now: () => new Date(0),
    token: '',
    rest: () => Promise.reject(new Error('Nothing is asked of REST.')),
    graphql,
  });
  return finishReading(
    github,
    { owner: 'acme', name: 'shop' },
    beginReading(github, [answer], errors, () => ['nodes', 0]),
    undefined,
  );
}

async function understood(
  more: object,
  errors: readonly GraphqlError[] = [],
  lists: readonly unknown[] = [],
): Promise<HostPullRequest> {
  const { pull_requests, skipped } = await read(aPullRequest(more), errors, lists);
  expect(skipped).toEqual([]);
  return pull_requests[0]!;
}

describe('an account', () => {
  it.each([
    ['a person', {}, { id: '1', login: 'mona', type: 'user', name: 'Mona', avatar_url: 'https://host.test/1.png' }],
    [
      'a bot, whose login GraphQL shows without its suffix',
      { __typename: 'Bot', login: 'dependabot', name: undefined },
      { login: 'dependabot[bot]', type: 'bot', name: null },
    ],
    [
      'a bot as REST spells it',
      { __typename: 'Bot', login: 'dependabot[bot]' },
      { login: 'dependabot[bot]', type: 'bot' },
    ],
    ['a person’s placeholder after an import', { __typename: 'Mannequin' }, { id: '1', type: 'mannequin' }],
    ['an organization', { __typename: 'Organization' }, { id: '1', type: 'organization' }],
    [
      'an enterprise’s account, which has no number',
      { __typename: 'EnterpriseUserAccount', databaseId: undefined, id: 'EUA_1' },
      { id: 'EUA_1', type: 'user' },
    ],
    ['a person without a name', { name: '' }, { name: null }],
    ['a bot called ghost, which is not deleted', { __typename: 'Bot', login: 'ghost' }, { login: 'ghost[bot]' }],
  ] as const)('is %s', (_, actor, expected) => {
    expect(accountOf(anActor(actor))).toMatchObject(expected);
  });

  it.each([
    ['null in GraphQL', null],
    ['the stand-in of REST', anActor({ login: 'ghost', databaseId: 10137 })],
  ])('that was deleted is null: %s', (_, actor) => {
    expect(accountOf(actor)).toBeNull();
  });
});

describe('who is asked to review', () => {
  it.each([
    ['a person', anActor(), { account: { login: 'mona' } }],
    ['a bot', anActor({ __typename: 'Bot', login: 'copilot' }), { account: { login: 'copilot[bot]' } }],
    ['a team', { __typename: 'Team', combinedSlug: 'acme/shop' }, { team: { handle: '@acme/shop' } }],
    ['a team that the token may not read', { __typename: 'Team' }, { team: { handle: null } }],
    [
      'an enterprise team, which older servers do not know',
      { __typename: 'EnterpriseTeam' },
      { team: { handle: null } },
    ],
  ])('is %s', (_, reviewer, expected) => {
    expect(reviewerOf(reviewer)).toMatchObject(expected);
  });

  it('is nobody where the host hides them', async () => {
    const asked = aList(
      { requestedReviewer: null },
      { requestedReviewer: { __typename: 'Team', combinedSlug: 'acme/shop' } },
    );
    const { review_requests } = await understood({ reviewRequests: { totalCount: 2 } }, [], [asked]);

    expect(review_requests).toEqual([{ team: { handle: '@acme/shop' } }]);
  });
});

describe('a pull request', () => {
  it('keeps ids beyond 32 bits as they are', async () => {
    expect(await understood({})).toMatchObject({ id: '4294967297', node_id: 'PR_1' });
  });

  it.each([
    ['OPEN', null, null, 'open'],
    ['CLOSED', '2026-11-03T10:00:00Z', null, 'closed'],
    ['MERGED', '2026-11-03T10:00:00Z', '2026-11-03T10:00:00Z', 'merged'],
  ])('that is %s', async (state, closedAt, mergedAt, expected) => {
    const date = (text: string | null) => text && new Date(text);

    expect(await understood({ state, closedAt, mergedAt })).toMatchObject({
      state: expected,
      closed_at: date(closedAt),
      merged_at: date(mergedAt),
    });
  });

  it('keeps the time zone of git out of its commits’ instants', async () => {
    const commit = {
      oid: 'c1',
      authoredDate: '2026-11-01T12:00:00+02:00',
      committedDate: '2026-11-01T10:30:00Z',
      message: 'Sell shoes\n\nCo-authored-by: Hubot <hubot@acme.test>',
      author: { name: 'Mona', email: 'mona@acme.test', user: null },
    };

    const { commits, commit_count } = await understood({
      commits: { totalCount: 1 },
      timelineItems: aTimeline({ __typename: 'PullRequestCommit', id: 'PURC_1', listed: commit }),
    });

    expect(commit_count).toBe(1);
    expect(commits).toEqual([
      {
        sha: 'c1',
        author: null,
        author_name: 'Mona',
        author_email: 'mona@acme.test',
        authored_at: new Date('2026-11-01T10:00:00Z'),
        committed_at: new Date('2026-11-01T10:30:00Z'),
        message: commit.message,
      },
    ]);
  });

  it('of which the host cannot compute what changed is whole without files', async () => {
    expect(await understood({ changedFiles: 0, files: null })).toMatchObject({ changed_files: 0, files: [] });
  });

  it('that cannot be understood is skipped by its number, with the reason', async () => {
    expect(await read(aPullRequest({ state: 'FROZEN' }))).toMatchObject({
      pull_requests: [],
      skipped: [{ number: 7, reason: expect.stringContaining('state') }],
    });
  });

  it('that the host does not give is skipped with the host’s words', async () => {
    const errors = [{ type: 'FORBIDDEN', message: 'Not for you.', path: ['nodes', 0] }];

    expect(await read(null, errors)).toMatchObject({
      pull_requests: [],
      skipped: [{ number: null, reason: 'Not for you.' }],
    });
  });

  it('with one event that cannot be understood is skipped as a whole', async () => {
    expect(
      await read(aPullRequest({ timelineItems: aTimeline(anEvent('MergedEvent', { createdAt: null })) })),
    ).toMatchObject({
      skipped: [{ number: 7, reason: expect.stringContaining('createdAt') }],
    });
  });
});

describe('a review', () => {
  it.each([
    ['APPROVED', 'approved'],
    ['CHANGES_REQUESTED', 'changes_requested'],
    ['COMMENTED', 'commented'],
    ['DISMISSED', 'dismissed'],
  ])('%s', async (state, expected) => {
    const { reviews } = await understood(reviewed(aReview({ state })));

    expect(reviews).toMatchObject([
      { id: '90', state: expected, submitted_at: new Date('2026-11-02T10:00:00Z'), commit_sha: 'c1' },
    ]);
  });

  it('that is not submitted yet is nobody’s business, nor are its comments', async () => {
    const pending = aReview({ state: 'PENDING', submittedAt: null, comments: { totalCount: 3 } });
    const { reviews, comments, review_comment_count } = await understood(reviewed(pending));

    expect({ reviews, comments, review_comment_count }).toEqual({ reviews: [], comments: [], review_comment_count: 0 });
  });

  it.each([
    ['', false, 0],
    [' \n', false, 0],
    ['👍', true, 0],
    ['Well done.', true, 2],
  ])('whose text is %j has a text: %s', async (body, has_body, body_words) => {
    const { reviews } = await understood(reviewed(aReview({ body })));

    expect(reviews[0]).toMatchObject({ has_body, body_words });
  });
});

describe('an event', () => {
  it.each([
    [
      'ReviewRequestedEvent',
      { requestedReviewer: anActor({ login: 'hubot' }) },
      { type: 'review_requested', reviewer: { account: { login: 'hubot' } } },
    ],
    ['ReviewRequestRemovedEvent', { requestedReviewer: null }, { type: 'review_request_removed', reviewer: null }],
    [
      'ReviewDismissedEvent',
      { previousReviewState: 'APPROVED', review: { id: 'PRR_1', fullDatabaseId: '90' } },
      { type: 'review_dismissed', previous_state: 'approved', review_id: '90' },
    ],
    [
      'ReadyForReviewEvent',
      {},
      { type: 'ready_for_review', reviewer: null, review_id: null, previous_state: null, sha: null },
    ],
    ['ConvertToDraftEvent', {}, { type: 'convert_to_draft' }],
    ['HeadRefForcePushedEvent', { afterCommit: { oid: 'c2' } }, { type: 'force_push', sha: 'c2' }],
    ['HeadRefForcePushedEvent', { afterCommit: null }, { type: 'force_push', sha: null }],
    ['MergedEvent', { commit: { oid: 'c3' } }, { type: 'merged', sha: 'c3' }],
    ['ClosedEvent', { actor: null }, { type: 'closed', actor: null }],
    ['ReopenedEvent', {}, { type: 'reopened', actor: { login: 'mona' }, at: new Date('2026-11-03T10:00:00Z') }],
  ])('%s %j', async (name, more, expected) => {
    const { events } = await understood({ timelineItems: aTimeline(anEvent(name, more)) });

    expect(events).toMatchObject([expected]);
  });
});

describe('labels and assignees', () => {
  const labeling = (__typename: string, name: string | null, at: number) => ({
    __typename,
    id: `L_${at}`,
    label: name === null ? null : { name },
  });
  const assignment = (__typename: string, login: string | null, at: number) => ({
    __typename,
    id: `A_${at}`,
    createdAt: `2026-11-02T1${at}:00:00Z`,
    assignee: login === null ? null : anActor({ login, databaseId: login.length }),
  });

  it('are what their events come to', async () => {
    const { labels, assignments } = await understood({
      timelineItems: aTimeline(
        labeling('LabeledEvent', 'bug', 0),
        labeling('LabeledEvent', 'later', 1),
        labeling('UnlabeledEvent', 'bug', 2),
        labeling('LabeledEvent', null, 3),
        assignment('AssignedEvent', 'mona', 4),
        assignment('UnassignedEvent', 'mona', 5),
        assignment('UnassignedEvent', 'hubot', 6),
        assignment('AssignedEvent', null, 7),
        assignment('AssignedEvent', 'mona', 8),
        assignment('AssignedEvent', 'mona', 9),
      ),
    });

    expect(labels).toEqual(['later']);
    expect(
      assignments.map(({ account, at, until }) => [account.login, at.getUTCHours(), until?.getUTCHours()]),
    ).toEqual([
      ['mona', 14, 15],
      ['mona', 18, undefined],
    ]);
  });
});

describe('a check', () => {
  const run = {
    __typename: 'CheckRun',
    id: 'CR_1',
    name: 'test',
    conclusion: 'SUCCESS',
    startedAt: '2026-11-03T09:55:00Z',
    completedAt: '2026-11-03T10:00:00Z',
  };
  const status = {
    __typename: 'StatusContext',
    id: 'SC_1',
    context: 'ci/old',
    statusState: 'FAILURE',
    createdAt: '2026-11-03T10:00:00Z',
  };

  it.each([
    [
      'a run',
      run,
      {
        name: 'test',
        outcome: 'success',
        started_at: new Date('2026-11-03T09:55:00Z'),
        finished_at: new Date('2026-11-03T10:00:00Z'),
      },
    ],
    ['a run that is not done', { ...run, conclusion: null, completedAt: null }, { outcome: null, finished_at: null }],
    ['a run that timed out', { ...run, conclusion: 'TIMED_OUT' }, { outcome: 'timed_out' }],
    [
      'a status',
      status,
      { name: 'ci/old', outcome: 'failure', started_at: null, finished_at: new Date('2026-11-03T10:00:00Z') },
    ],
    ['a status that is pending', { ...status, statusState: 'PENDING' }, { outcome: null, finished_at: null }],
    ['a status that is awaited', { ...status, statusState: 'EXPECTED' }, { outcome: null, finished_at: null }],
  ])('is %s', async (_, check, expected) => {
    const { checks } = await understood(aRollup(check), [], [aList(check)]);

    expect(checks).toMatchObject([expected]);
  });

  it('is known to be missing where the head commit has none', async () => {
    const { checks } = await understood({ statusCheckRollup: null });

    expect(checks).toEqual([]);
  });

  it('is unknown where the token may not read it, and the rest is kept', async () => {
    const path = ['nodes', 0, 'statusCheckRollup', 'contexts'];
    const forbidden = { type: 'FORBIDDEN', message: 'Resource not accessible by personal access token', path };

    const { checks, reviews } = await understood({ ...aRollup(null), ...reviewed(aReview()) }, [forbidden]);

    expect(checks).toBeNull();
    expect(reviews).toHaveLength(1);
  });

  it('is unknown where it was not asked for', async () => {
    const { checks } = await understood({ statusCheckRollup: { id: 'SCR_1' } });

    expect(checks).toBeNull();
  });
});
