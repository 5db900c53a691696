import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type DigestPage,
  HostError,
  type HostPullRequest,
  type HostRepository,
  type OpenDigestPage,
  type PageRequest,
  type PullRequestBatch,
  type PullRequestPage,
  type RepositoryName,
} from '../host.ts';
import { digestAnswer, pageAnswer, repositoryAnswer } from './answers.ts';
import { type Asker, type Reply, required, understand } from './asker.ts';
import { failureOfField } from './failures.ts';
import type { QueryName } from './queries.ts';
import { beginReading, finishReading } from './reading.ts';
import { asOnePart, atASizeThatWorks, inParts } from './smaller-parts.ts';
import { repositoryOf } from './translate.ts';

/** The most that GitHub gives at once. */
const LARGEST_PAGE = 100;
/** Open pull requests to expect where nothing is known yet: with the room below, the most that cost a single point. */
const FIRST_LOOK = 24;
/** Room for those opened since they were counted, so that they seldom need a page of their own. */
const NEWLY_OPENED = 5;

/** What the token may know of a repository, wherever it has moved to. */
export async function readRepository(asker: Asker, of: RepositoryName): Promise<HostRepository> {
  const reply = await asOnePart(() => asker.ask('repository', { owner: of.owner, name: of.name }));
  return noticed(asker, of, required(reply, 'repository', asker.label));
}

/**
 * A page of all pull requests, each complete. What cannot be understood is skipped and named.
 * @throws HostError `too_heavy` when the host keeps leaving out parts of a single pull request
 */
export async function readPage(asker: Asker, of: RepositoryName, page: PageRequest): Promise<PullRequestPage> {
  const { size, answer } = await askForPage(asker, 'pull-requests', of, page, (nodes, errors) =>
    beginReading(asker, nodes, errors, (index) => ['repository', 'pullRequests', 'nodes', index]),
  );
  const read = await finishReading(asker, of, answer.items, page.signal);
  return {
    ...read,
    repository: answer.repository,
    next_cursor: answer.next_cursor,
    total: answer.total,
    page_size: size,
    rate_limit: asker.rate_limit,
  };
}

/** Keys and update dates, the latest change first. */
export async function readChanges(asker: Asker, of: RepositoryName, cursor: string | null): Promise<DigestPage> {
  return askForDigests(asker, 'changes', of, { cursor, size: LARGEST_PAGE }, (node) => digestOf(asker, node));
}

/**
 * The open pull requests with a fingerprint of all that was asked about each. GitHub charges for as many as are asked
 * for, there or not, so the first page is as large as the repository was known to need.
 */
export async function readOpen(asker: Asker, of: RepositoryName, cursor: string | null): Promise<OpenDigestPage> {
  const open = asker.open_counts.get(fullName(of)) ?? FIRST_LOOK;
  const size = cursor === null ? open + NEWLY_OPENED : LARGEST_PAGE;
  return askForDigests(asker, 'open-pull-requests', of, { cursor, size }, (node) => ({
    ...digestOf(asker, node),
    fingerprint: fingerprintOf(node),
  }));
}

/**
 * The pull requests behind these keys, however many, in as few requests as the host can compute.
 * @throws HostError `not_found` or `forbidden` when the token cannot read the repository, rather than calling all of
 * its pull requests missing
 */
export async function readByIds(
  asker: Asker,
  of: RepositoryName,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<PullRequestBatch> {
  const parts = await inParts(
    ids,
    (rest) => Math.min(rest.length, LARGEST_PAGE),
    async (some) => {
      const reply = await asker.ask('pull-requests-by-id', { owner: of.owner, name: of.name, ids: some }, signal);
      required(reply, 'repository', asker.label);
      const nodes = understand(z.array(z.unknown()).length(some.length), reply.data.nodes, asker.label);
      const refused = new Set(reply.errors.filter(({ type }) => type !== 'NOT_FOUND').map(({ path }) => path?.[1]));
      const there = [...nodes.keys()].filter((index) => nodes[index] !== null || refused.has(index));
      const found = there.map((index) => nodes[index]);
      return {
        begun: beginReading(asker, found, reply.errors, (position) => ['nodes', there[position] ?? -1]),
        missing: some.filter((_, index) => !there.includes(index)),
      };
    },
  );
  const begun = parts.flatMap((part) => part.begun);
  const read = await finishReading(asker, of, begun, signal);
  return { ...read, missing: parts.flatMap(({ missing }) => missing), rate_limit: asker.rate_limit };
}

/** One pull request; null when the repository has none of that number. */
export async function readByNumber(
  asker: Asker,
  of: RepositoryName,
  number: number,
  signal?: AbortSignal,
): Promise<HostPullRequest | null> {
  const reply = await asOnePart(() =>
    asker.ask('pull-request-by-number', { owner: of.owner, name: of.name, number }, signal),
  );
  const { pullRequest } = required(reply, 'repository', asker.label);
  const path = ['repository', 'pullRequest'];
  if (pullRequest == null) {
    const error = reply.errors.find((one) => one.path?.[1] === 'pullRequest');
    if (!error || error.type === 'NOT_FOUND') return null;
    throw failureOfField(error, `pull request #${number}`, asker.label);
  }
  const begun = beginReading(asker, [pullRequest], reply.errors, () => path);
  const { pull_requests, skipped } = await finishReading(asker, of, begun, signal);
  if (skipped[0]) throw new HostError('protocol', `Pull request #${number} makes no sense to us: ${skipped[0].reason}`);
  return pull_requests[0] ?? null;
}

/** Numbers of the open pull requests whose head is this commit, of any fork. */
export async function readNumbersOfCommit(asker: Asker, of: RepositoryName, sha: string): Promise<readonly number[]> {
  const reply = await asOnePart(() => asker.ask('pull-requests-of-commit', { owner: of.owner, name: of.name, sha }));
  const { object } = required(reply, 'repository', asker.label);
  const nodes = understand(commitPullRequests, object, asker.label)?.associatedPullRequests?.nodes ?? [];
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
async function askForDigests<T>(
  asker: Asker,
  query: QueryName,
  of: RepositoryName,
  { cursor, size }: PageRequest,
  digest: (node: unknown) => T,
) {
  const wanted = Math.min(size, asker.digest_sizes.get(fullName(of)) ?? LARGEST_PAGE);
  const page = await askForPage(asker, query, of, { cursor, size: wanted }, (nodes) =>
    nodes.filter((node) => node !== null).map(digest),
  );
  if (page.size < wanted) asker.digest_sizes.set(fullName(of), page.size);
  const { repository, items, next_cursor } = page.answer;
  return { repository, digests: items, next_cursor, rate_limit: asker.rate_limit };
}

/** A page of whatever a query asks about a repository's pull requests, at a size that the host can compute. */
async function askForPage<T>(
  asker: Asker,
  query: QueryName,
  of: RepositoryName,
  { cursor, size, signal }: PageRequest,
  take: (nodes: readonly unknown[], errors: Reply['errors']) => T,
) {
  const most = Math.min(LARGEST_PAGE, Math.max(1, Math.floor(size)));
  return atASizeThatWorks(most, async (first) => {
    const reply = await asker.ask(query, { owner: of.owner, name: of.name, first, after: cursor }, signal);
    const found = required(reply, 'repository', asker.label);
    const page = understand(pageAnswer, found.pullRequests ?? explain(reply, asker), asker.label);
    const { hasNextPage, endCursor } = page.pageInfo;
    const cut = hasNextPage ? page.nodes.length < first || endCursor === null : cursor === null && missesAll(page);
    if (cut) {
      const counts = `${page.nodes.length} of ${page.totalCount}`;
      throw new HostError('too_heavy', `${asker.label} does not list the pull requests completely (${counts}).`);
    }
    return {
      repository: noticed(asker, of, found),
      items: take(page.nodes, reply.errors),
      next_cursor: hasNextPage ? endCursor : null,
      total: page.totalCount,
    };
  });
}

/** The repository as answered; how many pull requests are open is kept for the next look at them. */
function noticed(asker: Asker, of: RepositoryName, found: unknown): HostRepository {
  const repository = repositoryOf(understand(repositoryAnswer, found, asker.label));
  asker.open_counts.set(fullName(of), repository.open_pull_requests);
  return repository;
}

function fullName({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`.toLowerCase();
}

function missesAll(page: z.infer<typeof pageAnswer>): boolean {
  return page.nodes.length === 0 && page.totalCount > 0;
}

function explain(reply: Reply, asker: Asker): never {
  const error = reply.errors.find(({ path }) => path?.[1] === 'pullRequests');
  throw failureOfField(error, 'list of pull requests', asker.label);
}

function digestOf(asker: Asker, node: unknown) {
  const { id, number, updatedAt } = understand(digestAnswer, node, asker.label);
  return { node_id: id, number, updated_at: updatedAt };
}

/** Differs whenever any of the fields that the query names does; the query's own order of fields makes it stable. */
function fingerprintOf(node: unknown): string {
  return createHash('sha256').update(JSON.stringify(node)).digest('base64url');
}
