import { RestFailure } from '../http.ts';
import { hasScope } from '../tokens.ts';
import { type RestRoute, requireToken } from './ask.ts';

/** Who the asker is, and what organisations they belong to. */
export const accountRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    pattern: '/user',
    handle: (ask) => {
      const { account } = requireToken(ask);
      return {
        status: 200,
        body: {
          ...ask.shapes.user(account),
          name: account.name,
          email: account.email,
          created_at: '2020-01-01T00:00:00Z',
        },
      };
    },
  },
  {
    method: 'GET',
    pattern: '/users/:login',
    handle: (ask) => {
      const account = ask.world.accountNamed(ask.params.login ?? '');
      if (account === null) throw new RestFailure(404, 'Not Found');
      return { status: 200, body: { ...ask.shapes.user(account), name: account.name, email: null } };
    },
  },
  {
    method: 'GET',
    pattern: '/user/emails',
    handle: (ask) => {
      const token = requireToken(ask);
      if (!hasScope(token, 'user:email')) throw new RestFailure(404, 'Not Found');
      const { email, login } = token.account;
      const address = email ?? `${login.toLowerCase()}@mail.example`;
      return { status: 200, body: [{ email: address, primary: true, verified: true, visibility: null }] };
    },
  },
  {
    method: 'GET',
    pattern: '/user/orgs',
    handle: (ask) => {
      const token = requireToken(ask);
      if (!hasScope(token, 'user', 'read:org')) {
        throw new RestFailure(403, 'You need at least read:org scope or user scope to list your organizations.');
      }
      const body = ask.world.organizations.of(token.account).map((account) => ask.shapes.user(account));
      return { status: 200, body };
    },
  },
  {
    method: 'GET',
    pattern: '/user/memberships/orgs/:org',
    handle: (ask) => {
      const token = requireToken(ask);
      if (!hasScope(token, 'read:org')) {
        throw new RestFailure(403, 'You need at least read:org scope to see your membership.');
      }
      const organization = ask.world.accountNamed(ask.params.org ?? '');
      const role = organization && ask.world.organizations.roleOf(organization, token.account);
      if (organization === null || role === null) throw new RestFailure(404, 'Not Found');
      const body = {
        state: 'active',
        role: role === 'ADMIN' ? 'admin' : 'member',
        organization: ask.shapes.user(organization),
        user: ask.shapes.user(token.account),
      };
      return { status: 200, body };
    },
  },
  // After those of `/user` with a name, `/user/repos` among them.
  {
    method: 'GET',
    pattern: '/user/:id',
    handle: (ask) => {
      const account = ask.world.accounts.get(Number(ask.params.id)) ?? null;
      if (account === null || account.deleted) throw new RestFailure(404, 'Not Found');
      return { status: 200, body: { ...ask.shapes.user(account), name: account.name, email: null } };
    },
  },
];
