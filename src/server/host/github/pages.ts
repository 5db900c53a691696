import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HostError } from '../errors.ts';
import type {
  DigestPage,
  OpenDigestPage,
  OpenPageRequest,
  PageRequest,
  PullRequestBatch,
  PullRequestDigest,
  UntoldChange,
} from '../pages.ts';
import type { HostPullRequest } from '../pull-request.ts';
import type { HostRepository, RepositoryName } from '../repository.ts';
import { digestAnswer, pageAnswer, repositoryAnswer } from './answers.ts';
import { failureOfField, failureOfObject, passingError } from './failures.ts';
import { type GithubGraphql, isForbidden, type Reply, required, understand } from './github-graphql.ts';
import type { QueryName, Variables } from './queries.ts';
import { askByIds, beginReading, errorsAt, finishReading, LISTS_PER_REQUEST, wholeIfPossible } from './reading.ts';
import { asOnePart, atASizeThatWorks, inParts } from './smaller-parts.ts';
import { repositoryOf } from './translate.ts';

/** The most that GitHub gives at once. */
export const LARGEST_PAGE = 100;
/** As many pull requests by their keys as are a single point, of two lists each. */
const LARGEST_BATCH = 74;
/** The most connections that are a single point, less a page of open pull requests and one of changes. */
const CLOSER_LOOKS = LISTS_PER_REQUEST - 2;

/** What the token may know of a repository, wherever it has moved to. */
export async function readRepository(github: GithubGraphql, of: RepositoryName): Promise<HostRepository> {
  const reply = await asOnePart(() => github.ask('repository', { owner: of.owner, name: of.name }));
  return repositoryOf(
    understand(
      repositoryAnswer,
      required(reply, 'repository', github.label, `repository ${of.owner}/${of.name}`),
      github.label,
    ),
  );
}

/** The least there is to ask GraphQL for: fails where the host is down. */
export async function askLittle(github: GithubGraphql, signal?: AbortSignal): Promise<void> {
  await asOnePart(() => github.ask('repositories-by-id', { ids: [] }, signal));
}

/** Keys and update dates, the latest change first. */
export async function readChanges(
  github: GithubGraphql,
  of: RepositoryName,
  cursor: string | null,
): Promise<DigestPage> {
  const page = await askForFew(github, 'changes', of, { cursor, size: LARGEST_PAGE }, (nodes, reply) =>
    changesIn(github, reply, 'pullRequests', nodes),
  );
  const { repository, answer, next_cursor } = page;
  return { repository, ...answer, next_cursor, rate_limit: github.rate_limit };
}

/**
 * A page of the open pull requests with a fingerprint of what the list tells about each, and a closer look at as many others as
 * the same point pays for: threads first, since nothing else tells of them.
 */
export async function readOpen(
  github: GithubGraphql,
  of: RepositoryName,
  request: OpenPageRequest,
): Promise<OpenDigestPage> {
  const { cursor, changes, closer } = request;
  const looks = (size: number) => {
    const threads = closer.threads.slice(0, size);
    return { threads, checks: closer.checks.slice(0, Math.min(size, CLOSER_LOOKS - threads.length)) };
  };
  const { size, repository, answer, next_cursor } = await askForFew(
    github,
    'open-pull-requests',
    of,
    { cursor, size: LARGEST_PAGE },
    (nodes, reply, first) => ({
      digests: listed(nodes).map((node) => ({
        ...digestOf(github, node),
        fingerprint: openFingerprintOf(github, node),
      })),
      threads: fingerprintsOf(github, reply.data.threads),
      checks: fingerprintsOf(github, reply.data.checks),
      changes: changes
        ? pageOf(github, reply, { field: 'changes', first, cursor: null }, (found) =>
            changesIn(github, reply, 'changes', found),
          )
        : null,
    }),
    (first) => ({ withChanges: changes, threadsOf: looks(first).threads, checksOf: looks(first).checks }),
  );
  const asked = looks(size);
  return {
    ...answer,
    repository,
    next_cursor,
    looked: { threads: asked.threads.length, checks: asked.checks.length },
    rate_limit: github.rate_limit,
  };
}

/**
 * The pull requests behind these keys, however many, in as few requests as the host can compute.
 * @throws HostError `not_found` or `forbidden` when the token cannot read the repository, rather than calling all of
 * its pull requests missing
 */
export async function readByIds(
  github: GithubGraphql,
  of: RepositoryName,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<PullRequestBatch> {
  const parts = await inParts(
    ids,
    (rest) => Math.min(rest.length, LARGEST_BATCH),
    async (some) => {
      const reply = await askByIds(github, of, some, signal);
      required(reply, 'repository', github.label);
      const nodes = understand(z.array(z.unknown()).length(some.length), reply.data.nodes, github.label);
      const refused = new Set(reply.errors.filter(({ type }) => type !== 'NOT_FOUND').map(({ path }) => path?.[1]));
      const there = [...nodes.keys()].filter((index) => nodes[index] !== null || refused.has(index));
      const found = there.map((index) => nodes[index]);
      return {
        begun: beginReading(github, found, reply.errors, (position) => ['nodes', there[position] ?? -1]),
        missing: some.filter((_, index) => !there.includes(index)),
        size: some.length,
      };
    },
    github.health,
  );
  const begun = parts.flatMap((part) => part.begun);
  const read = await finishReading(github, of, begun, signal);
  return {
    ...read,
    missing: parts.flatMap(({ missing }) => missing),
    batch_size: Math.max(0, ...parts.map(({ size }) => size)),
    rate_limit: github.rate_limit,
  };
}

/** One pull request, null when the repository has none of that number, and which repository that is. */
export async function readByNumber(
  github: GithubGraphql,
  of: RepositoryName,
  number: number,
  signal?: AbortSignal,
): Promise<{ readonly repository: HostRepository; readonly pull: HostPullRequest | null }> {
  const reply = await asOnePart(() =>
    wholeIfPossible((whole) =>
      github.ask('pull-request-by-number', { owner: of.owner, name: of.name, number, whole }, signal),
    ),
  );
  const found = required(reply, 'repository', github.label);
  const repository = repositoryOf(understand(repositoryAnswer, found, github.label));
  const { pullRequest } = found;
  const path = ['repository', 'pullRequest'];
  if (pullRequest == null) {
    const error = reply.errors.find((one) => one.path?.[1] === 'pullRequest');
    // A null without an error only means that it was left out.
    if (error?.type === 'NOT_FOUND') return { repository, pull: null };
    throw failureOfField(error, `pull request #${number}`, github.label);
  }
  const begun = beginReading(github, [pullRequest], reply.errors, () => path);
  const { pull_requests, skipped } = await finishReading(github, of, begun, signal);
  const [pull] = pull_requests;
  // One that was kept with part of its lists is named as skipped, too.
  if (pull === undefined)
    throw new HostError('protocol', `Pull request #${number} makes no sense to us: ${skipped[0]?.reason}`);
  return { repository, pull };
}

/** Numbers of the open pull requests whose head is this commit, of any fork. */
export async function readNumbersOfCommit(
  github: GithubGraphql,
  of: RepositoryName,
  sha: string,
): Promise<readonly number[] | null> {
  const reply = await asOnePart(() => github.ask('pull-requests-of-commit', { owner: of.owner, name: of.name, sha }));
  const { object } = required(reply, 'repository', github.label);
  if (object === null && reply.errors.some(isForbidden)) return null;
  const nodes = understand(commitPullRequests, object, github.label)?.associatedPullRequests?.nodes ?? [];
  return nodes.flatMap((node) => (node?.state === 'OPEN' && node.headRefOid === sha ? [node.number] : []));
}

const commitPullRequests = z
  .object({
    associatedPullRequests: z
      .object({
        nodes: z.array(z.object({ number: z.number(), state: z.string(), headRefOid: z.string() }).nullable()),
      })
      .nullish(),
  })
  .nullable();

/** A page of a few facts each, of a size that is remembered where the host could not compute a larger one. */
async function askForFew<T>(
  github: GithubGraphql,
  query: QueryName,
  of: RepositoryName,
  { cursor, size }: PageRequest,
  take: Take<T>,
  more?: (first: number) => Variables,
) {
  const wanted = Math.min(size, github.digest_sizes.get(fullName(of)) ?? LARGEST_PAGE);
  const page = await askForPage(github, query, of, { cursor, size: wanted }, take, more).catch((error: unknown) => {
    // What cannot be computed even alone says nothing of all others.
    github.digest_sizes.delete(fullName(of));
    throw error;
  });
  if (page.size < wanted) github.digest_sizes.set(fullName(of), page.size);
  return page;
}

/** What is made of a page's pull requests; `first` is how many of them were asked for. */
export type Take<T> = (nodes: readonly unknown[], reply: Reply, first: number) => T;

/** A page of whatever a query asks about a repository's pull requests, at a size that the host can compute. */
export async function askForPage<T>(
  github: GithubGraphql,
  query: QueryName,
  of: RepositoryName,
  { cursor, size, signal }: PageRequest,
  take: Take<T>,
  more: (first: number) => Variables = () => ({}),
) {
  const asked = await atASizeThatWorks(
    size,
    async (first) => {
      const variables = { owner: of.owner, name: of.name, first, after: cursor, ...more(first) };
      return pageIn(github, await github.ask(query, variables, signal), { first, cursor }, take);
    },
    github.health,
  );
  return { size: asked.size, ...asked.answer };
}

/** The repository and the page of its pull requests in a reply. @throws HostError `too_heavy` for one that is not complete */
export function pageIn<T>(
  github: GithubGraphql,
  reply: Reply,
  { first, cursor }: { first: number; cursor: string | null },
  take: Take<T>,
): PageOf<T> {
  const repository = repositoryOf(
    understand(repositoryAnswer, required(reply, 'repository', github.label), github.label),
  );
  const page = pageOf(github, reply, { field: 'pullRequests', first, cursor }, (nodes) => ({
    answer: take(nodes, reply, first),
  }));
  return { repository, ...page };
}

/** A page and what was made of its pull requests. */
export interface PageOf<T> {
  readonly repository: HostRepository;
  readonly answer: T;
  readonly next_cursor: string | null;
  readonly total: number;
}

/** One list of pull requests of the repository in a reply. @throws HostError `too_heavy` for one that is not complete */
export function pageOf<T extends object>(
  github: GithubGraphql,
  reply: Reply,
  { field, first, cursor }: { field: 'pullRequests' | 'changes'; first: number; cursor: string | null },
  take: (nodes: readonly unknown[]) => T,
): T & { next_cursor: string | null; total: number } {
  const found = required(reply, 'repository', github.label)[field];
  const page = understand(pageAnswer, found ?? explain(reply, field, github), github.label);
  const { hasNextPage, endCursor } = page.pageInfo;
  // A cursor that leads nowhere new would be followed for ever.
  const goesOn = endCursor !== null && endCursor !== cursor;
  const cut = hasNextPage ? page.nodes.length < first || !goesOn : cursor === null && missesAll(page);
  if (cut) {
    const counts = `${page.nodes.length} of ${page.totalCount}`;
    throw new HostError('too_heavy', `${github.label} does not list the pull requests completely (${counts}).`);
  }
  return { ...take(page.nodes), next_cursor: hasNextPage ? endCursor : null, total: page.totalCount };
}

/** As a key: the host does not tell cases apart. */
export function fullName({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`.toLowerCase();
}

function missesAll(page: z.infer<typeof pageAnswer>): boolean {
  return page.nodes.length === 0 && page.totalCount > 0;
}

function explain(reply: Reply, field: string, github: GithubGraphql): never {
  const errors = reply.errors.filter(({ path }) => path?.[1] === field);
  throw failureOfObject(errors, 'list of pull requests', github.label);
}

export function listed(nodes: readonly unknown[]): unknown[] {
  return nodes.filter((node) => node !== null);
}

export function digestOf(github: GithubGraphql, node: unknown) {
  const { id, number, updatedAt } = understand(digestAnswer, node, github.label);
  return { node_id: id, number, updated_at: updatedAt };
}

/** What a list of changes tells; one inside which the host failed is null in it. */
function changesIn(
  github: GithubGraphql,
  { errors }: Reply,
  field: 'pullRequests' | 'changes',
  nodes: readonly unknown[],
): Pick<DigestPage, 'digests' | 'untold'> {
  const digests: PullRequestDigest[] = [];
  const untold: UntoldChange[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node !== null) digests.push(digestOf(github, node));
    else {
      const error = passingError(errorsAt(errors, ['repository', field, 'nodes', index]));
      if (error !== null) untold.push({ after: digests.length, reason: error.message || 'left out' });
    }
  }
  return { digests, untold };
}

/**
 * The fingerprint of a pull request in the list of open ones: without its checks where the token may not read them, whether this request
 * asked for them or, as all that follow it, did not.
 */
export function openFingerprintOf(github: GithubGraphql, node: unknown): string {
  return fingerprintOf(github.mayReadChecks ? node : { ...(node as object), statusCheckRollup: undefined });
}

/** Differs whenever any of the fields that the query names does; the query's own order of fields makes it stable. */
function fingerprintOf(node: unknown): string {
  return createHash('sha256').update(JSON.stringify(node)).digest('base64url');
}

/** By key; without those that are gone or that this token may not look at. */
export function fingerprintsOf(github: GithubGraphql, nodes: unknown): ReadonlyMap<string, string> {
  const found = understand(closerAnswer, nodes, github.label).filter((node) => node !== null);
  return new Map(found.filter((node) => isRead(github, node)).map((node) => [node.id, fingerprintOf(node)]));
}

/** A key and one list: the threads, or the checks where there are any. */
const closerAnswer = z.array(z.looseObject({ id: z.string() }).nullable());

function isRead(github: GithubGraphql, node: z.infer<typeof closerAnswer>[number] & object): boolean {
  const rollup = node.statusCheckRollup as { contexts?: unknown } | null | undefined;
  return rollup === undefined || (github.mayReadChecks && (rollup === null || rollup.contexts != null));
}
