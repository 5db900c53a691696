import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import type { EndpointName } from '#contract/endpoints.ts';
import { type Api, ApiError, api, type CallAnswer } from './client.ts';

/** Pages that show figures ask again every hour while they are open (docs/product.md#words-and-errors). */
export const hourly = 3_600_000;

/**
 * What was asked for before the screen was there is not asked for again when it appears within this time (milliseconds): long enough for a
 * slow phone that still waits for the part of the page which shows it. A change asks again by itself, whenever it comes.
 */
const FRESH_FOR = 10_000;

/** One cache per page load; failures are shown at once with a Retry, so nothing is tried again silently. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        // Of a pull request that it does not know the server asks the host: once is enough, too.
        retryOnMount: ({ state }) => !(isNotFound(state.error) && Date.now() - state.errorUpdatedAt < FRESH_FOR),
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        staleTime: FRESH_FOR,
      },
      // Without a network a change fails at once. Kept for later, it would be made after the person has cancelled it.
      mutations: { networkMode: 'always' },
    },
  });
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

/** For `catch` of a call that takes something away: what another tab, or somebody else, has taken away meanwhile is gone. */
export function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

type Call = (input: unknown, options: { signal: AbortSignal }) => Promise<unknown>;

/** The key of all answers of an endpoint, whatever was asked, for `invalidateQueries`. */
export function keyOf(name: EndpointName): readonly [EndpointName] {
  return [name];
}

/**
 * A question to the server by its endpoint's name, for `useQuery(ask('listPullRequests', { query: { limit: 50 } }))`.
 * Asks on mount, keeps the old answer on screen while a changed question is under way, asks again every hour, in a
 * tab that is not looked at, too, and stops when the screen is left.
 */
export function ask<N extends EndpointName>(name: N, input: Parameters<Api[N]>[0]) {
  const call = api[name] as Call;
  return queryOptions({
    queryKey: [name, input] as readonly unknown[],
    queryFn: ({ signal }) => call(input, { signal }) as Promise<CallAnswer<N>>,
    placeholderData: keepPreviousData,
    refetchInterval: hourly,
    refetchIntervalInBackground: true,
  });
}

/**
 * The rows of an answer, as far as they are shown; undefined where it is the one to the question before and holds none: that says nothing of
 * the question under way.
 */
export function rowsOf<Row>(
  { isPlaceholderData = false }: { readonly isPlaceholderData?: boolean },
  rows: readonly Row[] | undefined,
): readonly Row[] | undefined {
  return isPlaceholderData && rows?.length === 0 ? undefined : rows;
}

/** For `placeholderData` where another question's answer must not stand in for this one, e.g. another person's figures. */
export const noPlaceholder = () => undefined;
