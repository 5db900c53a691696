import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { askPullRequest } from './questions.ts';

/** As the page's address has it. */
export interface PullRequestAddress {
  readonly repoOwner: string;
  readonly repoName: string;
  readonly prNumber: number;
}

/** Fetches this one pull request from the host now; the answer takes the place of the figures on screen. */
export function useRefresh(address: PullRequestAddress) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.refreshPullRequest({ params: address }),
    onSuccess: (fresh) => queries.setQueryData(askPullRequest(address).queryKey, fresh),
  });
}
