import { HostError, type HostPullRequest, type RepositoryName, type SkippedItem } from '../host.ts';
import {
  type CheckAnswer,
  checkAnswer,
  commentAnswer,
  commitAnswer,
  eventAnswer,
  fileAnswer,
  inlineCommentAnswer,
  type PullRequestAnswer,
  pullRequestAnswer,
  reviewAnswer,
  reviewRequestAnswer,
} from './answers.ts';
import type { GraphqlError } from './failures.ts';
import { type GithubGraphql, isOfChecks, reasonOf } from './github-graphql.ts';
import { NestedList } from './nested-list.ts';
import type { Part } from './queries.ts';
import { asOnePart, inParts } from './smaller-parts.ts';
import { pullRequestOf, type Reading } from './translate.ts';

/** What one request goes on with at most: rows that the host counted, and lists. */
const ROWS_PER_REQUEST = 3000;
const LISTS_PER_REQUEST = 500;

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
): readonly (Reading | SkippedItem)[] {
  const begun = found.map((raw, index) => begin(raw, errorsAt(errors, pathOf(index))));
  const cut = begun.filter(isReading).filter((reading) => listsOf(reading).some((list) => list.short));
  if (cut.length > 1) {
    throw new HostError('too_heavy', `${github.label} does not list ${cut.length} pull requests completely.`);
  }
  return begun;
}

/** Reads every list to its end, and by itself again what did not come whole. */
export async function finishReading(
  github: GithubGraphql,
  of: RepositoryName,
  begun: readonly (Reading | SkippedItem)[],
  signal: AbortSignal | undefined,
): Promise<{ pull_requests: HostPullRequest[]; skipped: SkippedItem[] }> {
  await readToEnd(github, begun.filter(isReading), signal);
  const pull_requests: HostPullRequest[] = [];
  const skipped: SkippedItem[] = [];
  for (const reading of begun) {
    const whole = isReading(reading) && flawOf(reading) ? await readAlone(github, of, reading, signal) : reading;
    if (!isReading(whole)) skipped.push(whole);
    else {
      pull_requests.push(pullRequestOf(whole));
      const short = listsOf(whole).find((list) => list.short)?.short;
      if (short)
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
  earlier: Reading,
  signal?: AbortSignal,
): Promise<Reading | SkippedItem> {
  const { id, number } = earlier.answer;
  const broken = listsOf(earlier).find((list) => list.broken)?.broken;
  if (broken) return { number, reason: broken };
  const reply = await asOnePart(() => github.ask('pull-requests-by-id', { owner, name, ids: [id] }, signal));
  const [raw] = reply.data.nodes as unknown[];
  if (raw == null) return { number, reason: 'gone while being read' };
  const reading = begin(raw, errorsAt(reply.errors, ['nodes', 0]));
  if (!isReading(reading)) return reading;
  await readToEnd(github, [reading], signal);
  for (const list of listsOf(reading).filter((list) => list.short)) list.restart();
  await readToEnd(github, [reading], signal);
  const flaw = listsOf(reading).find((list) => list.broken)?.broken ?? reading.failed;
  return flaw ? { number, reason: flaw } : reading;
}

function begin(raw: unknown, errors: readonly GraphqlError[]): Reading | SkippedItem {
  const parsed = pullRequestAnswer.safeParse(raw);
  if (!parsed.success) {
    const number = (raw as { number?: unknown } | null)?.number;
    return {
      number: Number.isInteger(number) ? (number as number) : null,
      reason: errors[0]?.message || reasonOf(parsed.error),
    };
  }
  const answer = parsed.data;
  const reading: Reading = {
    answer,
    reviewRequests: new NestedList('more-review-requests', answer.id, reviewRequestAnswer),
    reviews: new NestedList('more-reviews', answer.id, reviewAnswer),
    comments: new NestedList('more-comments', answer.id, commentAnswer),
    commits: new NestedList('more-commits', answer.id, commitAnswer),
    files: new NestedList('more-files', answer.id, fileAnswer),
    events: new NestedList('more-events', answer.id, eventAnswer),
    checks: checksOf(answer, errors),
    inline: new Map(),
    failed: errors.find(({ type }) => type !== 'FORBIDDEN' && type !== 'NOT_FOUND')?.message ?? null,
  };
  reading.reviewRequests.take(answer.reviewRequests);
  reading.reviews.take(answer.reviews);
  reading.comments.take(answer.comments);
  reading.commits.take(answer.commits);
  reading.files.take(answer.files);
  reading.events.take(answer.timelineItems);
  return reading;
}

/** No checks at all is an empty list; checks that the token may not read are null. */
function checksOf(answer: PullRequestAnswer, errors: readonly GraphqlError[]): NestedList<CheckAnswer> | null {
  if (errors.some(isOfChecks)) return null;
  const rollup = answer.headCommit?.nodes[0]?.commit?.statusCheckRollup;
  const checks = new NestedList('more-checks', rollup?.id ?? answer.id, checkAnswer);
  if (!rollup) return checks;
  if (rollup.contexts === undefined) return null;
  checks.take(rollup.contexts);
  return checks;
}

/** Reads on until every list is at its end; the lists of all the pull requests travel together. */
async function readToEnd(github: GithubGraphql, readings: readonly Reading[], signal?: AbortSignal): Promise<void> {
  for (;;) {
    const unread = readings.flatMap(unreadOf);
    if (unread.length === 0) return;
    await inParts(unread, fitting, async (lists) => {
      const batches = batchesOf(lists);
      const { answers } = await github.askParts(
        batches.map(({ part }) => part),
        signal,
      );
      for (const [index, { take }] of batches.entries()) take(answers[index]);
    });
  }
}

type AnyList = Pick<
  NestedList<unknown>,
  'query' | 'of' | 'next' | 'short' | 'broken' | 'expected' | 'take' | 'restart'
>;

function unreadOf(reading: Reading): AnyList[] {
  for (const review of reading.reviews.items) {
    if (review.comments.totalCount === 0 || review.state === 'PENDING' || reading.inline.has(review.id)) continue;
    const list = new NestedList('more-inline-comments', review.id, inlineCommentAnswer);
    list.total = review.comments.totalCount;
    list.next = { after: null };
    reading.inline.set(review.id, list);
  }
  return listsOf(reading).filter((list) => list.next !== null);
}

function listsOf(reading: Reading): AnyList[] {
  const { reviewRequests, reviews, comments, commits, files, events, checks, inline } = reading;
  const lists = [reviewRequests, reviews, comments, commits, files, events, ...inline.values()];
  return checks ? [...lists, checks] : lists;
}

function fitting(lists: readonly AnyList[]): number {
  let rows = 0;
  const beyond = lists.findIndex((list, index) => {
    rows += Math.min(100, list.expected);
    return index >= LISTS_PER_REQUEST || rows > ROWS_PER_REQUEST;
  });
  return beyond === -1 ? lists.length : beyond;
}

interface Batch {
  readonly part: Part;
  readonly take: (answer: unknown) => void;
}

/** Inline comments begin by the ids of their reviews, up to 100 at once; other lists each go on from their cursor. */
function batchesOf(lists: readonly AnyList[]): Batch[] {
  const begins = (list: AnyList) => list.query === 'more-inline-comments' && list.next?.after === null;
  const goOn = lists.filter((list) => !begins(list));
  const begin = lists.filter(begins);
  const batches: Batch[] = goOn.map((list) => ({
    part: { query: list.query, variables: { id: list.of, after: list.next?.after } },
    take: (node) => list.take(listIn(node)),
  }));
  for (let at = 0; at < begin.length; at += 100) {
    const some = begin.slice(at, at + 100);
    batches.push({
      part: { query: 'inline-comments', variables: { ids: some.map((list) => list.of) } },
      take: (nodes) => {
        for (const [index, list] of some.entries()) list.take(listIn((nodes as unknown[] | null)?.[index]));
      },
    });
  }
  return batches;
}

function listIn(node: unknown): unknown {
  return (node as { list?: unknown } | null | undefined)?.list;
}

function flawOf(reading: Reading): string | null {
  const flawed = listsOf(reading).find((list) => list.broken || list.short);
  return flawed ? (flawed.broken ?? flawed.short) : reading.failed;
}

function errorsAt(errors: readonly GraphqlError[], path: readonly (string | number)[]): readonly GraphqlError[] {
  return errors.filter((error) => path.every((step, index) => error.path?.[index] === step));
}

function isReading(value: Reading | SkippedItem): value is Reading {
  return 'answer' in value;
}
