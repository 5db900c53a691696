import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import { smoothedPace } from '../../src/server/sync/progress.ts';
import { openTestDatabase } from '../support/database.ts';
import { isRecorded, recordedRows, recordingsFolder } from '../support/recordings.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing, stateOf } from '../support/syncing.ts';

if (!isRecorded)
  console.error(
    `\n${'!'.repeat(80)}\nNo recordings in ${recordingsFolder}: the time left of a sync is NOT CHECKED.\n${'!'.repeat(80)}\n`,
  );

/** Less than this is as good as nothing, in seconds. */
const SOON = 2;

/** How long a host takes for a page: for the request, each pull request and each thing in them; now and then it pauses. */
function secondsOf(page: number, pulls: number, things: number): number {
  return 0.4 + 0.02 * pulls + 0.004 * things + (page % 20 === 7 ? 10 : 0);
}

interface Estimate {
  /** Seconds since the beginning, and those that are said to be left. */
  readonly at: number;
  readonly left: number;
  /** Of all pull requests. */
  readonly share: number;
}

/** By what factor each estimate after the first tenth was off. */
function errorsOf(estimates: readonly Estimate[], end: number): number[] {
  return estimates
    .filter(({ at, share }) => share >= 0.1 && end - at >= SOON)
    .map(({ at, left }) => Math.max(left / (end - at), (end - at) / left));
}

describe.runIf(isRecorded)('the time that is left of a sync', () => {
  let database: OpenDatabase;
  let simulator: RunningSimulator;
  let syncing: Syncing;

  beforeAll(async () => {
    [database, simulator] = await Promise.all([
      openTestDatabase(),
      startSimulator({ world: 'recorded', data: recordingsFolder }),
    ]);
  });
  afterAll(async () => {
    await syncing.stop();
    await simulator.stop();
    await database.close();
  });

  it('is told within a factor of two after the first tenth, of a repository whose pull requests are uneven', async () => {
    const begin = new Date('2026-11-21T10:00:00Z').getTime();
    let clock = begin;
    let page = 0;
    let repository = 0;
    const estimates: Estimate[] = [];
    const slow = (client: HostClient): HostClient => ({
      ...client,
      async pullRequests(of, request) {
        const { progress } = await stateOf(database.db, repository, new Date(clock));
        const { estimated_time_remaining: left, processed_prs, total_prs } = progress;
        if (left !== null)
          estimates.push({ at: (clock - begin) / 1000, left, share: processed_prs / (total_prs ?? Infinity) });
        const answer = await client.pullRequests(of, request);
        const things = answer.pull_requests.map(
          ({ reviews, comments, commits, events }) =>
            reviews.length + comments.length + (commits?.length ?? 0) + events.length,
        );
        clock += 1000 * secondsOf(page++, things.length, sum(things));
        return answer;
      },
    });
    syncing = openSyncing(database.db, simulator, { now: () => new Date(clock), client: slow });
    const user = await syncing.user('hebasto');
    repository = await syncing.connect(user, 'bitcoin-core/gui');

    const { status } = await syncing.run(user, repository, 'full', 20);

    const errors = errorsOf(estimates, (clock - begin) / 1000);
    expect(status).toBe('completed');
    expect(errors.length).toBeGreaterThan(20);
    expect(Math.max(...errors)).toBeLessThan(2);
  });

  it('is told within a factor of two after the first tenth, of a large one', () => {
    const pulls = recordedRows<{ number: number; commits: unknown[]; reviewers?: unknown[] }>('rust-lang/cargo').sort(
      (a, b) => b.number - a.number,
    );
    const estimates: Estimate[] = [];
    let at = 0;
    let pace: number | null = null;

    for (let first = 0, page = 0; first < pulls.length; first += 55, page += 1) {
      const some = pulls.slice(first, first + 55);
      const seconds = secondsOf(
        page,
        some.length,
        sum(some.map((pull) => pull.commits.length + (pull.reviewers?.length ?? 0))),
      );
      at += seconds;
      const processed = first + some.length;
      pace = smoothedPace(pace, seconds, some.length, processed);
      estimates.push({ at, left: (pace ?? 0) * (pulls.length - processed), share: processed / pulls.length });
    }

    const errors = errorsOf(estimates, at);
    expect(errors.length).toBeGreaterThan(100);
    expect(Math.max(...errors)).toBeLessThan(2);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
