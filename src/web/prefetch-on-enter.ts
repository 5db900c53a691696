import type { QueryClient, QueryFunction } from '@tanstack/react-query';
import type { PathParams, RawSearch } from './url/url-state.ts';

interface Question {
  readonly queryKey: readonly unknown[];
  readonly queryFn?: unknown;
}

/** What a route's loader is given, except the path's parameters: a route's types of those follow from its path alone. */
interface Arrival {
  readonly context: { readonly queries: QueryClient };
  readonly location: { readonly search: object };
  readonly cause: 'enter' | 'stay' | 'preload';
}

/**
 * A route's loader that prefetches what its screen will show when the route is entered, beside the session and the screen's code and not
 * after them: data is on screen two round trips after the navigation, the page's and its own. It waits for no answer; the screen's own questions
 * take them up and say what went wrong.
 */
export function prefetchOnEnter(questionsOf: (search: RawSearch, params: PathParams) => readonly Question[]) {
  return (arrival: Arrival) => {
    const { context, params, location, cause } = arrival as Arrival & { readonly params: PathParams };
    // Pointing at a link fetches the screen's code; its data would be old by the time of the press.
    if (cause !== 'enter') return;
    for (const { queryKey, queryFn } of questionsOf(location.search as RawSearch, params)) {
      void context.queries.prefetchQuery({ queryKey, queryFn: queryFn as QueryFunction });
    }
  };
}
