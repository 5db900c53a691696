import type { Context, SignedIn } from '../context.ts';
import { scopeOf } from '../db/scope.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { findAccount, listMarkedAccounts, mark, type RecountAccount, type SeenAccount } from './marked-accounts.ts';

/** The calls by which a team says what an account is (metric definitions, section 0, "Accounts"). */
export function accountRoutes(
  { db, now }: Pick<Context, 'db' | 'now'>,
  recount: RecountAccount,
): Handlers<'listMarkedAccounts' | 'markAccount' | 'unmarkAccount'> {
  const inSight = async (user: SignedIn, username: string): Promise<SeenAccount> => {
    const account = await findAccount(db, await scopeOf(db, user.id), username);
    if (account === null) throw notFound(`No account called ${username} takes part in your repositories.`);
    return account;
  };
  const marked = async (user: SignedIn, username: string) =>
    (await listMarkedAccounts(db, await scopeOf(db, user.id))).find(
      (account) => account.username.toLowerCase() === username.toLowerCase(),
    );

  return {
    listMarkedAccounts: async ({ user }) => await listMarkedAccounts(db, await scopeOf(db, user.id)),
    markAccount: async ({ user, params, body }) => {
      const account = await inSight(user, params.username);
      await mark(db, account, body.kind, { user_id: user.id, at: now() }, recount);
      return (await marked(user, account.login))!;
    },
    unmarkAccount: async ({ user, params }) => {
      const account = await inSight(user, params.username);
      if ((await marked(user, account.login)) === undefined) throw notFound(`${account.login} is not marked.`);
      await mark(db, account, null, { user_id: user.id, at: now() }, recount);
    },
  };
}
