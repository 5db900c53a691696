import type { Administrators, Context, SignedIn } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { agentSettings, saveAgentSettings } from './agent-labels.ts';
import {
  findAccount,
  listMarkedAccounts,
  markForEveryone,
  markForOneself,
  markScopeOf,
  type SeenAccount,
} from './marked-accounts.ts';

export interface AccountDeps extends Pick<Context, 'db' | 'now'> {
  readonly administrators: Pick<Administrators, 'includes' | 'require'>;
  /** Lets a worker of this process look for what there is to count at once. */
  readonly nudge: () => void;
}

/**
 * The calls by which people say what an account is: an administrator for everyone, anybody else for themselves; and by which
 * administrators name labels that stand for an agent.
 */
export function accountRoutes({
  db,
  now,
  administrators,
  nudge,
}: AccountDeps): Handlers<
  'listMarkedAccounts' | 'markAccount' | 'unmarkAccount' | 'getAgentSettings' | 'saveAgentSettings'
> {
  const inSight = async (user: SignedIn, username: string): Promise<{ scope: Scope; account: SeenAccount }> => {
    const scope = await scopeOf(db, user.id);
    const account = await findAccount(db, scope, username);
    if (account === null) throw notFound(`No account called ${username} takes part in your repositories.`);
    return { scope, account };
  };

  return {
    listMarkedAccounts: async ({ user }) => await listMarkedAccounts(db, await scopeOf(db, user.id)),
    markAccount: async ({ user, params, body }) => {
      const { scope, account } = await inSight(user, params.username);
      if (await administrators.includes(user)) {
        await markForEveryone(db, user.id, account, body.kind, now());
        // Their own one, from before they were an administrator, would hide it from them.
        if ((await markScopeOf(db, user.id, account)) === 'own')
          await markForOneself(db, user.id, account, null, now());
      } else await markForOneself(db, user.id, account, body.kind, now());
      nudge();
      return (await listMarkedAccounts(db, scope, account.id))[0]!;
    },
    unmarkAccount: async ({ user, params }) => {
      const { account } = await inSight(user, params.username);
      switch (await markScopeOf(db, user.id, account)) {
        case null:
          throw notFound(`${account.login} is not marked.`);
        case 'own':
          await markForOneself(db, user.id, account, null, now());
          break;
        case 'everyone':
          await administrators.require(user);
          await markForEveryone(db, user.id, account, null, now());
      }
      nudge();
    },
    getAgentSettings: async ({ user }) => await agentSettings(db, user.host),
    saveAgentSettings: async ({ user, body }) => {
      await administrators.require(user);
      await saveAgentSettings(db, user, body, now());
      nudge();
      return await agentSettings(db, user.host);
    },
  };
}
