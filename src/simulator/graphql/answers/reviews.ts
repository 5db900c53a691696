import { iso } from '../../clock.ts';
import { association, links } from '../../links.ts';
import { type AccountState, living } from '../../state/account.ts';
import { nodeId } from '../../state/node-ids.ts';
import type { CommentState, InlineState, PullState, ReviewRecord, ThreadState } from '../../state/pull-request.ts';
import { filler } from '../../texts.ts';
import { connect, type PageArgs, timed } from '../connection.ts';
import { refuseWithoutContents } from '../failures.ts';
import type { Fields } from '../schema.ts';
import { commitOf } from './commits.ts';

interface ReviewArgs extends PageArgs {
  readonly states?: readonly string[] | null;
  readonly author?: string | null;
}

/** Whether someone sees a review: a pending one is its author's alone. */
export function seesReview(review: ReviewRecord, viewer: AccountState): boolean {
  return review.state !== 'PENDING' || review.author === viewer;
}

export function reviewsOf(pull: Pick<PullState, 'reviews'>, args: ReviewArgs, viewer: AccountState) {
  const { states, author } = args;
  const asked = pull.reviews.filter(
    (review) =>
      seesReview(review, viewer) &&
      (states == null || states.includes(review.state)) &&
      (author == null || review.author?.login.toLowerCase() === author.toLowerCase()),
  );
  return connect(
    timed(asked, (review) => [review.at, review.id]),
    args,
  );
}

/** The text of a review: as long as the world says, white space only where it says so. */
export function reviewText(review: ReviewRecord): string {
  if (review.body !== null) return review.body;
  return review.blank ? ' \n'.repeat(review.bodyLength).slice(0, review.bodyLength) : filler(review.bodyLength);
}

const smallId = (id: number) => (id < 2 ** 31 ? id : null);
const inline = (comments: readonly InlineState[], args: PageArgs) => {
  const sorted = [...comments].sort((one, other) => one.at - other.at || one.id - other.id);
  return connect(
    timed(sorted, (comment) => [comment.at, comment.id]),
    args,
  );
};
const REMARK = 'A remark on this line.';
const COMMENT = 'A general remark.';

/** All contents, as the host lists them, with and without reactions. */
const REACTIONS = ['THUMBS_UP', 'THUMBS_DOWN', 'LAUGH', 'HOORAY', 'CONFUSED', 'HEART', 'ROCKET', 'EYES'] as const;
interface Reactions {
  readonly content: (typeof REACTIONS)[number];
  readonly comment: InlineState;
}

export const reviewAnswers: Record<string, Fields<never>> = {
  PullRequestReview: {
    id: (review: ReviewRecord) => nodeId('PRR', review.pull.id, review.id),
    databaseId: (review: ReviewRecord) => smallId(review.id),
    fullDatabaseId: (review: ReviewRecord) => String(review.id),
    state: (review: ReviewRecord) => review.state,
    submittedAt: (review: ReviewRecord) => (review.state === 'PENDING' ? null : iso(review.at)),
    createdAt: (review: ReviewRecord) => iso(review.at),
    updatedAt: (review: ReviewRecord) => iso(review.updatedAt),
    publishedAt: (review: ReviewRecord) => (review.state === 'PENDING' ? null : iso(review.at)),
    url: (review: ReviewRecord, _args, { url }) => links.review(url, review),
    body: reviewText,
    bodyText: (review: ReviewRecord) => reviewText(review).trim(),
    author: (review: ReviewRecord) => living(review.author),
    authorAssociation: (review: ReviewRecord) => association(review.pull.repository, living(review.author)),
    commit: (review: ReviewRecord, _args, { token }) => {
      if (review.commit === null) return null;
      refuseWithoutContents(review.pull.repository, token);
      return commitOf(review.pull.repository, review.commit);
    },
    comments: (review: ReviewRecord, args) => inline(review.comments, args),
    pullRequest: (review: ReviewRecord) => review.pull,
    repository: (review: ReviewRecord) => review.pull.repository,
  },
  PullRequestReviewComment: {
    id: (comment: InlineState) => nodeId('PRRC', comment.thread.pull.id, comment.id),
    databaseId: (comment: InlineState) => smallId(comment.id),
    fullDatabaseId: (comment: InlineState) => String(comment.id),
    createdAt: (comment: InlineState) => iso(comment.at),
    updatedAt: (comment: InlineState) => iso(comment.at),
    publishedAt: (comment: InlineState) => iso(comment.at),
    path: (comment: InlineState) => comment.path,
    outdated: (comment: InlineState) => comment.outdated,
    isMinimized: (comment: InlineState) => comment.minimized !== null,
    minimizedReason: (comment: InlineState) => comment.minimized,
    reactionGroups: (comment: InlineState) => REACTIONS.map((content): Reactions => ({ content, comment })),
    subjectType: () => 'LINE',
    state: (comment: InlineState) => (comment.review?.state === 'PENDING' ? 'PENDING' : 'SUBMITTED'),
    body: () => REMARK,
    bodyText: () => REMARK,
    url: (comment: InlineState, _args, { url }) => links.inline(url, comment),
    author: (comment: InlineState) => living(comment.author),
    authorAssociation: (comment: InlineState) => association(comment.thread.pull.repository, living(comment.author)),
    replyTo: (comment: InlineState) => comment.inReplyTo,
    pullRequestReview: (comment: InlineState) => comment.review,
    pullRequest: (comment: InlineState) => comment.thread.pull,
    repository: (comment: InlineState) => comment.thread.pull.repository,
  },
  ReactionGroup: {
    content: ({ content }: Reactions) => content,
    reactors: ({ content, comment }: Reactions) => ({
      totalCount: content === 'THUMBS_UP' || content === 'THUMBS_DOWN' ? comment.thumbs[content] : 0,
    }),
  },
  PullRequestReviewThread: {
    id: (thread: ThreadState) => nodeId('PRRT', thread.pull.id, thread.id),
    isResolved: (thread: ThreadState) => thread.resolved,
    isOutdated: (thread: ThreadState) => thread.comments[0]?.outdated ?? false,
    isCollapsed: (thread: ThreadState) => thread.resolved,
    path: (thread: ThreadState) => thread.path,
    subjectType: () => 'LINE',
    resolvedBy: (thread: ThreadState) => {
      const account = living(thread.resolvedBy);
      return account?.typeName === 'User' ? account : null;
    },
    comments: (thread: ThreadState, args, { token }) =>
      inline(
        thread.comments.filter(({ review }) => review === null || seesReview(review, token.account)),
        args,
      ),
    pullRequest: (thread: ThreadState) => thread.pull,
    repository: (thread: ThreadState) => thread.pull.repository,
  },
  IssueComment: {
    id: (comment: CommentState) => nodeId('IC', comment.pull.id, comment.id),
    databaseId: (comment: CommentState) => smallId(comment.id),
    fullDatabaseId: (comment: CommentState) => String(comment.id),
    createdAt: (comment: CommentState) => iso(comment.at),
    updatedAt: (comment: CommentState) => iso(comment.at),
    publishedAt: (comment: CommentState) => iso(comment.at),
    body: (comment: CommentState) => comment.body ?? COMMENT,
    bodyText: (comment: CommentState) => comment.body ?? COMMENT,
    url: (comment: CommentState, _args, { url }) => links.comment(url, comment),
    author: (comment: CommentState) => living(comment.author),
    authorAssociation: (comment: CommentState) => association(comment.pull.repository, living(comment.author)),
    pullRequest: (comment: CommentState) => comment.pull,
    repository: (comment: CommentState) => comment.pull.repository,
  },
};
