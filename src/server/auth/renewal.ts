import { type Selectable, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { HostError } from '../host/errors.ts';
import type { HostGrant, HostOAuth, TokenSource } from '../host/oauth.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';
import { type RevocationDeps, requestRevocation } from './revocations.ts';

/** A token that expires is renewed so long before its end, in minutes. */
export const RENEWED_BEFORE_END = 15;
/** Longer than the host may take to answer: so long one process alone may renew a person's token, in seconds. */
const LEASE = 45;
/** How long a request waits for the process that renews the token, and how often it looks, in milliseconds. */
const LONGEST_WAIT = 40_000;
const LOOK_EVERY = 200;

export interface RenewalDeps extends RevocationDeps {
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The host takes the credential no longer; `token_encrypted` is the column's. */
  readonly reject: (user_id: number, row: { grant_id: number; token_encrypted: string }) => Promise<unknown>;
}

/** Where a credential is: the one in use, or a stronger one that it replaced. */
type CredentialTable = 'credentials' | 'former_credentials';

/** A credential whose token expires. */
export interface ExpiringCredential {
  readonly table: CredentialTable;
  readonly user_id: number;
  readonly grant_id: number;
  readonly host: string;
}

interface Stored {
  readonly token: string;
  readonly token_encrypted: string;
  readonly refresh_token: string | null;
  readonly expires_at: Date | null;
}

/**
 * The token of a credential for each request, renewed before it ends and when the host answers 401 to it. The host ends the old pair at
 * once: one process at a time renews (a lease in the row), the others wait for what it stores. A refresh token that the host
 * takes no longer rejects the credential. Where it declines the refresh for another reason, as with a wrong client secret, the
 * old token is used on, and its 401 counts.
 */
export function renewedToken(deps: RenewalDeps, credential: ExpiringCredential): TokenSource {
  const { now } = deps;
  let known: Stored | null = null;

  const isFresh = ({ expires_at }: Stored) =>
    expires_at === null || expires_at.getTime() - now().getTime() > RENEWED_BEFORE_END * 60_000;

  return async (refused) => {
    if (refused === null && known !== null && isFresh(known)) return known.token;
    let waited = 0;
    for (;;) {
      known = await storedIn(deps, credential);
      // Rejected, or another credential is in its place: the host's own word on the old token is the answer.
      if (known === null) {
        if (refused !== null) return refused;
        throw new HostError('unauthorized', 'The access token is no longer accepted.');
      }
      const { token, refresh_token } = known;
      if (refused === null ? isFresh(known) : token !== refused) return token;
      if (refresh_token === null) return token;
      const oauth = deps.hosts.byKey(credential.host)?.oauth ?? null;
      if (oauth === null) return token;
      const lease = await takeLease(deps, credential, known);
      if (lease !== null) {
        const renewed = await renew(deps, credential, oauth, { ...known, refresh_token, lease });
        if (renewed !== null) return renewed;
        // Until its end the old one is good enough where the host cannot renew it just now.
        if (refused === null && known.expires_at !== null && known.expires_at > now()) return token;
        throw unavailable();
      }
      if (waited >= LONGEST_WAIT) throw unavailable();
      waited += LOOK_EVERY;
      await deps.sleep(LOOK_EVERY);
    }
  };
}

function unavailable(): HostError {
  return new HostError('unavailable', 'The access token could not be renewed.');
}

/** @throws HostError where the token cannot be opened, which counts as rejected */
async function storedIn(deps: RenewalDeps, credential: ExpiringCredential): Promise<Stored | null> {
  const { db, box } = deps;
  const { table, user_id, grant_id } = credential;
  const { rows } = await sql<
    Pick<Selectable<Database['credentials']>, 'token_encrypted' | 'refresh_token_encrypted' | 'expires_at'>
  >`
    select token_encrypted, refresh_token_encrypted, expires_at from ${sql.table(table)}
    where user_id = ${user_id} and grant_id = ${grant_id} and ${table === 'credentials' ? sql`rejected_at is null` : sql`true`}`.execute(
    db,
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { token_encrypted, refresh_token_encrypted, expires_at } = row;
  const token = box.openOrNull(token_encrypted, sealedAs.token(user_id));
  if (token === null) {
    await deps.reject(user_id, { grant_id, token_encrypted });
    throw new HostError('unauthorized', 'The stored access token cannot be opened.');
  }
  // Without the one that renews it, the token is good until its end.
  const refresh_token =
    refresh_token_encrypted && box.openOrNull(refresh_token_encrypted, sealedAs.refreshToken(user_id));
  return { token, token_encrypted, refresh_token, expires_at };
}

/** The lease as the row holds it, until when by the database's clock; null where another process has it. */
async function takeLease(
  { db }: RenewalDeps,
  { table, user_id, grant_id }: ExpiringCredential,
  { token_encrypted }: Stored,
): Promise<string | null> {
  const { rows } = await sql<{ lease: string }>`
    update ${sql.table(table)} set refresh_leased_until = statement_timestamp() + make_interval(secs => ${LEASE})
    where user_id = ${user_id} and grant_id = ${grant_id} and token_encrypted = ${token_encrypted}
      and (refresh_leased_until is null or refresh_leased_until < statement_timestamp())
    returning refresh_leased_until::text as lease`.execute(db);
  return rows[0]?.lease ?? null;
}

/** The new token, stored; the old one where the host declines to renew it; null where it could not be renewed now. */
async function renew(
  deps: RenewalDeps,
  credential: ExpiringCredential,
  oauth: HostOAuth,
  { token, token_encrypted, refresh_token, lease }: Stored & { refresh_token: string; lease: string },
): Promise<string | null> {
  const { user_id, grant_id, host } = credential;
  // The lease says that it is still the credential which was read: its sealed text may change, where keys are rotated.
  const isOurs = sql<boolean>`(user_id = ${user_id} and grant_id = ${grant_id} and refresh_leased_until = ${lease}::timestamptz)`;
  let grant: HostGrant;
  try {
    grant = await oauth.refresh(refresh_token);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.kind === 'unauthorized') {
      await deps.reject(user_id, { grant_id, token_encrypted });
      throw error;
    }
    deps.log.warn({ err: error, user: user_id }, 'the host did not renew an access token');
    for (const table of tables)
      await deps.db.updateTable(table).set({ refresh_leased_until: null }).where(isOurs).execute();
    // Declined by the host itself, not by what stands between.
    return error.kind === 'refused' && error.status === null ? token : null;
  }
  // One statement: the old pair, which has ended, is there until the new one is.
  const stored = await deps.db.transaction().execute(async (within) => {
    for (const table of tables) {
      const { numUpdatedRows } = await within
        .updateTable(table)
        .set({ ...sealedGrant(deps.box, user_id, grant), refresh_leased_until: null })
        .where(isOurs)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return true;
    }
    // Deleted or replaced meanwhile: nobody will use the new one.
    await requestRevocation(within, deps, { host, what: 'token', of: grant });
    return false;
  });
  if (!stored) throw new HostError('unauthorized', 'The access token is no longer stored.');
  return grant.token;
}

/** A credential may be replaced by a weaker one, and be kept beside it, while it is renewed. */
const tables = ['credentials', 'former_credentials'] as const;

/** A grant as columns of `credentials`. */
export function sealedGrant(
  box: SecretBox,
  user_id: number,
  { token, refresh_token, expires_at }: Pick<HostGrant, 'token' | 'refresh_token' | 'expires_at'>,
) {
  return {
    token_encrypted: box.seal(token, sealedAs.token(user_id)),
    refresh_token_encrypted: refresh_token === null ? null : box.seal(refresh_token, sealedAs.refreshToken(user_id)),
    expires_at,
  };
}
