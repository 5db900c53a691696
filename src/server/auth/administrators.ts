import { type Kysely, sql } from 'kysely';
import type { Administrators } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isForLackOfSpace } from '../db/disk-space.ts';
import { HttpError } from '../http/errors.ts';

/**
 * The accounts of `host` whose logins the setting ADMIN_LOGINS lists, in lower case. A login means the account that this server knew
 * by it first: whoever takes it over after a rename at the host is not an administrator.
 */
export function administratorsIn(db: Kysely<Database>, host: string, logins: readonly string[]): Administrators {
  async function ids(): Promise<ReadonlySet<number>> {
    if (logins.length === 0) return new Set();
    let accounts = await listedAccounts();
    if (accounts.some(({ is_meant }) => is_meant === null)) {
      await noteWhoIsMeant();
      accounts = await listedAccounts();
    }
    return new Set(accounts.flatMap(({ id, is_meant }) => (is_meant === true ? [id] : [])));
  }

  /** Accounts with a listed login, and whether it means them; null where that is not noted yet. */
  async function listedAccounts(): Promise<{ id: number; is_meant: boolean | null }[]> {
    const { rows } = await sql<{ id: number; is_meant: boolean | null }>`
      select u.id, a.host_id = u.host_id as is_meant
      from users u left join administrators a on a.host = u.host and a.login = lower(u.login)
      where u.host = ${host} and lower(u.login) = any(${logins}::text[])`.execute(db);
    return rows;
  }

  async function noteWhoIsMeant(): Promise<void> {
    try {
      await sql`
        insert into administrators (host, login, host_id)
        select distinct on (lower(login)) host, lower(login), host_id from users
        where host = ${host} and lower(login) = any(${logins}::text[])
        order by lower(login), id
        on conflict do nothing`.execute(db);
    } catch (error) {
      // On a full disk people go on reading, as nobody's administrators until there is room.
      if (!isForLackOfSpace(error)) throw error;
    }
  }

  async function includes(user: { readonly id: number; readonly login: string }): Promise<boolean> {
    // Nearly everybody's login is not listed: no question to the database then.
    return logins.includes(user.login.toLowerCase()) && (await ids()).has(user.id);
  }

  return {
    ids,
    includes,
    async require(user) {
      if (logins.length === 0) throw new HttpError('no_administrators', 'Set ADMIN_LOGINS');
      if (!(await includes(user))) throw new HttpError('administrators_only');
    },
  };
}

/** Forgets whom a login meant that is no longer listed, so that listing it again can mean somebody else. */
export async function forgetUnlisted(db: Kysely<Database>, logins: readonly string[]): Promise<void> {
  await sql`delete from administrators where not (login = any(${logins}::text[]))`.execute(db);
}
