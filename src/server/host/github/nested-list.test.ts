import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NestedList } from './nested-list.ts';

const aPage = (nodes: unknown[], more: { totalCount?: number; pageCount?: number; after?: string | null } = {}) => ({
  ...(more.pageCount === undefined ? { totalCount: more.totalCount ?? nodes.length } : { pageCount: more.pageCount }),
  pageInfo: { hasNextPage: more.after !== undefined, endCursor: more.after ?? null },
  nodes,
});

function aList(...pages: unknown[]) {
  const list = new NestedList('more-comments', 'PR_1', z.number());
  for (const page of pages) list.take(page);
  return list;
}

describe('a list that is read page by page', () => {
  it.each([
    ['an empty list', [aPage([])], []],
    ['one page', [aPage([1, 2])], [1, 2]],
    ['two pages', [aPage([1, 2], { totalCount: 3, after: 'a' }), aPage([3], { totalCount: 3 })], [1, 2, 3]],
    ['nodes that the host hides', [aPage([1, null, 3])], [1, 3]],
    [
      'a timeline, which counts its pages',
      [aPage([1], { pageCount: 1, after: 'a' }), aPage([2], { pageCount: 1 })],
      [1, 2],
    ],
  ])('is whole: %s', (_, pages, items) => {
    expect(aList(...pages)).toMatchObject({ items, next: null, short: null, broken: null });
  });

  it('goes on where the page ended', () => {
    expect(aList(aPage([1], { totalCount: 2, after: 'a' }))).toMatchObject({
      next: { after: 'a' },
      expected: 1,
      short: null,
    });
  });

  it.each([
    ['fewer nodes than counted', [aPage([1], { totalCount: 2 })]],
    ['no nodes at all', [aPage([], { totalCount: 2 })]],
    ['fewer at its end', [aPage([1], { totalCount: 3, after: 'a' }), aPage([2], { totalCount: 3 })]],
    ['fewer events than the timeline’s page counts', [aPage([1], { pageCount: 2 })]],
    ['more to come without saying where', [aPage([1], { totalCount: 2, after: null })]],
    [
      'a cursor that leads back to itself',
      [aPage([1], { totalCount: 9, after: 'a' }), aPage([2], { totalCount: 9, after: 'a' })],
    ],
    ['a node that is gone', [aPage([1], { totalCount: 2, after: 'a' }), null]],
  ])('is not taken for whole: %s', (_, pages) => {
    expect(aList(...pages)).toMatchObject({ next: null, short: expect.stringContaining('more-comments') });
  });

  it.each([
    ['a node of another shape', aPage([1, 'two'])],
    ['an answer of another shape', { nodes: [1] }],
  ])('cannot be understood: %s', (_, page) => {
    expect(aList(page)).toMatchObject({ next: null, broken: expect.stringContaining('more-comments') });
  });
});
