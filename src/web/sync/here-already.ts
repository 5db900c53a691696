import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { askJoinable } from '../api/questions.ts';
import { formatCount } from '../time/moment.ts';

/** So many are connected by one call. */
const AT_ONCE = 500;

export interface HereAlready {
  readonly count: number;
  /** The sentence that says so, without a full stop. */
  readonly sentence: string;
  readonly addAll: UseMutationResult<unknown, Error, void>;
}

/** What others have imported that the person can read and has not connected; null where there is none, and until it is known. */
export function useHereAlready(): HereAlready | null {
  const queries = useQueryClient();
  const joinable = useQuery(askJoinable());
  const here = joinable.data ?? [];
  const addAll = useMutation({
    mutationFn: () =>
      api.connectSeveral({
        body: { repositories: here.slice(0, AT_ONCE).map(({ owner, name }) => ({ owner, name })) },
      }),
    onSettled: () => queries.invalidateQueries(),
  });
  if (here.length === 0) return null;
  const sentence =
    here.length === 1
      ? 'A repository that you can read is here already'
      : `${formatCount(here.length)} repositories that you can read are here already`;
  return { count: here.length, sentence, addAll };
}
