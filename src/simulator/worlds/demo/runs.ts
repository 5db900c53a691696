import type { PullRequestHistory, WorkflowAttempt, WorkflowJob, WorkflowRun } from '../../history.ts';
import { hashOf } from '../../random.ts';
import { MINUTE, wholeSecond } from './calendar.ts';
import { OUTSIDERS } from './people.ts';

/** A job that fails now and then without a reason: when it is run again, it succeeds. */
const FLAKY = { job: 'browser tests', share: 0.14, rerunAfter: 3 * MINUTE };
/** Runs that somebody stopped and started again. */
const STOPPED_SHARE = 0.02;
/** Ids of runs, and of jobs that have no check of their own, above those of any check. */
const FIRST_RUN_ID = 10_000_000_000;
const FIRST_FORMER_ID = 20_000_000_000;

interface Draft {
  readonly head: string;
  readonly attempts: WorkflowJob[][];
}

/**
 * The workflow runs behind the checks of these pull requests: a run for each head, in which a job that failed and is run again is a
 * second attempt. Of a fork's the host names no pull request.
 */
export function runsOf(pullRequests: readonly PullRequestHistory[]): readonly WorkflowRun[] {
  return pullRequests.flatMap((pullRequest) =>
    draftsOf(pullRequest).map(({ head, attempts }): WorkflowRun => {
      const [first = []] = attempts;
      const id = FIRST_RUN_ID + (first[0]?.id ?? 0);
      return {
        id,
        workflow: 'Pull request',
        event: 'pull_request',
        createdAt: Math.min(...first.map(({ startedAt }) => startedAt)),
        headRef: pullRequest.headRef,
        headSha: head,
        pullRequests: OUTSIDERS.has(pullRequest.author ?? '') ? [] : [pullRequest.number],
        attempts: withFlakes(id, attempts),
      };
    }),
  );
}

/** Checks that began on one head, in the order in which they began; one that failed begins another attempt. */
function draftsOf({ commits, entries }: PullRequestHistory): readonly Draft[] {
  const heads = [{ at: 0, head: commits.at(-1)?.sha ?? '' }];
  for (const entry of entries) {
    if (entry.kind === 'commits') heads.push({ at: entry.at, head: entry.commits.at(-1)?.sha ?? '' });
    if (entry.kind === 'force_push') heads.push({ at: entry.at, head: entry.after ?? '' });
  }
  const jobs = entries
    .flatMap((entry): WorkflowJob[] =>
      entry.kind === 'check'
        ? [
            {
              id: entry.id,
              name: entry.name,
              startedAt: entry.startedAt,
              completedAt: entry.at,
              outcome: entry.outcome,
            },
          ]
        : [],
    )
    .sort((one, other) => one.startedAt - other.startedAt);
  const drafts: Draft[] = [];
  for (const job of jobs) {
    const head = heads.findLast(({ at }) => at <= job.startedAt)?.head ?? '';
    const current = drafts.at(-1);
    const before = current?.attempts.at(-1)?.find(({ name }) => name === job.name);
    if (current === undefined || current.head !== head || before?.outcome === 'SUCCESS')
      drafts.push({ head, attempts: [[job]] });
    else if (before === undefined) current.attempts.at(-1)?.push(job);
    else current.attempts.push([job]);
  }
  return drafts;
}

/** Of some runs what the checks do not show: that they are those of a second attempt. */
function withFlakes(id: number, attempts: readonly WorkflowJob[][]): readonly WorkflowAttempt[] {
  const told = attempts.map((jobs) => ({ startedAt: startOf(jobs), jobs }));
  const [first = []] = attempts;
  const chance = (hashOf(`run/${id}`) % 10_000) / 10_000;
  const flaky = first.find(({ name, outcome }) => name === FLAKY.job && outcome === 'SUCCESS');
  if (attempts.length > 1) return told;
  if (flaky !== undefined && chance < FLAKY.share) {
    const half = wholeSecond(flaky.startedAt + (flaky.completedAt - flaky.startedAt) / 2);
    const rest = first.filter((job) => job !== flaky);
    const failed = { ...flaky, id: FIRST_FORMER_ID + flaky.id, completedAt: half, outcome: 'FAILURE' as const };
    const again = { ...flaky, startedAt: Math.min(half + FLAKY.rerunAfter, flaky.completedAt) };
    return [
      { startedAt: startOf(first), jobs: [...rest, failed] },
      { startedAt: again.startedAt, jobs: [again] },
    ];
  }
  if (chance > 1 - STOPPED_SHARE) {
    const stopped = first.map((job) => ({
      ...job,
      id: FIRST_FORMER_ID + job.id,
      completedAt: job.startedAt,
      outcome: 'CANCELLED' as const,
    }));
    return [{ startedAt: startOf(first), cancelled: true, jobs: stopped }, ...told];
  }
  return told;
}

function startOf(jobs: readonly WorkflowJob[]): number {
  return Math.min(...jobs.map(({ startedAt }) => startedAt));
}
