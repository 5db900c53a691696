import { describe, expect, it } from 'vitest';
import { type SortValue, sortRows } from './sort-rows.ts';

const order = (values: readonly SortValue[], descending: boolean) => sortRows(values, (value) => value, descending);

describe('a sorted column', () => {
  it('orders numbers by size, not by their digits', () => {
    expect(order([10, 9, 100, -1], false)).toEqual([-1, 9, 10, 100]);
    expect(order([10, 9, 100, -1], true)).toEqual([100, 10, 9, -1]);
  });

  it('orders names as people read them', () => {
    expect(order(['tobin', 'Ilse', 'émile', 'pr-10', 'pr-9'], false)).toEqual([
      'émile',
      'Ilse',
      'pr-9',
      'pr-10',
      'tobin',
    ]);
  });

  it('keeps what is missing last in both directions, and apart from 0', () => {
    expect(order([null, 0, 3], false)).toEqual([0, 3, null]);
    expect(order([null, 0, 3], true)).toEqual([3, 0, null]);
  });

  it.each([true, false])('leaves equal rows in their order, descending or not', (descending) => {
    const rows = ['first', 'second', 'third'].map((name) => ({ name, merged: 4 }));

    expect(sortRows(rows, ({ merged }) => merged, descending)).toEqual(rows);
  });

  it('does not touch the rows it was given', () => {
    const rows = [2, 1];

    sortRows(rows, (row) => row, false);

    expect(rows).toEqual([2, 1]);
  });
});
