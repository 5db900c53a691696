import { iso } from '../clock.ts';
import type { Entry } from '../history.ts';
import { shapes } from '../rest/shapes.ts';
import type { AccountState } from '../state/account.ts';
import { nodeId } from '../state/node-ids.ts';
import type { OrganizationEvent } from '../state/organizations.ts';
import type { PullRequestEvent, PullState, RepositoryState } from '../state/pull-request.ts';

export interface Delivered {
  readonly event: string;
  readonly action: string | null;
  readonly body: object;
}

/** The events that the host sends for what happened, with payloads as GitHub documents them (webhook events and payloads). */
export function payloadsOf(happening: PullRequestEvent, url: string): readonly Delivered[] {
  const { pull } = happening;
  const shape = shapes(url);
  const repository = shape.repository(pull.repository, null);
  const send = (event: string, action: string | null, actor: PullState['author'], more: object): Delivered => ({
    event,
    action,
    body: { ...(action === null ? {} : { action }), ...more, repository, sender: shape.user(actor) },
  });
  const ofPull = (action: string, actor: PullState['author'], more: object = {}) =>
    send('pull_request', action, actor, { number: pull.number, pull_request: shape.pull(pull), ...more });
  if (happening.kind === 'opened') return [ofPull('opened', pull.author)];
  const { entry } = happening;
  const event = pull.events.at(-1);
  const actor = actorOf(pull, entry);
  switch (entry.kind) {
    case 'commits':
    case 'force_push': {
      const pushed = pull.commits.slice(-(entry.commits?.length ?? 0) || pull.commits.length);
      const push = send('push', null, actor, {
        ref: `refs/heads/${pull.headRef}`,
        before: happening.previousHead,
        after: pull.head,
        forced: entry.kind === 'force_push',
        commits: pushed.map(({ commit }) => ({
          id: commit.sha,
          message: commit.message,
          timestamp: iso(commit.committedAt),
        })),
      });
      if (pull.state !== 'OPEN') return [push];
      return [push, ofPull('synchronize', actor, { before: happening.previousHead, after: pull.head })];
    }
    case 'comment': {
      const comment = pull.comments.find(({ id }) => id === entry.id);
      if (comment === undefined) return [];
      return [send('issue_comment', 'created', actor, { issue: issueOf(pull, url), comment: shape.comment(comment) })];
    }
    case 'comment_deleted':
      return [send('issue_comment', 'deleted', actor, { issue: issueOf(pull, url), comment: { id: entry.id } })];
    case 'review': {
      const review = pull.reviews.find(({ id }) => id === entry.id);
      if (review === undefined || review.state === 'PENDING') return [];
      const thin = shape.listedPull(pull);
      const state = review.state.toLowerCase();
      return [
        send('pull_request_review', 'submitted', actor, {
          review: { ...shape.review(review), state },
          pull_request: thinPull(thin),
        }),
        ...review.comments.map((comment) =>
          send('pull_request_review_comment', 'created', actor, {
            comment: shape.inline(comment),
            pull_request: thinPull(thin),
          }),
        ),
      ];
    }
    case 'inline_comment': {
      const comment = pull.threads.flatMap(({ comments }) => comments).find(({ id }) => id === entry.id);
      if (comment === undefined) return [];
      const more = { comment: shape.inline(comment), pull_request: thinPull(shape.listedPull(pull)) };
      return [send('pull_request_review_comment', 'created', actor, more)];
    }
    case 'review_dismissed': {
      const review = pull.reviews.find(({ id }) => id === entry.review);
      if (review === undefined) return [];
      const dismissed = { ...shape.review(review), state: 'dismissed' };
      return [
        send('pull_request_review', 'dismissed', actor, {
          review: dismissed,
          pull_request: thinPull(shape.listedPull(pull)),
        }),
      ];
    }
    case 'thread_resolved':
    case 'thread_unresolved': {
      const thread = pull.threads.find(({ comments }) => comments.some(({ id }) => id === entry.comment));
      if (thread === undefined) return [];
      const body = { node_id: nodeId('PRRT', pull.id, thread.id), comments: thread.comments.map(shape.inline) };
      const more = { thread: body, pull_request: thinPull(shape.listedPull(pull)), updated_at: iso(entry.at) };
      return [send('pull_request_review_thread', entry.kind.replace('thread_', ''), actor, more)];
    }
    case 'review_requested':
    case 'review_request_removed': {
      const reviewer = event?.requestedReviewer;
      if (reviewer === undefined) return [];
      const who =
        reviewer.typeName === 'Team'
          ? { requested_team: shape.team(reviewer) }
          : { requested_reviewer: shape.user(reviewer) };
      return [ofPull(entry.kind, actor, who)];
    }
    case 'ready_for_review':
      return [ofPull('ready_for_review', actor)];
    case 'convert_to_draft':
      return [ofPull('converted_to_draft', actor)];
    case 'merged':
      return [ofPull('closed', actor)];
    case 'closed':
      return pull.state === 'MERGED' ? [] : [ofPull('closed', actor)];
    case 'reopened':
      return [ofPull('reopened', actor)];
    case 'renamed':
      return [ofPull('edited', actor, { changes: { title: { from: entry.from } } })];
    case 'base_changed':
      return [ofPull('edited', actor, { changes: { base: { ref: { from: entry.from } } } })];
    case 'labeled':
    case 'unlabeled':
      return [ofPull(entry.kind, actor, { label: { name: entry.label } })];
    case 'assigned':
    case 'unassigned':
      return [ofPull(entry.kind, actor, { assignee: event?.assignee ? shape.user(event.assignee) : null })];
    case 'comment_outdated':
    case 'comment_minimized':
    case 'reacted':
      return [];
    case 'check': {
      const check = {
        head_sha: pull.head,
        status: 'completed',
        conclusion: entry.outcome.toLowerCase(),
        app: { slug: entry.app.toLowerCase().replaceAll(' ', '-'), name: entry.app },
        pull_requests: [{ id: pull.id, number: pull.number, head: { ref: pull.headRef, sha: pull.head } }],
      };
      const run = { id: entry.id, name: entry.name, started_at: iso(entry.startedAt), completed_at: iso(entry.at) };
      const suite = {
        id: entry.id,
        head_branch: pull.headRef,
        created_at: iso(entry.startedAt),
        updated_at: iso(entry.at),
      };
      return [
        send('check_run', 'completed', actor, { check_run: { ...check, ...run } }),
        send('check_suite', 'completed', actor, { check_suite: { ...check, ...suite } }),
      ];
    }
    case 'status':
      return [
        send('status', null, actor, {
          id: entry.id,
          sha: pull.head,
          context: entry.context,
          state: entry.state.toLowerCase(),
          branches: [{ name: pull.headRef }],
          created_at: iso(entry.at),
          updated_at: iso(entry.at),
        }),
      ];
    case 'head_ref_deleted':
    case 'other':
      return [];
  }
}

/** What somebody may do in a repository; null where they are no collaborator. */
export type Permission = 'admin' | 'read' | null;

/** Somebody became a collaborator of a repository, is one with other rights, or is none any more. */
export interface CollaboratorChange {
  readonly member: AccountState;
  readonly from: Permission;
  readonly to: Permission;
}

/** What hooks hear of a repository's collaborators (GitHub documentation, webhook events: member). */
export function collaboratorPayload(
  repository: RepositoryState,
  { member, from, to }: CollaboratorChange,
  sender: AccountState,
  url: string,
): Delivered {
  const shape = shapes(url);
  const action = from === null ? 'added' : to === null ? 'removed' : 'edited';
  const changes = {
    added: { permission: { to }, role_name: { to } },
    edited: { old_permission: { from }, permission: { from, to } },
    removed: null,
  }[action];
  const body = {
    action,
    ...(changes !== null && { changes }),
    member: shape.user(member),
    repository: shape.repository(repository, null),
    sender: shape.user(sender),
  };
  return { event: 'member', action, body };
}

/** What organisation hooks hear of teams and people (GitHub documentation, webhook events: membership, organization, team). */
export function organizationPayload(
  { organization, event, action, team, member }: OrganizationEvent,
  sender: AccountState,
  url: string,
): Delivered {
  const shape = shapes(url);
  const people =
    event === 'organization' ? { membership: { user: member && shape.user(member), state: 'active' } } : {};
  const body = {
    action,
    ...(team === null ? {} : { team: { ...shape.team(team), parent: team.parent && shape.team(team.parent) } }),
    ...(event === 'membership' ? { member: member && shape.user(member), scope: 'team' } : people),
    organization: { id: organization.id, login: organization.login },
    sender: shape.user(sender),
  };
  return { event, action, body };
}

/** The account that acted, as the fold recorded it. */
function actorOf(pull: PullState, entry: Entry): PullState['author'] {
  if (entry.kind === 'comment') return pull.comments.find(({ id }) => id === entry.id)?.author ?? null;
  if (entry.kind === 'review') return pull.reviews.find(({ id }) => id === entry.id)?.author ?? null;
  const event = pull.events.findLast(({ at }) => at === entry.at);
  return event?.actor ?? (entry.by === null ? null : pull.author);
}

/** Webhooks about reviews carry a pull request without these. */
function thinPull<T extends { draft: boolean }>(pull: T): Omit<T, 'draft'> {
  const { draft: _, ...thin } = pull;
  return thin;
}

function issueOf(pull: PullState, url: string): object {
  const shape = shapes(url).listedPull(pull);
  return {
    id: pull.id + 1,
    number: pull.number,
    title: pull.title,
    state: shape.state,
    user: shape.user,
    html_url: shape.html_url,
    updated_at: shape.updated_at,
    pull_request: { url: shape.url, html_url: shape.html_url, merged_at: shape.merged_at },
  };
}
