import { expect, it } from 'vitest';
import { teamNames } from './team-names.ts';

it('calls teams by their names, and those of one name by their handles or as a group', () => {
  const names = teamNames([
    { id: 3, name: 'Platform', handle: 'acme/platform' },
    { id: 4, name: 'Platform', handle: 'brasswick/platform' },
    { id: 5, name: 'Platform', handle: null },
    { id: 6, name: 'Pricing', handle: 'acme/pricing' },
    { id: 7, name: 'Guild', handle: null },
  ]);

  expect([...names]).toEqual([
    [3, 'acme/platform'],
    [4, 'brasswick/platform'],
    [5, 'Platform (group)'],
    [6, 'Pricing'],
    [7, 'Guild'],
  ]);
});
