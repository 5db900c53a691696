import { iso } from '../clock.ts';
import { reviewText } from '../graphql/answers/reviews.ts';
import type { Commit } from '../history.ts';
import { association, links } from '../links.ts';
import { type AccountState, living, type TeamState } from '../state/account.ts';
import { nodeId } from '../state/node-ids.ts';
import type { CommentState, InlineState, PullState, RepositoryState, ReviewRecord } from '../state/pull-request.ts';
import { fullName } from '../state/repository.ts';
import { lastUpdateOf } from '../state/repository-lists.ts';
import { colourOf, filler } from '../texts.ts';

/** The host's REST shapes, as far as a client of pull requests reads them. `url` is the host's address, `${url}/api/v3` its API. */
export function shapes(url: string) {
  const api = `${url}/api/v3`;
  const at = (time: number | null) => (time === null ? null : iso(time));
  const repositoryUrl = (repository: RepositoryState) => `${api}/repos/${fullName(repository)}`;

  /** A deleted account is `ghost` in REST. */
  const user = (given: AccountState | null) => {
    const account = living(given);
    return {
      login: account?.login ?? 'ghost',
      id: account?.id ?? 10137,
      node_id: account?.nodeId ?? nodeId('U', 10137),
      avatar_url: account === null ? `${url}/avatars/10137` : links.avatar(url, account),
      html_url: account === null ? `${url}/ghost` : links.account(url, account),
      url: `${api}/users/${encodeURIComponent(account?.login ?? 'ghost')}`,
      type: account?.typeName ?? 'User',
      site_admin: false,
    };
  };

  const team = (source: TeamState) => ({
    id: source.id,
    node_id: source.nodeId,
    name: source.name,
    slug: source.slug,
    privacy: source.secret ? 'secret' : 'closed',
    html_url: links.team(url, source),
  });

  /** `viewer` is null for a webhook: then it has no permissions. */
  const repository = (source: RepositoryState, viewer: AccountState | null) => {
    const login = viewer?.login.toLowerCase() ?? '';
    const admin = source.admins.has(login) || source.owner === viewer;
    const updated = iso(lastUpdateOf(source));
    return {
      id: source.id,
      node_id: source.nodeId,
      name: source.name,
      full_name: fullName(source),
      private: source.private,
      visibility: source.private ? 'private' : 'public',
      owner: user(source.owner),
      html_url: links.repository(url, source),
      description: null,
      fork: source.fork,
      url: repositoryUrl(source),
      created_at: iso(source.createdAt),
      updated_at: updated,
      pushed_at: updated,
      default_branch: source.defaultBranch,
      archived: source.archived,
      disabled: source.blocked !== null,
      has_issues: true,
      has_pull_requests: true,
      ...(viewer === null ? {} : { permissions: { admin, maintain: admin, push: admin, triage: admin, pull: true } }),
    };
  };

  const branch = (pull: PullState, ref: string, sha: string) => ({
    label: `${pull.repository.owner.login}:${ref}`,
    ref,
    sha,
    user: user(pull.repository.owner),
    repo: { id: pull.repository.id, name: pull.repository.name, full_name: fullName(pull.repository) },
  });

  /** A pull request as lists and most webhooks hold it: without sizes and counters (GitHub documentation, webhook events and payloads). */
  const listedPull = (pull: PullState) => ({
    id: pull.id,
    node_id: pull.nodeId,
    number: pull.number,
    url: `${repositoryUrl(pull.repository)}/pulls/${pull.number}`,
    html_url: links.pull(url, pull),
    state: pull.state === 'OPEN' ? 'open' : 'closed',
    locked: false,
    title: pull.title,
    body: pull.body ?? (pull.bodyLength === 0 ? null : filler(pull.bodyLength)),
    user: user(pull.author),
    author_association: association(pull.repository, living(pull.author)),
    created_at: iso(pull.createdAt),
    updated_at: iso(pull.updatedAt),
    closed_at: at(pull.closedAt),
    merged_at: at(pull.mergedAt),
    merge_commit_sha: pull.mergeCommit,
    draft: pull.draft,
    assignees: pull.assignees.map((account) => user(account)),
    requested_reviewers: pull.requested
      .filter((reviewer) => reviewer.typeName !== 'Team' && reviewer.typeName !== 'Bot')
      .map((reviewer) => user(reviewer as AccountState)),
    requested_teams: pull.requested
      .filter((reviewer) => reviewer.typeName === 'Team')
      .map((reviewer) => team(reviewer as TeamState)),
    labels: pull.labels.map((name) => ({ name, color: colourOf(name) })),
    milestone: null,
    head: branch(pull, pull.headRef, pull.head),
    base: branch(pull, pull.baseRef, '0'.repeat(40)),
    auto_merge: null,
  });

  const inlineCount = (pull: PullState) =>
    pull.threads.reduce(
      (sum, thread) => sum + thread.comments.filter(({ review }) => review?.state !== 'PENDING').length,
      0,
    );

  const pull = (source: PullState) => ({
    ...listedPull(source),
    merged: source.state === 'MERGED',
    merged_by: source.mergedAt === null ? null : user(source.mergedBy),
    mergeable: source.state === 'OPEN' ? true : null,
    rebaseable: null,
    mergeable_state: 'unknown',
    maintainer_can_modify: false,
    comments: Math.max(source.comments.length, source.recorded?.comments ?? 0),
    review_comments: Math.max(inlineCount(source), source.recorded?.reviewComments ?? 0),
    commits: Math.max(source.commits.length, source.recorded?.commits ?? 0),
    additions: source.additions,
    deletions: source.deletions,
    changed_files: source.changedFiles,
  });

  const review = (source: ReviewRecord) => ({
    id: source.id,
    node_id: nodeId('PRR', source.pull.id, source.id),
    user: user(source.author),
    body: reviewText(source),
    state: source.state,
    html_url: links.review(url, source),
    author_association: association(source.pull.repository, living(source.author)),
    ...(source.state === 'PENDING' ? {} : { submitted_at: iso(source.at) }),
    commit_id: source.commit,
  });

  const inline = (source: InlineState) => ({
    id: source.id,
    node_id: nodeId('PRRC', source.thread.pull.id, source.id),
    pull_request_review_id: source.review?.id ?? null,
    path: source.path,
    commit_id: source.review?.commit ?? null,
    original_commit_id: source.review?.commit ?? null,
    user: user(source.author),
    body: 'A remark on this line.',
    created_at: iso(source.at),
    updated_at: iso(source.at),
    html_url: links.inline(url, source),
    author_association: association(source.thread.pull.repository, living(source.author)),
    ...(source.inReplyTo === null ? {} : { in_reply_to_id: source.inReplyTo.id }),
  });

  const comment = (source: CommentState) => ({
    id: source.id,
    node_id: nodeId('IC', source.pull.id, source.id),
    html_url: links.comment(url, source),
    user: user(source.author),
    created_at: iso(source.at),
    updated_at: iso(source.at),
    body: source.body ?? 'A general remark.',
    author_association: association(source.pull.repository, living(source.author)),
  });

  const commit = (owner: RepositoryState, source: Commit, account: AccountState | null) => ({
    sha: source.sha,
    node_id: nodeId('C', owner.id, source.sha),
    html_url: links.commit(url, owner, source.sha),
    commit: {
      message: source.message,
      author: { name: source.authorName, email: source.authorEmail, date: iso(source.authoredAt) },
      committer: { name: source.authorName, email: source.authorEmail, date: iso(source.committedAt) },
    },
    author: living(account) === null ? null : user(account),
    committer: living(account) === null ? null : user(account),
    parents: [],
  });

  return { api, user, team, repository, listedPull, pull, review, inline, comment, commit };
}

export type Shapes = ReturnType<typeof shapes>;
