import { expect, it } from 'vitest';
import { initialsOf } from './person.tsx';

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
