import { iso } from '../../clock.ts';
import type { ChangedFile } from '../../history.ts';
import { association, links } from '../../links.ts';
import { hashOf } from '../../random.ts';
import { type AccountState, living } from '../../state/account.ts';
import { nodeId } from '../../state/node-ids.ts';
import type { IssueState, ListedCommit, PullState, RequestedReviewer, ReviewRecord } from '../../state/pull-request.ts';
import { colourOf, filler } from '../../texts.ts';
import { connect, connectPositions, type PageArgs, timed } from '../connection.ts';
import { refusalOfContents, refuseWithoutContents, refuseWithoutMembers } from '../failures.ts';
import type { Fields } from '../schema.ts';
import { commitOf, rollupOf } from './commits.ts';
import { reviewsOf } from './reviews.ts';
import { timelineOf } from './timeline.ts';

export interface ReviewRequest {
  readonly typeName: 'ReviewRequest';
  readonly pull: PullState;
  readonly reviewer: RequestedReviewer;
}

interface LabelNode {
  readonly typeName: 'Label';
  readonly name: string;
  readonly pull: PullState;
}

/** The decision as the latest opinions make it; null where nobody has been asked. */
function decisionOf(pull: PullState): 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null {
  const latest = new Map<AccountState | null, ReviewRecord['state']>();
  for (const review of pull.reviews) {
    if (review.author === pull.author) continue;
    if (review.state === 'APPROVED' || review.state === 'CHANGES_REQUESTED') latest.set(review.author, review.state);
    else if (review.state === 'DISMISSED') latest.delete(review.author);
  }
  const opinions = [...latest.values()];
  if (opinions.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED';
  if (opinions.includes('APPROVED')) return 'APPROVED';
  return pull.requested.length > 0 ? 'REVIEW_REQUIRED' : null;
}

const at = (time: number | null) => (time === null ? null : iso(time));

const pullRequest: Fields<PullState> = {
  id: (pull) => pull.nodeId,
  databaseId: (pull) => (pull.id < 2 ** 31 ? pull.id : null),
  fullDatabaseId: (pull) => String(pull.id),
  number: (pull) => pull.number,
  title: (pull) => pull.title,
  body: (pull) => pull.body ?? filler(pull.bodyLength),
  bodyText: (pull) => pull.body ?? filler(pull.bodyLength),
  url: (pull, _args, { url }) => links.pull(url, pull),
  permalink: (pull, _args, { url }) => links.pull(url, pull),
  resourcePath: (pull) => links.pull('', pull),
  state: (pull) => pull.state,
  isDraft: (pull) => pull.draft,
  closed: (pull) => pull.state !== 'OPEN',
  merged: (pull) => pull.state === 'MERGED',
  locked: () => false,
  createdAt: (pull) => iso(pull.createdAt),
  updatedAt: (pull) => iso(pull.updatedAt),
  publishedAt: (pull) => iso(pull.createdAt),
  closedAt: (pull) => at(pull.closedAt),
  mergedAt: (pull) => at(pull.mergedAt),
  additions: (pull) => pull.additions,
  deletions: (pull) => pull.deletions,
  changedFiles: (pull) => pull.changedFiles,
  baseRefName: (pull) => pull.baseRef,
  headRefName: (pull) => pull.headRef,
  headRefOid: (pull) => pull.head || '0'.repeat(40),
  isCrossRepository: () => false,
  authorAssociation: (pull) => association(pull.repository, living(pull.author)),
  reviewDecision: decisionOf,
  totalCommentsCount: (pull) =>
    pull.comments.length + pull.reviews.reduce((sum, { comments }) => sum + comments.length, 0),
  author: (pull) => living(pull.author),
  mergedBy: (pull) => living(pull.mergedBy),
  mergeCommit: (pull, _args, { token }) => {
    if (pull.mergeCommit === null) return null;
    refuseWithoutContents(pull.repository, token);
    return commitOf(pull.repository, pull.mergeCommit);
  },
  repository: (pull) => pull.repository,
  baseRepository: (pull) => pull.repository,
  headRepository: (pull) => pull.repository,
  statusCheckRollup: (pull) => rollupOf(pull.repository, pull.head),
  labels: (pull, args: PageArgs) =>
    connectPositions(
      pull.labels.map((name): LabelNode => ({ typeName: 'Label', name, pull })),
      args,
    ),
  closingIssuesReferences: (pull, args: PageArgs) => connectPositions(pull.closes, args),
  assignees: (pull, args: PageArgs) => connectPositions(pull.assignees, args),
  reviewRequests: (pull, args: PageArgs) =>
    connectPositions(
      pull.requested
        .filter((reviewer) => reviewer.typeName === 'Team' || !reviewer.deleted)
        .map((reviewer): ReviewRequest => ({ typeName: 'ReviewRequest', pull, reviewer })),
      args,
    ),
  reviews: (pull, args, { token }) => reviewsOf(pull, args, token.account),
  latestReviews: (pull, args, { token }) => {
    const latest = new Map(
      pull.reviews.filter(({ state }) => state !== 'PENDING').map((review) => [review.author, review]),
    );
    return reviewsOf({ ...pull, reviews: [...latest.values()] }, args, token.account);
  },
  reviewThreads: (pull, args: PageArgs) =>
    connect(
      timed(pull.threads, (thread) => [thread.at, thread.seq]),
      args,
    ),
  comments: (pull, args: PageArgs) =>
    connect(
      timed(pull.comments, (comment) => [comment.at, comment.id]),
      args,
    ),
  commits: (pull, args: PageArgs, { token }) => {
    const page = connectPositions(pull.commits, args);
    const hidden = refusalOfContents(pull.repository, token);
    if (hidden === null) return page;
    const { totalCount, pageInfo } = page;
    return { nodes: page.nodes.map(() => hidden), edges: null, totalCount, pageInfo };
  },
  files: (pull, args: PageArgs) => (pull.files === null ? null : connectPositions(pull.files, args)),
  timelineItems: (pull, args, { token }) => timelineOf(pull, args, token),
};

export const pullRequestAnswers: Record<string, Fields<never>> = {
  PullRequest: pullRequest,
  ReviewRequest: {
    id: (request: ReviewRequest) => nodeId('RR', request.pull.id, request.reviewer.nodeId),
    asCodeOwner: () => false,
    requestedReviewer: ({ reviewer }: ReviewRequest, _args, { token }) => {
      if (reviewer.typeName === 'Team') refuseWithoutMembers(token);
      return reviewer;
    },
    pullRequest: (request: ReviewRequest) => request.pull,
  },
  Issue: {
    number: (issue: IssueState) => issue.number,
    body: (issue: IssueState) => issue.body,
    author: (issue: IssueState) => living(issue.author),
    timelineItems: (issue: IssueState, args: PageArgs) => connectPositions(issue.items, args),
  },
  Label: {
    id: (label: LabelNode) => nodeId('LA', label.pull.repository.id, label.name),
    name: (label: LabelNode) => label.name,
    color: (label: LabelNode) => colourOf(label.name),
    description: () => null,
  },
  PullRequestChangedFile: {
    path: (file: ChangedFile) => file.path,
    additions: (file: ChangedFile) => file.additions,
    deletions: (file: ChangedFile) => file.deletions,
    changeType: (file: ChangedFile) => (file.deletions === 0 && hashOf(file.path) % 4 === 0 ? 'ADDED' : 'MODIFIED'),
  },
  PullRequestCommit: {
    id: (listed: ListedCommit) => nodeId('PURC', listed.pull.id, listed.commit.sha),
    commit: (listed: ListedCommit) => ({
      ...commitOf(listed.pull.repository, listed.commit.sha),
      commit: listed.commit,
    }),
    pullRequest: (listed: ListedCommit) => listed.pull,
    url: (listed: ListedCommit, _args, { url }) => `${links.pull(url, listed.pull)}/commits/${listed.commit.sha}`,
    resourcePath: (listed: ListedCommit) => `${links.pull('', listed.pull)}/commits/${listed.commit.sha}`,
  },
};
