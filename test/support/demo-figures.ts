import type { Entry, PullRequestHistory, World } from '../../src/simulator/history.ts';
import { AUTOMATION } from '../../src/simulator/worlds/demo/automation.ts';
import { HOUR } from '../../src/simulator/worlds/demo/calendar.ts';
import { endOf } from '../../src/simulator/worlds/demo/pulse.ts';

/** What the tests measure in a demo world, by the words of the distributions of real review behaviour. */
export interface Figures {
  readonly openedByPeople: readonly PullRequestHistory[];
  readonly opened: readonly PullRequestHistory[];
  readonly lines: readonly number[];
  readonly files: readonly number[];
  readonly commits: readonly number[];
  readonly hoursToFirstReview: readonly number[];
  readonly hoursToMerge: readonly number[];
  readonly hoursFromApprovalToMerge: readonly number[];
  /** Of the merged ones, in the order of `hoursToMerge`. */
  readonly linesOfMerged: readonly number[];
  readonly reviewsPerMerged: readonly number[];
  readonly reviews: readonly PersonReview[];
  readonly ownReplies: number;
}

export interface PersonReview {
  readonly by: string;
  readonly at: number;
  readonly state: string;
  readonly comments: number;
  readonly first: boolean;
  readonly late: boolean;
}

const MACHINES: ReadonlySet<string | null> = new Set(AUTOMATION.map((account) => account.login));

export function isMachine(login: string | null): boolean {
  return MACHINES.has(login);
}

/** The state of a pull request at a moment. */
export function stateAt(pullRequest: PullRequestHistory, at: number): 'open' | 'merged' | 'closed' {
  let state: 'open' | 'merged' | 'closed' = 'open';
  for (const entry of pullRequest.entries) {
    if (entry.at > at) break;
    if (entry.kind === 'merged' || entry.kind === 'closed') state = entry.kind;
    if (entry.kind === 'reopened') state = 'open';
  }
  return state;
}

/** Measures everything that happened up to `now`; only pull requests opened by people, but for `opened`. */
export function figuresOf(world: World, now: number): Figures {
  const opened = world.repositories.flatMap(({ pullRequests }) => pullRequests.filter((each) => each.createdAt <= now));
  const openedByPeople = opened.filter((pullRequest) => !isMachine(pullRequest.author));
  const merged = openedByPeople.filter((pullRequest) => stateAt(pullRequest, now) === 'merged');
  const stories = openedByPeople.map((pullRequest) => reviewsOf(pullRequest, now));
  const mergedStories = merged.map((pullRequest) => reviewsOf(pullRequest, now));
  return {
    opened,
    openedByPeople,
    lines: openedByPeople.map(({ size }) => size.additions + size.deletions),
    files: openedByPeople.map(({ size }) => size.files.length),
    commits: openedByPeople.map((pullRequest) => commitsOf(pullRequest, now)),
    hoursToFirstReview: openedByPeople.flatMap((pullRequest, index) => {
      const first = stories[index]?.[0];
      return first === undefined ? [] : [(first.at - readyAt(pullRequest)) / HOUR];
    }),
    hoursToMerge: merged.map((pullRequest) => (endOf(pullRequest) - pullRequest.createdAt) / HOUR),
    hoursFromApprovalToMerge: merged.flatMap((pullRequest, index) => {
      const approval = mergedStories[index]?.findLast((review) => review.state === 'APPROVED' && !review.late);
      return approval === undefined ? [] : [(endOf(pullRequest) - approval.at) / HOUR];
    }),
    linesOfMerged: merged.map(({ size }) => size.additions + size.deletions),
    reviewsPerMerged: mergedStories.map((reviews) => reviews.filter((review) => !review.late).length),
    reviews: stories.flat(),
    ownReplies: openedByPeople.reduce((sum, pullRequest) => {
      const own = pullRequest.entries.filter((entry) => entry.kind === 'review' && entry.by === pullRequest.author);
      return sum + own.length;
    }, 0),
  };
}

function readyAt(pullRequest: PullRequestHistory): number {
  if (!pullRequest.openedAsDraft) return pullRequest.createdAt;
  return pullRequest.entries.find((entry) => entry.kind === 'ready_for_review')?.at ?? pullRequest.createdAt;
}

function commitsOf(pullRequest: PullRequestHistory, now: number): number {
  const isPush = (entry: Entry) => entry.kind === 'commits' && entry.at <= now;
  return pullRequest.entries.reduce(
    (sum, entry) => sum + (isPush(entry) && entry.kind === 'commits' ? entry.commits.length : 0),
    pullRequest.commits.length,
  );
}

/** Reviews by people other than the author. */
function reviewsOf(pullRequest: PullRequestHistory, now: number): readonly PersonReview[] {
  const end = endOf(pullRequest);
  const dismissed = new Set(
    pullRequest.entries.flatMap((entry) =>
      entry.kind === 'review_dismissed' && entry.at <= now ? [entry.review] : [],
    ),
  );
  const reviews: PersonReview[] = [];
  for (const entry of pullRequest.entries) {
    if (entry.at > now) break;
    if (entry.kind !== 'review' || isMachine(entry.by) || entry.by === pullRequest.author) continue;
    reviews.push({
      by: entry.by ?? 'ghost',
      at: entry.at,
      state: dismissed.has(entry.id) ? 'DISMISSED' : entry.state,
      comments: entry.comments.length,
      first: reviews.length === 0,
      late: entry.at > end,
    });
  }
  return reviews;
}

/** The percentile by linear interpolation; 0.5 is the median. Throws on an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const position = share * (sorted.length - 1);
  const lower = sorted[Math.floor(position)];
  const upper = sorted[Math.ceil(position)];
  if (lower === undefined || upper === undefined) throw new Error('A quantile of nothing: measure something first.');
  return lower + (upper - lower) * (position - Math.floor(position));
}

/** Concentration of counts: 0 when all are equal, near 1 when one holds everything. */
export function gini(counts: readonly number[]): number {
  const sorted = [...counts].sort((one, other) => one - other);
  const total = sorted.reduce((sum, each) => sum + each, 0);
  const weighted = sorted.reduce((sum, each, index) => sum + (index + 1) * each, 0);
  return (2 * weighted) / (sorted.length * total) - (sorted.length + 1) / sorted.length;
}

export function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Rank correlation of two lists of equal length; ties keep their order, which is close enough for long lists. */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [ranks(one), ranks(other)];
  const middle = (one.length - 1) / 2;
  const covariance = first.reduce((sum, rank, index) => sum + (rank - middle) * ((second[index] ?? 0) - middle), 0);
  return covariance / first.reduce((sum, rank) => sum + (rank - middle) ** 2, 0);
}

function ranks(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0));
  const result: number[] = values.map(() => 0);
  for (const [rank, index] of order.entries()) result[index] = rank;
  return result;
}
