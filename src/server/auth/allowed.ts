import { type Kysely, sql } from 'kysely';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { Hosts, PersonalClient } from '../context.ts';
import { pauseChannelsOf } from '../db/channel-pauses.ts';
import type { Database } from '../db/database.ts';
import { type ChangedMembership, HostError } from '../host/host.ts';
import type { Log } from '../log.ts';
import type { UserRow } from './sessions.ts';

/** Who may use this server: everyone when both lists are null, else whoever is in either. Lower case. */
export interface Allowed {
  readonly logins: readonly string[] | null;
  readonly orgs: readonly string[] | null;
}

type Person = Pick<UserRow, 'host' | 'host_id' | 'login' | 'organizations' | 'organizations_at'>;

/** A membership that the host has not confirmed for so long counts as none, in hours. */
const HOURS_OF_MEMBERSHIP = 24;
/** While somebody is active, the host is asked for their memberships so often, in minutes. */
const MINUTES_BETWEEN_QUESTIONS = 50;
const MINUTES_ACTIVE = 60;
/** And so often, in minutes, of whoever is told things without coming here. */
const MINUTES_BETWEEN_QUESTIONS_AWAY = 12 * 60;
/** People asked about in one round of a minute. */
const PEOPLE_AT_ONCE = 50;

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
  if (orgs === null || now.getTime() - known > HOURS_OF_MEMBERSHIP * 3_600_000) return false;
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
      query.where('users.organizations_at', '>', new Date(now.getTime() - HOURS_OF_MEMBERSHIP * 3_600_000)),
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

export interface MembershipDeps {
  readonly db: Kysely<Database>;
  readonly allowed: Allowed;
  /** The host that people sign in to: nobody of another one is in the lists. */
  readonly host: string;
  readonly clientFor: (user_id: number) => Promise<PersonalClient | null>;
  readonly rejectToken: (user_id: number, grant_id: number) => Promise<boolean>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/**
 * Asks the host again for the memberships of people who are active, are told things or have personal tokens, where they decide who may use
 * this server; one that fails stops no other.
 */
export async function refreshMemberships(deps: MembershipDeps, signal: AbortSignal): Promise<void> {
  if (deps.allowed.orgs === null) return;
  const before = (minutes: number) => new Date(deps.now().getTime() - minutes * 60_000);
  const rows = await deps.db
    .selectFrom('users')
    .select('id')
    .where('host', '=', deps.host)
    // Of others nobody can be asked, and they would come first for ever.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('credentials as k')
          .select('k.user_id')
          .whereRef('k.user_id', '=', 'users.id')
          .where('k.rejected_at', 'is', null),
      ),
    )
    .where(({ and, or, eb, exists, selectFrom }) =>
      or([
        and([
          eb('seen_at', '>', before(MINUTES_ACTIVE)),
          eb('organizations_at', '<', before(MINUTES_BETWEEN_QUESTIONS)),
        ]),
        and([
          eb('organizations_at', '<', before(MINUTES_BETWEEN_QUESTIONS_AWAY)),
          or([
            exists(selectFrom('notification_subscriptions as s').select('s.id').whereRef('s.user_id', '=', 'users.id')),
            exists(
              selectFrom('api_tokens as t')
                .select('t.id')
                .whereRef('t.user_id', '=', 'users.id')
                .where('t.expires_at', '>', deps.now()),
            ),
          ]),
        ]),
      ]),
    )
    // By age those whom the host fails for again and again would keep all others from their turn.
    .orderBy(sql`random()`)
    .limit(PEOPLE_AT_ONCE)
    .execute();
  for (const { id } of rows) {
    if (signal.aborted) return;
    await refreshMembershipsOf(deps, id);
  }
}

/** However many deliveries name somebody, the host is asked for their memberships at most once in so many milliseconds. */
const BETWEEN_DELIVERIES = 60_000;

/**
 * For deliveries that say that memberships may have changed: the host is asked at once, with the token of each person concerned, and
 * once more a minute later where more deliveries name them meanwhile. Whoever has left is signed out. Never rejects.
 */
export function membershipChecks(
  deps: MembershipDeps & { readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void> },
  signal: AbortSignal,
): (of: ChangedMembership) => Promise<void> {
  /** By person: whether they were named again since the host was asked. */
  const asked = new Map<number, { again: boolean }>();

  async function check(user_id: number): Promise<void> {
    const before = asked.get(user_id);
    if (before !== undefined) {
      before.again = true;
      return;
    }
    const state = { again: false };
    asked.set(user_id, state);
    await refreshMembershipsOf(deps, user_id);
    void deps.sleep(BETWEEN_DELIVERIES, signal).then(async () => {
      asked.delete(user_id);
      if (state.again && !signal.aborted) await check(user_id);
    });
  }

  return async ({ organization, account_id }) => {
    // Who is in another one may use this server or not, whatever becomes of that.
    if (!deps.allowed.orgs?.includes(organization)) return;
    try {
      const people = await deps.db
        .selectFrom('users')
        .select('id')
        .where('host', '=', deps.host)
        .where('organizations_at', 'is not', null)
        .$if(account_id !== null, (query) => query.where('host_id', '=', account_id))
        .orderBy('id')
        .execute();
      for (const { id } of people) {
        if (signal.aborted) return;
        await check(id);
      }
    } catch (err) {
      deps.log.warn({ err }, 'failed to look up whose memberships may have changed');
    }
  };
}

/** The same of one person, at once. Never rejects: what the host does not say now stays as it was, until it is too old. */
async function refreshMembershipsOf(deps: MembershipDeps, user_id: number): Promise<void> {
  if (deps.allowed.orgs === null) return;
  try {
    const personal = await deps.clientFor(user_id);
    if (personal === null) return;
    try {
      const organizations = [...(await personal.client.organizations())];
      const person = await deps.db
        .updateTable('users')
        .set({ organizations, organizations_at: deps.now() })
        .where('id', '=', user_id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (await isAllowed(deps.db, person, deps.allowed, deps.now())) return;
      await deps.db.transaction().execute(async (within) => {
        await within.deleteFrom('sessions').where('user_id', '=', user_id).execute();
        await pauseChannelsOf(within, user_id, pauseReasons.not_allowed, deps.now());
      });
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== 'unauthorized') throw error;
      await deps.rejectToken(user_id, personal.grant_id);
    }
  } catch (err) {
    deps.log.warn({ err, user: user_id }, 'memberships could not be asked for');
  }
}
