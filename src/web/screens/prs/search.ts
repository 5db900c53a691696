import { type RawSearch, readOneOf, readPositive, readText } from '../../layout/url-state.ts';

export interface PullRequestsSearch {
  /** Absent is all. */
  readonly state?: 'open' | 'merged' | 'closed' | undefined;
  /** What was typed into the search box. */
  readonly q?: string | undefined;
  /** From 1; absent is 1. */
  readonly page?: number | undefined;
  /** As `-updated_at`; absent is that. */
  readonly sort?: string | undefined;
}

/** Reads what the list keeps in its address; anything that makes no sense is left out. */
export function readPullRequestsSearch(raw: RawSearch): PullRequestsSearch {
  const page = readPositive(raw.page);
  return {
    state: readOneOf(raw.state, ['open', 'merged', 'closed']),
    q: readText(raw.q),
    page: page === 1 ? undefined : page,
    sort: readText(raw.sort),
  };
}
