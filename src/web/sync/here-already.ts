import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type CallAnswer } from '../api/client.ts';
import { askJoinable } from '../api/questions.ts';
import { formatCount } from '../time/moment.ts';

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
    mutationFn: () => addRepositories(here),
    onSettled: () => queries.invalidateQueries(),
  });
  if (here.length === 0) return null;
  const sentence =
    here.length === 1
      ? 'A repository that you can read is here already'
      : `${formatCount(here.length)} repositories that you can read are here already`;
  return { count: here.length, sentence, addAll };
}

/** As many are connected by one call. */
const AT_ONCE = 500;

/** Connects repositories, however many: call after call. Returns what became of each, and the last import that began. */
export async function addRepositories(repositories: readonly { readonly owner: string; readonly name: string }[]) {
  const answers: CallAnswer<'connectSeveral'>[] = [];
  for (let from = 0; from < repositories.length; from += AT_ONCE) {
    const batch = repositories.slice(from, from + AT_ONCE).map(({ owner, name }) => ({ owner, name }));
    answers.push(await api.connectSeveral({ body: { repositories: batch } }));
  }
  return { results: answers.flatMap(({ results }) => results), bulk_id: answers.at(-1)?.bulk_id ?? null };
}
