import { type Kysely, sql } from 'kysely';
import { confirmRejection } from '../ask-host-as.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isRefusal } from '../db/sight.ts';
import { HostError, isPassing } from '../host/errors.ts';
import type { OrganizationTeam, OrganizationTeams } from '../host/teams.ts';
import { httpErrorOf } from '../http/answer-error.ts';
import { HttpError } from '../http/errors.ts';
import { type SavePeople, storeReading, withholdTeams } from './store-reading.ts';

/** Dependencies of the teams of hosts, injected by `compose.ts`. */
export interface TeamDeps {
  readonly db: Kysely<Database>;
  readonly clientFor: (user_id: number) => Promise<PersonalClient | null>;
  readonly rejectToken: (user_id: number, grant_id: number) => Promise<boolean>;
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
  readonly savePeople: SavePeople;
  readonly now: () => Date;
  /** Logs and counts that one organisation could not be read with one person's token while the rest goes on. */
  readonly failed: (error: unknown, fields: { user_id?: number; organization_id?: string }) => void;
}

export interface Person {
  readonly id: number;
  /** The key of the host that they belong to. */
  readonly host: string;
}

/** An organisation as it was called last; `id` is null where only repositories of it are known that were stored before ids were. */
export interface KnownOrganization {
  readonly id: string | null;
  readonly login: string;
}

/**
 * The teams of an organisation as the person's token is shown them, null where the host knows none of that name or id to it. One that was
 * renamed is found by one of its repositories. Where the host refuses them to the token, its person loses sight of them.
 * @throws HostError
 */
export async function listTeams(
  deps: Pick<TeamDeps, 'db' | 'now'>,
  personal: PersonalClient,
  user: Person,
  organization: KnownOrganization,
  wanted: (team: Pick<OrganizationTeam, 'id' | 'slug'>) => boolean,
  signal?: AbortSignal,
): Promise<OrganizationTeams | null> {
  const at = deps.now();
  try {
    return await findTeams(deps, personal, user, organization, wanted, signal);
  } catch (error) {
    // That the host knows nothing of the name says nothing of the person.
    if (isRefusal(error) && error.kind !== 'not_found') {
      // A scope is the token's everywhere; all else is said of one organisation.
      const organization_id = error.scope === 'read:org' ? null : organization.id;
      const { grant_id } = personal;
      if (organization_id !== null || error.scope === 'read:org')
        await deps.db
          .transaction()
          .execute(async (within) => await withholdTeams(within, { user, grant_id, organization_id, at }, deps.now()));
    }
    throw error;
  }
}

async function findTeams(
  { db }: Pick<TeamDeps, 'db'>,
  { client }: PersonalClient,
  user: Person,
  organization: KnownOrganization,
  wanted: (team: Pick<OrganizationTeam, 'id' | 'slug'>) => boolean,
  signal?: AbortSignal,
): Promise<OrganizationTeams | null> {
  const { id, login } = organization;
  const isIt = (listing: OrganizationTeams | null) =>
    listing !== null && (id === null || listing.organization.id === id) ? listing : null;
  const listing = isIt(await client.organizationTeams(login, wanted, signal));
  if (listing !== null || id === null) return listing;
  const repository = await db
    .selectFrom('connections as c')
    .innerJoin('repositories as r', 'r.id', 'c.repository_id')
    .select('r.host_id')
    .where('c.user_id', '=', user.id)
    .where('r.owner_id', '=', id)
    .orderBy('r.id')
    .limit(1)
    .executeTakeFirst();
  if (repository === undefined) return null;
  try {
    const { owner, owner_id } = await client.repositoryById(repository.host_id);
    if (owner_id !== id || owner.toLowerCase() === login.toLowerCase()) return null;
    return isIt(await client.organizationTeams(owner, wanted, signal));
  } catch (error) {
    if (error instanceof HostError && !isPassing(error) && error.kind !== 'unauthorized') return null;
    throw error;
  }
}

/** Whether a team of the organisation is imported, so that all of its members are wanted. */
export async function importedIn(
  { db }: Pick<TeamDeps, 'db'>,
  host: string,
  organization_id: string | null,
): Promise<(team: Pick<OrganizationTeam, 'id'>) => boolean> {
  const rows = await db
    .selectFrom('teams')
    .select('host_id')
    .where('source', '=', 'host')
    .where('host', '=', host)
    .where('organization_id', '=', organization_id ?? '')
    .execute();
  const ids = new Set(rows.map(({ host_id }) => host_id));
  return ({ id }) => ids.has(id);
}

/**
 * Reads an organisation's teams with one person's token and stores what it says; `standing` imports what they want imported as it
 * appears. `refused`: the token may not read them or knows no such organisation, or there is none; `partial`: the host told only a part, which changes nothing.
 * @throws HostError for a failure that says nothing about what the token may read, with `refusals` also for the others
 */
export async function readTeams(
  deps: TeamDeps,
  user: Person,
  organization: KnownOrganization & { readonly id: string },
  {
    standing = false,
    refusals = 'return',
    signal,
  }: { readonly standing?: boolean; readonly refusals?: 'return' | 'throw'; readonly signal?: AbortSignal } = {},
): Promise<'read' | 'partial' | 'refused'> {
  const { db, now } = deps;
  const personal = await deps.clientFor(user.id);
  if (personal === null) return 'refused';
  const at = now();
  let listing: OrganizationTeams;
  try {
    const choice = standing ? await standingChoice(db, user, organization.id) : undefined;
    const wanted = choice === undefined ? await importedIn(deps, user.host, organization.id) : () => true;
    const found = await listTeams(deps, personal, user, organization, wanted, signal);
    // Whoever left it is told so under its name; that nobody knows the name says nothing of them.
    if (found === null) {
      const sentence = `${deps.hostLabel(user.host)} knows no organisation ${organization.login}.`;
      throw new HostError('not_found', sentence);
    }
    listing = found;
  } catch (error) {
    if (!(error instanceof HostError) || isPassing(error) || refusals === 'throw') throw error;
    const failure = await confirmRejection(deps, user.id, personal.grant_id, error);
    if (isPassing(failure)) throw failure;
    return 'refused';
  }
  const reading = { user, grant_id: personal.grant_id, organization_id: organization.id, listing, at };
  const store = async (adding: boolean) =>
    await db.transaction().execute(async (within) => {
      const teams = adding ? await appeared(within, user, organization.id, listing) : [];
      const additions = teams.length > 0 ? { teams, standing: null } : null;
      return await storeReading(within, deps.savePeople, reading, now(), additions);
    });
  let stored: Awaited<ReturnType<typeof storeReading>>;
  try {
    stored = await store(standing);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // An installation that is full goes on without what has appeared.
    deps.failed(error, { user_id: user.id, organization_id: organization.id });
    stored = await store(false);
  }
  if (stored?.overtaken) return await readTeams(deps, user, organization, { refusals, ...(signal && { signal }) });
  return stored === null ? 'partial' : 'read';
}

/** What of an organisation somebody wants imported as it appears; undefined for nothing. */
async function standingChoice(db: Kysely<Database>, user: Person, organization_id: string) {
  return await db
    .selectFrom('imported_organisations')
    .select('with_children')
    .where('user_id', '=', user.id)
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
}

/** Teams that somebody wants imported as they appear, and that are not theirs yet. */
async function appeared(
  db: Kysely<Database>,
  user: Person,
  organization_id: string,
  listing: OrganizationTeams,
): Promise<OrganizationTeam[]> {
  const choice = await standingChoice(db, user, organization_id);
  if (choice === undefined) return [];
  const rows = await db
    .selectFrom('team_imports as i')
    .innerJoin('teams as t', 't.id', 'i.team_id')
    .select('t.host_id')
    .where('i.user_id', '=', user.id)
    .where('t.organization_id', '=', organization_id)
    .execute();
  const chosen = new Set(rows.map(({ host_id }) => host_id));
  return chosenOf(listing.teams, choice).filter(({ id, members }) => !chosen.has(id) && members !== null);
}

/** All teams of a list, or without children those alone that are part of none. */
export function chosenOf(
  teams: readonly OrganizationTeam[],
  { with_children }: { readonly with_children: boolean },
): OrganizationTeam[] {
  return teams.filter(({ parent_id }) => with_children || parent_id === null);
}

/**
 * The organisations of which teams are imported, as far as they concern somebody: who sees a team of it, chose it, or connected one of
 * its repositories.
 */
async function organizationsOf(
  db: Kysely<Database>,
  user: Person,
): Promise<(KnownOrganization & { readonly id: string })[]> {
  const { rows } = await sql<{ id: string; login: string }>`
    select distinct on (id) id, login from (
      select r.owner_id as id, r.owner as login, 1 as rank from connections c join repositories r on r.id = c.repository_id
      where c.user_id = ${user.id} and exists (select from teams t
        where t.host = r.host and t.source = 'host' and t.organization_id = r.owner_id)
      union all
      select t.organization_id, t.organisation, 2 from teams t where t.source = 'host' and t.id in (
        select team_id from team_readers where user_id = ${user.id}
        union all select team_id from team_imports where user_id = ${user.id})
      union all
      select i.organization_id, i.login, 3 from imported_organisations i where i.user_id = ${user.id}
    ) known order by id, rank`.execute(db);
  return rows;
}

/** What somebody is shown, of every organisation that concerns them; one that fails leaves the others and what is stored of it. */
export async function readTeamsOf(deps: TeamDeps, user: Person): Promise<void> {
  for (const organization of await organizationsOf(deps.db, user)) {
    try {
      await readTeams(deps, user, organization);
    } catch (error) {
      deps.failed(error, { user_id: user.id, organization_id: organization.id });
    }
  }
}

/** Whether teams are hidden from somebody until a list is read with the token that they have now. */
export async function hasWithheldTeams(db: Kysely<Database>, user_id: number): Promise<boolean> {
  const { rows } = await sql`select from team_readers where user_id = ${user_id} and withheld limit 1`.execute(db);
  return rows.length > 0;
}

/** What a person reads where a token may not read teams. */
export function sentenceWithout(scope: string | null): string {
  return scope === 'members:read'
    ? 'Your token may not read teams. Give it Members: read.'
    : 'Your token may not read teams. Sign in again, or give it read:org.';
}

/** A failure of the host as a call answers it, in the words about teams; whatever else was thrown stays what it is. */
export async function asAnswer(
  deps: Pick<TeamDeps, 'rejectToken' | 'hostLabel' | 'now'>,
  user: Person,
  { grant_id }: PersonalClient,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof HostError)) return error;
  const failure = await confirmRejection(deps, user.id, grant_id, error);
  if (failure.kind === 'unauthorized') return withoutToken(deps, user, failure);
  if (failure.kind === 'missing_scope')
    return new HttpError('missing_scope', sentenceWithout(failure.scope), { cause: failure });
  return httpErrorOf(failure, deps.now(), 'Failed to fetch teams: ');
}

/** 422 for somebody whose token the host does not accept. */
export function withoutToken({ hostLabel }: Pick<TeamDeps, 'hostLabel'>, user: Person, cause?: unknown): HttpError {
  const sentence = `Sign in again: ${hostLabel(user.host)} does not accept your access token any more.`;
  return new HttpError('token_rejected', sentence, { cause });
}

/** 502 where the host told only a part of an organisation's teams. */
export function onlyPart({ hostLabel }: Pick<TeamDeps, 'hostLabel'>, user: Person): HttpError {
  return new HttpError('host_failed', `${hostLabel(user.host)} told only a part of the teams. Try again.`);
}
