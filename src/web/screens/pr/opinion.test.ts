import { expect, it } from 'vitest';
import { opinionOf } from './opinion.ts';

type Given = Parameters<typeof opinionOf>[0][number]['state'];

const after = (...states: Given[]) =>
  opinionOf(
    states.map((state) => ({ reviewer: 'mona', state })),
    'mona',
  );

it('stands until it is replaced, comments leave it as it is', () => {
  expect(after('changes_requested', 'approved', 'commented')).toBe('approved');
  expect(after('approved', 'changes_requested')).toBe('changes_requested');
  expect(after('commented')).toBe('commented');
  expect(opinionOf([{ reviewer: 'hubot', state: 'approved' }], 'mona')).toBe('commented');
});

it('is none once it is dismissed: an older one does not come back', () => {
  expect(after('changes_requested', 'dismissed')).toBe('commented');
  expect(after('dismissed', 'approved')).toBe('approved');
});
