import type { Kysely, Transaction } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { HostClient } from '../host/host.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';

/** The users' host tokens: at rest encrypted, opened only to call the host. */
export interface Credentials {
  /** Replaces the user's token, together with whatever else the transaction does. `scopes` null where the host does not say. */
  store(within: Transaction<Database>, user_id: number, token: string, scopes: readonly string[] | null): Promise<void>;
  /** The host as this user sees it; null when they have no token that the host accepts, or their host is gone. */
  clientFor(user_id: number): Promise<HostClient | null>;
  /** Remembers that the host no longer accepts this user's token; signing in again heals it. */
  rejectToken(user_id: number): Promise<void>;
}

export function credentialsIn(db: Kysely<Database>, hosts: Hosts, box: SecretBox, now: () => Date): Credentials {
  return {
    async store(within, user_id, token, scopes) {
      const row = {
        token_encrypted: box.seal(token, sealedAs.token(user_id)),
        scopes: scopes === null ? null : [...scopes],
        rejected_at: null,
        updated_at: now(),
      };
      await within
        .insertInto('credentials')
        .values({ user_id, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
    },

    async clientFor(user_id) {
      const row = await db
        .selectFrom('credentials')
        .innerJoin('users', 'users.id', 'credentials.user_id')
        .select(['users.host', 'credentials.token_encrypted'])
        .where('user_id', '=', user_id)
        .where('rejected_at', 'is', null)
        .executeTakeFirst();
      const host = row === undefined ? null : hosts.byKey(row.host);
      if (row === undefined || host === null) return null;
      return host.as(box.open(row.token_encrypted, sealedAs.token(user_id)));
    },

    async rejectToken(user_id) {
      await db
        .updateTable('credentials')
        .set({ rejected_at: now() })
        .where('user_id', '=', user_id)
        .where('rejected_at', 'is', null)
        .execute();
    },
  };
}
