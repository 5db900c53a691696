import type { Attribution } from './attribution.ts';
import { isAgentsCommit } from './authorship.ts';
import { type History, isSamePerson } from './history.ts';
import { checksState } from './my-work.ts';
import type { CheckRecord, PersonRef } from './pull-request.ts';
import { commentsByOthers } from './review-signals.ts';

/** How one pull request fared, where agents' are told beside people's (docs/metrics.md#agents-pull-requests-beside-peoples). */
export interface OutcomeFacts {
  /** Which part of its listed commits carries the trace of an agent; null without commits. */
  readonly commits_by_agent: number | null;
  /** Counting reviews by anyone but the credited person. */
  readonly independent_reviews: number;
  /** Merged without an independent review, and without a comment of an independent person at or before the merge; null but of an agent's that was merged. */
  readonly merged_on_own_word: boolean | null;
  /** Threads at lines that people other than the author opened until the end; null while open. */
  readonly human_findings: number | null;
  /** A check of the last push fails; null while it is open or one runs, and without checks. */
  readonly failing_at_last_push: boolean | null;
}

export function outcomeOf(
  history: History,
  { authorship, creditedTo }: Pick<Attribution, 'authorship' | 'creditedTo'>,
): OutcomeFacts {
  const { record, countingReviews, endedAt } = history;
  const isIndependent = ({ author }: { readonly author: PersonRef | null }) => !isSamePerson(author, creditedTo);
  const reviews = countingReviews.filter(isIndependent).length;
  const comments = commentsByOthers(history);
  return {
    commits_by_agent: shareOfAgents(history),
    independent_reviews: reviews,
    merged_on_own_word:
      authorship === 'agent' && record.mergedAt !== null ? reviews === 0 && !comments.some(isIndependent) : null,
    human_findings:
      endedAt === null
        ? null
        : comments.filter(({ kind, inReplyTo }) => kind === 'inline' && inReplyTo === null).length,
    failing_at_last_push: endedAt === null ? null : isFailing(record.checks),
  };
}

function shareOfAgents({ record: { commits, attribution } }: History): number | null {
  if (commits.length === 0) return null;
  return commits.filter((commit) => isAgentsCommit(commit, attribution.knownIds)).length / commits.length;
}

function isFailing(checks: readonly CheckRecord[]): boolean | null {
  const begun = ({ startedAt, completedAt }: CheckRecord) => startedAt ?? completedAt ?? Number.POSITIVE_INFINITY;
  // Hosts tell whole seconds: of two that began at once the one that is named later counts, in whatever order they are read.
  const inOrder = checks.toSorted((a, b) => begun(a) - begun(b) || (a.id < b.id ? -1 : 1));
  const state = checksState(inOrder);
  return state === null || state === 'running' ? null : state === 'failing';
}
