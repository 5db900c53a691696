import { z } from 'zod';
import { HostError, isPassing } from '../errors.ts';
import type {
  HostRepository,
  ListedRepository,
  RepositoryList,
  RepositoryName,
  UnlistedRepositories,
} from '../repository.ts';
import { repositoryAnswer } from './answers.ts';
import { type Answer, failureOfField, failureOfObject, type GraphqlError, mayBeTooHeavy } from './failures.ts';
import { type GithubGraphql, understand } from './github-graphql.ts';
import { askLittle } from './pages.ts';
import { eachInHalves } from './smaller-parts.ts';
import { repositoryOf } from './translate.ts';

const LARGEST_PAGE = 100;
/** Pages and batches of one account that are asked for side by side. */
const AT_ONCE = 4;
/** Repositories by their names in one request. */
const NAMES_AT_ONCE = 50;

const listedAnswer = z.object({
  id: z.number(),
  node_id: z.string(),
  name: z.string(),
  html_url: z.string(),
  private: z.boolean(),
  archived: z.boolean(),
  fork: z.boolean(),
  default_branch: z.string().nullish(),
  pushed_at: z.iso.datetime().nullish(),
  owner: z.object({ id: z.number(), login: z.string(), avatar_url: z.string().nullish() }),
  permissions: z.object({ admin: z.boolean().nullish() }).nullish(),
});
const organizationsAnswer = z.array(z.object({ id: z.number(), login: z.string() }));

/**
 * What the account owns, contributes to or has by an organisation (GitHub documentation, REST: list repositories for the authenticated
 * user), and what is closed to this token. A page that fails leaves the others; the first one's failure is thrown.
 */
export async function readOwnRepositories(github: GithubGraphql, web_url: string): Promise<RepositoryList> {
  const first = await readPage(github, 1);
  const last = Number(/[?&]page=(\d+)[^>]*>; rel="last"/.exec(first.headers.link ?? '')?.[1] ?? 1);
  const answers = [first];
  const failures: HostError[] = [];
  const pages = Array.from({ length: last - 1 }, (_, at) => at + 2);
  await sideBySide(pages, async (page) => {
    try {
      answers.push(await readPage(github, page));
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      failures.push(error);
    }
  });
  const found = answers.flatMap((answer) => understand(z.array(z.unknown()), answer.body, github.label));
  const repositories = new Map<string, ListedRepository>();
  let unreadable = 0;
  for (const item of found) {
    const parsed = listedAnswer.safeParse(item);
    if (parsed.success) repositories.set(String(parsed.data.id), listedOf(parsed.data));
    else unreadable += 1;
  }
  const unlisted = await closedOwners(github, web_url, answers);
  for (const error of failures.slice(0, 1)) {
    const reason = isPassing(error) ? 'failed' : 'refused';
    unlisted.push({ owner: null, reason, message: error.message, link: error.link });
  }
  if (unreadable > 0) {
    const message = `${unreadable} of your repositories could not be understood.`;
    unlisted.push({ owner: null, reason: 'failed', message, link: null });
  }
  return { repositories: [...repositories.values()], unlisted };
}

function readPage(github: GithubGraphql, page: number): Promise<Answer> {
  const affiliation = 'owner,collaborator,organization_member';
  return github.rest('GET /user/repos', { affiliation, per_page: LARGEST_PAGE, page });
}

function listedOf(answer: z.infer<typeof listedAnswer>): ListedRepository {
  return {
    id: String(answer.id),
    node_id: answer.node_id,
    owner: answer.owner.login,
    owner_id: String(answer.owner.id),
    owner_avatar_url: answer.owner.avatar_url ?? null,
    name: answer.name,
    url: answer.html_url,
    private: answer.private,
    archived: answer.archived,
    fork: answer.fork,
    default_branch: answer.default_branch ?? null,
    pushed_at: answer.pushed_at == null ? null : new Date(answer.pushed_at),
    is_admin: answer.permissions?.admin === true,
  };
}

/** Organisations whose repositories want single sign-on, by the header that names their ids (GitHub documentation, authenticating to the REST API). */
async function closedOwners(
  github: GithubGraphql,
  web_url: string,
  answers: readonly Answer[],
): Promise<UnlistedRepositories[]> {
  const ids = new Set(
    answers.flatMap(
      ({ headers }) => /organizations=([\d,]+)/.exec(headers['x-github-sso'] ?? '')?.[1]?.split(',') ?? [],
    ),
  );
  if (ids.size === 0) return [];
  const known = await organizationsById(github);
  return [...ids].map((id) => {
    const owner = known.get(id) ?? null;
    return {
      owner,
      reason: 'sso',
      message: `${owner ?? 'An organization'} requires single sign-on: authorize the access token for it, then read the list again.`,
      link: owner === null ? null : `${web_url}/orgs/${encodeURIComponent(owner)}/sso`,
    };
  });
}

/** Logins by id; empty where the token may not list its organisations. */
async function organizationsById(github: GithubGraphql): Promise<ReadonlyMap<string, string>> {
  try {
    const { body } = await github.rest('GET /user/orgs', { per_page: LARGEST_PAGE });
    return new Map(understand(organizationsAnswer, body, github.label).map(({ id, login }) => [String(id), login]));
  } catch (error) {
    if (error instanceof HostError) return new Map();
    throw error;
  }
}

/**
 * Whether the token can read the pull requests of all these repositories, by their keys: a null that comes with NOT_FOUND or FORBIDDEN is one of
 * which it can't, and so is one that single sign-on protects. The first of them ends it.
 * @throws HostError when the host says nothing about one of them
 */
export async function readsAll(
  github: GithubGraphql,
  node_ids: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  let all = true;
  const ask = async (ids: readonly string[]) => {
    const { nodes, errors } = await askById(github, ids, signal);
    return nodes.map((node, index) => {
      if (node !== null) return true;
      const error = errors.find(({ path }) => path?.[0] === 'nodes' && path[1] === index);
      if (error?.type === 'NOT_FOUND' || error?.type === 'FORBIDDEN') return false;
      throw failureOfField(error, 'repository', github.label);
    });
  };
  await sideBySide(inBatches(node_ids, LARGEST_PAGE), async (ids) => {
    if (!all) return;
    try {
      const reads = await inHalves(github, ids, ask, signal);
      if (reads.includes(null)) throw failureOfField(undefined, 'repository', github.label);
      all &&= !reads.includes(false);
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== 'sso_required') throw error;
      all = false;
    }
  });
  return all;
}

/** Repositories by their keys as the host answers them, each null where it gives none, and why. */
async function askById(github: GithubGraphql, ids: readonly string[], signal: AbortSignal) {
  const { data, errors } = await github.ask('repositories-by-id', { ids }, signal);
  return { nodes: understand(z.array(z.unknown()).length(ids.length), data.nodes, github.label), errors };
}

/** What the host cannot compute together is asked for in halves. */
async function inHalves<A>(
  github: GithubGraphql,
  ids: readonly string[],
  ask: (part: readonly string[]) => Promise<readonly A[]>,
  signal: AbortSignal,
): Promise<(A | null)[]> {
  return await eachInHalves(
    ids,
    (rest) => rest.length,
    ask,
    () => askLittle(github, signal),
  );
}

const countAnswer = z.object({ id: z.string(), pullRequests: z.object({ totalCount: z.number() }) });

/** How many pull requests repositories have, by their keys; without those of which the host does not say it, or not in time. */
export async function readCounts(
  github: GithubGraphql,
  node_ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  await sideBySide(inBatches(node_ids, LARGEST_PAGE), async (ids) => {
    try {
      const nodes = await inHalves(github, ids, async (part) => (await askById(github, part, signal)).nodes, signal);
      for (const node of nodes) {
        const parsed = countAnswer.safeParse(node);
        if (parsed.success) counts.set(parsed.data.id, parsed.data.pullRequests.totalCount);
      }
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
    }
  });
  return counts;
}

/**
 * Repositories by their names, fifty in a request, or fewer where the host cannot compute them together: each as it is called now, or the
 * failure that says why this token cannot read it or that the host cannot compute it.
 * @throws HostError when the host says nothing about them
 */
export async function readNamed(
  github: GithubGraphql,
  names: readonly RepositoryName[],
  signal: AbortSignal,
): Promise<readonly (HostRepository | HostError)[]> {
  const batches = await sideBySide(inBatches(names, NAMES_AT_ONCE), (batch) => readTogether(github, batch, signal));
  return batches.flat();
}

async function readTogether(
  github: GithubGraphql,
  names: readonly RepositoryName[],
  signal: AbortSignal,
): Promise<(HostRepository | HostError)[]> {
  const parts = names.map(({ owner, name }) => ({
    query: 'repository' as const,
    variables: { owner, name },
    lists: 0,
  }));
  try {
    const { answers, errors } = await github.askParts(parts, signal);
    return names.map((name, at) => namedOf(github, name, answers[at], errors[at] ?? []));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    // Single sign-on of one organisation refuses the whole question, and so does what is missing, where it is asked for alone.
    const isRefused = ['sso_required', 'not_found', 'forbidden', 'blocked'].includes(error.kind);
    if (!isRefused && !mayBeTooHeavy(error)) throw error;
    // A host that is down says nothing of any of them.
    if (!isRefused && (names.length === 1 || error.kind === 'unavailable')) await askLittle(github, signal);
    if (names.length === 1) return [error];
    const half = Math.ceil(names.length / 2);
    const first = await readTogether(github, names.slice(0, half), signal);
    return [...first, ...(await readTogether(github, names.slice(half), signal))];
  }
}

function namedOf(
  github: GithubGraphql,
  { owner, name }: RepositoryName,
  answer: unknown,
  errors: readonly GraphqlError[],
): HostRepository | HostError {
  if (answer == null) return failureOfObject(errors, `repository ${owner}/${name}`, github.label);
  try {
    return repositoryOf(understand(repositoryAnswer, answer, github.label));
  } catch (error) {
    // It keeps back none of the others.
    if (error instanceof HostError) return error;
    throw error;
  }
}

const organizationAnswer = z.object({ databaseId: z.number(), login: z.string(), viewerCanAdminister: z.boolean() });

/** The organisation of that name if the account administers it, asked now; null where it does not, or there is none. */
export async function readAdministered(
  github: GithubGraphql,
  login: string,
): Promise<{ readonly id: string; readonly login: string } | null> {
  try {
    const { data } = await github.ask('organization', { login });
    const parsed = organizationAnswer.nullable().safeParse(data.organization ?? null);
    if (!parsed.success || parsed.data === null || !parsed.data.viewerCanAdminister) return null;
    return { id: String(parsed.data.databaseId), login: parsed.data.login };
  } catch (error) {
    if (error instanceof HostError && ['not_found', 'forbidden', 'missing_scope', 'sso_required'].includes(error.kind))
      return null;
    throw error;
  }
}

function inBatches<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The results in the order of the items, some at a time. */
async function sideBySide<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await act(next[1]);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return results;
}
