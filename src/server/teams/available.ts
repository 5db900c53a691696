import { type Kysely, sql } from 'kysely';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { listAvailableTeams } from '#contract/teams.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HostError, isPassing } from '../host/errors.ts';
import type { OrganizationTeams } from '../host/teams.ts';
import { isVisible } from '../metrics/scope.ts';
import {
  asAnswer,
  importedIn,
  type KnownOrganization,
  listTeams,
  type Person,
  sentenceWithout,
  type TeamDeps,
  withoutToken,
} from './reading.ts';
import { storeReading } from './store-reading.ts';

type Available = AnswerOf<typeof listAvailableTeams>;

/** A person's organisations are read at most once in this time (milliseconds); in between the last answer is given again. */
const FRESH_FOR = 60_000;

/** What the host told of an organisation; null where it refused this one to the token. */
interface Listed {
  readonly organization: KnownOrganization;
  readonly listing: OrganizationTeams | null;
}

interface Lists {
  readonly grant_id: number;
  readonly at: number;
  readonly organizations: readonly Listed[];
  readonly missing_scope: 'read:org' | 'members:read' | null;
}

/** The lists that were read within the last minute, by person. */
export type FreshLists = Map<number, Lists>;

/**
 * The teams that a person's token lists, of organisations that own a repository which they connected and to which they belong. What they
 * are shown of imported teams is noted.
 * @throws HttpError 422 without a token that the host accepts, 502 where the host fails
 */
export async function availableTeams(deps: TeamDeps, fresh: FreshLists, user: Person): Promise<Available> {
  const personal = await deps.clientFor(user.id);
  if (personal === null) throw withoutToken(deps, user);
  const { organizations, missing_scope } = await listsOf(deps, fresh, user, personal);
  const imported = await importedIds(deps.db, user.host);
  const standing = await standingImports(deps.db, user);
  return {
    organisations: organizations
      .map(({ organization, listing }) => {
        const id = listing?.organization.id ?? organization.id;
        return { ...organizationOf(organization, listing, imported), standing: id !== null && standing.has(id) };
      })
      .sort((one, other) => (one.login.toLowerCase() < other.login.toLowerCase() ? -1 : 1)),
    missing_scope,
    message: missing_scope === null ? null : sentenceWithout(missing_scope),
  };
}

async function listsOf(deps: TeamDeps, fresh: FreshLists, user: Person, personal: PersonalClient): Promise<Lists> {
  const now = deps.now().getTime();
  const isFresh = ({ at }: Lists) => now - at >= 0 && now - at < FRESH_FOR;
  for (const [id, lists] of fresh) if (!isFresh(lists)) fresh.delete(id);
  const known = fresh.get(user.id);
  if (known !== undefined && known.grant_id === personal.grant_id) return known;
  const lists = { grant_id: personal.grant_id, at: now, ...(await readNow(deps, user, personal)) };
  fresh.set(user.id, lists);
  return lists;
}

async function readNow(
  deps: TeamDeps,
  user: Person,
  personal: PersonalClient,
): Promise<Pick<Lists, 'organizations' | 'missing_scope'>> {
  const { db, now } = deps;
  const organizations: Listed[] = [];
  let missing_scope: Lists['missing_scope'] = null;
  for (const organization of await ownersConnectedBy(db, user)) {
    const at = now();
    try {
      const wanted = await importedIn(deps, user.host, organization.id);
      const listing = await listTeams(deps, personal, user, organization, wanted);
      if (listing === null) continue;
      const organization_id = listing.organization.id;
      const reading = { user, grant_id: personal.grant_id, organization_id, listing, at };
      await db.transaction().execute(async (within) => await storeReading(within, deps.savePeople, reading, now()));
      if (listing.is_member) organizations.push({ organization, listing });
    } catch (error) {
      if (!(error instanceof HostError) || isPassing(error) || error.kind === 'unauthorized')
        throw await asAnswer(deps, user, personal, error);
      if (error.kind === 'missing_scope') {
        missing_scope = error.scope === 'members:read' ? error.scope : 'read:org';
        // A scope is the token's everywhere; permissions are those of one owner.
        if (missing_scope === 'read:org') break;
      } else organizations.push({ organization, listing: null });
    }
  }
  return { organizations, missing_scope };
}

/**
 * The owners of what somebody connected, people among them: only the host tells which are organisations. Of what they may not read now, the
 * owner by whose name they last saw it.
 */
export async function ownersConnectedBy(db: Kysely<Database>, user: Person): Promise<KnownOrganization[]> {
  const { rows } = await sql<KnownOrganization>`
    select distinct on (lower(login)) login, case when login = owner then owner_id end as id from (
      select case when ${isVisible} then r.owner else c.seen_owner end as login, r.owner, r.owner_id
      from connections c join repositories r on r.id = c.repository_id
      where c.user_id = ${user.id}
    ) known order by lower(login), id nulls last`.execute(db);
  return rows;
}

async function importedIds(db: Kysely<Database>, host: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'host_id'])
    .where('source', '=', 'host')
    .where('host', '=', host)
    .execute();
  return new Map(rows.map(({ id, host_id }) => [host_id!, id]));
}

/** The host's ids of the organisations of which somebody imports all teams, those to come too. */
async function standingImports(db: Kysely<Database>, user: Person): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('imported_organisations')
    .select('organization_id')
    .where('user_id', '=', user.id)
    .execute();
  return new Set(rows.map(({ organization_id }) => organization_id));
}

function organizationOf(
  { login }: KnownOrganization,
  listing: OrganizationTeams | null,
  imported: ReadonlyMap<string, number>,
): Omit<Available['organisations'][number], 'standing'> {
  if (listing === null) return { login, name: null, avatar_url: null, teams: [], partial: true };
  const slugs = new Map(listing.teams.map(({ id, slug }) => [id, slug]));
  const { organization, complete } = listing;
  return {
    // After a rename the name that repositories still have: by it teams are imported.
    ...{ login, name: organization.name, avatar_url: organization.avatar_url },
    teams: listing.teams.map(({ id, slug, name, secret, parent_id, size }) => ({
      ...{ slug, name, privacy: secret ? ('secret' as const) : ('visible' as const), members: size },
      parent_slug: parent_id === null ? null : (slugs.get(parent_id) ?? null),
      imported_id: imported.get(id) ?? null,
    })),
    partial: !complete,
  };
}
