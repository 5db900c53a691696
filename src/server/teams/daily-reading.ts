import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { HostError, isMendedByWaiting } from '../host/errors.ts';
import type { Queue } from '../jobs/jobs.ts';
import { type KnownOrganization, type Person, readTeams, type TeamDeps } from './reading.ts';

/** Imported teams are read again once a day, in one process. */
export const readTeamsQueue: Queue = { name: 'read-teams', cron: '43 * * * *', time_limit: 6 * 3600, daily: true };

/** A host that could not be reached for this many people in a row is left alone until the next time. */
const LONGEST_OUTAGE = 5;

type Organization = KnownOrganization & { readonly id: string; readonly host: string };

/**
 * Reads the teams of every organisation with the token of each person whom they concern, importers first, then who was shown them last:
 * so what each of them sees is checked, and teams that they want imported as they appear are. Teams that nobody's token reads stay as
 * they were. Whose teams were read since the job was sent, `sent_at` by the database's clock, is left out: so one that is retried goes on.
 * False where something is left that may be read in an hour: somebody's reading failed in a way that time mends, the host is away, or the signal was aborted.
 */
export async function readAllTeams(deps: TeamDeps, signal: AbortSignal, sent_at = deps.now()): Promise<boolean> {
  const now = deps.now();
  const since = sent_at < now ? sent_at : now;
  let unreachable = 0;
  let isComplete = true;
  for (const organization of await organizationsRead(deps.db)) {
    if (signal.aborted || unreachable >= LONGEST_OUTAGE) return false;
    let failed = false;
    try {
      for (const user of await peopleOf(deps.db, organization)) {
        if (signal.aborted || unreachable >= LONGEST_OUTAGE) return false;
        // A moment that has not come is one of before the clock was set back.
        if (user.read_at !== null && user.read_at > since && user.read_at <= deps.now()) continue;
        try {
          failed = (await readTeams(deps, user, organization, { standing: true, signal })) === 'partial' || failed;
          unreachable = 0;
        } catch (error) {
          if (signal.aborted) return false;
          failed = true;
          if (!(error instanceof HostError) || isMendedByWaiting(error)) isComplete = false;
          unreachable = error instanceof HostError && error.kind === 'unavailable' ? unreachable + 1 : 0;
          deps.failed(error, { user_id: user.id, organization_id: organization.id });
        }
      }
      if (!failed) await noteUnread(deps.db, organization, since);
    } catch (error) {
      isComplete = false;
      deps.failed(error, { organization_id: organization.id });
    }
  }
  return isComplete;
}

/** Whoever has connected a repository is a newcomer to its organisation's teams for this many minutes. */
const MINUTES_NEW = 3;
/** Whose teams were hidden by another token, or by a refusal, has them asked for again for this many minutes, and daily then. */
const MINUTES_HIDDEN = 15;

/**
 * Reads the imported teams of an organisation for whoever has just connected a repository of it and was shown none of them yet, so that they do not
 * wait for their next sign-in, and for whom those have just been hidden because another token took the place of the one that listed them, or the
 * host refused it the list: the reading at a sign-in may fail in passing, and what the host asks for may be given.
 */
export async function readMissingTeams(deps: TeamDeps, signal: AbortSignal): Promise<void> {
  const now = sql`${deps.now()}::timestamptz`;
  const { rows } = await sql<{ user_id: number; host: string; id: string; login: string }>`
    select distinct on (user_id, host, id) * from (
      select c.user_id, r.host, r.owner_id as id, r.owner as login
      from connections c join repositories r on r.id = c.repository_id
      where c.connected_at > ${now} - make_interval(mins => ${MINUTES_NEW})
        and exists (select from teams t where t.source = 'host' and t.host = r.host and t.organization_id = r.owner_id)
        and not exists (select from team_readers reader join teams t on t.id = reader.team_id
          where reader.user_id = c.user_id and t.host = r.host and t.organization_id = r.owner_id)
      union all
      select hidden.user_id, hidden.host, hidden.id, coalesce(
        (select r.owner from repositories r where r.host = hidden.host and r.owner_id = hidden.id order by r.id limit 1), hidden.login)
      from (select reader.user_id, t.host, t.organization_id as id, min(t.organisation) as login
        from team_readers reader join teams t on t.id = reader.team_id
        where reader.withheld and reader.lost_at > ${now} - make_interval(mins => ${MINUTES_HIDDEN}) and reader.lost_at <= ${now}
          and t.source = 'host' and exists (select from credentials k where k.user_id = reader.user_id and k.rejected_at is null)
        group by reader.user_id, t.host, t.organization_id) hidden) those
    order by user_id, host, id, login`.execute(deps.db);
  let unreachable = 0;
  for (const { user_id, host, id, login } of rows) {
    if (signal.aborted || unreachable >= LONGEST_OUTAGE) return;
    try {
      await readTeams(deps, { id: user_id, host }, { id, login }, { signal });
      unreachable = 0;
    } catch (error) {
      if (signal.aborted) return;
      unreachable = error instanceof HostError && error.kind === 'unavailable' ? unreachable + 1 : 0;
      deps.failed(error, { user_id, organization_id: id });
    }
  }
}

/**
 * Reads an organisation's teams after a delivery: with the token of whomever it was about, and with those of others until each team was
 * read.
 */
async function readTeamsAfterDelivery(
  deps: TeamDeps,
  organization: Pick<Organization, 'id' | 'host'>,
  account_ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const known = (await organizationsRead(deps.db)).find(
    ({ id, host }) => id === organization.id && host === organization.host,
  );
  if (known === undefined) return;
  const began = deps.now();
  for (const user of await peopleOf(deps.db, known)) {
    if (signal.aborted) return;
    const isConcerned = account_ids.includes(user.host_id);
    if (!isConcerned && !(await isUnread(deps.db, known, began))) continue;
    try {
      await readTeams(deps, user, known, { signal });
    } catch (error) {
      if (signal.aborted) return;
      deps.failed(error, { user_id: user.id, organization_id: known.id });
    }
  }
}

/** However many deliveries name an organisation, its teams are read at most once in this time (milliseconds). */
const BETWEEN_DELIVERIES = 60_000;

/**
 * For deliveries that say that teams of an organisation, or who belongs to them, may have changed: they are read at once, and once more
 * a minute later where more deliveries come meanwhile. Never throws.
 */
export function teamChecks(
  deps: TeamDeps & { readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void> },
  signal: AbortSignal,
): (of: { readonly host: string; readonly organization_id: string; readonly account_id: string | null }) => void {
  /** By organisation: the accounts that were named since it was read, null where nothing came. */
  const asked = new Map<string, Set<string> | null>();

  async function check(key: string, host: string, id: string, accounts: readonly string[]): Promise<void> {
    asked.set(key, null);
    try {
      await readTeamsAfterDelivery(deps, { host, id }, accounts, signal);
    } catch (error) {
      deps.failed(error, { organization_id: id });
    }
    await deps.sleep(BETWEEN_DELIVERIES, signal);
    const named = asked.get(key) ?? null;
    asked.delete(key);
    if (named !== null && !signal.aborted) await check(key, host, id, [...named]);
  }

  return ({ host, organization_id, account_id }) => {
    const key = `${host} ${organization_id}`;
    const named = account_id === null ? [] : [account_id];
    const waiting = asked.get(key);
    if (waiting === undefined) void check(key, host, organization_id, named);
    else asked.set(key, new Set([...(waiting ?? []), ...named]));
  };
}

async function organizationsRead(db: Kysely<Database>): Promise<Organization[]> {
  const { rows } = await sql<Organization>`
    select distinct on (host, id) host, id, login from (
      select t.host, t.organization_id as id, coalesce(r.owner, t.organisation) as login
      from teams t left join repositories r on r.host = t.host and r.owner_id = t.organization_id
      where t.source = 'host'
      union all
      select u.host, i.organization_id, i.login from imported_organisations i join users u on u.id = i.user_id
    ) known order by host, id, login`.execute(db);
  return rows;
}

interface Reader extends Person {
  readonly host_id: string;
  /** When the organisation's teams were last read with their token, where they were shown one. */
  readonly read_at: Date | null;
}

/** Whom the organisation concerns and whose token is accepted, in the order in which they are asked. */
async function peopleOf(db: Kysely<Database>, { id, host }: Organization): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    with ours as (select t.id from teams t where t.source = 'host' and t.host = ${host} and t.organization_id = ${id}),
    reader as (select r.user_id, max(r.checked_at) filter (where r.lost_at is null) as checked_at, max(r.checked_at) as read_at
      from team_readers r where r.team_id in (select id from ours) group by r.user_id),
    importer as (
      select i.user_id from team_imports i where i.team_id in (select id from ours)
      union select o.user_id from imported_organisations o where o.organization_id = ${id})
    select u.id, u.host, u.host_id, reader.read_at from users u left join reader on reader.user_id = u.id
    where u.host = ${host} and exists (select from credentials k where k.user_id = u.id and k.rejected_at is null)
      and (reader.user_id is not null or u.id in (select user_id from importer) or exists (
        select from connections c join repositories r on r.id = c.repository_id
        where c.user_id = u.id and r.owner_id = ${id}))
    order by u.id in (select user_id from importer) desc, reader.checked_at desc nulls last, u.id`.execute(db);
  return rows;
}

/** Whether some team has not been read since a moment. */
async function isUnread(db: Kysely<Database>, { id, host }: Organization, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from teams t where t.source = 'host' and t.host = ${host} and t.organization_id = ${id}
      and t.archived_at is null and t.stale_since is null and (t.read_at is null or t.read_at < ${since}) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Teams that nobody's token read although each was asked stay as they were, and say since when. */
async function noteUnread(db: Kysely<Database>, { id, host }: Organization, since: Date): Promise<void> {
  await sql`
    update teams t set stale_since = coalesce(t.read_at, ${since})
    where t.source = 'host' and t.host = ${host} and t.organization_id = ${id} and t.archived_at is null
      and t.stale_since is null and (t.read_at is null or t.read_at < ${since})`.execute(db);
}
