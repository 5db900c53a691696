import { expect, it } from 'vitest';
import { withTick } from './team-ticks.ts';

const teams = [
  { slug: 'shop', parent_slug: null, imported_id: null },
  { slug: 'checkout', parent_slug: 'shop', imported_id: null },
  { slug: 'fraud', parent_slug: 'checkout', imported_id: 7 },
  { slug: 'cards', parent_slug: 'checkout', imported_id: null },
  { slug: 'platform', parent_slug: null, imported_id: null },
];
const ticked = (...slugs: string[]) => [...slugs].sort();

it('children come with their parents, those that are imported already aside', () => {
  expect([...withTick(new Set(['platform']), teams, 'shop', true)].sort()).toEqual(
    ticked('cards', 'checkout', 'platform', 'shop'),
  );
});

it('a child can be left out, and goes with its parent', () => {
  const all = withTick(new Set(), teams, 'shop', true);
  const without = withTick(all, teams, 'cards', false);
  expect([...without].sort()).toEqual(ticked('checkout', 'shop'));
  expect(withTick(without, teams, 'shop', false).size).toBe(0);
});

it('teams that lie in each other end', () => {
  const circle = [
    { slug: 'a', parent_slug: 'b', imported_id: null },
    { slug: 'b', parent_slug: 'a', imported_id: null },
  ];
  expect([...withTick(new Set(), circle, 'a', true)].sort()).toEqual(ticked('a', 'b'));
});
