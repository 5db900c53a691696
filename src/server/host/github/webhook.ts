import { verify } from '@octokit/webhooks-methods';
import { z } from 'zod';
import type { HostDelivery } from '../host.ts';

/**
 * True when `signature`, as in the header `X-Hub-Signature-256`, fits the raw body. Compared in constant time
 * (GitHub documentation, validating webhook deliveries).
 */
export async function verifySignature(secret: string, body: string, signature: string): Promise<boolean> {
  return secret !== '' && body !== '' && signature !== '' && (await verify(secret, body, signature));
}

const number = z.number().int().positive();
const ofPullRequest = z.object({ pull_request: z.object({ number }) });
const issueComment = z.object({ issue: z.object({ number, pull_request: z.object({}).nullish() }) });
const push = z.object({ ref: z.string() });
const checkSuite = z.object({
  check_suite: z.object({
    head_sha: z.string(),
    pull_requests: z
      .array(z.object({ number, base: z.object({ repo: z.object({ id: z.number() }) }).nullish() }))
      .nullish(),
  }),
  repository: z.object({ id: z.number() }).nullish(),
});
const status = z.object({ sha: z.string() });
const repository = z.object({ action: z.string() });

const BRANCH = 'refs/heads/';
/** What changes who may read a repository, or how it is called. */
const REPOSITORY_ACTIONS = ['renamed', 'transferred', 'deleted', 'privatized', 'publicized'];

const pullRequestEvent = (payload: unknown): HostDelivery | null => {
  const read = ofPullRequest.safeParse(payload).data;
  return read ? { kind: 'pull_requests', numbers: [read.pull_request.number] } : null;
};

/** By the event's name in the header `X-GitHub-Event` (server specification, section 6). */
const readers: Record<string, (payload: unknown) => HostDelivery | null> = {
  ping: () => ({ kind: 'ping' }),
  pull_request: pullRequestEvent,
  pull_request_review: pullRequestEvent,
  pull_request_review_comment: pullRequestEvent,
  pull_request_review_thread: pullRequestEvent,
  issue_comment: (payload) => {
    const issue = issueComment.safeParse(payload).data?.issue;
    return issue?.pull_request ? { kind: 'pull_requests', numbers: [issue.number] } : null;
  },
  push: (payload) => {
    const ref = push.safeParse(payload).data?.ref;
    return ref?.startsWith(BRANCH) ? { kind: 'branch', branch: ref.slice(BRANCH.length) } : null;
  },
  check_suite: (payload) => {
    const read = checkSuite.safeParse(payload).data;
    if (!read) return null;
    // A suite in a fork also names pull requests of other repositories.
    const numbers = (read.check_suite.pull_requests ?? [])
      .filter(({ base }) => base == null || base.repo.id === read.repository?.id)
      .map((one) => one.number);
    return { kind: 'commit', sha: read.check_suite.head_sha, numbers };
  },
  status: (payload) => {
    const read = status.safeParse(payload).data;
    return read ? { kind: 'commit', sha: read.sha, numbers: [] } : null;
  },
  repository: (payload) => {
    const action = repository.safeParse(payload).data?.action;
    return action && REPOSITORY_ACTIONS.includes(action) ? { kind: 'repository' } : null;
  },
};

/** What a delivery is about; null for other events and for payloads that are not what their event promises. */
export function readDelivery(event: string, payload: unknown): HostDelivery | null {
  return Object.hasOwn(readers, event) ? (readers[event]?.(payload) ?? null) : null;
}
