import { expect, it } from 'vitest';
import { compareIds, isSamePerson } from './history.ts';
import type { PersonRef } from './pull-request.ts';

it('ids that are numbers are ordered by size, others as text', () => {
  expect(['100', '9', '10'].toSorted(compareIds)).toEqual(['9', '10', '100']);
  expect(['PRR_b', 'PRR_a'].toSorted(compareIds)).toEqual(['PRR_a', 'PRR_b']);
  expect(compareIds('7', '7')).toBe(0);
  expect(compareIds('PRR_a9', 'PRR_a10')).toBeGreaterThan(0);
  expect(compareIds('10', 'PRR_a')).toBeLessThan(0);
});

it('accounts are the same by the host’s id, whatever the login; nobody is the same as a deleted account', () => {
  const ada: PersonRef = { id: '1', login: 'ada', kind: 'human', displayName: null, avatarUrl: null };

  expect(isSamePerson(ada, { ...ada, login: 'ada-renamed' })).toBe(true);
  expect(isSamePerson(ada, { ...ada, id: '2' })).toBe(false);
  expect(isSamePerson(null, null)).toBe(false);
});
