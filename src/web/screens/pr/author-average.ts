import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { useUser } from '../../session/session.tsx';

/** What the author's average is called: "Your average" on one's own pull request, "Author average" on somebody else's. */
export function useAuthorAverage({ author }: Pick<PullRequestDetail, 'author'>): 'Your average' | 'Author average' {
  const { github_username } = useUser();
  return github_username?.toLowerCase() === author.toLowerCase() ? 'Your average' : 'Author average';
}
