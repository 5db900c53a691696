import { ask } from '../api/query.ts';

/** A team or group with its members. */
export const askWholeTeam = (id: number) => ask('getTeam', { params: { id } });

/** Teams that one's own token lists at the host; asked for where they are chosen or missing, since the host has to be asked. */
export const askAvailableTeams = () => ({
  ...ask('listAvailableTeams', undefined),
  refetchInterval: false as const,
  staleTime: 60_000,
});
