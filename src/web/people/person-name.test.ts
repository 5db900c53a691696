import { expect, it } from 'vitest';
import { bothNames, nameOf, shownLogin } from './person-name.tsx';

it('a bot goes by its login without the suffix, and nobody else’s login is touched', () => {
  expect(shownLogin('copilot-pull-request-reviewer[bot]')).toBe('copilot-pull-request-reviewer');
  expect(shownLogin('robot-bot')).toBe('robot-bot');
  expect(nameOf('deps-bot[bot]', null)).toBe('deps-bot');
});

it('a person goes by the display name with the login behind it, and by the login where there is no other name', () => {
  expect(bothNames('ilse-m', 'Ilse Marren')).toBe('Ilse Marren (ilse-m)');
  expect(bothNames('ilse-m', null)).toBe('ilse-m');
  expect(bothNames('ilse-m', 'ilse-m')).toBe('ilse-m');
});
