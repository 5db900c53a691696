import { isGenerated } from './generated-files.ts';
import { type CountingReview, type History, isSamePerson } from './history.ts';
import type { Opinion, Phases } from './phases.ts';
import {
  type CommentRecord,
  type CommitRecord,
  type Hours,
  hoursBetween,
  type Instant,
  type PersonRef,
  type PullRequestRecord,
  toHours,
} from './pull-request.ts';
import { askedAt } from './response-time.ts';

/**
 * What the signals of the review practice ask of one pull request, as numbers: their thresholds stand in the question
 * (docs/metrics.md#signals).
 */
export interface SignalFacts {
  /** Lines changed, without those in generated files where all its files are known. */
  readonly lines_counted: number;
  /** Its files are known, all of them. */
  readonly files_known: boolean;
  /** When it became a draft and when no longer, in turns. */
  readonly draft_changes: readonly Instant[];
  /** From the last push until the last check of it was done, in hours; null without checks or while one runs. */
  readonly ci_wait_hours: Hours | null;
  /** Hours of waiting and of being approved during which checks ran; null as above. */
  readonly ci_overlap_hours: Hours | null;
  /** Null unless it was merged. */
  readonly atMerge: MergeFacts | null;
}

export interface MergeFacts {
  /** People whose last opinion was an approval, or a request for changes. */
  readonly standing_approvals: number;
  readonly standing_requests: number;
  /** A person other than the author said something, in general or at a line. */
  readonly commented_by_others: boolean;
  readonly inline_by_others: boolean;
  /** Whoever merged it wrote it or started it; null where that is nobody known, a bot or an agent. */
  readonly self_merged: boolean | null;
  /** The most words that a counting review or another person's general comment has; 0 without any, null where one is not counted. */
  readonly review_words: number | null;
  /** From when the first approval outside a draft was asked for until it was given, in minutes; null without one. */
  readonly approval_lag_minutes: number | null;
  /** Commits after the last standing approval, merges of the base aside, that nobody reviewed after; null without an approval. */
  readonly commits_after_approval: number | null;
  /** A force push after it, and no review after the last push. */
  readonly forced_after_approval: boolean | null;
  /** The most turns of the author, from development to waiting, within 24 hours. */
  readonly turns_in_a_day: number;
}

const DAY = 24 * 3_600_000;
const MINUTE = 60_000;

/** The facts as of a history; `creditedTo` started it, and `generated` are the patterns of files that nobody writes. */
export function signalFactsOf(
  history: History,
  phases: Phases,
  creditedTo: PersonRef | null,
  generated: readonly string[],
): SignalFacts {
  const { record, drafts } = history;
  return {
    lines_counted: linesCounted(record, generated),
    files_known: areFilesKnown(record),
    draft_changes: drafts.changes.map(({ at }) => at),
    ...checksOf(history, phases),
    atMerge: record.mergedAt === null ? null : mergeFactsOf(history, phases, creditedTo),
  };
}

function mergeFactsOf(history: History, phases: Phases, creditedTo: PersonRef | null): MergeFacts {
  const { countingReviews } = history;
  const byOthers = commentsByOthers(history);
  const inline = byOthers.filter(({ kind }) => kind === 'inline');
  const approvals = phases.standing.filter(({ state }) => state === 'approved');
  return {
    standing_approvals: approvals.length,
    standing_requests: phases.standing.length - approvals.length,
    commented_by_others: byOthers.length > 0,
    inline_by_others: inline.length > 0,
    self_merged: isSelfMerged(history.record, creditedTo),
    review_words: mostWords(countingReviews, byOthers),
    approval_lag_minutes: approvalLag(history),
    ...afterApproval(history, approvals),
    turns_in_a_day: mostWithinADay(phases.turnsOfAuthor),
  };
}

/** General and inline comments by people other than the author, up to the end. */
export function commentsByOthers({ record, comments, end }: History): CommentRecord[] {
  return comments.filter(
    ({ author, createdAt }) => author?.kind === 'human' && !isSamePerson(author, record.author) && createdAt <= end,
  );
}

function isSelfMerged({ mergedBy, author }: PullRequestRecord, creditedTo: PersonRef | null): boolean | null {
  if (mergedBy?.kind !== 'human') return null;
  return isSamePerson(mergedBy, author) || isSamePerson(mergedBy, creditedTo);
}

function mostWords(reviews: readonly CountingReview[], comments: readonly CommentRecord[]): number | null {
  const words = [
    ...reviews.map(({ hasBody, bodyWords }) => (hasBody ? bodyWords : 0)),
    ...comments.flatMap(({ kind, bodyWords }) => (kind === 'general' ? [bodyWords] : [])),
  ];
  return words.reduce<number | null>((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0);
}

function approvalLag(history: History): number | null {
  const first = history.countingReviews.find((review) => review.submittedState === 'approved' && !review.duringDraft);
  return first === undefined ? null : (first.submittedAt - askedAt(history, first)) / MINUTE;
}

function afterApproval(
  { record, countingReviews, pushes, events, createdAt, end }: History,
  approvals: readonly Opinion[],
): Pick<MergeFacts, 'commits_after_approval' | 'forced_after_approval'> {
  if (approvals.length === 0) return { commits_after_approval: null, forced_after_approval: null };
  const approvedAt = Math.max(...approvals.map(({ at }) => at));
  const isReviewedAfter = (at: Instant) => countingReviews.some(({ submittedAt }) => submittedAt >= at);
  const commits = record.commits
    .filter((commit) => !isMergeOf(record.baseRef, commit))
    .map(({ committedAt }) => Math.min(Math.max(committedAt, createdAt), end))
    .filter((at) => at > approvedAt);
  const forced = events.some(({ type, at }) => type === 'force_push' && at > approvedAt && at <= end);
  const lastPush = pushes.findLast(({ at }) => at <= end)?.at ?? createdAt;
  return {
    commits_after_approval: commits.length > 0 && isReviewedAfter(Math.max(...commits)) ? 0 : commits.length,
    forced_after_approval: forced && !isReviewedAfter(lastPush),
  };
}

/** Whether a commit brings the base along, by its headline: how many parents it has is not known. */
function isMergeOf(base: string, { headline }: CommitRecord): boolean {
  if (headline.startsWith(`Merge branch '${base}'`) || headline.startsWith(`Merge ${base} into`)) return true;
  const remote = /^Merge remote-tracking branch '[^'/]+\/(.+?)'/.exec(headline)?.[1];
  return remote === base;
}

function mostWithinADay(moments: readonly Instant[]): number {
  return moments.reduce((most, from, at) => {
    const within = moments.slice(at).filter((moment) => moment - from <= DAY).length;
    return Math.max(most, within);
  }, 0);
}

/** Where the host counts no file at all it may not have computed what changed. */
function areFilesKnown({ files, changedFiles }: PullRequestRecord): boolean {
  return changedFiles > 0 && files.length === changedFiles;
}

function linesCounted(record: PullRequestRecord, generated: readonly string[]): number {
  const all = record.additions + record.deletions;
  if (!areFilesKnown(record)) return all;
  const unwritten = record.files.filter(({ path }) => isGenerated(path, generated));
  // The host may count a file otherwise than the whole.
  return Math.max(
    0,
    unwritten.reduce((lines, { additions, deletions }) => lines - additions - deletions, all),
  );
}

function checksOf(
  { record, pushes, createdAt, end }: History,
  { spans }: Phases,
): Pick<SignalFacts, 'ci_wait_hours' | 'ci_overlap_hours'> {
  const none = { ci_wait_hours: null, ci_overlap_hours: null };
  const runs = record.checks.map(({ startedAt, completedAt }) => ({ from: startedAt, to: completedAt }));
  const ends = runs.flatMap(({ to }) => to ?? []);
  if (ends.length === 0 || ends.length < runs.length) return none;
  const pushedAt = pushes.findLast(({ at }) => at <= end)?.at ?? createdAt;
  const judged = spans.filter(({ phase }) => phase !== 'development');
  // Each moment counts once, however many checks run.
  const during = joined(runs.flatMap(({ from, to }) => (from === null || to === null ? [] : [{ from, to }])));
  const overlap = judged.flatMap((span) =>
    during.map(({ from, to }) => Math.max(0, Math.min(to, span.to ?? end) - Math.max(from, span.from, pushedAt))),
  );
  return {
    ci_wait_hours: hoursBetween(pushedAt, Math.max(pushedAt, ...ends)),
    // Commit statuses alone say when they ended, not since when they ran.
    ci_overlap_hours: during.length === 0 ? null : toHours(overlap.reduce((sum, part) => sum + part, 0)),
  };
}

interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** Spans that overlap as one. */
function joined(spans: readonly Span[]): Span[] {
  const apart: { from: Instant; to: Instant }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else apart.push({ from, to });
  }
  return apart;
}
