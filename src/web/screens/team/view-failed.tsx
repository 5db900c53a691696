import type { UseQueryResult } from '@tanstack/react-query';
import type { TeamView } from '#contract/teams.ts';
import { ErrorState } from '../../kit/error-state.tsx';

export type TeamViewAnswer = UseQueryResult<TeamView>;

/** What stands in place of a card of the team's view that could not be fetched. */
export function ViewFailed({ view }: { readonly view: TeamViewAnswer }) {
  return <ErrorState title="Failed to fetch the team’s view" error={view.error} onRetry={() => void view.refetch()} />;
}
