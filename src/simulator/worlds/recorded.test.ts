import { beforeAll, describe, expect, test } from 'vitest';
import { isRecorded, recordingsFolder } from '../../../test/support/recordings.ts';
import { NOW } from '../../../test/support/test-host.ts';
import type { RepositoryHistory, World } from '../history.ts';
import type { PullState } from '../state/pull-request.ts';
import { WorldState } from '../state/world-state.ts';
import { recordedWorld } from './recorded.ts';
import { weeksUpTo } from './recording.ts';

const WEEK = 7 * 86_400_000;
if (!isRecorded)
  console.warn(`SKIPPED: the recordings are not in ${recordingsFolder}; RECORDED_DATA names another folder.`);

describe.runIf(isRecorded)('the recorded world', () => {
  let world: World;
  let state: WorldState;
  const pullsOf = (owner: string, name: string): readonly PullState[] =>
    state.repositoryNamed(owner, name)?.byCreation.all() ?? [];
  const count = (pulls: readonly PullState[], of: (pull: PullState) => number) =>
    pulls.reduce((sum, pull) => sum + of(pull), 0);
  const states = (pulls: readonly PullState[]) => Object.groupBy(pulls, ({ state: each }) => each);

  beforeAll(() => {
    world = recordedWorld(recordingsFolder, NOW);
    state = new WorldState(world, NOW);
  });

  test('holds bitcoin-core/gui as it was recorded, with the reviews around lone inline comments', () => {
    const pulls = pullsOf('bitcoin-core', 'gui');
    const { OPEN = [], CLOSED = [], MERGED = [] } = states(pulls);
    const inline = (pull: PullState) => count2(pull.threads.map(({ comments }) => comments.length));

    expect(pulls).toHaveLength(537);
    expect([MERGED.length, CLOSED.length, OPEN.length]).toEqual([332, 184, 21]);
    expect(count(pulls, ({ reviews }) => reviews.length)).toBe(2893);
    expect(count(pulls, ({ comments }) => comments.length)).toBe(3865);
    expect(count(pulls, inline)).toBe(2308);
    expect(count(pulls, ({ reviews }) => count2(reviews.map(({ comments }) => comments.length)))).toBe(2308);
  });

  test('lists every commit that was counted, those beyond the recorded ones by nobody', () => {
    const pulls = pullsOf('bitcoin-core', 'gui');
    const large = pulls.find(({ number }) => number === 178);

    expect(count(pulls, ({ commits }) => commits.length)).toBe(1303 + 1389);
    expect(large?.commits).toHaveLength(1639);
    expect(large?.commits.filter(({ commit }) => commit.authorName === 'Not recorded')).toHaveLength(1389);
  });

  test('ends in the state, with the counters and the title that were recorded', () => {
    const pull = pullsOf('bitcoin-core', 'gui').find(({ number }) => number === 204);

    expect(pull).toMatchObject({
      id: 564681990,
      state: 'MERGED',
      additions: 4,
      deletions: 182,
      changedFiles: 6,
      mergedBy: { login: 'maflcko' },
    });
    expect(pull?.mergeCommit).toBe('fd725c2d795a1df0f3a21d9c9e8b3cf3183bd9bc');
  });

  test('holds rust-lang/cargo with one made-up approval for each reviewer who is not the author', () => {
    const pulls = pullsOf('rust-lang', 'cargo');
    const { OPEN = [], CLOSED = [], MERGED = [] } = states(pulls);
    const reviews = pulls.flatMap((pull) => pull.reviews.map((review) => ({ pull, review })));

    expect(pulls).toHaveLength(8750);
    expect(MERGED).toHaveLength(7443);
    expect(OPEN.length + CLOSED.length).toBe(1307);
    expect(count(pulls, ({ commits }) => commits.length)).toBe(19_477);
    expect(reviews.length).toBe(6107 - 305);
    expect(
      reviews.every(
        ({ pull, review }) =>
          review.state === 'APPROVED' && review.author !== pull.author && review.at <= (pull.mergedAt ?? 0),
      ),
    ).toBe(true);
  });

  test.each(['gui', 'cargo'])(
    'moves the times of %s by whole weeks, up to the last week and never beyond the present',
    (name) => {
      const repository = world.repositories.find((each) => each.name === name) as RepositoryHistory;
      const newest = Math.max(
        ...repository.pullRequests
          .flatMap((pull) => [pull.createdAt, ...pull.entries.map(({ at }) => at)])
          .filter((at) => at <= NOW),
      );

      expect(newest).toBeGreaterThan(NOW - 2 * WEEK);
      expect(repository.pullRequests.every((pull) => pull.createdAt <= NOW)).toBe(true);
    },
  );

  test('gives every account an id of its own, the recorded one where there is one', () => {
    const ids = world.accounts.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(world.accounts.find(({ login }) => login === 'hebasto')?.id).toBe(32963518);
  });
});

function count2(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

describe('times are moved', () => {
  test.each([
    [0, 0],
    [WEEK - 1, 0],
    [WEEK, WEEK],
    [10 * WEEK + 5, 10 * WEEK],
  ])('from %i ms ago by %i ms', (age, moved) => {
    expect(weeksUpTo(NOW - age, NOW)).toBe(moved);
  });
});
