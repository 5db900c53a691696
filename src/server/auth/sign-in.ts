import type { Kysely } from 'kysely';
import type { SignInError } from '#contract/session.ts';
import type { Database } from '../db/database.ts';
import { type CodeHost, type HostClient, HostError, type HostViewer } from '../host/host.ts';
import type { Credentials } from './credentials.ts';
import type { UserRow } from './sessions.ts';

/** Why somebody could not sign in, by the code that the login page words. */
export class SignInRefused extends Error {
  readonly code: SignInError;

  constructor(code: SignInError, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'SignInRefused';
    this.code = code;
  }
}

/** Who may sign in: everyone when both lists are null, else whoever is in either. Lower case. */
export interface Allowed {
  readonly logins: readonly string[] | null;
  readonly orgs: readonly string[] | null;
}

export interface SignIn {
  readonly db: Kysely<Database>;
  readonly credentials: Credentials;
  readonly now: () => Date;
}

/**
 * Signs in whoever the host says the token belongs to, and keeps the token. An account that was renamed stays the same user.
 * @throws SignInRefused
 */
export async function signIn(
  { db, credentials, now }: SignIn,
  host: CodeHost,
  token: string,
  allowed: Allowed,
): Promise<UserRow> {
  const client = host.as(token);
  let viewer: HostViewer;
  try {
    viewer = await client.viewer();
    if (!(await isAllowed(client, viewer, allowed)))
      throw new SignInRefused('not_allowed', `${viewer.account.login} may not sign in here: ask who runs this server.`);
  } catch (error) {
    throw asRefusal(error, host);
  }
  const at = now();
  const { account, email, scopes } = viewer;
  const profile = {
    login: account.login,
    display_name: account.name,
    avatar_url: account.avatar_url,
    email,
    signed_in_at: at,
  };
  return await db.transaction().execute(async (within) => {
    const user = await within
      .insertInto('users')
      .values({ host: host.key, host_id: account.id, created_at: at, ...profile })
      .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet(profile))
      .returningAll()
      .executeTakeFirstOrThrow();
    await credentials.store(within, user.id, token, scopes);
    return user;
  });
}

/** A failure of the host, as the reason why nobody could sign in; whatever else was thrown stays what it is. */
export function asRefusal(error: unknown, host: CodeHost): unknown {
  if (!(error instanceof HostError)) return error;
  switch (error.kind) {
    case 'unauthorized':
      return new SignInRefused('token_rejected', `${host.label} does not accept this token.`, error);
    case 'forbidden':
    case 'not_found':
    case 'missing_scope':
    case 'sso_required':
    case 'blocked':
    case 'refused':
      return new SignInRefused('token_rejected', error.message, error);
    case 'rate_limited':
    case 'secondary_limit':
    case 'too_heavy':
    case 'unavailable':
    case 'protocol':
      return new SignInRefused('host_unavailable', `${host.label} cannot be reached: ${error.message}`, error);
  }
}

async function isAllowed(client: HostClient, viewer: HostViewer, { logins, orgs }: Allowed): Promise<boolean> {
  if (logins === null && orgs === null) return true;
  if (logins?.includes(viewer.account.login.toLowerCase())) return true;
  if (orgs === null) return false;
  const memberOf = await client.organizations();
  return memberOf.some((org) => orgs.includes(org));
}
