import { describe, expect, it } from 'vitest';
import { offeredViews } from './command-entries.tsx';

describe('the kept views that the palette offers', () => {
  const view = (name: string, of: 'mine' | 'theirs', pinned = false) => ({ name, mine: of === 'mine', pinned });
  const names = (views: ReturnType<typeof view>[], typed = '') => offeredViews(views, typed).map(({ name }) => name);

  it('are one’s own before those that others keep for everyone, the pinned ones of each first', () => {
    const views = [view('a', 'theirs'), view('b', 'theirs', true), view('c', 'mine'), view('d', 'mine', true)];

    expect(names(views)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('are five, among which those of others push out none of one’s own, whatever was typed', () => {
    const views = [...[1, 2, 3, 4, 5, 6].map((n) => view(`a ${n}`, 'theirs', true)), view('open reviews', 'mine')];

    expect(names(views)).toEqual(['open reviews', 'a 1', 'a 2', 'a 3', 'a 4']);
    expect(names([...views, view('b', 'mine')], 'a')).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5']);
    expect(names([...views, view('at last', 'mine')], 'a')).toEqual(['at last', 'a 1', 'a 2', 'a 3', 'a 4']);
  });
});
