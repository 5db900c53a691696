import { type Kysely, sql } from 'kysely';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { Hosts } from '../context.ts';
import { pauseChannelsOf } from '../db/channel-pauses.ts';
import type { Database } from '../db/database.ts';
import type { UserRow } from './sessions.ts';

/** Who may use this server: everyone when both lists are null, else whoever is in either. Lower case. */
export interface Allowed {
  readonly logins: readonly string[] | null;
  readonly orgs: readonly string[] | null;
}

type Person = Pick<UserRow, 'host' | 'host_id' | 'login' | 'organizations' | 'organizations_at'>;

/** A membership that the host has not confirmed for so long counts as none, in hours; nor does one of as far ahead, of before the clock was set back. */
const HOURS_OF_MEMBERSHIP = 24;
const hoursFrom = (now: Date, hours: number) => new Date(now.getTime() + hours * 3_600_000);

/**
 * Whether somebody may use this server now, by what is stored of them. A listed login means the account that this server knew by it
 * first: whoever takes the name over after a rename at the host is not let in by it.
 */
export async function isAllowed(db: Kysely<Database>, person: Person, allowed: Allowed, now: Date): Promise<boolean> {
  const { logins, orgs } = allowed;
  if (logins === null && orgs === null) return true;
  const login = person.login.toLowerCase();
  if (logins?.includes(login) && (await meansAccount(db, person.host, login, person.host_id))) return true;
  const known = person.organizations_at?.getTime() ?? 0;
  if (orgs === null || Math.abs(now.getTime() - known) > HOURS_OF_MEMBERSHIP * 3_600_000) return false;
  return person.organizations?.some((org) => orgs.includes(org)) ?? false;
}

/**
 * The same of somebody of any host: those of the main one are let in by the lists, those of another while it is served, as the demo's visitors
 * are. Nobody of a host that was given up is.
 */
export async function mayEnter(
  { db, hosts, allowed }: { readonly db: Kysely<Database>; readonly hosts: Hosts; readonly allowed: Allowed },
  person: Person,
  now: Date,
): Promise<boolean> {
  if (person.host !== hosts.main.key) return hosts.byKey(person.host) !== null;
  return await isAllowed(db, person, allowed, now);
}

/**
 * Whether somebody may be sent a message now: whoever may enter, and of what needs them themselves, such as a rejected token, also whoever
 * could when the host last said of what they are a member, where it cannot be asked since it takes no token of theirs.
 */
export async function mayBeTold(
  deps: Parameters<typeof mayEnter>[0],
  person: Person & Pick<UserRow, 'id'>,
  of: 'work' | 'themselves',
  now: Date,
): Promise<boolean> {
  if (await mayEnter(deps, person, now)) return true;
  if (of === 'work' || person.organizations_at === null || (await hasToken(deps.db, person.id))) return false;
  return await mayEnter(deps, person, person.organizations_at);
}

async function hasToken(db: Kysely<Database>, user_id: number): Promise<boolean> {
  const found = await db
    .selectFrom('credentials')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('rejected_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

async function meansAccount(db: Kysely<Database>, host: string, login: string, host_id: string): Promise<boolean> {
  const bound = await db
    .selectFrom('allowed_logins')
    .select('host_id')
    .where('host', '=', host)
    .where('login', '=', login)
    .executeTakeFirst();
  if (bound !== undefined) return bound.host_id === host_id;
  const { rows } = await sql<{ host_id: string }>`
    insert into allowed_logins (host, login, host_id)
    select ${host}, ${login}, coalesce((select host_id from users where host = ${host} and lower(login) = ${login}
      order by id limit 1), ${host_id})
    on conflict (host, login) do update set login = excluded.login
    returning host_id`.execute(db);
  return rows[0]?.host_id === host_id;
}

/**
 * Pauses the channels of people whose login is no longer listed, and who may not use this server for another reason. To be called before
 * such logins are forgotten. Where the host has not said for a day of what they are a member, their channels stay as they are.
 */
export async function pauseChannelsOfUnlisted(db: Kysely<Database>, allowed: Allowed, now: Date): Promise<void> {
  const { logins, orgs } = allowed;
  const unlisted = await db
    .selectFrom('allowed_logins as listed')
    .innerJoin('users', (join) =>
      join.onRef('users.host', '=', 'listed.host').onRef('users.host_id', '=', 'listed.host_id'),
    )
    .selectAll('users')
    .where(sql<boolean>`not (listed.login = any(${logins ?? []}::text[]))`)
    .$if(orgs !== null, (query) =>
      query
        .where('users.organizations_at', '>', hoursFrom(now, -HOURS_OF_MEMBERSHIP))
        .where('users.organizations_at', '<', hoursFrom(now, HOURS_OF_MEMBERSHIP)),
    )
    .execute();
  for (const person of unlisted)
    if (!(await isAllowed(db, person, allowed, now)))
      await pauseChannelsOf(db, person.id, pauseReasons.not_allowed, now);
}

/** Forgets whom a login meant that is no longer listed, so that listing it again can mean somebody else. */
export async function forgetUnlistedLogins(db: Kysely<Database>, { logins }: Allowed): Promise<void> {
  await sql`delete from allowed_logins where not (login = any(${logins ?? []}::text[]))`.execute(db);
}
