import type { Kysely, Transaction } from 'kysely';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import { pauseChannelsOf } from '../db/channel-pauses.ts';
import type { Database } from '../db/database.ts';
import { deleteUsersWithin, lockTeams } from '../metrics/team-people.ts';
import { sealedAs } from '../secret-box.ts';
import type { NoteSecurityEvent, RequestOrigin, SecurityEvent } from '../security-events.ts';
import { type RevocationDeps, requestRevocation, revokeDue } from './revocations.ts';
import { listSessions } from './sessions.ts';

/** Nobody's token is used longer than this after their last request, in days. */
const UNSEEN_DAYS = 90;
/** So many people's tokens are deleted in one look. */
const AT_ONCE = 100;

export interface DepartureDeps extends RevocationDeps {
  readonly noteSecurityEvent: NoteSecurityEvent;
  /** Lets somebody else's token go on with the syncs of a person who has none any more, and ends those that nobody can go on with. */
  readonly passOnSyncs: (user_id: number) => Promise<void>;
  /** Lets somebody else's token go on with the syncs of a person who has one still, where it can. */
  readonly handOverSyncs: (user_id: number) => Promise<void>;
  /** Has a worker delete what nobody has connected any more; the caller does not wait for it. */
  readonly cleanUpSoon: () => void;
}

/** What happens to tokens and accounts once their person has gone. */
export interface Departures {
  /**
   * Ends sessions of a person by `end`, which is noted as `ended`. Unless one of theirs is left, it also deletes their tokens here and ends at
   * the host those of our app. What `end` throws leaves all of it as it was.
   */
  endSessions(
    user: { readonly id: number; readonly login: string },
    ended: Pick<SecurityEvent, 'event' | 'subject'>,
    request: RequestOrigin,
    end: (within: Transaction<Database>) => Promise<void>,
  ): Promise<void>;
  /** Removes the account and all that belongs to it, and takes back what the person granted at the host. */
  deleteAccount(user_id: number, request: RequestOrigin): Promise<void>;
  /** Deletes the tokens of people who have not been seen for 90 days, and asks again for what the host has not revoked yet. */
  upkeep(signal: AbortSignal): Promise<void>;
}

export function departuresOf(deps: DepartureDeps): Departures {
  const { db, now, log } = deps;

  /** The host is asked at once and nobody waits for it; where it does not answer, it is asked again for a day. */
  const revokeSoon = () => {
    revokeDue(deps, null).catch((err: unknown) => log.warn({ err }, 'failed to look for tokens to revoke'));
  };

  /** Whoever signs in at this moment waits for us, or we for them. Undefined when the account is gone. */
  async function lockUser(within: Transaction<Database>, user_id: number) {
    const user = await within
      .selectFrom('users')
      .select('login')
      .where('id', '=', user_id)
      .forUpdate()
      .executeTakeFirst();
    // Before sessions, as where a token is rejected.
    await within.selectFrom('credentials').select('grant_id').where('user_id', '=', user_id).forUpdate().execute();
    return user;
  }

  /** Deletes a person's tokens; true when there were any: then `tokensForgotten` follows the transaction. */
  async function forgetTokens(
    within: Transaction<Database>,
    user_id: number,
    unused_token_deleted_at: Date | null,
  ): Promise<boolean> {
    if (!(await deleteTokens(within, deps, user_id, 'token'))) return false;
    await within.updateTable('users').set({ unused_token_deleted_at }).where('id', '=', user_id).execute();
    return true;
  }

  async function tokensForgotten(user_id: number, request: RequestOrigin | null): Promise<void> {
    revokeSoon();
    await deps.noteSecurityEvent({ event: 'token_deleted', actor: user_id, subject: null }, request);
    await deps.passOnSyncs(user_id);
  }

  return {
    async endSessions({ id, login }, ended, request, end) {
      const forgotten = await db.transaction().execute(async (within) => {
        const user = await lockUser(within, id);
        await end(within);
        const left = await listSessions(within, id, undefined, now());
        return user !== undefined && left.length === 0 && (await forgetTokens(within, id, null));
      });
      await deps.noteSecurityEvent({ ...ended, actor: login }, request);
      if (forgotten) await tokensForgotten(id, request);
    },

    async deleteAccount(user_id, request) {
      // Those that stay behind end with the account.
      await deps.handOverSyncs(user_id);
      const deleted = await db.transaction().execute(async (within) => {
        // Before the user, as everywhere: whoever changes teams has this lock before they refer to one.
        await lockTeams(within);
        const user = await lockUser(within, user_id);
        if (user === undefined) return null;
        const had_tokens = await deleteTokens(within, deps, user_id, 'grant');
        await deleteUsersWithin(within, [user_id]);
        return { actor: user.login, had_tokens };
      });
      // Another request was faster.
      if (deleted === null) return;
      const { actor, had_tokens } = deleted;
      if (had_tokens) {
        revokeSoon();
        await deps.noteSecurityEvent({ event: 'token_deleted', actor, subject: null }, request);
      }
      await deps.noteSecurityEvent({ event: 'account_deleted', actor, subject: null }, request);
      deps.cleanUpSoon();
    },

    async upkeep(signal) {
      await revokeDue(deps, signal);
      const before = new Date(now().getTime() - UNSEEN_DAYS * 24 * 3_600_000);
      const unseen = (within: Kysely<Database>) =>
        within.selectFrom('users').select('id').where('seen_at', '<', before);
      const people = await unseen(db)
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('credentials').select('user_id').whereRef('credentials.user_id', '=', 'users.id')),
        )
        .orderBy('id')
        .limit(AT_ONCE)
        .execute();
      for (const { id } of people) {
        if (signal.aborted) return;
        try {
          const forgotten = await db.transaction().execute(async (within) => {
            await lockUser(within, id);
            const isUnseen = (await unseen(within).where('id', '=', id).executeTakeFirst()) !== undefined;
            return isUnseen && (await forgetTokens(within, id, now()));
          });
          if (forgotten) await tokensForgotten(id, null);
        } catch (err) {
          log.warn({ err, user: id }, 'failed to delete the token of somebody who has not been seen for 90 days');
        }
      }
    },
  };
}

/** Deletes every token of a person, and has the host end those that were given to our app. True when there were any. */
async function deleteTokens(
  within: Transaction<Database>,
  deps: RevocationDeps,
  user_id: number,
  what: 'token' | 'grant',
): Promise<boolean> {
  const { hosts, box } = deps;
  const stored = await within
    .deleteFrom('credentials')
    .where('user_id', '=', user_id)
    .returning(['client_id', 'token_encrypted', 'refresh_token_encrypted', 'expires_at'])
    .execute();
  const former = await within
    .deleteFrom('former_credentials')
    .where('user_id', '=', user_id)
    .returning(['client_id', 'token_encrypted', 'refresh_token_encrypted', 'expires_at'])
    .execute();
  await within.deleteFrom('sessions').where('user_id', '=', user_id).execute();
  await pauseChannelsOf(within, user_id, pauseReasons.token_deleted, deps.now());
  const { host } = await within.selectFrom('users').select('host').where('id', '=', user_id).executeTakeFirstOrThrow();
  const client_id = hosts.byKey(host)?.oauth?.client_id ?? null;
  const tokens = [...stored, ...former];
  for (const row of tokens) {
    const token = box.openOrNull(row.token_encrypted, sealedAs.token(user_id));
    if (client_id === null || token === null || !isOurs(token, row.client_id, client_id)) continue;
    const refresh_token =
      row.refresh_token_encrypted && box.openOrNull(row.refresh_token_encrypted, sealedAs.refreshToken(user_id));
    await requestRevocation(within, deps, { host, what, of: { token, refresh_token, expires_at: row.expires_at } });
  }
  return tokens.length > 0;
}

/** Whether the token was given to this app; of one that was stored before that was noted, its prefix says that it is an app's. */
function isOurs(token: string, given_to: string | null, client_id: string): boolean {
  return given_to === null ? /^gh[ou]_/.test(token) : given_to === client_id;
}
