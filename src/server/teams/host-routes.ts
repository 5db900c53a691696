import type { Handlers } from '../http/serve.ts';
import { availableTeams, type FreshLists } from './available.ts';
import { importHostTeams, type LastAsked, refreshHostTeam } from './import.ts';
import type { TeamDeps } from './reading.ts';

/** The calls about teams of the host (docs/server.md#teams-and-groups). */
export function hostTeamRoutes(deps: TeamDeps): Handlers<'listAvailableTeams' | 'importTeams' | 'refreshTeam'> {
  const fresh: FreshLists = new Map();
  const asked: LastAsked = new Map();
  return {
    listAvailableTeams: async ({ user }) => await availableTeams(deps, fresh, user),
    importTeams: async ({ user, body }) => await importHostTeams(deps, user, body),
    refreshTeam: async ({ user, params }) => ({
      read_at: (await refreshHostTeam(deps, asked, user, params.id))?.toISOString() ?? null,
    }),
  };
}
