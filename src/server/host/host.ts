/**
 * What the server may ask of a code host, and how it can fail. Only the composition root names a concrete host;
 * everything else sees this file. Instants are `Date`s, absent is null, logins are as the host shows them to people
 * (a bot's carries `[bot]`).
 */

/** An account of the host. Its identity is `id`, the host's own number as text; logins change. */
export interface HostAccount {
  readonly id: string;
  readonly login: string;
  readonly type: 'user' | 'bot' | 'mannequin' | 'organization';
  readonly name: string | null;
  readonly avatar_url: string | null;
}

/** From the most that one may do to the least. */
export type HostRole = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

/** An agent's account, by its id and the names by which people call it, without `[bot]`. */
export interface NamedAgent {
  readonly id: string;
  readonly names: readonly string[];
}

/** A thread of inline comments as it is now: the host tells no moments. */
export interface HostThread {
  /** The id of the inline comment that opened it. */
  readonly comment_id: string;
  readonly resolved: boolean;
  readonly resolved_by: HostAccount | null;
}

export interface HostTeam {
  /** `@organization/slug`; null where the token may not read teams. */
  readonly handle: string | null;
}

/** A team of an organisation as one token is shown it. */
export interface OrganizationTeam {
  /** Stays the same when the team is renamed. */
  readonly id: string;
  readonly slug: string;
  /** `organization/slug`. */
  readonly handle: string;
  readonly name: string;
  /** Shown to its members and to owners alone. */
  readonly secret: boolean;
  /** The id of the team that it is part of; null where there is none, or this token isn't shown it. */
  readonly parent_id: string | null;
  /** How many immediate members the host counts. */
  readonly size: number;
  /** Immediate members; null where not all of them were told or asked for. */
  readonly members: readonly HostAccount[] | null;
}

/** The teams of an organisation as one token is shown them. */
export interface OrganizationTeams {
  readonly organization: Pick<HostAccount, 'id' | 'login' | 'name' | 'avatar_url'>;
  /** Whether the token's account belongs to it; nobody else is shown a team. */
  readonly is_member: boolean;
  readonly teams: readonly OrganizationTeam[];
  /** False where the host left out some of them. */
  readonly complete: boolean;
}

export type HostReviewer = { readonly account: HostAccount } | { readonly team: HostTeam };

export interface HostRepository {
  readonly id: string;
  /** The key by which the host finds it again in one request with others. */
  readonly node_id: string;
  readonly owner: string;
  /** The host's id of the owner's account; null where it does not say. */
  readonly owner_id: string | null;
  readonly name: string;
  readonly url: string;
  readonly private: boolean;
  readonly archived: boolean;
  readonly default_branch: string | null;
  /** Null where nobody has pushed yet. */
  readonly pushed_at: Date | null;
  readonly pull_requests: number;
}

/** A repository as a list of the account's own tells it: without its pull requests. */
export interface ListedRepository extends Omit<HostRepository, 'pull_requests'> {
  readonly owner_avatar_url: string | null;
  readonly fork: boolean;
  /** Whether the account may manage its webhooks. */
  readonly is_admin: boolean;
}

/** What a list of repositories leaves out, and what to do about it. */
export interface UnlistedRepositories {
  /** Null where it is not of one owner, or the host does not name them. */
  readonly owner: string | null;
  readonly reason: 'sso' | 'refused' | 'failed';
  readonly message: string;
  readonly link: string | null;
}

export interface RepositoryList {
  readonly repositories: readonly ListedRepository[];
  readonly unlisted: readonly UnlistedRepositories[];
}

export interface HostCommit {
  readonly sha: string;
  /** The account of the git author; null when the host knows none. That of a bot is by its address alone, which anybody can write. */
  readonly author: HostAccount | null;
  readonly author_name: string | null;
  readonly author_email: string | null;
  readonly authored_at: Date;
  readonly committed_at: Date;
  readonly message: string;
}

export type HostReviewState = 'approved' | 'changes_requested' | 'commented' | 'dismissed';

/** A submitted review; one that is still pending never leaves the adapter. */
export interface HostReview {
  readonly id: string;
  readonly author: HostAccount | null;
  readonly state: HostReviewState;
  readonly submitted_at: Date;
  readonly has_body: boolean;
  /** Words of its text. */
  readonly body_words: number;
  readonly commit_sha: string | null;
}

/** A general comment of the conversation, or an inline comment: of a review, save those of the years before the host had reviews. */
export interface HostComment {
  readonly id: string;
  readonly kind: 'general' | 'inline';
  readonly author: HostAccount | null;
  readonly created_at: Date;
  /** The review that an inline comment belongs to. */
  readonly review_id: string | null;
  /** The id of the inline comment that it answers. */
  readonly in_reply_to: string | null;
  readonly path: string | null;
  /** Words of a general one's text; null for inline ones. */
  readonly body_words: number | null;
  /** What became of an inline one; null for general ones. */
  readonly marks: HostCommentMarks | null;
}

/** What became of an inline comment, as it is now: the host tells no moments. */
export interface HostCommentMarks {
  /** The lines that it is about have changed since. */
  readonly outdated: boolean;
  /** Why it is hidden (`resolved`, `off-topic` …, `unknown` where no reason is told); null while it is shown. */
  readonly minimized: string | null;
  readonly thumbs_up: number;
  readonly thumbs_down: number;
}

/** Somebody was assigned; `until` is null while they are. */
export interface HostAssignment {
  readonly account: HostAccount;
  readonly at: Date;
  readonly until: Date | null;
}

export type HostEventType =
  | 'review_requested'
  | 'review_request_removed'
  | 'review_dismissed'
  | 'ready_for_review'
  | 'convert_to_draft'
  | 'force_push'
  | 'merged'
  | 'closed'
  | 'reopened';

export interface HostEvent {
  readonly id: string;
  readonly type: HostEventType;
  readonly at: Date;
  readonly actor: HostAccount | null;
  /** Who was asked; only of review_requested and review_request_removed, null where the host hides or forgot them. */
  readonly reviewer: HostReviewer | null;
  /** The review dismissed and the state that it had. */
  readonly review_id: string | null;
  readonly previous_state: HostReviewState | null;
  /** The commit merged, or the head after a force push. */
  readonly sha: string | null;
}

/** A check run or commit status of the head commit. */
export interface HostCheck {
  readonly id: string;
  readonly name: string;
  /** Null while it runs; the host's word in lower case otherwise (`success`, `failure`, `neutral` …). */
  readonly outcome: string | null;
  /** Null for a commit status. */
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface HostChangedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

/** One pull request with every nested list read to its end. */
export interface HostPullRequest {
  readonly id: string;
  /** The key by which the host finds it again in one request with others. */
  readonly node_id: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  readonly draft: boolean;
  readonly author: HostAccount | null;
  readonly merged_by: HostAccount | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
  readonly merged_at: Date | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changed_files: number;
  readonly base_ref: string;
  readonly head_ref: string;
  readonly head_sha: string | null;
  readonly merge_commit_sha: string | null;
  /** The description; looked through and never stored. */
  readonly body: string;
  /** The names of those that it carries now. */
  readonly labels: readonly string[];
  readonly assignments: readonly HostAssignment[];
  readonly commits: readonly HostCommit[];
  readonly reviews: readonly HostReview[];
  readonly comments: readonly HostComment[];
  readonly events: readonly HostEvent[];
  readonly review_requests: readonly HostReviewer[];
  readonly files: readonly HostChangedFile[];
  /** Null where the token may not read checks: the stored ones then stay. */
  readonly checks: readonly HostCheck[] | null;
  /** Counts as the host states them, which can exceed what it lists. */
  readonly commit_count: number;
  readonly comment_count: number;
  readonly review_comment_count: number;
}

/**
 * A pull request that could not be understood: skipped, counted and named in the session's result. The same names one that
 * was kept although the host counts more in it than it lists.
 */
export interface SkippedItem {
  /** Null of one that the host did not tell at all. */
  readonly number: number | null;
  readonly reason: string;
}

export interface PullRequestPage {
  readonly repository: HostRepository;
  readonly pull_requests: readonly HostPullRequest[];
  readonly skipped: readonly SkippedItem[];
  /** Where the next page begins; null after the last. */
  readonly next_cursor: string | null;
  readonly total: number;
  /** The page size that the host could compute, at most the one asked for. */
  readonly page_size: number;
  /** When the host was asked for it first: parts of it may be newer. */
  readonly begun_at: Date;
  /** The newest update date that it named then; null without any. */
  readonly newest: Date | null;
  readonly rate_limit: RateLimit | null;
}

/** What a scan of changes sees of a pull request. */
export interface PullRequestDigest {
  readonly node_id: string;
  readonly number: number;
  readonly updated_at: Date;
}

export interface DigestPage {
  readonly repository: HostRepository;
  readonly digests: readonly PullRequestDigest[];
  readonly next_cursor: string | null;
  readonly rate_limit: RateLimit | null;
}

/** What the list of open pull requests tells of one beside its update date. */
export interface OpenPullRequestDigest extends PullRequestDigest {
  /** Changes with the head commit, how many checks there are and with which results, the draft flag, requests and size. */
  readonly fingerprint: string;
}

export interface OpenPageRequest {
  readonly cursor: string | null;
  /** Whether the latest changes are wanted along. */
  readonly changes: boolean;
  /** Keys of open pull requests to be looked at more closely: as many of the first ones as cost nothing more are. */
  readonly closer: DetailFingerprints<readonly string[]>;
}

/** What a look at one of several repositories is asked for. */
export interface LookRequest {
  readonly of: RepositoryName;
  /** Keys of open pull requests to be looked at more closely, all of them. */
  readonly closer: DetailFingerprints<readonly string[]>;
}

/** What a look at one of several repositories tells. */
export interface RepositoryLook extends DetailFingerprints<ReadonlyMap<string, string>> {
  readonly repository: HostRepository;
  /** The open pull requests; `all_open` is false where there are more. */
  readonly open: readonly OpenPullRequestDigest[];
  readonly all_open: boolean;
  /** The latest changes; `all_changes` is false where there are more. */
  readonly changes: readonly PullRequestDigest[];
  readonly all_changes: boolean;
}

/** What only a closer look tells: which threads are resolved, and each single check. */
export interface DetailFingerprints<T> {
  readonly threads: T;
  readonly checks: T;
}

/** By key, fingerprints of those that were looked at more closely and can be: the others are gone or hidden from this token. */
export interface OpenDigestPage extends DetailFingerprints<ReadonlyMap<string, string>> {
  readonly repository: HostRepository;
  readonly digests: readonly OpenPullRequestDigest[];
  readonly next_cursor: string | null;
  /** As the first page of `changes`; null where it was not asked for. */
  readonly changes: Pick<DigestPage, 'digests' | 'next_cursor'> | null;
  /** How many of the keys were looked at. */
  readonly looked: DetailFingerprints<number>;
  readonly rate_limit: RateLimit | null;
}

/** How an attempt of a workflow run, or a job in one, ended; `other` where it says nothing about the code: skipped, neutral. */
export type HostRunOutcome = 'succeeded' | 'failed' | 'cancelled' | 'other';

/** A run of a workflow that a pull request caused, as of its latest attempt. */
export interface HostWorkflowRun {
  readonly id: string;
  readonly workflow: string;
  readonly head_branch: string | null;
  readonly head_sha: string;
  readonly created_at: Date;
  /** The number of the latest attempt. */
  readonly attempts: number;
  /** Null while it runs. */
  readonly outcome: HostRunOutcome | null;
  /** Open pull requests of the repository with this head; the host names none of a fork, and none that has ended. */
  readonly pull_requests: readonly number[];
}

export interface WorkflowRunPage {
  /** Which repository these are of; null where the page names none. */
  readonly repository_id: string | null;
  /** Those that could be understood. */
  readonly runs: readonly HostWorkflowRun[];
  readonly has_more: boolean;
}

/** A job in one attempt of a workflow run. */
export interface HostWorkflowJob {
  readonly name: string;
  readonly attempt: number;
  /** Null while it runs. */
  readonly outcome: HostRunOutcome | null;
  readonly finished_at: Date | null;
}

export interface HostRunJobs {
  readonly jobs: readonly HostWorkflowJob[];
  /** The numbers of the attempts that somebody stopped. */
  readonly cancelled_attempts: readonly number[];
}

/** The primary quota of one token; null wherever the host has none (Enterprise Server by default). */
export interface RateLimit {
  readonly remaining: number;
  readonly limit: number;
  readonly reset_at: Date;
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

/** One user's eyes on the host: every call is made with their token. */
export interface HostClient {
  /** The host's own clock when it answered last, to the second; null before the first answer and where the host doesn't say. */
  hostTime(): Date | null;
  viewer(): Promise<HostViewer>;
  /** Organisations that the account is a member of, lower-cased logins. */
  organizations(): Promise<readonly string[]>;
  /** @throws HostError `not_found` or `forbidden` when this token cannot read it */
  repository(owner: string, name: string): Promise<HostRepository>;
  /** The repository wherever it has moved to since. */
  repositoryById(id: string): Promise<HostRepository>;
  /** What the account may do in the repository; null where the host does not say. */
  roleIn(id: string): Promise<HostRole | null>;
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
  /** How many pull requests repositories have, by `node_id`; without those of which the host does not say it. */
  pullRequestCounts(node_ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Repositories by their names, in few requests: each, or the failure that says why this token cannot read it. @throws HostError when the host says nothing about them */
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
  /** Those of these repositories, by `node_id`, that this token can read. @throws HostError when the host says nothing about one */
  readable(node_ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
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
  /** Numbers of the open pull requests whose head is this commit. */
  pullRequestsOfCommit(of: RepositoryName, sha: string): Promise<readonly number[]>;
  /**
   * Has the host deliver to `url` what a repository's figures need.
   * @throws HostError `forbidden` or `not_found` when the token may not manage webhooks
   */
  createWebhook(of: RepositoryName, hook: { url: string; secret: string }): Promise<HostWebhook>;
  rateLimit(): Promise<RateLimit | null>;
  /** What this client's requests have cost so far, and the quota as of the latest answer. */
  usage(): HostUsage;
}

export interface HostUsage {
  /** Points of the hourly quota, as far as they can be told without the host. */
  readonly points: number;
  /** Null before the first answer and where there is no limit. */
  readonly rate_limit: RateLimit | null;
  /** The same of what is counted in requests, by a quota of its own. */
  readonly requests: { readonly points: number; readonly rate_limit: RateLimit | null };
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export interface PageRequest {
  readonly cursor: string | null;
  readonly size: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PullRequestBatch {
  readonly pull_requests: readonly HostPullRequest[];
  readonly skipped: readonly SkippedItem[];
  readonly missing: readonly string[];
  readonly rate_limit: RateLimit | null;
}

/** The host itself, before anybody's token: sign-in and webhook signatures. */
export interface CodeHost {
  /** What rows of this host are keyed by: its web address, or `demo`. */
  readonly key: string;
  /** The host's name as a person knows it: `GitHub`, or the server's host name. */
  readonly label: string;
  /** Null when sign-in by OAuth is not configured. */
  readonly oauth: HostOAuth | null;
  /** A client that calls the host as whoever this token belongs to; one that is renewed comes from a source. */
  as(token: string | TokenSource): HostClient;
  /** Whether a text looks like a token that a person made by hand at the host. */
  isPersonalToken(token: string): boolean;
  /** Whether a delivery has a signature at all, by what is known of it before its body. */
  hasSignature(delivery: Pick<RawDelivery, 'headers'>): boolean;
  /** True when the delivery was signed with this secret; compared in constant time. */
  isSigned(delivery: RawDelivery, secret: string): Promise<boolean>;
  /** What a delivery of a repository's webhook says; null when it cannot be read at all. */
  readDelivery(delivery: RawDelivery): HostDelivery | null;
  /** What a delivery to the GitHub App says; null when it cannot be read at all. */
  readAppDelivery(delivery: RawDelivery): HostAppDelivery | null;
  /** What a delivery of an organisation's webhook says; null when it cannot be read at all. */
  readOrganizationDelivery(delivery: RawDelivery): HostOrganizationDelivery | null;
}

/** A webhook delivery as it arrived; nothing in it is believed before `isSigned`. */
export interface RawDelivery {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface HostDelivery {
  /** The host's name of the event, for people to read; empty where it has none. */
  readonly event: string;
  /** Null for events that mean nothing to us. */
  readonly subject: DeliverySubject | null;
}

/** A delivery to the GitHub App, which hears of all repositories on which it is installed. Ids are the host's. */
export interface HostAppDelivery extends Omit<HostDelivery, 'subject'> {
  /** The repository that it is about, and what of it; null for what concerns none. */
  readonly repository: { readonly id: string; readonly subject: DeliverySubject } | null;
  /** Whose access may have changed: all who connected one of these repositories, or one of these owners', or these people. */
  readonly access: {
    readonly repository_ids: readonly string[];
    readonly owners: readonly string[];
    readonly account_ids: readonly string[];
  } | null;
  readonly teams: ChangedTeams | null;
  readonly membership: ChangedMembership | null;
}

/** A delivery of an organisation's webhook, which hears of all its repositories: as a repository's own, with the host's id of that one. */
export interface HostOrganizationDelivery extends HostDelivery {
  /** Null where it names none. */
  readonly repository_id: string | null;
  readonly teams: ChangedTeams | null;
  readonly membership: ChangedMembership | null;
}

/** The organisation of which people may have come or gone, and who, by the host's id: null where it names nobody. */
export interface ChangedMembership {
  /** In lower case. */
  readonly organization: string;
  readonly account_id: string | null;
}

/** The organisation whose teams or members may have changed, and whom that was about, where it names one; null for other events. */
interface ChangedTeams {
  readonly organization_id: string;
  readonly account_id: string | null;
}

export interface HostOAuth {
  /** An OAuth app is given scopes; a GitHub App has permissions, and reads private repositories where it is installed. */
  readonly kind: 'oauth_app' | 'github_app';
  readonly client_id: string;
  /** The page on which the GitHub App is installed; null for an OAuth app, and where its name is not known. */
  readonly install_url: string | null;
  /** The page on which organisations approve the OAuth app; null for a GitHub App. */
  readonly approval_url: string | null;
  /** `access` says which repositories an OAuth app asks to read; a GitHub App asks for nothing. */
  authorizeUrl(request: {
    state: string;
    code_challenge: string;
    redirect_uri: string;
    access: 'all' | 'public';
  }): string;
  /** @throws HostError `refused` when the host does not accept the code */
  exchange(answer: { code: string; code_verifier: string; redirect_uri: string }): Promise<HostGrant>;
  /**
   * A new pair for a refresh token, which ends at once with the token that came with it.
   * @throws HostError `unauthorized` when the host takes the refresh token no longer
   */
  refresh(refresh_token: string): Promise<HostGrant>;
  /** Ends a token of this app, or all that its person granted to the app; one that has ended already is fine. */
  revoke(what: 'token' | 'grant', token: string): Promise<void>;
}

/**
 * The token for a request. `refused` is null, or the one to which the host has just answered 401: another one is then tried once, the
 * same one says that there is no other. Throws a HostError where the token cannot be renewed now.
 */
export type TokenSource = (refused: string | null) => Promise<string>;

/** What the host gives for a sign-in. */
export interface HostGrant {
  readonly token: string;
  /** Null where a token has permissions instead. */
  readonly scopes: readonly string[] | null;
  /** When the token ends; null where it doesn't. */
  readonly expires_at: Date | null;
  /** What renews it; null where nothing does. */
  readonly refresh_token: string | null;
}

/** What a webhook delivery names; a hint to look, never the truth itself (docs/server.md#webhooks-and-hints). */
export type DeliverySubject =
  /** The host tries whether deliveries arrive. */
  | { readonly kind: 'test' }
  | { readonly kind: 'pull_requests'; readonly numbers: readonly number[] }
  | { readonly kind: 'branch'; readonly branch: string }
  | { readonly kind: 'commit'; readonly sha: string; readonly numbers: readonly number[] }
  /** The repository itself, or who may read it. */
  | { readonly kind: 'repository' }
  /** The repository was deleted, if that is true. */
  | { readonly kind: 'deleted' };

export type HostErrorKind =
  /** The token is not accepted (any more). */
  | 'unauthorized'
  /** Single sign-on must be authorised first: `link` leads there. */
  | 'sso_required'
  | 'forbidden'
  | 'not_found'
  /** The host or a court has blocked the repository. */
  | 'blocked'
  | 'missing_scope'
  /** The primary quota is spent: wait until `retry_at`. */
  | 'rate_limited'
  /** Too much at once: wait until `retry_at` where the host says so, else back off. */
  | 'secondary_limit'
  /** The host could not compute the answer: ask for less. */
  | 'too_heavy'
  /** 5xx, cut connections, time-outs, answers that are no JSON. */
  | 'unavailable'
  /** The host understood and declined (validation, OAuth errors). */
  | 'refused'
  /** An answer that makes no sense to us, or a query that makes none to the host. */
  | 'protocol';

/** A failure of the host, of a named kind; `message` is a sentence for a person and never holds a token. */
export class HostError extends Error {
  readonly kind: HostErrorKind;
  readonly status: number | null;
  readonly retry_at: Date | null;
  readonly link: string | null;
  /** Of `missing_scope`, where it is known: what the token would need, as the host calls it. */
  readonly scope: string | null;
  /** Of `rate_limited` and `secondary_limit`, where the host says it: the quota that the request would have used. */
  readonly rate_limit: RateLimit | null;

  constructor(
    kind: HostErrorKind,
    message: string,
    details: {
      status?: number | null;
      retry_at?: Date | null;
      link?: string | null;
      scope?: string | null;
      rate_limit?: RateLimit | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'HostError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.retry_at = details.retry_at ?? null;
    this.link = details.link ?? null;
    this.scope = details.scope ?? null;
    this.rate_limit = details.rate_limit ?? null;
  }
}

/** A failure that says nothing about what the token may read. */
export function isPassing(error: HostError): boolean {
  return ['rate_limited', 'secondary_limit', 'too_heavy', 'unavailable', 'protocol'].includes(error.kind);
}
