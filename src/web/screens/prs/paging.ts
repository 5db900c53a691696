import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { matchesSearch } from '#domain/search.ts';
import { PAGE_SIZE } from './asked-page.ts';

export interface PageOfList<Row> {
  readonly rows: readonly Row[];
  /** How many rows there are over all pages. */
  readonly total: number;
  /** From 1; the last page when a later one was asked for. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** The numbers of the first and last row shown, from 1; 0 to 0 for none. */
  readonly from: number;
  readonly to: number;
}

type Searched = Pick<PullRequestListItem, 'title' | 'author' | 'author_display_name' | 'repo_full_name'>;

/**
 * The rows to show of an answer. Without a search the server has paged already; with one the rows are filtered by title, author
 * (login or name) and repository (docs/product.md#all-pull-requests) and paged here.
 */
export function pageOf<Row extends Searched>(
  answer: { readonly prs: readonly Row[]; readonly total: number },
  search: string,
  asked: number,
): PageOfList<Row> {
  const searching = search.trim() !== '';
  const matches = searching
    ? answer.prs.filter(({ title, author, author_display_name, repo_full_name }) =>
        matchesSearch([title, author, author_display_name, repo_full_name], search),
      )
    : answer.prs;
  const total = searching ? matches.length : answer.total;
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(asked, pages);
  const rows = searching ? matches.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) : matches;
  const from = rows.length === 0 ? 0 : (page - 1) * PAGE_SIZE + 1;
  return { rows, total, page, pages, from, to: rows.length === 0 ? 0 : from + rows.length - 1 };
}
