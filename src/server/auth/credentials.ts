import { type Kysely, sql, type Transaction } from 'kysely';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { Hosts, PersonalClient } from '../context.ts';
import { pauseChannelsOf } from '../db/channel-pauses.ts';
import type { Database } from '../db/database.ts';
import { DAYS_OF_FORMER } from '../db/sight.ts';
import { HostError } from '../host/errors.ts';
import type { HostGrant } from '../host/oauth.ts';
import type { Log } from '../log.ts';
import { isVisible } from '../metrics/scope.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';
import type { NoteSecurityEvent } from '../security-events.ts';
import { RENEWED_BEFORE_END, renewedToken, sealedGrant } from './renewal.ts';

/** A token as somebody has brought it, or the host has given it. */
export interface NewCredential extends HostGrant {
  /** The OAuth client that it was issued to; null for a personal access token. */
  readonly client_id: string | null;
}

/** A credential that is stored now. */
export interface StoredCredential {
  readonly grant_id: number;
  readonly client_id: string | null;
  readonly scopes: readonly string[] | null;
  /** Null when it cannot be opened with the key in use. */
  readonly token: string | null;
  /** False when the host has rejected it, or it cannot be opened. */
  readonly accepted: boolean;
  /** Changes with every write. */
  readonly updated_at: Date;
}

/**
 * The users' host tokens: at rest encrypted, opened only to call the host. Each person has one that is used; its `grant_id` is its
 * identity. What somebody sees was checked with a grant, and their sessions were opened by one: both count while it is stored.
 */
export interface Credentials {
  /** The user's credential; null without one. */
  stored(db: Kysely<Database>, user_id: number): Promise<StoredCredential | null>;
  /**
   * Stores the user's token in place of the one they had, together with whatever else the transaction does. `replacing` says what that
   * means: `same` keeps the grant, and with it sight and sessions; `other` is a new grant: nothing is visible until it was checked with
   * it, and all sessions of the person end; `weaker` is the same, and the one replaced goes on serving syncs of what it read.
   * @returns the grant that the token has now
   */
  store(
    within: Transaction<Database>,
    user_id: number,
    given: NewCredential,
    replacing: 'same' | 'other' | 'weaker',
  ): Promise<number>;
  /** The host as this user sees it; null when they have no token that the host accepts, or their host is gone. */
  clientFor(user_id: number): Promise<PersonalClient | null>;
  /**
   * The host for syncs of one repository with this user's credential: the stored one, or while that has not read the repository the
   * stronger one that it replaced. Null as above.
   */
  clientForSync(user_id: number, repository_id: number): Promise<PersonalClient | null>;
  /**
   * The host answered 401 to this grant of the user. It is asked once more who the token belongs to: when it says 401 again, the
   * token is rejected and the user's sessions end at once; a former one is forgotten. Signing in again heals it.
   * @returns whether the user has no usable token of this grant now
   */
  rejectToken(user_id: number, grant_id: number): Promise<boolean>;
  /** Renews the tokens that are about to end, also of people for whom the host is not asked meanwhile. */
  renewExpiring(signal: AbortSignal): Promise<void>;
}

interface Row {
  readonly grant_id: number;
  readonly token_encrypted: string;
}

/** So many tokens are renewed in one look. */
const RENEWALS_AT_ONCE = 100;

export interface CredentialDeps {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  readonly box: SecretBox;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Pick<Log, 'warn'>;
  readonly noteSecurityEvent?: NoteSecurityEvent;
}

/**
 * Credentials in the rows of `credentials`, and of `former_credentials` while a weaker one has replaced them; tokens that expire are renewed
 * when they are used (`renewal.ts`).
 */
export function credentialsIn(deps: CredentialDeps): Credentials {
  const { db, hosts, box, now, log } = deps;

  /** Null when it cannot be opened, which counts as rejected. */
  async function open(user_id: number, row: Row): Promise<string | null> {
    try {
      return box.open(row.token_encrypted, sealedAs.token(user_id));
    } catch (err) {
      // Rejecting it says it once in the log.
      if (await reject(user_id, row)) log.warn({ user: user_id, err }, 'a stored token cannot be opened with this key');
      return null;
    }
  }

  /** True when it was not rejected before. */
  async function reject(user_id: number, row: Row): Promise<boolean> {
    const rejected = await db.transaction().execute(async (within) => {
      const { numDeletedRows } = await within
        .deleteFrom('former_credentials')
        .where('grant_id', '=', row.grant_id)
        .executeTakeFirst();
      if (numDeletedRows > 0n) return true;
      const { numUpdatedRows } = await within
        .updateTable('credentials')
        .set({ rejected_at: now() })
        .where('user_id', '=', user_id)
        .where('token_encrypted', '=', row.token_encrypted)
        .where('rejected_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await within.deleteFrom('sessions').where('user_id', '=', user_id).execute();
      await pauseChannelsOf(within, user_id, pauseReasons.token_rejected, now());
      return true;
    });
    if (rejected) await deps.noteSecurityEvent?.({ event: 'token_rejected', actor: user_id, subject: null }, null);
    return rejected;
  }

  async function storedRow(user_id: number) {
    return await db
      .selectFrom('credentials')
      .innerJoin('users', 'users.id', 'credentials.user_id')
      .select(['users.host', 'credentials.grant_id', 'credentials.token_encrypted', 'refresh_token_encrypted'])
      .where('user_id', '=', user_id)
      .where('rejected_at', 'is', null)
      .executeTakeFirst();
  }

  async function formerRow(user_id: number, of: { repository_id: number } | { grant_id: number }) {
    return await db
      .selectFrom('former_credentials as f')
      .innerJoin('users', 'users.id', 'f.user_id')
      .select(['users.host', 'f.grant_id', 'f.token_encrypted', 'f.refresh_token_encrypted'])
      .where('f.user_id', '=', user_id)
      .where('f.replaced_at', '>', new Date(now().getTime() - DAYS_OF_FORMER * 24 * 3_600_000))
      .$if('grant_id' in of, (query) => query.where('f.grant_id', '=', (of as { grant_id: number }).grant_id))
      .$if('repository_id' in of, (query) =>
        query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('connections as c')
              .select('c.user_id')
              .where('c.user_id', '=', user_id)
              .where('c.repository_id', '=', (of as { repository_id: number }).repository_id)
              .whereRef('c.former_grant_id', '=', 'f.grant_id')
              .where(({ not }) => not(isVisible)),
          ),
        ),
      )
      .executeTakeFirst();
  }

  async function clientOf(
    user_id: number,
    row: (Row & { host: string; refresh_token_encrypted: string | null }) | undefined,
    table: 'credentials' | 'former_credentials' = 'credentials',
  ): Promise<PersonalClient | null> {
    const host = row === undefined ? null : hosts.byKey(row.host);
    if (row === undefined || host === null) return null;
    const token = await open(user_id, row);
    if (token === null) return null;
    const { grant_id } = row;
    const expires = row.refresh_token_encrypted !== null;
    const tokens = expires ? renewedToken({ ...deps, reject }, { table, user_id, grant_id, host: row.host }) : token;
    return { client: host.as(tokens), grant_id };
  }

  const clientFor = async (user_id: number) => await clientOf(user_id, await storedRow(user_id));

  return {
    async stored(within, user_id) {
      const row = await within.selectFrom('credentials').selectAll().where('user_id', '=', user_id).executeTakeFirst();
      if (row === undefined) return null;
      // One that cannot be opened counts as rejected.
      const token = box.openOrNull(row.token_encrypted, sealedAs.token(user_id));
      const { grant_id, client_id, scopes, updated_at } = row;
      return { grant_id, client_id, scopes, updated_at, token, accepted: token !== null && row.rejected_at === null };
    },

    async store(within, user_id, given, replacing) {
      const at = now();
      if (replacing !== 'same') await retire(within, user_id, replacing === 'weaker', at);
      const row = {
        ...sealedGrant(box, user_id, given),
        client_id: given.client_id,
        scopes: given.scopes === null ? null : [...given.scopes],
        refresh_leased_until: null,
        rejected_at: null,
        updated_at: at,
        ...(replacing === 'same' ? {} : { grant_id: sql<number>`nextval('grants')` }),
      };
      const { grant_id } = await within
        .insertInto('credentials')
        .values({ user_id, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .returning('grant_id')
        .executeTakeFirstOrThrow();
      return grant_id;
    },

    clientFor,

    async clientForSync(user_id, repository_id) {
      const former = await formerRow(user_id, { repository_id });
      return (await clientOf(user_id, former, 'former_credentials')) ?? (await clientFor(user_id));
    },

    async rejectToken(user_id, grant_id) {
      const stored = await storedRow(user_id);
      const isStored = stored?.grant_id === grant_id;
      const row = isStored ? stored : await formerRow(user_id, { grant_id });
      if (row === undefined) return true;
      const personal = await clientOf(user_id, row, isStored ? 'credentials' : 'former_credentials');
      if (personal === null) return true;
      try {
        await personal.client.viewer();
        return false;
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        if (error.kind !== 'unauthorized') return false;
      }
      await reject(user_id, row);
      return true;
    },

    async renewExpiring(signal) {
      const rows = await db
        .selectFrom('credentials')
        .innerJoin('users', 'users.id', 'credentials.user_id')
        .select(['user_id', 'grant_id', 'users.host'])
        .where('expires_at', '<', new Date(now().getTime() + RENEWED_BEFORE_END * 60_000))
        .where('refresh_token_encrypted', 'is not', null)
        .where('rejected_at', 'is', null)
        // By age those that the host fails to renew again and again would keep all others from their turn.
        .orderBy(sql`random()`)
        .limit(RENEWALS_AT_ONCE)
        .execute();
      for (const row of rows) {
        if (signal.aborted) return;
        try {
          await renewedToken({ ...deps, reject }, { table: 'credentials', ...row })(null);
        } catch (err) {
          log.warn({ err, user: row.user_id }, 'failed to renew an access token');
        }
      }
    },
  };
}

/** Ends what the stored credential opened, and keeps it for syncs where a weaker one replaces it. */
async function retire(within: Transaction<Database>, user_id: number, keep: boolean, at: Date): Promise<void> {
  await within.deleteFrom('sessions').where('user_id', '=', user_id).execute();
  if (keep) {
    await sql`
      insert into former_credentials (grant_id, user_id, client_id, token_encrypted, refresh_token_encrypted, expires_at,
        refresh_leased_until, replaced_at)
      select grant_id, user_id, client_id, token_encrypted, refresh_token_encrypted, expires_at, refresh_leased_until, ${at}
      from credentials where user_id = ${user_id}`.execute(within);
    await sql`
      update connections c set former_grant_id = k.grant_id from credentials k
      where c.user_id = ${user_id} and k.user_id = c.user_id and c.former_grant_id is null and ${isVisible}`.execute(
      within,
    );
  }
  // What the new token lists of the host's teams is read when its person signs in with it, which is now.
  await sql`
    update team_readers set lost_at = coalesce(lost_at, ${at}), withheld = true where user_id = ${user_id}`.execute(
    within,
  );
  await within.updateTable('connections').set({ check_due_at: at }).where('user_id', '=', user_id).execute();
}
