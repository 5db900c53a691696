import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { AvailableRepositories, AvailableRepository } from '#contract/connecting.ts';
import { api } from '../../api/client.ts';
import { ask, noPlaceholder } from '../../api/query.ts';

/** What the list at the host is narrowed to. */
export interface Wanted {
  readonly q: string;
  readonly owner: string | null;
  readonly archived: boolean;
  readonly forks: boolean;
  readonly sort: 'pushed' | 'name';
}

const queryOf = ({ q, owner, archived, forks, sort }: Wanted) => ({
  ...(q.trim() !== '' && { q: q.trim() }),
  ...(owner !== null && { owner }),
  ...({ archived: archived ? 'true' : 'false', forks: forks ? 'true' : 'false', sort } as const),
});

/** Page after page of what the person's token can read at the host. */
export const askAvailable = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: ['listAvailableRepositories', wanted] as const,
    queryFn: ({ pageParam, signal }) =>
      api.listAvailableRepositories(
        { query: { ...queryOf(wanted), ...(pageParam !== null && { cursor: pageParam }) } },
        { signal },
      ) as Promise<AvailableRepositories>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 4 * 60_000,
  });

/** Every repository of a list, also those of pages that nobody has scrolled to. */
export async function everyAvailable(wanted: Wanted): Promise<AvailableRepository[]> {
  const items: AvailableRepository[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: AvailableRepositories = await api.listAvailableRepositories({
      query: { ...queryOf(wanted), ...(cursor !== '' && { cursor }) },
    });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** Has the host asked again. */
export const readAgain = () => api.listAvailableRepositories({ query: { refresh: 'true' } });

export const askEstimate = (repositories: readonly { readonly owner: string; readonly name: string }[]) => ({
  ...ask('estimateImport', { body: { repositories: repositories.map(({ owner, name }) => ({ owner, name })) } }),
  enabled: repositories.length > 0,
  placeholderData: noPlaceholder,
});

export const askFollowing = () => ask('getFollowing', undefined);

/** How far imports are: every two seconds while one goes on. */
export const askImports = () => ({
  ...ask('listImports', undefined),
  refetchInterval: ({ state }: { state: { data?: readonly { state: string }[] | undefined } }) =>
    state.data?.some((one) => one.state === 'running') ? 2000 : false,
});
