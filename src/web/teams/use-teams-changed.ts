import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../api/query.ts';

/** What is read again when teams, groups or their people have changed: everything may be narrowed to one. */
export function useTeamsChanged() {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(
      (['listTeams', 'listAvailableTeams', 'getTeam'] as const).map((name) =>
        queries.invalidateQueries({ queryKey: keyOf(name) }),
      ),
    );
    void queries.invalidateQueries({ refetchType: 'none' });
  };
}
