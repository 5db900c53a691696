import type { PersonRef } from '#domain/pull-request.ts';
import type { RandomPullRequest } from './random-history.ts';

/*
 * Made-up pull requests as the simulated host takes them, with all that it tells of them.
 */

const loginOf = (person: PersonRef | null) => person?.login ?? null;

/** Ids of one repository's parts; a host gives no id twice. */
const idAtHost = (number: number, id: string) => number * 100_000 + Number(id);

export function pullAtHost(pull: RandomPullRequest, now: number) {
  const { number, createdAt, commits, reviews, comments, events } = pull;
  const commitAtHost = (commit: (typeof commits)[number]) => ({
    ...{ sha: commit.sha, account: loginOf(commit.author), authorEmail: 'somebody@mail.example' },
    ...{ authorName: commit.authorIsBot ? 'some[bot]' : 'Somebody' },
    ...{ authoredAt: commit.authoredAt, committedAt: commit.committedAt },
    message: pull.messages?.[commit.sha] ?? commit.headline,
  });
  const isOpening = ({ committedAt }: (typeof commits)[number]) => committedAt <= createdAt;
  const entries = [
    ...commits
      .filter((commit) => !isOpening(commit))
      .map((commit) => ({
        ...{ kind: 'commits', at: commit.committedAt, by: loginOf(commit.author) },
        commits: [commitAtHost(commit)],
      })),
    ...reviews.map((review) => ({
      ...{ kind: 'review', at: review.submittedAt, by: loginOf(review.author), id: idAtHost(number, review.id) },
      ...{ state: review.state.toUpperCase(), bodyLength: review.hasBody ? 9 : 0, commit: null },
      comments: comments
        .filter(({ reviewId }) => reviewId === review.id)
        .map((comment) => ({
          ...{ id: idAtHost(number, comment.id), at: comment.createdAt, author: loginOf(comment.author) },
          path: comment.path,
          inReplyTo: comment.inReplyTo === null ? null : idAtHost(number, comment.inReplyTo),
        })),
    })),
    ...comments
      .filter(({ kind }) => kind === 'general')
      .map(({ id, createdAt: at, author }) => ({
        ...{ kind: 'comment', at, by: loginOf(author), id: idAtHost(number, id), body: 'Some words here' },
      })),
    ...events
      .filter(({ type, at }) => type !== 'closed' || at !== pull.mergedAt)
      .map(({ type, at, actor, reviewer }) => ({
        ...{ kind: type, at, by: loginOf(actor) },
        ...(reviewer !== null && { reviewer: { account: reviewer.login } }),
        ...(type === 'merged' && { commit: null }),
        ...(type === 'force_push' && { before: null, after: null }),
      })),
  ];
  return {
    ...{ id: 1_000_000 + number, number, title: pull.title, author: loginOf(pull.author), createdAt },
    openedAsDraft: pull.draft || events.some(({ type }) => type === 'ready_for_review'),
    ...{
      baseRef: pull.baseRef,
      headRef: pull.headRef,
      bodyLength: 10,
      commits: commits.filter(isOpening).map(commitAtHost),
    },
    size: { additions: pull.additions, deletions: pull.deletions, files: pull.files },
    entries: [...entries.sort((a, b) => a.at - b.at), ...marksAtHost(pull, now)],
  };
}

/** What became of its inline comments, of which the host tells no moment. */
export function marksAtHost({ number, marks = {}, threads = {} }: RandomPullRequest, at: number) {
  const entry = (kind: string, comment: string, more: object = {}) => ({
    ...{ kind, at, by: null, comment: idAtHost(number, comment) },
    ...more,
  });
  return [
    ...Object.entries(marks).flatMap(([id, { outdated, minimized, up, down }]) => [
      ...(outdated ? [entry('comment_outdated', id)] : []),
      ...(minimized === null ? [] : [entry('comment_minimized', id, { reason: minimized })]),
      entry('reacted', id, { content: 'THUMBS_UP', count: up }),
      entry('reacted', id, { content: 'THUMBS_DOWN', count: down }),
    ]),
    ...Object.entries(threads).map(([id, { resolved, by }]) =>
      entry(resolved ? 'thread_resolved' : 'thread_unresolved', id, { by: loginOf(by) }),
    ),
  ];
}
