import { verify } from '@octokit/webhooks-methods';
import { z } from 'zod';
import type {
  ChangedMembership,
  DeliverySubject,
  HostAppDelivery,
  HostDelivery,
  HostOrganizationDelivery,
  RawDelivery,
} from '../delivery.ts';

/** See `CodeHost.hasSignature` (GitHub documentation, validating webhook deliveries). */
export function hasSignature({ headers }: Pick<RawDelivery, 'headers'>): boolean {
  return /^sha256=[0-9a-f]{64}$/i.test(textOf(headers['x-hub-signature-256']));
}

/** See `CodeHost.isSigned` (GitHub documentation, validating webhook deliveries). */
export async function isSigned({ headers, body }: RawDelivery, secret: string): Promise<boolean> {
  const signature = textOf(headers['x-hub-signature-256']);
  return secret !== '' && body !== '' && signature !== '' && (await verify(secret, body, signature));
}

const textOf = (header: string | readonly string[] | undefined) => (typeof header === 'string' ? header : '');

/** The event's name and the payload, which webhooks set up as a form send in a field (GitHub documentation, creating webhooks). */
function opened({ headers, body }: RawDelivery): { event: string; payload: unknown } | null {
  const form = textOf(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  try {
    const payload: unknown = JSON.parse(form ? (new URLSearchParams(body).get('payload') ?? '') : body);
    return { event: textOf(headers['x-github-event']), payload };
  } catch {
    return null;
  }
}

/** What a number, a commit and a branch can be: whoever has the secret may send anything in their place. */
const number = z.int32().positive();
const sha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i);
const ref = z
  .string()
  .max(1000)
  .regex(/^\P{Cc}*$/u);
const ofPullRequest = z.object({ pull_request: z.object({ number }) });
const issueComment = z.object({ issue: z.object({ number, pull_request: z.object({}).nullish() }) });
const commit = sha.nullish().catch(null);
const push = z.object({ ref, before: commit, after: commit });
const checkSuite = z.object({
  check_suite: z.object({
    head_sha: sha,
    head_branch: z.string().nullish().catch(null),
    pull_requests: z
      .array(z.object({ number, base: z.object({ repo: z.object({ id: z.number() }) }).nullish() }))
      .nullish(),
  }),
  repository: z.object({ id: z.number() }).nullish(),
});
const status = z.object({ sha, branches: z.array(z.unknown()).nullish().catch(null) });
const repository = z.object({ action: z.string() });

const BRANCH = 'refs/heads/';
/** What changes who may read a repository, or how it is called. */
const REPOSITORY_ACTIONS = ['renamed', 'transferred', 'privatized', 'publicized'];
/** After these the people of the repository are asked for again, each with their own token. */
const ACCESS_EVENTS = ['member', 'team_add', 'membership', 'organization', 'team'];

const pullRequestEvent = (payload: unknown): DeliverySubject | null => {
  const read = ofPullRequest.safeParse(payload).data;
  return read ? { kind: 'pull_requests', numbers: [read.pull_request.number] } : null;
};

/** By the event's name in the header `X-GitHub-Event` (docs/server.md#webhooks-and-hints). */
const readers: Record<string, (payload: unknown) => DeliverySubject | null> = {
  ping: () => ({ kind: 'test' }),
  pull_request: pullRequestEvent,
  pull_request_review: pullRequestEvent,
  pull_request_review_comment: pullRequestEvent,
  pull_request_review_thread: pullRequestEvent,
  issue_comment: (payload) => {
    const issue = issueComment.safeParse(payload).data?.issue;
    return issue?.pull_request ? { kind: 'pull_requests', numbers: [issue.number] } : null;
  },
  push: (payload) => {
    const read = push.safeParse(payload).data;
    if (!read?.ref.startsWith(BRANCH)) return null;
    // One that was made or deleted has zeros in place of a commit, which are no pull request's head.
    const heads = [read.before, read.after].filter((one) => one != null);
    return { kind: 'branch', branch: read.ref.slice(BRANCH.length), heads };
  },
  check_suite: (payload) => {
    const read = checkSuite.safeParse(payload).data;
    if (!read) return null;
    // A suite in a fork also names pull requests of other repositories.
    const numbers = (read.check_suite.pull_requests ?? [])
      .filter(({ base }) => base == null || base.repo.id === read.repository?.id)
      .map((one) => one.number);
    const { head_sha, head_branch } = read.check_suite;
    return { kind: 'commit', sha: head_sha, numbers, on_branch: head_branch != null };
  },
  status: (payload) => {
    const read = status.safeParse(payload).data;
    if (!read) return null;
    return { kind: 'commit', sha: read.sha, numbers: [], on_branch: (read.branches ?? []).length > 0 };
  },
  repository: (payload) => {
    const action = repository.safeParse(payload).data?.action;
    if (action === 'deleted') return { kind: 'deleted' };
    return action && REPOSITORY_ACTIONS.includes(action) ? { kind: 'repository' } : null;
  },
};

/** What a repository's webhook is to deliver: all that is read of it, and who may read the repository (docs/operating.md#webhooks). */
export const REPOSITORY_EVENTS: readonly string[] = [
  ...Object.keys(readers).filter((event) => event !== 'ping'),
  'member',
  'team_add',
];

/** Null for other events and for payloads that are not what their event promises. */
function subjectOf(event: string, payload: unknown): DeliverySubject | null {
  if (ACCESS_EVENTS.includes(event)) return accessReaders[event]?.(payload) ? { kind: 'repository' } : null;
  return Object.hasOwn(readers, event) ? (readers[event]?.(payload) ?? null) : null;
}

const named = z.object({ id: z.number() });
const owner = z.object({ login: z.string().min(1) });
const ofRepository = z.object({ repository: named });
const installation = z.object({ installation: z.object({ account: owner }), repositories: z.array(named).nullish() });
const installedRepositories = z.object({
  repositories_added: z.array(named).nullish(),
  repositories_removed: z.array(named).nullish(),
});
const authorization = z.object({ action: z.literal('revoked'), sender: named });
const membership = z.object({ member: named });
const organization = z.object({ organization: owner, membership: z.object({ user: named.nullish() }).nullish() });
const team = z.object({ organization: owner, repository: named.nullish() });

type Access = NonNullable<HostAppDelivery['access']>;
const nobody: Access = { repository_ids: [], owners: [], account_ids: [], revoked: false };
const ids = (list: readonly { readonly id: number }[] | null | undefined) => (list ?? []).map(({ id }) => String(id));

/** Whose access may have changed, by events of which many only a GitHub App hears (GitHub documentation, webhook events and payloads). */
const accessReaders: Record<string, (payload: unknown) => Access | null> = {
  installation: (payload) => {
    const read = installation.safeParse(payload).data;
    // GitHub promises the list of repositories only where the App was installed or taken away: the owner covers the rest.
    return read
      ? { ...nobody, repository_ids: ids(read.repositories), owners: [read.installation.account.login] }
      : null;
  },
  installation_repositories: (payload) => {
    const read = installedRepositories.safeParse(payload).data;
    return read
      ? { ...nobody, repository_ids: [...ids(read.repositories_added), ...ids(read.repositories_removed)] }
      : null;
  },
  github_app_authorization: (payload) => {
    const read = authorization.safeParse(payload).data;
    return read ? { ...nobody, account_ids: ids([read.sender]), revoked: true } : null;
  },
  member: (payload) => {
    const read = membership.safeParse(payload).data;
    return read ? { ...nobody, account_ids: ids([read.member]) } : null;
  },
  membership: (payload) => {
    const read = membership.safeParse(payload).data;
    return read ? { ...nobody, account_ids: ids([read.member]) } : null;
  },
  organization: (payload) => {
    const read = organization.safeParse(payload).data;
    if (!read) return null;
    const user = read.membership?.user;
    return user ? { ...nobody, account_ids: ids([user]) } : { ...nobody, owners: [read.organization.login] };
  },
  team: (payload) => {
    const read = team.safeParse(payload).data;
    if (!read) return null;
    return read.repository
      ? { ...nobody, repository_ids: ids([read.repository]) }
      : { ...nobody, owners: [read.organization.login] };
  },
  team_add: (payload) => {
    const read = ofRepository.safeParse(payload).data;
    return read ? { ...nobody, repository_ids: ids([read.repository]) } : null;
  },
};

const ofTeams = z.object({
  organization: named,
  member: named.nullish(),
  membership: z.object({ user: named.nullish() }).nullish(),
});

function teamsOf(event: string, payload: unknown): HostAppDelivery['teams'] {
  if (!['membership', 'organization', 'team'].includes(event)) return null;
  const read = ofTeams.safeParse(payload).data;
  if (read === undefined) return null;
  const [account_id = null] = ids([read.member ?? read.membership?.user].filter((one) => one != null));
  return { organization_id: String(read.organization.id), account_id };
}

function membershipOf(event: string, payload: unknown): ChangedMembership | null {
  if (event !== 'organization' && event !== 'membership') return null;
  const access = accessReaders[event]?.(payload);
  const of = z.object({ organization: owner }).safeParse(payload).data;
  if (!access || !of) return null;
  const [account_id = null] = access.account_ids;
  return { organization: of.organization.login.toLowerCase(), account_id };
}

/** See `CodeHost.readDelivery`; null for a body that is no JSON. */
export function readDelivery(delivery: RawDelivery): HostDelivery | null {
  const read = opened(delivery);
  if (read === null) return null;
  const { event, payload } = read;
  return { event, subject: subjectOf(event, payload) };
}

/**
 * See `CodeHost.readOrganizationDelivery`: what it says of a repository is what the same event says at that repository's own webhook, also
 * of `member`, `team` and `team_add`.
 */
export function readOrganizationDelivery(delivery: RawDelivery): HostOrganizationDelivery | null {
  const read = opened(delivery);
  if (read === null) return null;
  const { event, payload } = read;
  const repository = ofRepository.safeParse(payload).data?.repository;
  return {
    ...{ event, subject: subjectOf(event, payload), membership: membershipOf(event, payload) },
    repository_id: repository === undefined ? null : String(repository.id),
    teams: teamsOf(event, payload),
  };
}

/** See `CodeHost.readAppDelivery`: the App's own events, or those of the repository that the payload names. */
export function readAppDelivery(delivery: RawDelivery): HostAppDelivery | null {
  const read = opened(delivery);
  if (read === null) return null;
  const { event, payload } = read;
  const membership = membershipOf(event, payload);
  const teams = teamsOf(event, payload);
  if (Object.hasOwn(accessReaders, event))
    return { event, membership, teams, repository: null, access: accessReaders[event]?.(payload) ?? null };
  const subject = subjectOf(event, payload);
  const repository = ofRepository.safeParse(payload).data?.repository;
  return {
    ...{ event, membership, teams },
    repository: subject && repository ? { id: String(repository.id), subject } : null,
    access: null,
  };
}
