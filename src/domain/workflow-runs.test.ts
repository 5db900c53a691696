import { describe, expect, it } from 'vitest';
import { type JobAttempt, workflowRunFacts } from './workflow-runs.ts';

const HOUR = 3_600_000;

/** A job that ended so many hours after the run began. */
function job(name: string, attempt: number, outcome: JobAttempt['outcome'], hour: number): JobAttempt {
  return { name, attempt, outcome, finishedAt: outcome === null ? null : hour * HOUR };
}
const factsOf = (jobs: readonly JobAttempt[], attempts: number, ...cancelled: number[]) =>
  workflowRunFacts(jobs, attempts, new Set(cancelled));

describe('a job', () => {
  it.each([
    ['failed, then succeeded', [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 2)], 2, [], true],
    [
      'failed twice, then succeeded',
      [job('a', 1, 'failed', 1), job('a', 2, 'failed', 2), job('a', 3, 'succeeded', 3)],
      3,
      [],
      true,
    ],
    ['failed and was not run again', [job('a', 1, 'failed', 1)], 1, [], false],
    ['failed and failed again', [job('a', 1, 'failed', 1), job('a', 2, 'failed', 2)], 2, [], false],
    ['succeeded at once', [job('a', 1, 'succeeded', 1)], 1, [], false],
    ['succeeded, then failed', [job('a', 1, 'succeeded', 1), job('a', 2, 'failed', 2)], 2, [], false],
    ['failed, then runs', [job('a', 1, 'failed', 1), job('a', 2, null, 2)], 2, [], false],
    ['failed in an attempt that was stopped', [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 2)], 2, [1], false],
    [
      'succeeded in an attempt that was stopped',
      [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 2)],
      2,
      [2],
      false,
    ],
    [
      'failed, was stopped, then succeeded',
      [job('a', 1, 'failed', 1), job('a', 2, 'cancelled', 2), job('a', 3, 'succeeded', 3)],
      3,
      [2],
      true,
    ],
    [
      'has a namesake that failed in the later attempt',
      [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 2), job('a', 2, 'failed', 2)],
      2,
      [],
      false,
    ],
  ] as const)('that %s', (_, jobs, attempts, cancelled, flaky) => {
    expect(factsOf(jobs, attempts, ...cancelled).jobs).toEqual([{ name: 'a', flaky }]);
  });

  it('counts as settled where it failed or succeeded, once for its run', () => {
    const jobs = [
      ...[job('a', 1, 'failed', 1), job('a', 2, 'failed', 2), job('b', 1, 'other', 1), job('c', 1, 'cancelled', 1)],
      ...[job('d', 1, null, 1), job('e', 1, 'succeeded', 1), job('a', 1, 'succeeded', 1)],
    ];

    expect(factsOf(jobs, 2).jobs.map(({ name }) => name)).toEqual(['a', 'e']);
    expect(factsOf(jobs, 2, 1, 2).jobs).toEqual([]);
  });
});

describe('a run', () => {
  it('was run again so many times as attempts after the first were not stopped', () => {
    expect(factsOf([], 1).reruns).toBe(0);
    expect(factsOf([], 3).reruns).toBe(2);
    expect(factsOf([], 3, 1).reruns).toBe(2);
    expect(factsOf([], 3, 1, 2, 3).reruns).toBe(0);
  });

  it.each([
    ['one attempt', [job('a', 1, 'succeeded', 1)], 1, [], null],
    ['a failure that nobody ran again', [job('a', 1, 'failed', 1)], 1, [], null],
    [
      'a failure and a success',
      [job('a', 1, 'failed', 1), job('b', 1, 'succeeded', 2), job('a', 2, 'succeeded', 5)],
      2,
      [],
      3,
    ],
    [
      'two failures and a success',
      [job('a', 1, 'failed', 1), job('a', 2, 'failed', 3), job('a', 3, 'succeeded', 7)],
      3,
      [],
      6,
    ],
    ['a failure in an attempt that was stopped', [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 5)], 2, [1], null],
    [
      'one that was stopped in between',
      [job('a', 1, 'failed', 1), job('a', 2, 'cancelled', 2), job('a', 3, 'succeeded', 4)],
      3,
      [2],
      3,
    ],
    [
      'another job that still fails',
      [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 2), job('b', 2, 'failed', 2)],
      2,
      [],
      null,
    ],
    [
      'another job that still runs',
      [job('a', 1, 'failed', 1), job('a', 2, 'succeeded', 2), job('b', 2, null, 2)],
      2,
      [],
      null,
    ],
    [
      'what was kept of the first attempt',
      [job('a', 1, 'failed', 3), job('b', 1, 'succeeded', 4), job('b', 2, 'succeeded', 1), job('a', 2, 'succeeded', 5)],
      2,
      [],
      1,
    ],
  ] as const)('with %s waited so long for it', (_, jobs, attempts, cancelled, hours) => {
    expect(factsOf(jobs, attempts, ...cancelled).rerun_wait_hours).toBe(hours);
  });
});
