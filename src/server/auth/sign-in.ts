import type { Kysely, Transaction } from 'kysely';
import type { SignInError } from '#domain/sign-in-errors.ts';
import type { Database } from '../db/database.ts';
import type { HostClient } from '../host/client.ts';
import { HostError } from '../host/errors.ts';
import type { CodeHost } from '../host/host.ts';
import type { HostAccount } from '../host/pull-request.ts';
import type { AnsweredCode } from '../http/errors.ts';
import { type Allowed, isAllowed } from './allowed.ts';
import type { Credentials, NewCredential, StoredCredential } from './credentials.ts';
import type { SignedInUser } from './sessions.ts';
import { PATIENCE, readsLess } from './weaker-token.ts';

/** What a sign-in that was refused is answered with. */
export type SignInRefusal = Extract<SignInError, AnsweredCode>;

/** Why somebody could not sign in, by the code that the login page words. */
export class SignInRefused extends Error {
  readonly code: SignInRefusal;
  /** Who was refused, where the host told. */
  readonly login: string | null;

  constructor(code: SignInRefusal, sentence: string, cause?: unknown, login: string | null = null) {
    super(sentence, { cause });
    this.name = 'SignInRefused';
    this.code = code;
    this.login = login;
  }
}

export interface SignIn {
  readonly db: Kysely<Database>;
  readonly credentials: Credentials;
  /** Stores what accounts are called; to be called before anything is locked. */
  readonly savePeople: (
    within: Transaction<Database>,
    host: string,
    accounts: readonly HostAccount[],
  ) => Promise<unknown>;
  readonly now: () => Date;
  /** A signal that is aborted after so many milliseconds; the default goes by the system's clock. */
  readonly timeLimit?: (milliseconds: number) => AbortSignal;
}

/**
 * Signs in whoever the host says the token belongs to, and keeps the token. An account that was renamed stays the same user. `replace`:
 * the token is wanted also where it reads less than the one that it replaces.
 * @throws SignInRefused
 */
export async function signIn(
  { db, credentials, savePeople, now, timeLimit = (milliseconds) => AbortSignal.timeout(milliseconds) }: SignIn,
  host: CodeHost,
  given: NewCredential,
  allowed: Allowed,
  replace = false,
): Promise<SignedInUser> {
  const client = host.as(given.token);
  const viewer = await asked(host, () => client.viewer());
  const { account, email, scopes } = viewer;
  const at = now();
  const person = { host: host.key, host_id: account.id, login: account.login };
  const unknown = { organizations: null, organizations_at: null };
  let mayEnter = await isAllowed(db, { ...person, ...unknown }, allowed, at);
  let membership = {};
  if (!mayEnter && allowed.orgs !== null) {
    const { orgs } = allowed;
    const organizations = [...(await asked(host, () => client.organizations(orgs)))];
    membership = { organizations, organizations_at: at };
    mayEnter = await isAllowed(db, { ...person, organizations, organizations_at: at }, allowed, at);
  }
  const profile = {
    login: account.login,
    display_name: account.name,
    avatar_url: account.avatar_url,
    email,
    signed_in_at: at,
    seen_at: at,
    ...membership,
  };
  if (!mayEnter)
    throw new SignInRefused(
      'not_allowed',
      `${account.login} may not sign in here: ask who runs this server.`,
      undefined,
      account.login,
    );
  for (;;) {
    const before = await storedOf(db, credentials, person);
    const replacing = await howItReplaces(db, host, client, before, { ...given, scopes }, timeLimit);
    if (replacing === 'weaker' && !replace)
      throw new SignInRefused(
        'weaker_token',
        'This token may read less than the one in use. Replace it?',
        undefined,
        account.login,
      );
    const user = await db.transaction().execute(async (within) => {
      if (await isKnownOtherwise(within, person)) await savePeople(within, host.key, [account]);
      const row = await within
        .insertInto('users')
        .values({ host: host.key, host_id: account.id, created_at: at, ...profile })
        .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet(profile))
        .returningAll()
        .executeTakeFirstOrThrow();
      const stored = await credentials.stored(within, row.id);
      // Somebody signed in as the same person meanwhile: what this token replaces is another one.
      if (stored?.grant_id !== before?.stored.grant_id || stored?.accepted !== before?.stored.accepted) return null;
      const grant_id = await credentials.store(within, row.id, { ...given, scopes }, replacing);
      return { ...row, grant_id };
    });
    if (user !== null) return user;
  }
}

/** Whether the account is stored under another login, which it had when it was seen last. */
async function isKnownOtherwise(
  within: Transaction<Database>,
  { host, host_id, login }: { host: string; host_id: string; login: string },
): Promise<boolean> {
  const row = await within
    .selectFrom('people')
    .select('id')
    .where('host', '=', host)
    .where('host_id', '=', host_id)
    // Of those whom nothing names any more, no login is stored.
    .where('login', 'not in', [login, ''])
    .executeTakeFirst();
  return row !== undefined;
}

async function storedOf(
  db: Kysely<Database>,
  credentials: Credentials,
  { host, host_id }: { host: string; host_id: string },
): Promise<{ user_id: number; stored: StoredCredential } | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('host', '=', host)
    .where('host_id', '=', host_id)
    .executeTakeFirst();
  const stored = row && (await credentials.stored(db, row.id));
  return row && stored ? { user_id: row.id, stored } : null;
}

/** What storing this token means for the one stored now, which is not asked anything. @throws SignInRefused when the host is too slow */
async function howItReplaces(
  db: Kysely<Database>,
  host: CodeHost,
  client: HostClient,
  before: { user_id: number; stored: StoredCredential } | null,
  given: NewCredential,
  timeLimit: (milliseconds: number) => AbortSignal,
): Promise<'same' | 'other' | 'weaker'> {
  if (!before?.stored.accepted) return 'other';
  if (isSameGrant(before.stored, given)) return 'same';
  const tooLong = timeLimit(PATIENCE);
  const ended = new Promise<never>((_, reject) =>
    tooLong.addEventListener('abort', () => reject(tooLong.reason), { once: true }),
  );
  try {
    const less = await Promise.race([readsLess(db, client, before.user_id, tooLong), ended]);
    return less ? 'weaker' : 'other';
  } catch (error) {
    if (!tooLong.aborted && !(error instanceof HostError)) throw error;
    const sentence = `${host.label} did not say what this token may read. Nothing was changed: try again in a moment.`;
    throw new SignInRefused('host_busy', sentence, error);
  }
}

async function asked<T>(host: CodeHost, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw asRefusal(error, host);
  }
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
    case 'blocked':
    case 'refused':
      return new SignInRefused('token_rejected', error.message, error);
    // Of the organisations alone, which say who may sign in.
    case 'sso_required':
      return new SignInRefused('sso_required', error.message, error);
    case 'rate_limited':
    case 'secondary_limit':
    case 'too_heavy':
    case 'unavailable':
    case 'protocol':
      return new SignInRefused('host_unavailable', `${host.label} cannot be reached: ${error.message}`, error);
  }
}

/**
 * Whether a new token is of the stored grant: the same OAuth app with at least the same scopes, or the very same personal token. One
 * that the host has rejected, or that cannot be opened, has ended.
 */
function isSameGrant(stored: StoredCredential, { client_id, token, scopes }: NewCredential): boolean {
  if (!stored.accepted) return false;
  const app = stored.client_id !== null && stored.client_id === client_id;
  if (!app && stored.token !== token) return false;
  if (stored.scopes === null || scopes === null) return stored.scopes === scopes;
  return stored.scopes.every((scope) => scopes.includes(scope));
}
