import { HostError } from '../errors.ts';
import type { SkippedItem } from '../pages.ts';
import type { HostPullRequest } from '../pull-request.ts';
import type { RepositoryName } from '../repository.ts';
import { pullRequestAnswer } from './answers.ts';
import { type GraphqlError, passingError } from './failures.ts';
import { type GithubGraphql, isForbidden, type Reply, reasonOf, required, valueAt } from './github-graphql.ts';
import { type AnyList, PullRequestReading } from './pull-request-reading.ts';
import type { Part } from './queries.ts';
import { asOnePart, inParts } from './smaller-parts.ts';
import { pullRequestOf } from './translate.ts';

/** What one request goes on with at most: rows that the host counted, and lists, just under what two points pay for. */
const ROWS_PER_REQUEST = 3000;
export const LISTS_PER_REQUEST = 149;
/** The most keys that one list of keys may hold. */
const KEYS = 100;

/** As many pull requests by their keys as are a single point with all that they hold. */
const LARGEST_WHOLE_BATCH = 2;

/** A pull request that is being read, or why it can't be. */
export type Begun = PullRequestReading | SkippedItem;

/** Asks for pull requests by their keys, few of them with all that they hold. */
export async function askByIds(
  github: GithubGraphql,
  { owner, name }: RepositoryName,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const ask = (whole: boolean) =>
    github.ask(whole ? 'whole-pull-requests-by-id' : 'pull-requests-by-id', { owner, name, ids }, signal);
  return ids.length === 1 ? await wholeIfPossible(ask) : await ask(ids.length <= LARGEST_WHOLE_BATCH);
}

/** One pull request with all that it holds; where the host cannot compute that, as a page has it: its lists are then read on by their keys. */
export async function wholeIfPossible(ask: (whole: boolean) => Promise<Reply>): Promise<Reply> {
  try {
    return await ask(true);
  } catch (error) {
    if (!(error instanceof HostError) || error.kind !== 'too_heavy') throw error;
    return await ask(false);
  }
}

/**
 * Takes what a query answered for some pull requests; null is one that the host did not give. `pathOf` says where in
 * the answer they stand, so that an error there is known to be theirs.
 * @throws HostError `too_heavy` when the host left out parts of several of them
 */
export function beginReading(
  github: GithubGraphql,
  found: readonly unknown[],
  errors: readonly GraphqlError[],
  pathOf: (index: number) => readonly (string | number)[],
): readonly Begun[] {
  const begun = found.map((raw, index) => begin(raw, errorsAt(errors, pathOf(index))));
  const cut = begun.filter(isReading).filter((reading) => reading.isCut);
  if (cut.length > 1) {
    throw new HostError('too_heavy', `${github.label} does not list ${cut.length} pull requests completely.`);
  }
  return begun;
}

/** Reads every list to its end, and by itself again what did not come whole. */
export async function finishReading(
  github: GithubGraphql,
  of: RepositoryName,
  begun: readonly Begun[],
  signal: AbortSignal | undefined,
): Promise<{ pull_requests: HostPullRequest[]; skipped: SkippedItem[] }> {
  await readToEnd(github, begun, signal);
  const pull_requests: HostPullRequest[] = [];
  const skipped: SkippedItem[] = [];
  for (const reading of begun) {
    const whole = isReading(reading) && reading.flaw !== null ? await readAlone(github, of, reading, signal) : reading;
    if (!isReading(whole)) skipped.push(whole);
    else {
      pull_requests.push(pullRequestOf(whole));
      const { short } = whole;
      if (short !== null)
        skipped.push({ number: whole.answer.number, reason: `kept with what ${github.label} lists (${short})` });
    }
  }
  return { pull_requests, skipped };
}

/**
 * Reads one pull request again, by itself: what was too much among others may come whole now. A list that still ends before
 * the host's count is asked for once more alone, and what the host lists then is all that it lists (it also counts what it
 * hides, such as comments of accounts that it has blocked): the pull request is kept, and the difference named.
 */
async function readAlone(
  github: GithubGraphql,
  { owner, name }: RepositoryName,
  earlier: PullRequestReading,
  signal?: AbortSignal,
): Promise<Begun> {
  const { id, number } = earlier.answer;
  if (earlier.broken !== null) return { number, reason: earlier.broken };
  const reply = await asOnePart(() => askByIds(github, { owner, name }, [id], signal));
  // To whom the repository is not shown any more nothing in it has gone.
  required(reply, 'repository', github.label);
  const [raw] = reply.data.nodes as unknown[];
  const errors = errorsAt(reply.errors, ['nodes', 0]);
  if (raw == null) return { number, reason: passingError(errors)?.message || 'gone while being read' };
  const reading = begin(raw, errors);
  if (!isReading(reading)) return { ...reading, number };
  await readToEnd(github, [reading], signal);
  reading.restartShort();
  await readToEnd(github, [reading], signal);
  const flaw = reading.broken ?? reading.failed;
  return flaw !== null ? { number, reason: flaw } : reading;
}

function begin(raw: unknown, errors: readonly GraphqlError[]): Begun {
  const parsed = pullRequestAnswer.safeParse(raw);
  if (parsed.success) return new PullRequestReading(parsed.data, errors);
  const number = (raw as { number?: unknown } | null)?.number;
  return {
    number: Number.isInteger(number) ? (number as number) : null,
    reason: errors[0]?.message || reasonOf(parsed.error),
  };
}

/** Reads on until every list is at its end; the lists of all the pull requests travel together. */
async function readToEnd(github: GithubGraphql, begun: readonly Begun[], signal?: AbortSignal): Promise<void> {
  for (;;) {
    const unread = unreadOf(begun);
    if (unread.length === 0) return;
    await readOn(github, unread, signal);
  }
}

/** Asks for one more page of each of these lists, in as few requests as the host can compute. */
export async function readOn(github: GithubGraphql, lists: readonly UnreadList[], signal?: AbortSignal): Promise<void> {
  const parts = await inParts(lists, fitting, async (some) => {
    const batches = batchesOf(some);
    const asked = await github.askParts(
      batches.map(({ part }) => part),
      signal,
    );
    return { batches, ...asked };
  });
  // Not while it is asked for: what only shows that the host answers is asked for again.
  for (const { batches, answers, errors } of parts)
    for (const [index, { take }] of batches.entries()) take(answers[index], errors[index] ?? []);
}

/** A list to be read on, and the pull request that it is of. */
export interface UnreadList {
  readonly list: AnyList;
  readonly reading: PullRequestReading;
}

/** What is to be read on of these pull requests. */
export function unreadOf(begun: readonly Begun[]): readonly UnreadList[] {
  return begun.filter(isReading).flatMap((reading) => reading.unread().map((list) => ({ list, reading })));
}

/** How many of these lists one request goes on with, at least one. */
export function fitting(lists: readonly UnreadList[]): number {
  let rows = 0;
  let asked = 0;
  const beyond = lists.findIndex(({ list }) => {
    rows += list.expected;
    asked += list.lists;
    return asked > LISTS_PER_REQUEST || rows > ROWS_PER_REQUEST;
  });
  return beyond === -1 ? lists.length : Math.max(1, beyond);
}

/** Lists that one part of a request goes on with. */
export interface Batch {
  readonly part: Part;
  /** Takes the answer to the part, and the errors in it. */
  readonly take: (nodes: unknown, errors: readonly GraphqlError[]) => void;
}

/** Those that begin go by the keys of what they belong to, up to 100 of a kind at once; others each go on from their cursor. */
export function batchesOf(lists: readonly UnreadList[]): Batch[] {
  const kinds = Map.groupBy(lists, ({ list }, index) => {
    if (list.next?.after != null) return `${list.query} ${index}`;
    return `${list.query} from ${list.skip}${list.nested ? ` of ${list.expected}` : ''}`;
  });
  return [...kinds.values()].flatMap((all) => inKeys(all).map(batchOf));
}

function inKeys<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += KEYS) chunks.push(all.slice(at, at + KEYS));
  return chunks;
}

function batchOf(lists: readonly UnreadList[]): Batch {
  const [{ list: first }] = lists as [UnreadList];
  return {
    part: {
      query: first.query,
      variables: {
        ids: lists.map(({ list }) => list.of),
        after: first.next?.after ?? null,
        ...(first.nested && { first: first.expected }),
        ...(first.skip > 0 && first.next?.after === null && { skip: first.skip }),
      },
      lists: lists.reduce((sum, { list }) => sum + list.lists, 0),
    },
    take: (nodes, errors) => {
      for (const [index, { list, reading }] of lists.entries()) {
        if (list.query === 'more-checks' && errors.some(isForbidden)) reading.forgetChecks();
        else if (list.query === 'more-commits' && hidesItems(nodes, index, errors)) reading.forgetCommits();
        else {
          reading.noteErrors(errors.filter(({ path }) => path?.[1] === index));
          list.take((nodes as ({ list?: unknown } | null)[] | null)?.[index]?.list);
        }
      }
    },
  };
}

/** Whether items of the list at this index are missing because the token may not read them. */
function hidesItems(nodes: unknown, index: number, errors: readonly GraphqlError[]): boolean {
  return errors.filter(isForbidden).some(({ path }) => {
    const [, of, ...inside] = path ?? [];
    return of === index && inside.length > 0 && valueAt(nodes, [of, ...inside.slice(0, 3)]) == null;
  });
}

/** The errors of what stands there in an answer. */
export function errorsAt(errors: readonly GraphqlError[], path: readonly (string | number)[]): readonly GraphqlError[] {
  return errors.filter((error) => path.every((step, index) => error.path?.[index] === step));
}

export function isReading(value: Begun): value is PullRequestReading {
  return value instanceof PullRequestReading;
}
