import { expect, it } from 'vitest';
import type { AvailableRepository } from '#contract/connecting.ts';
import { MOST_AT_ONCE, ticksByOwner, withoutSent, withTicks } from './chosen.ts';

const repository = (full_name: string, connected = false): AvailableRepository => {
  const [owner = '', name = ''] = full_name.split('/');
  const plain = { private: false, archived: false, fork: false, pushed_at: null, pull_requests: null };
  return { ...{ owner, name, full_name, connected, imported_here: false }, ...plain };
};

it('ticks what is not connected, keeps earlier ticks and takes them away', () => {
  const first = withTicks(new Map(), [repository('a/one'), repository('a/two', true)], true);
  const second = withTicks(first, [repository('b/three')], true);

  expect([...first.keys()]).toEqual(['a/one']);
  expect([...ticksByOwner(second)]).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect([...withTicks(second, [repository('a/one')], false).keys()]).toEqual(['b/three']);
});

it('ticks no more than can be added in one go', () => {
  const many = Array.from({ length: MOST_AT_ONCE + 10 }, (_, at) => repository(`a/${at}`));

  expect(withTicks(new Map(), many, true).size).toBe(MOST_AT_ONCE);
});

it('keeps what was ticked while others were being added', () => {
  const chosen = withTicks(new Map(), [repository('a/one'), repository('a/two'), repository('b/three')], true);
  const sent = [
    { owner: 'a', name: 'one' },
    { owner: 'c', name: 'four' },
  ];

  expect([...withoutSent(chosen, sent).keys()]).toEqual(['a/two', 'b/three']);
});
