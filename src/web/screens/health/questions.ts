import type { SignalKey } from '#domain/signals.ts';
import { ask } from '../../api/query.ts';
import type { HealthSearch } from './search.ts';

/** Pull requests on a page of a signal's list. */
export const PAGE_SIZE = 50;

function filtersOf({ period, from, to, repository, team, team_as, authorship, allBases }: HealthSearch) {
  return {
    ...(period !== undefined && { period }),
    ...(from !== undefined && { from, to }),
    ...(repository !== undefined && { repository: [repository] }),
    ...(team !== undefined && { team: [team], team_as }),
    ...(authorship !== undefined && { authorship: [authorship] }),
    ...(allBases && { all_bases: 'true' as const }),
  };
}

export const askHealth = (search: HealthSearch) => ask('getHealth', { query: filtersOf(search) });

/** The thresholds that hold, which every text about a signal names. */
export const askThresholds = () => ask('getHealthSettings', undefined);

export const askSignalPullRequests = (key: SignalKey, search: HealthSearch, limit: number, offset = 0) =>
  ask('listSignalPullRequests', { params: { key }, query: { ...filtersOf(search), limit, offset } });
