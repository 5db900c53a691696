import { type Kysely, sql } from 'kysely';
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts';
import type { importTeams } from '#contract/teams.ts';
import { withParts } from '#domain/team-membership.ts';
import type { Database } from '../db/database.ts';
import { refreshStatistics } from '../db/statistics.ts';
import type { OrganizationTeam } from '../host/teams.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { expandTeams, isTeamVisible, lockTeams } from '../metrics/team-people.ts';
import { ownersConnectedBy } from './available.ts';
import {
  asAnswer,
  chosenOf,
  listTeams,
  onlyPart,
  type Person,
  readTeams,
  type TeamDeps,
  withoutToken,
} from './reading.ts';
import { storeReading } from './store-reading.ts';

/** A team is read again on request at most once in this time (milliseconds). */
const BETWEEN_READINGS = 60_000;

/**
 * Imports teams of an organisation as the person's token is shown them: all or nothing.
 * @throws HttpError 404 for an organisation or a team that is not theirs, 409 over what an installation holds, 422 where the host
 *   refuses the token, 502 where it fails
 */
export async function importHostTeams(
  deps: TeamDeps,
  user: Person,
  { organisation, slugs, with_children }: BodyOf<typeof importTeams>,
): Promise<AnswerOf<typeof importTeams>> {
  const { db, now } = deps;
  const owners = await ownersConnectedBy(db, user);
  const owner = owners.find(({ login }) => login.toLowerCase() === organisation.toLowerCase());
  const none = notFound(`No organisation ${organisation}.`);
  if (owner === undefined) throw none;
  const personal = await deps.clientFor(user.id);
  if (personal === null) throw withoutToken(deps, user);
  const at = now();
  const listing = await listTeams(deps, personal, user, owner, () => true).catch(async (error: unknown) => {
    throw await asAnswer(deps, user, personal, error);
  });
  if (listing === null || !listing.is_member) throw none;
  if (!listing.complete) throw onlyPart(deps, user);
  const teams =
    slugs === undefined ? chosenOf(listing.teams, { with_children }) : named(listing.teams, slugs, with_children);
  if (teams.some(({ members }) => members === null)) throw onlyPart(deps, user);
  const organization_id = listing.organization.id;
  const reading = { user, grant_id: personal.grant_id, organization_id, listing, at };
  const additions = { teams, standing: slugs === undefined ? { with_children } : null };
  const stored = await db
    .transaction()
    .execute(async (within) => await storeReading(within, deps.savePeople, reading, now(), additions));
  // Another credential was stored while the host answered.
  if (stored === null) throw withoutToken(deps, user);
  if (stored.overtaken)
    await readTeams(deps, user, { id: organization_id, login: listing.organization.login }).catch((error: unknown) =>
      deps.failed(error, { user_id: user.id, organization_id }),
    );
  await refreshStatistics(db, ['people', 'team_members', 'team_people']);
  return {
    imported: teams.length,
    people: stored.people,
    teams: teams.map(({ id, handle }) => ({ id: stored.ids.get(id)!, handle })),
  };
}

/** @throws HttpError 404 for a slug that is not listed */
function named(
  teams: readonly OrganizationTeam[],
  slugs: readonly string[],
  with_children: boolean,
): OrganizationTeam[] {
  const bySlug = new Map(teams.map((team, at) => [team.slug.toLowerCase(), at]));
  const places = slugs.map((slug) => {
    const at = bySlug.get(slug.toLowerCase());
    if (at === undefined) throw notFound(`No team ${slug}.`);
    return at;
  });
  if (!with_children) return [...new Set(places)].map((at) => teams[at]!);
  const placeOf = new Map(teams.map(({ id }, at) => [id, at]));
  const children = Map.groupBy(
    teams.keys().filter((at) => teams[at]!.parent_id !== null),
    (at) => placeOf.get(teams[at]!.parent_id!) ?? -1,
  );
  return [...new Set(places.flatMap((at) => [...withParts(children, at)]))].map((at) => teams[at]!);
}

/** When teams were asked for again last, by id. */
export type LastAsked = Map<number, number>;

/**
 * Reads a team again with the caller's token, and with it what they are shown of its organisation. Returns when it was read before.
 * @throws HttpError 404 for a team that they don't see, now or before, 409 for a group, 429 within a minute, 422 where the host refuses
 *   the token, 502 where it fails
 */
export async function refreshHostTeam(
  deps: TeamDeps,
  asked: LastAsked,
  user: Person,
  team_id: number,
): Promise<Date | null> {
  const { db, now } = deps;
  const team = await seenTeam(db, user, team_id);
  if (team.source !== 'host') throw new HttpError('no_host');
  const moment = now().getTime();
  for (const [id, at] of asked) if (moment - at >= BETWEEN_READINGS || at > moment) asked.delete(id);
  const read = team.read_at?.getTime() ?? 0;
  const last = Math.max(read, asked.get(team_id) ?? 0);
  if (last <= moment && moment - last < BETWEEN_READINGS) {
    const retry_after = Math.ceil((BETWEEN_READINGS - (moment - last)) / 1000);
    // What was asked for may be under way, or have failed.
    const what = last === read ? 'read' : 'asked for';
    throw new HttpError('too_many_requests', `The team was ${what} a moment ago. Try again in ${retry_after} s.`, {
      retry_after,
    });
  }
  asked.set(team_id, moment);
  const personal = await deps.clientFor(user.id);
  if (personal === null) throw withoutToken(deps, user);
  const organization = { id: team.organization_id!, login: team.organisation! };
  const outcome = await readTeams(deps, user, organization, { refusals: 'throw' }).catch(async (error: unknown) => {
    throw await asAnswer(deps, user, personal, error);
  });
  if (outcome === 'refused') throw withoutToken(deps, user);
  const after = await seenTeam(db, user, team_id);
  if (outcome === 'partial' || (after.archived_at === null && after.read_at?.getTime() === team.read_at?.getTime()))
    throw onlyPart(deps, user);
  return team.read_at;
}

async function seenTeam(db: Kysely<Database>, user: Person, team_id: number) {
  const row = await db
    .selectFrom('teams as t')
    .selectAll('t')
    .where('t.id', '=', team_id)
    .where(isTeamVisible(user.id))
    .executeTakeFirst();
  if (row === undefined) throw notFound('Team not found');
  return row;
}

/**
 * Takes somebody's import of a team of the host back, and with it their choice that all of its organisation is imported. Returns whether
 * others still import it or it is gone with its last importer; null where there is no team of the host that they see or imported.
 */
export async function takeBackImport(
  db: Kysely<Database>,
  user: Person,
  team_id: number,
): Promise<'kept' | 'gone' | null> {
  const organizationOf = async (within: Kysely<Database>) => {
    const { rows } = await sql<{ id: string }>`
      select t.organization_id as id from teams t where t.id = ${team_id} and t.source = 'host'
        and (${isTeamVisible(user.id)} or exists (select from team_imports i where i.team_id = t.id and i.user_id = ${user.id}))`.execute(
      within,
    );
    return rows[0]?.id;
  };
  if ((await organizationOf(db)) === undefined) return null;
  return await db.transaction().execute(async (within) => {
    await lockTeams(within);
    const organization_id = await organizationOf(within);
    if (organization_id === undefined) return null;
    await within.deleteFrom('team_imports').where('user_id', '=', user.id).where('team_id', '=', team_id).execute();
    await within
      .deleteFrom('imported_organisations')
      .where('user_id', '=', user.id)
      .where('organization_id', '=', organization_id)
      .execute();
    return (await deleteUnimported(within, [team_id])) > 0 ? 'gone' : 'kept';
  });
}

/**
 * Deletes teams of hosts that nobody imports any more, such as those of deleted accounts. Returns how many there were.
 */
export async function forgetUnimported(db: Kysely<Database>): Promise<number> {
  const unimported = async (within: Kysely<Database>) => {
    const { rows } = await sql<{ id: number }>`
      select id from teams t where t.source = 'host' and not exists (select from team_imports i where i.team_id = t.id)
      order by id`.execute(within);
    return rows.map(({ id }) => id);
  };
  if ((await unimported(db)).length === 0) return 0;
  return await db.transaction().execute(async (within) => {
    await lockTeams(within);
    return await deleteUnimported(within, await unimported(within));
  });
}

async function deleteUnimported(
  within: Parameters<typeof expandTeams>[0],
  team_ids: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select t.id from teams t where t.id = any(${team_ids}::int[]) and not exists (
      select from team_imports i where i.team_id = t.id)`.execute(within);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const holders = await sql<{ id: number }>`
    select parent_id as id from teams where id = any(${ids}::int[]) and parent_id is not null
    union select group_id from team_parts where team_id = any(${ids}::int[])`.execute(within);
  await within.deleteFrom('teams').where('id', 'in', ids).execute();
  await expandTeams(
    within,
    holders.rows.map(({ id }) => id),
  );
  return ids.length;
}
