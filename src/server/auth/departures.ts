import type { Kysely, Transaction } from 'kysely';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import { pauseChannelsOf } from '../db/channel-pauses.ts';
import type { Database } from '../db/database.ts';
import { deleteUsers } from '../metrics/team-people.ts';
import { sealedAs } from '../secret-box.ts';
import type { NoteSecurityEvent, RequestOrigin } from '../security-events.ts';
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
  /** Has a worker delete what nobody has connected any more; the caller does not wait for it. */
  readonly cleanUpSoon: () => void;
}

/** What happens to tokens and accounts once their person has gone. */
export interface Departures {
  /** Deletes the person's tokens here, and ends at the host those of our app, unless a session of theirs is left. */
  endedSession(user_id: number, request: RequestOrigin): Promise<void>;
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

  async function forgetTokens(
    user_id: number,
    what: 'token' | 'grant',
    request: RequestOrigin | null,
    unless: (within: Transaction<Database>) => Promise<boolean>,
    unused_token_deleted_at: Date | null = null,
  ): Promise<void> {
    const deleted = await db.transaction().execute(async (within) => {
      // Whoever signs in at this moment waits for us, or we for them.
      await within.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
      if ((await unless(within)) || !(await deleteTokens(within, deps, user_id, what))) return false;
      await within.updateTable('users').set({ unused_token_deleted_at }).where('id', '=', user_id).execute();
      return true;
    });
    if (!deleted) return;
    revokeSoon();
    await deps.noteSecurityEvent({ event: 'token_deleted', actor: user_id, subject: null }, request);
    await deps.passOnSyncs(user_id);
  }

  return {
    async endedSession(user_id, request) {
      await forgetTokens(user_id, 'token', request, async (within) => {
        const left = await listSessions(within, user_id, undefined, now());
        return left.length > 0;
      });
    },

    async deleteAccount(user_id, request) {
      await forgetTokens(user_id, 'grant', request, async () => false);
      await deps.noteSecurityEvent({ event: 'account_deleted', actor: user_id, subject: null }, request);
      await deleteUsers(db, [user_id]);
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
          const isSeenAgain = async (within: Transaction<Database>) =>
            (await unseen(within).where('id', '=', id).executeTakeFirst()) === undefined;
          await forgetTokens(id, 'token', null, isSeenAgain, now());
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
