import type { HostError, RateLimit } from './errors.ts';
import type {
  DigestPage,
  LookRequest,
  OpenDigestPage,
  OpenPageRequest,
  PageRequest,
  PullRequestBatch,
  PullRequestPage,
  RepositoryLook,
} from './pages.ts';
import type { HostAccount, HostPullRequest, HostThread } from './pull-request.ts';
import type { HostRepository, HostRole, RepositoryList, RepositoryName } from './repository.ts';
import type { OrganizationTeam, OrganizationTeams } from './teams.ts';
import type { HostRunJobs, HostWorkflowRun, WorkflowRunPage } from './workflow-runs.ts';

/** An agent's account, by its id and the names by which people call it, without `[bot]`. */
export interface NamedAgent {
  readonly id: string;
  readonly names: readonly string[];
}

export interface HostViewer {
  readonly account: HostAccount;
  readonly email: string | null;
  /** Scopes granted to the token; null where the host does not say (fine-grained and app tokens). */
  readonly scopes: readonly string[] | null;
}

export interface HostWebhook {
  readonly id: string;
  readonly active: boolean;
  /** Whether one that delivers to the same address was there already. */
  readonly existed: boolean;
  /** The names of the events that it delivers, as the host's pages show them. */
  readonly events: readonly string[];
}

export interface HostUsage {
  /** Points of the hourly quota, as far as they can be told without the host. */
  readonly points: number;
  /** Null before the first answer and where there is no limit. */
  readonly rate_limit: RateLimit | null;
  /** The same of what is counted in requests, by a quota of its own. */
  readonly requests: { readonly points: number; readonly rate_limit: RateLimit | null };
}

/** One user's eyes on the host: every call is made with their token. */
export interface HostClient {
  /** The host's own clock when it answered last, to the second; null before the first answer and where the host doesn't say. */
  hostTime(): Date | null;
  viewer(): Promise<HostViewer>;
  /**
   * Organisations that the account is a member of, lower-cased logins.
   * @throws HostError `sso_required` where single sign-on hides one of `wanted` from the token, and none is among the others
   */
  organizations(wanted: readonly string[]): Promise<readonly string[]>;
  /** @throws HostError `not_found` or `forbidden` when this token cannot read it */
  repository(owner: string, name: string): Promise<HostRepository>;
  /** The repository wherever it has moved to since. */
  repositoryById(id: string): Promise<HostRepository>;
  /** What the account may do in the repository; null where the host does not say. */
  roleIn(id: string, signal?: AbortSignal): Promise<HostRole | null>;
  /** The account of that id, or of that login; null where the host has none or does not show it. */
  account(
    named: { readonly id: string } | { readonly login: string },
    signal?: AbortSignal,
  ): Promise<HostAccount | null>;
  /** Who started the session in which Copilot's coding agent wrote a pull request; null where the host tells of none. */
  sessionStarter(of: RepositoryName, number: number, signal?: AbortSignal): Promise<HostAccount | null>;
  /**
   * Who assigned `agent` to the one issue that a pull request closes, or called it by its name there; empty where it closes another
   * number of issues, or the token may not read them.
   * @throws HostError `not_found` where the pull request is gone, or the repository is not shown to the token
   */
  issueStarters(
    of: RepositoryName,
    node_id: string,
    agent: NamedAgent,
    signal?: AbortSignal,
  ): Promise<readonly HostAccount[]>;
  /**
   * The threads of these pull requests, by key, given with how many are known of each; null of those that the host could not tell now; without those
   * that are gone.
   */
  reviewThreads(
    wanted: readonly { readonly node_id: string; readonly threads: number }[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly HostThread[] | null>>;
  /**
   * One page of 100 workflow runs that pull requests caused between these moments, both included, newest first.
   * @throws HostError `forbidden` or `not_found` when the token may not read them
   */
  workflowRuns(
    of: RepositoryName,
    wanted: { readonly from: Date; readonly until: Date; readonly page: number },
    signal?: AbortSignal,
  ): Promise<WorkflowRunPage>;
  /** The jobs of all attempts of a run: one request as a rule, a few where an attempt has many or was perhaps stopped. */
  workflowJobs(
    of: RepositoryName,
    run: Pick<HostWorkflowRun, 'id' | 'attempts' | 'outcome'>,
    signal?: AbortSignal,
  ): Promise<HostRunJobs>;
  /** Every repository that the account owns, contributes to or has by an organisation. */
  ownRepositories(): Promise<RepositoryList>;
  /** How many pull requests repositories have, by `node_id`; without those of which the host does not say it, or not in time. */
  pullRequestCounts(node_ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Repositories by their names, in few requests: each, or the failure that says why this token cannot read it or that the host cannot compute it. @throws HostError when the host says nothing about them */
  repositoriesNamed(
    names: readonly RepositoryName[],
    signal: AbortSignal,
  ): Promise<readonly (HostRepository | HostError)[]>;
  /**
   * The teams of an organisation, with those immediate members that stand on the first page, and of teams that `wanted` returns true
   * of all of them; null where there is no organisation of that name, or none that the token may know of.
   * @throws HostError `missing_scope` when the token may not read teams
   */
  organizationTeams(
    login: string,
    wanted: (team: Pick<OrganizationTeam, 'id' | 'slug'>) => boolean,
    signal?: AbortSignal,
  ): Promise<OrganizationTeams | null>;
  /** The organisation of that name if the account administers it, asked now; null where it does not, or there is none. */
  administeredOrganization(login: string): Promise<{ readonly id: string; readonly login: string } | null>;
  /** Whether this token can read all these repositories, by `node_id`. @throws HostError when the host says nothing about one */
  readsAll(node_ids: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** All pull requests by creation date, newest first; `cursor` null begins. */
  pullRequests(of: RepositoryName, page: PageRequest): Promise<PullRequestPage>;
  /** Digests by update date, newest first. */
  changes(of: RepositoryName, cursor: string | null): Promise<DigestPage>;
  /** The open pull requests, page by page. */
  openPullRequests(of: RepositoryName, page: OpenPageRequest): Promise<OpenDigestPage>;
  /** Looks at several repositories in as few points as it takes; null for those of which the host does not tell everything. */
  look(at: readonly LookRequest[], signal: AbortSignal): Promise<readonly (RepositoryLook | null)[]>;
  /** The pull requests behind these keys, in one request where the host can compute it; those gone are in `missing`. */
  pullRequestsById(of: RepositoryName, node_ids: readonly string[], signal?: AbortSignal): Promise<PullRequestBatch>;
  /** `pull` is null when the repository, as the host knows it by this name, has no such pull request. */
  pullRequest(
    of: RepositoryName,
    number: number,
    signal?: AbortSignal,
  ): Promise<{ readonly repository: HostRepository; readonly pull: HostPullRequest | null }>;
  /** Numbers of the open pull requests whose head is this commit; null where the token may not read commits. */
  pullRequestsOfCommit(of: RepositoryName, sha: string): Promise<readonly number[] | null>;
  /**
   * Has the host deliver to `url` what a repository's figures need.
   * @throws HostError `forbidden` or `not_found` when the token may not manage webhooks
   */
  createWebhook(of: RepositoryName, hook: { url: string; secret: string }, signal?: AbortSignal): Promise<HostWebhook>;
  rateLimit(): Promise<RateLimit | null>;
  /** What this client's requests have cost so far, and the quota as of the latest answer. */
  usage(): HostUsage;
}
