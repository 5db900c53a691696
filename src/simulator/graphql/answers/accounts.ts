import { links } from '../../links.ts';
import { type AccountState, graphqlLogin, type TeamState } from '../../state/account.ts';
import type { Fields } from '../schema.ts';

const actor: Fields<AccountState> = {
  id: (account) => account.nodeId,
  databaseId: (account) => account.id,
  login: graphqlLogin,
  avatarUrl: (account, _args, { url }) => links.avatar(url, account),
  url: (account, _args, { url }) => links.account(url, account),
  resourcePath: (account) => links.account('', account),
};

const named: Fields<AccountState> = { ...actor, name: (account) => account.name };

export const accountAnswers: Record<string, Fields<never>> = {
  User: {
    ...named,
    email: (account: AccountState) => account.email ?? '',
    isViewer: (account: AccountState, _args, { token }) => token.account === account,
  },
  Organization: named,
  Bot: actor,
  Mannequin: { ...actor, claimant: () => null },
  Team: {
    id: (team: TeamState) => team.nodeId,
    databaseId: (team: TeamState) => team.id,
    name: (team: TeamState) => team.name,
    slug: (team: TeamState) => team.slug,
    combinedSlug: (team: TeamState) => `${team.organization}/${team.slug}`,
    avatarUrl: () => null,
    url: (team: TeamState, _args, { url }) => `${url}/orgs/${team.organization}/teams/${team.slug}`,
    organization: (team: TeamState, _args, { world }) => world.account(team.organization),
  },
};
