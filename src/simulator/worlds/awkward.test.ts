import { describe, expect, test } from 'vitest';
import { NOW } from '../../../test/support/test-host.ts';
import { WorldState } from '../state/world-state.ts';
import { awkwardWorld } from './awkward.ts';
import { generatedWorld } from './generated.ts';
import { tinyWorld } from './tiny.ts';

describe.each([
  ['tiny', tinyWorld],
  ['awkward', awkwardWorld],
  ['generated', (now: number) => generatedWorld(300, now, 1)],
])('the %s world', (_name, build) => {
  test('is the same every time', () => {
    expect(build(NOW)).toEqual(build(NOW));
  });

  test('gives ids once', () => {
    const world = build(NOW);
    const pulls = world.repositories.flatMap(({ pullRequests }) => pullRequests);
    const entries = pulls.flatMap((pull) => pull.entries.map((entry) => ({ ...entry, pull: pull.id })));
    const ids = (kind: string) => entries.flatMap((entry) => (entry.kind === kind && 'id' in entry ? [entry.id] : []));

    for (const list of [
      world.accounts.map(({ id }) => id),
      world.repositories.map(({ id }) => id),
      pulls.map(({ id }) => id),
      ids('review'),
      ids('comment'),
      ids('check'),
    ]) {
      expect(new Set(list).size).toBe(list.length);
    }
  });

  test('can be lived through to the present, entry by entry in the order of their times', () => {
    const world = build(NOW);
    const state = new WorldState(world, NOW);

    for (const repository of world.repositories) {
      for (const { number, entries, createdAt } of repository.pullRequests) {
        const times = [createdAt, ...entries.map(({ at }) => at)];
        expect(times).toEqual([...times].sort((one, other) => one - other));
        expect(state.repositories.get(repository.id)?.byNumber.has(number)).toBe(true);
      }
    }
  });
});

describe('the awkward world', () => {
  test('has lists that fill a page exactly and by one more', () => {
    const state = new WorldState(awkwardWorld(NOW), NOW);
    const sizes = ['exactly-100', 'exactly-101', 'empty'].map(
      (name) => state.repositoryNamed('odd', name)?.byNumber.size,
    );

    expect(sizes).toEqual([100, 101, 0]);
  });
});
