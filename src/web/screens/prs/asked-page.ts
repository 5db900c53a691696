/** Rows on a page, and how many are fetched at once without and with a search (docs/product.md#all-pull-requests). */
export const PAGE_SIZE = 50;
export const SEARCH_LIMIT = 500;

/** What to ask the server for: a page, or with a search text the newest 500 matches, which are filtered and paged here. */
export function pagingOf(search: string, page: number): { limit: number; offset: number } {
  return search.trim() === ''
    ? { limit: PAGE_SIZE, offset: Math.min((page - 1) * PAGE_SIZE, Number.MAX_SAFE_INTEGER) }
    : { limit: SEARCH_LIMIT, offset: 0 };
}
