import type { CallInput } from './client.ts';
import { ask } from './query.ts';

/*
 * Questions of several screens in which nothing is chosen. What a screen asks stands in its room, in `questions.ts`: its components and the
 * loader of its route ask the same.
 */

/** How one may sign in, and whether there is a demo. */
export const askSignInOptions = () => ask('getSignInOptions', undefined);

export const askConnectedRepositories = () => ask('listConnectedRepositories', undefined);

/** The repositories that a filter offers. */
export const askRepositories = () => ask('listRepositories', undefined);

/** The teams and groups that a filter offers, archived ones too. */
export const askTeams = () => ask('listTeams', { query: { all: 'true' } });

/** The team's figures: over all repositories and the last 30 days, unless something else is chosen. */
export const askTeam = (chosen: NonNullable<CallInput<'getTeamStats'>['query']> = {}) =>
  ask('getTeamStats', { query: chosen });

/** Everybody who is no bot or agent. */
export const askPeople = () => ask('listContributors', { query: {} });

/** People, bots and agents, of one repository or team by its id, or of all. */
export const askEveryAccount = (
  of: { readonly repository?: number; readonly team?: number; readonly credit?: 'started' } = {},
) => ask('listContributors', { query: { accounts: 'all', ...of } });

/** What others have imported here that the person could add. */
export const askJoinable = () => ask('listJoinableRepositories', undefined);

/** What waits for the signed-in person, and what they wait for: in all repositories, unless something else is chosen. */
export const askMyWork = (chosen: NonNullable<CallInput<'getMyWork'>['query']> = {}) =>
  ask('getMyWork', { query: chosen });
