import { describe, expect, it } from 'vitest';
import { pagingOf } from './asked-page.ts';
import { pageOf } from './paging.ts';

const pr = (
  number: number,
  changes: Partial<{ title: string; author: string; author_display_name: string | null; repo_full_name: string }> = {},
) => ({
  title: `Change ${number}`,
  author: 'ilse-m',
  author_display_name: 'Ilse Marren',
  repo_full_name: 'brasswick/ledger',
  ...changes,
});
const prs = (count: number) => Array.from({ length: count }, (_, at) => pr(at + 1));

describe('what the list asks for', () => {
  it('is 50 rows from the page’s offset', () => {
    expect(pagingOf('', 3)).toEqual({ limit: 50, offset: 100 });
  });

  it('is of the furthest page an offset that the server takes', () => {
    expect(pagingOf('', Number.MAX_SAFE_INTEGER)).toEqual({ limit: 50, offset: Number.MAX_SAFE_INTEGER });
  });

  it('is the first 500 while searching, whatever the page', () => {
    expect(pagingOf('ledger', 3)).toEqual({ limit: 500, offset: 0 });
  });

  it('is a plain page when only blanks were typed', () => {
    expect(pagingOf('   ', 1)).toEqual({ limit: 50, offset: 0 });
  });
});

describe('the rows of a page', () => {
  it('are the server’s without a search, numbered from its offset', () => {
    const page = pageOf({ prs: prs(50), total: 537 }, '', 2);

    expect(page).toMatchObject({ total: 537, page: 2, pages: 11, from: 51, to: 100 });
  });

  it('end with the last one on a short last page', () => {
    expect(pageOf({ prs: prs(37), total: 537 }, '', 11)).toMatchObject({ from: 501, to: 537, pages: 11 });
  });

  it('fill exactly one page with 50 and begin a second with 51', () => {
    expect(pageOf({ prs: prs(50), total: 50 }, '', 1).pages).toBe(1);
    expect(pageOf({ prs: prs(50), total: 51 }, '', 1).pages).toBe(2);
  });

  it('match title, author’s login or name, or repository in any case while searching', () => {
    const answer = {
      prs: [pr(1, { title: 'Move the LEDGER', repo_full_name: 'a/b' }), pr(2, { repo_full_name: 'a/b' })],
      total: 2,
    };

    expect(pageOf(answer, ' ledger ', 1).rows).toEqual([answer.prs[0]]);
    expect(pageOf(answer, 'ILSE-M', 1).rows).toHaveLength(2);
    expect(pageOf(answer, 'ilse mar', 1).rows).toHaveLength(2);
    expect(pageOf(answer, 'a/B', 1).rows).toHaveLength(2);
  });

  it('are paged here while searching', () => {
    const page = pageOf({ prs: prs(120), total: 120 }, 'change', 3);

    expect(page.rows.map(({ title }) => title)).toEqual(
      prs(120)
        .slice(100)
        .map(({ title }) => title),
    );
    expect(page).toMatchObject({ from: 101, to: 120, pages: 3 });
  });

  it('are those of the last page when a later one is asked for', () => {
    expect(pageOf({ prs: prs(60), total: 60 }, 'change', 9)).toMatchObject({ page: 2, from: 51, to: 60 });
  });

  it('are none, counted 0 to 0, when nothing matches', () => {
    expect(pageOf({ prs: prs(3), total: 3 }, 'nothing like it', 1)).toMatchObject({
      rows: [],
      total: 0,
      pages: 1,
      from: 0,
      to: 0,
    });
  });
});
