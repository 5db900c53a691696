import { describe, expect, it } from 'vitest';
import { NOW, world } from '../../../../test/support/demo.ts';
import { DAY } from './calendar.ts';

const runs = world.repositories.flatMap((repository) => repository.runs ?? []);

describe('the workflow runs of the demo', () => {
  it('are those of the last months, each with attempts that begin one after the other', () => {
    expect(runs.length).toBeGreaterThan(500);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(runs.length);
    expect(Math.min(...runs.map(({ createdAt }) => createdAt))).toBeGreaterThan(NOW - 121 * DAY);
    for (const { attempts, createdAt } of runs) {
      const starts = attempts.map(({ startedAt }) => startedAt);
      expect(starts).toEqual([...starts].sort((one, other) => one - other));
      expect(starts[0]).toBe(createdAt);
      expect(attempts.every(({ jobs }) => jobs.length > 0)).toBe(true);
    }
  });

  it('have one flaky job, some that were stopped, and most that went well at once', () => {
    const again = runs.filter(({ attempts }) => attempts.length > 1);
    const failedAtFirst = again.flatMap(({ attempts }) =>
      (attempts[0]?.jobs ?? []).filter(({ outcome }) => outcome === 'FAILURE').map(({ name }) => name),
    );
    const browser = runs.filter(({ attempts }) => attempts[0]?.jobs.some(({ name }) => name === 'browser tests'));
    const flaked = failedAtFirst.filter((name) => name === 'browser tests').length;

    expect(again.length / runs.length).toBeLessThan(0.25);
    expect(flaked / browser.length).toBeGreaterThan(0.1);
    expect(flaked / browser.length).toBeLessThan(0.25);
    expect(runs.some(({ attempts }) => attempts[0]?.cancelled === true)).toBe(true);
  });
});
