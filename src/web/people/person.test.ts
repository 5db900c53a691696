import { createElement as draw } from 'react';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { Face, initialsOf, Person } from './person.tsx';

it.each([
  ['Ilse Marren', 'IM'],
  ['ilse-m', 'IM'],
  ['ada', 'AD'],
  ['', '?'],
  ['🚀 Rocket', '🚀R'],
  ['Rocket 👩‍🚀', 'R👩‍🚀'],
  ['🇩🇪🇫🇷', '🇩🇪🇫🇷'],
  ['E\u0301lodie', 'E\u0301L'],
])('the initials of "%s" are whole letters: %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('a team has an icon, and somebody who is called like one has a face', async () => {
  expect(await drawn(draw(Person, { name: '@acme/web', avatarUrl: null }))).toContain('<svg');
  expect(await drawn(draw(Person, { name: 'ada', displayName: '@ada', avatarUrl: null }))).not.toContain('<svg');
  expect(await drawn(draw(Face, { name: '@ada', avatarUrl: null }))).not.toContain('<svg');
});
