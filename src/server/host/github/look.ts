import { HostError } from '../errors.ts';
import type { LookRequest, RepositoryLook } from '../pages.ts';
import type { GithubGraphql } from './github-graphql.ts';
import { askLittle, digestOf, fingerprintsOf, listed, openFingerprintOf, pageIn, pageOf } from './pages.ts';
import type { Part } from './queries.ts';
import { LISTS_PER_REQUEST } from './reading.ts';
import { eachInHalves } from './smaller-parts.ts';

/** What a look at one repository asks for beside its closer looks: the latest changes and the open pull requests. */
const LISTS_OF_A_LOOK = 2;
const LONGEST_LIST = 100;
const MOST_KEYS = 100;

/** The lists that a look at one repository asks for. */
const listsOf = ({ closer }: LookRequest) => LISTS_OF_A_LOOK + closer.threads.length + closer.checks.length;

/**
 * Looks at several repositories, in as few requests as fill whole points. Null for one of which the host does not tell everything, be it
 * gone, hidden, too large or more than the host can compute: only a look at it alone says why.
 */
export async function lookAt(
  github: GithubGraphql,
  requests: readonly LookRequest[],
  signal: AbortSignal,
): Promise<readonly (RepositoryLook | null)[]> {
  return await eachInHalves(
    requests,
    fitting,
    (some) => lookTogether(github, some, signal),
    () => askLittle(github, signal),
  );
}

function fitting(requests: readonly LookRequest[]): number {
  let lists = 0;
  const beyond = requests.findIndex((request) => {
    lists += listsOf(request);
    return lists > LISTS_PER_REQUEST;
  });
  return beyond === -1 ? requests.length : beyond;
}

async function lookTogether(
  github: GithubGraphql,
  requests: readonly LookRequest[],
  signal: AbortSignal,
): Promise<(RepositoryLook | null)[]> {
  const parts: Part[] = [
    ...requests.map(({ of }) => ({
      query: 'look-at-repository' as const,
      variables: { owner: of.owner, name: of.name },
      lists: LISTS_OF_A_LOOK,
    })),
    ...closerParts(
      'look-at-threads',
      requests.flatMap(({ closer }) => closer.threads),
    ),
    ...closerParts(
      'look-at-checks',
      requests.flatMap(({ closer }) => closer.checks),
    ),
  ];
  const { answers, errors } = await github.askParts(parts, signal);
  const found = (query: Part['query']) =>
    new Map(parts.flatMap((part, index) => (part.query === query ? [...fingerprintsOf(github, answers[index])] : [])));
  const [threads, checks] = [found('look-at-threads'), found('look-at-checks')];
  const among = (keys: readonly string[], all: ReadonlyMap<string, string>) =>
    new Map(keys.flatMap((key) => (all.has(key) ? [[key, all.get(key)!]] : [])));
  return requests.map(({ closer }, index) => {
    try {
      // A failure inside it leaves something untold; what hides checks is the same each time.
      if ((errors[index] ?? []).some(({ type }) => type !== 'FORBIDDEN')) return null;
      const reply = { data: { repository: answers[index] }, errors: errors[index] ?? [] };
      const { repository, answer, next_cursor } = pageIn(
        github,
        reply,
        { first: LONGEST_LIST, cursor: null },
        (nodes) =>
          listed(nodes).map((node) => ({ ...digestOf(github, node), fingerprint: openFingerprintOf(github, node) })),
      );
      const changes = pageOf(github, reply, { field: 'changes', first: LATEST, cursor: null }, (nodes) => ({
        digests: listed(nodes).map((node) => digestOf(github, node)),
      }));
      return {
        repository,
        open: answer,
        all_open: next_cursor === null,
        changes: changes.digests,
        all_changes: changes.next_cursor === null,
        threads: among(closer.threads, threads),
        checks: among(closer.checks, checks),
      };
    } catch (error) {
      if (error instanceof HostError) return null;
      throw error;
    }
  });
}

/** How many changes a look asks for. */
const LATEST = 10;

function closerParts(query: 'look-at-threads' | 'look-at-checks', keys: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < keys.length; at += MOST_KEYS) {
    const ids = keys.slice(at, at + MOST_KEYS);
    parts.push({ query, variables: { ids }, lists: ids.length });
  }
  return parts;
}
