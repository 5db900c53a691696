import type { UseQueryResult } from '@tanstack/react-query';
import type { TeamView } from '#contract/teams.ts';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';

export type TeamViewAnswer = UseQueryResult<TeamView>;

const FAILED = 'Failed to fetch the team’s view';

/** What stands in place of a card of the team's view that could not be fetched. */
export function ViewFailed({ view }: { readonly view: TeamViewAnswer }) {
  return <ErrorState title={FAILED} error={view.error} onRetry={() => void view.refetch()} />;
}

/** What stands above what was fetched before, where the view could not be fetched again. */
export function OldViewNote({ view }: { readonly view: TeamViewAnswer }) {
  return <OldAnswerNote title={FAILED} answer={view} />;
}
