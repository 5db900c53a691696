import { expect, it } from 'vitest';
import { shownViews } from './pinned-views.tsx';

it('views that others have pinned for everyone push out none of one’s own, whatever they are called', () => {
  const ofOthers = Array.from({ length: 12 }, (_, at) => ({ name: `!${at}`, mine: false }));
  const own = ['Slow reviews', 'Waiting'].map((name) => ({ name, mine: true }));

  const shown = shownViews([...ofOthers, ...own]);

  expect(shown).toHaveLength(12);
  expect(shown.slice(0, 3).map(({ name }) => name)).toEqual(['Slow reviews', 'Waiting', '!0']);
});
