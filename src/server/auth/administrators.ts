import { type Kysely, sql } from 'kysely';
import type { Administrators } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';

/**
 * The accounts of `host` whose logins the setting ADMIN_LOGINS lists, in lower case. A login means the account that this server knew
 * by it first: whoever takes it over after a rename at the host is not an administrator.
 */
export function administratorsIn(db: Kysely<Database>, host: string, logins: readonly string[]): Administrators {
  async function ids(): Promise<ReadonlySet<number>> {
    if (logins.length === 0) return new Set();
    await sql`
      insert into administrators (host, login, host_id)
      select distinct on (lower(login)) host, lower(login), host_id from users
      where host = ${host} and lower(login) = any(${logins}::text[])
        and not exists (select from administrators a where a.host = users.host and a.login = lower(users.login))
      order by lower(login), id
      on conflict do nothing`.execute(db);
    const { rows } = await sql<{ id: number }>`
      select u.id from users u join administrators a on a.host = u.host and a.host_id = u.host_id and a.login = lower(u.login)
      where u.host = ${host} and a.login = any(${logins}::text[])`.execute(db);
    return new Set(rows.map(({ id }) => id));
  }

  async function includes(user: { readonly id: number; readonly login: string }): Promise<boolean> {
    // Nearly everybody's login is not listed: no question to the database then.
    return logins.includes(user.login.toLowerCase()) && (await ids()).has(user.id);
  }

  return {
    ids,
    includes,
    async require(user) {
      if (logins.length === 0) throw new HttpError(403, 'no_administrators', 'Set ADMIN_LOGINS');
      if (!(await includes(user))) throw new HttpError(403, 'administrators_only', 'Only administrators can do that.');
    },
  };
}

/** Forgets whom a login meant that is no longer listed, so that listing it again can mean somebody else. */
export async function forgetUnlisted(db: Kysely<Database>, logins: readonly string[]): Promise<void> {
  await sql`delete from administrators where not (login = any(${logins}::text[]))`.execute(db);
}
