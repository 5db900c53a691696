import { describe, expect, it } from 'vitest';
import { parseSearch, readOneOf, readPositive, readSort, readText, stringifySearch } from './url-state.ts';

describe('the address', () => {
  it('keeps texts as they were typed, also when they look like numbers', () => {
    expect(parseSearch('?q=12&state=open')).toEqual({ q: '12', state: 'open' });
  });

  it('carries nothing of an untouched screen', () => {
    expect(stringifySearch({ q: '', state: undefined, page: null })).toBe('');
  });

  it('reads back what it wrote', () => {
    const search = { q: 'a & b = "c" ü', page: '3' };

    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });
});

describe('what a screen reads from it', () => {
  it('is one of its own words or nothing', () => {
    expect(readOneOf('open', ['open', 'closed'])).toBe('open');
    expect(readOneOf('OPEN', ['open', 'closed'])).toBeUndefined();
  });

  it.each(['0', '-1', '1.5', 'two', '', undefined])('is no page %s', (value) => {
    expect(readPositive(value)).toBeUndefined();
  });

  it('is a page from 1', () => {
    expect(readPositive('1')).toBe(1);
  });

  it('is no text when empty', () => {
    expect(readText('')).toBeUndefined();
  });

  const own = { column: 'merged_prs', descending: true };
  const columns = ['merged_prs', 'open_prs'];

  it('is a column, descending after a dash, else the table’s own order', () => {
    expect(readSort('-open_prs', own, columns)).toEqual({ column: 'open_prs', descending: true });
    expect(readSort('open_prs', own, columns)).toEqual({ column: 'open_prs', descending: false });
    expect(readSort(undefined, own, columns)).toBe(own);
  });

  it.each(['nothing', '-nothing', '-', '--open_prs', 'OPEN_PRS', ' open_prs', 'constructor', '', 7, null])(
    'with a column that the table does not have is as if it were untouched: %s',
    (asked) => {
      expect(readSort(asked, own, columns)).toBe(own);
    },
  );
});
