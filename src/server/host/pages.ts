import type { RateLimit } from './errors.ts';
import type { HostPullRequest } from './pull-request.ts';
import type { HostRepository, RepositoryName } from './repository.ts';

export interface PageRequest {
  readonly cursor: string | null;
  readonly size: number;
  readonly signal?: AbortSignal | undefined;
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

export interface PullRequestBatch {
  readonly pull_requests: readonly HostPullRequest[];
  readonly skipped: readonly SkippedItem[];
  readonly missing: readonly string[];
  /** The most that the host could compute together. */
  readonly batch_size: number;
  readonly rate_limit: RateLimit | null;
}

/** What a scan of changes sees of a pull request. */
export interface PullRequestDigest {
  readonly node_id: string;
  readonly number: number;
  readonly updated_at: Date;
}

/** A pull request that a list of changes has without telling which. */
export interface UntoldChange {
  /** How many digests of the page come before it. */
  readonly after: number;
  readonly reason: string;
}

export interface DigestPage {
  readonly repository: HostRepository;
  readonly digests: readonly PullRequestDigest[];
  readonly untold: readonly UntoldChange[];
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

/** By key, fingerprints of those that were looked at more closely and can be: the others are gone or hidden from this token. */
export interface OpenDigestPage extends DetailFingerprints<ReadonlyMap<string, string>> {
  readonly repository: HostRepository;
  readonly digests: readonly OpenPullRequestDigest[];
  readonly next_cursor: string | null;
  /** As the first page of `changes`; null where it was not asked for. */
  readonly changes: Pick<DigestPage, 'digests' | 'untold' | 'next_cursor'> | null;
  /** How many of the keys were looked at. */
  readonly looked: DetailFingerprints<number>;
  readonly rate_limit: RateLimit | null;
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
