import { type Hours, hoursBetween, type Instant } from './pull-request.ts';

/** How a job ended; `other` where it says nothing about the code: skipped, neutral. */
export type JobOutcome = 'succeeded' | 'failed' | 'cancelled' | 'other';

/** A job in one attempt of a workflow run. */
export interface JobAttempt {
  readonly name: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Null while it runs. */
  readonly outcome: JobOutcome | null;
  readonly finishedAt: Instant | null;
}

/** What the attempts of one workflow run tell (docs/metrics.md#waiting-for-checks). */
export interface WorkflowRunFacts {
  /** The jobs that failed or succeeded in an attempt that nobody stopped. */
  readonly jobs: readonly { readonly name: string; readonly flaky: boolean }[];
  /** Attempts after the first that nobody stopped. */
  readonly reruns: number;
  /** From the end of the first attempt that failed until the end of the next that succeeded; null where there is none. */
  readonly rerun_wait_hours: Hours | null;
}

/**
 * `attempts` is how many there were, `cancelled` the numbers of those that somebody stopped: they are as if they had not been. A job is
 * flaky that failed in one attempt and succeeded in a later one of the same run, and so of the same commit.
 */
export function workflowRunFacts(
  jobs: readonly JobAttempt[],
  attempts: number,
  cancelled: ReadonlySet<number>,
): WorkflowRunFacts {
  const counting = jobs.filter(({ attempt }) => !cancelled.has(attempt));
  const settled = counting.filter(({ outcome }) => outcome === 'succeeded' || outcome === 'failed');
  const byName = [...Map.groupBy(settled, ({ name }) => name)];
  const numbers = Array.from({ length: attempts }, (_, index) => index + 1);
  return {
    jobs: byName.map(([name, some]) => ({ name, flaky: isFlaky(some) })),
    reruns: numbers.slice(1).filter((attempt) => !cancelled.has(attempt)).length,
    rerun_wait_hours: rerunWait(counting),
  };
}

/** A job of one attempt that has several of its name failed where one of them did. */
function isFlaky(ofOneName: readonly JobAttempt[]): boolean {
  const failed = new Set(ofOneName.filter(({ outcome }) => outcome === 'failed').map(({ attempt }) => attempt));
  if (failed.size === 0) return false;
  const first = Math.min(...failed);
  return ofOneName.some(({ attempt }) => attempt > first && !failed.has(attempt));
}

function rerunWait(jobs: readonly JobAttempt[]): Hours | null {
  const attempts = [...Map.groupBy(jobs, ({ attempt }) => attempt)]
    .sort(([one], [other]) => one - other)
    .map(([, of]) => ({ outcome: outcomeOf(of), end: endOf(of) }));
  const failedAt = attempts.findIndex(({ outcome }) => outcome === 'failed');
  if (failedAt < 0) return null;
  const [failed, succeeded] = [
    attempts[failedAt],
    attempts.slice(failedAt + 1).find(({ outcome }) => outcome === 'succeeded'),
  ];
  if (failed?.end == null || succeeded?.end == null) return null;
  return hoursBetween(failed.end, Math.max(failed.end, succeeded.end));
}

function outcomeOf(jobs: readonly JobAttempt[]): 'failed' | 'succeeded' | null {
  const outcomes = new Set(jobs.map(({ outcome }) => outcome));
  if (outcomes.has('failed')) return 'failed';
  return outcomes.has('succeeded') && !outcomes.has('cancelled') && !outcomes.has(null) ? 'succeeded' : null;
}

function endOf(jobs: readonly JobAttempt[]): Instant | null {
  const ends = jobs.flatMap(({ finishedAt }) => finishedAt ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}
