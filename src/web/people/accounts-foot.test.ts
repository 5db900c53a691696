import { expect, it } from 'vitest';
import type { AccountKind } from '#domain/pull-request.ts';
import { accountsWords } from './accounts-foot.tsx';

const words = (...kinds: AccountKind[]) => accountsWords(kinds.map((kind) => ({ kind })));

it('bots and agents are not called people', () => {
  expect(words('human', 'ghost')).toBe('2 people');
  expect(words('human')).toBe('1 person');
  expect(words('human', 'bot')).toBe('2 accounts');
  expect(words('agent')).toBe('1 account');
  expect(words()).toBe('0 people');
});
