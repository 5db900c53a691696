import { links } from '../../links.ts';
import { type AccountState, graphqlLogin } from '../../state/account.ts';
import { connectPositions, type PageArgs } from '../connection.ts';
import type { Fields } from '../schema.ts';
import { type RepositoriesArgs, repositoriesOf } from './repository-lists.ts';

const actor: Fields<AccountState> = {
  id: (account) => account.nodeId,
  databaseId: (account) => account.id,
  login: graphqlLogin,
  avatarUrl: (account, _args, { url }) => links.avatar(url, account),
  url: (account, _args, { url }) => links.account(url, account),
  resourcePath: (account) => links.account('', account),
};

export const named: Fields<AccountState> = { ...actor, name: (account) => account.name };

export const accountAnswers: Record<string, Fields<never>> = {
  User: {
    ...named,
    email: (account: AccountState) => account.email ?? '',
    isViewer: (account: AccountState, _args, { token }) => token.account === account,
    repositories: (account: AccountState, args: RepositoriesArgs, context) => repositoriesOf(account, args, context),
    organizations: (account: AccountState, args: PageArgs, { world, token }) =>
      connectPositions(token.account === account ? world.organizations.of(account) : [], args),
  },
  Bot: actor,
  Mannequin: { ...actor, claimant: () => null },
};
