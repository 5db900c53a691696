import { type Selectable, sql, type Transaction } from 'kysely';
import {
  absence,
  emptiness,
  membershipsAfter,
  type Nesting,
  partOfItself,
  type TeamMembership,
  type TeamReading,
} from '#domain/team-membership.ts';
import type { Database } from '../db/database.ts';
import type { HostAccount } from '../host/pull-request.ts';
import type { OrganizationTeam, OrganizationTeams } from '../host/teams.ts';
import { HttpError } from '../http/errors.ts';
import { expandTeams, lockTeams } from '../metrics/team-people.ts';

/** The most teams of hosts, and current memberships of them, that an installation holds. */
const MOST_TEAMS = 5000;
const MOST_MEMBERSHIPS = 100_000;

/** The most rows of one statement: its parameters are limited. */
const ROWS_AT_ONCE = 1000;

type Within = Transaction<Database>;
type Team = Selectable<Database['teams']>;

/** Stores accounts; returns every account's row by the host's id. */
export type SavePeople = (
  within: Within,
  host: string,
  accounts: Iterable<HostAccount>,
) => Promise<ReadonlyMap<string, { readonly id: number; readonly ref: { readonly kind: string } }>>;

/** What one person's token was told of an organisation's teams. */
export interface Reading {
  readonly user: { readonly id: number; readonly host: string };
  /** The credential that the host was asked with. */
  readonly grant_id: number;
  readonly organization_id: string;
  readonly listing: OrganizationTeams;
  /** When the host was asked. */
  readonly at: Date;
}

/** Teams that are to be imported in the reader's name, and whether to go without those beyond what an installation holds. */
export interface Additions {
  readonly teams: readonly OrganizationTeam[];
  readonly standing: { readonly with_children: boolean } | null;
}

export interface StoredReading {
  /** Of the teams that are imported, by the host's ids. */
  readonly ids: ReadonlyMap<string, number>;
  /** Different humans among the immediate members of the teams that were added. */
  readonly people: number;
  /**
   * Whether a later reading was stored before, when the teams that were added were not imported yet: who reads is not shown them before the
   * next one, since that one may not have listed them.
   */
  readonly overtaken: boolean;
}

/**
 * Stores what a complete listing says, whole: who is shown which team, what the teams are called and part of, and who belongs to them
 * since when. A team of which not all members were told keeps them; what a later reading has said already stands. An incomplete listing
 * changes nothing.
 * @throws HttpError 409 for additions beyond what an installation holds
 */
export async function storeReading(
  within: Within,
  savePeople: SavePeople,
  reading: Reading,
  now: Date,
  additions: Additions | null = null,
): Promise<StoredReading | null> {
  const { listing, user, organization_id, at } = reading;
  const isKnown = (await teamsOf(within, user.host, organization_id)).length > 0;
  if (!isKnown && additions === null) return { ids: new Map(), people: 0, overtaken: false };
  await lockTeams(within);
  if (!listing.complete || !(await isStillStored(within, reading))) return null;
  const before = await teamsOf(within, user.host, organization_id);
  const added = await add(within, reading, before, additions);
  const teams = [...before, ...added];
  const ids = new Map(teams.map(({ host_id, id }) => [host_id!, id]));
  const listed = new Map(listing.teams.map((team) => [team.id, team]));

  const latest = await noteLatest(within, reading, now);
  if (latest) await noteSight(within, reading, teams, listed);
  // A reading in the future is one of before the clock was set back.
  const isNews = ({ read_at }: Team) => read_at === null || read_at <= at || read_at > now;
  const news = teams.filter(isNews);
  const nested = await describe(within, reading, news, teams, listed);
  await noteAbsence(within, reading, news, listed);
  const parted = await partArchived(within, user.host, organization_id);
  const read = news.flatMap((team) => {
    const members = listed.get(team.host_id!)?.members;
    return members == null ? [] : [{ team, members }];
  });
  const accounts = read.flatMap(({ members }) => members);
  const people = await savePeople(within, user.host, accounts);
  const changed = await noteMembers(
    within,
    at,
    teams,
    read.map(({ team, members }) => ({
      team,
      first: team.read_at === null,
      members: new Set(members.flatMap(({ id }) => people.get(id)?.id ?? [])),
    })),
  );
  await noteStale(within, user.host, organization_id, at);
  const expanded = [...new Set([...changed, ...nested, ...parted, ...added.map(({ id }) => id)])];
  if (expanded.length > 0) await expandTeams(within, expanded);
  if (added.length > 0) await requireRoom(within);

  const humans = new Set(
    (additions?.teams ?? []).flatMap(({ members }) =>
      (members ?? []).flatMap(({ id }) => (people.get(id)?.ref.kind === 'human' ? [people.get(id)!.id] : [])),
    ),
  );
  return { ids, people: humans.size, overtaken: !latest && added.length > 0 };
}

/** The credential that the host was asked with is still the person's. */
async function isStillStored(within: Within, { user, grant_id }: Reading): Promise<boolean> {
  const row = await within
    .selectFrom('credentials')
    .select('grant_id')
    .where('user_id', '=', user.id)
    .where('grant_id', '=', grant_id)
    .where('rejected_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function teamsOf(within: Within, host: string, organization_id: string): Promise<Team[]> {
  return await within
    .selectFrom('teams')
    .selectAll()
    .where('source', '=', 'host')
    .where('host', '=', host)
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .execute();
}

/** Rows for the teams that are new here, and the reader's name behind all that are to be imported. */
async function add(
  within: Within,
  { user, organization_id, listing, at }: Reading,
  before: readonly Team[],
  additions: Additions | null,
): Promise<Team[]> {
  if (additions === null) return [];
  const { organization } = listing;
  const known = new Map(before.map((team) => [team.host_id, team.id]));
  const missing = additions.teams.filter(({ id }) => !known.has(id));
  const rows = missing.map(({ id, slug, name, secret }) => ({
    ...{ host: user.host, source: 'host' as const, host_id: id, organization_id, organisation: organization.login },
    ...{ slug, name, visibility: secret ? ('secret' as const) : ('visible' as const), created_at: at },
  }));
  const added: Team[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    added.push(
      ...(await within
        .insertInto('teams')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .returningAll()
        .execute()),
    );
  for (const team of added) known.set(team.host_id, team.id);
  await sql`
    insert into team_imports (user_id, team_id)
    select ${user.id}, unnest(${additions.teams.map(({ id }) => known.get(id)!)}::int[]) on conflict do nothing`.execute(
    within,
  );
  if (additions.standing !== null)
    await within
      .insertInto('imported_organisations')
      .values({ user_id: user.id, organization_id, login: organization.login, ...additions.standing })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'organization_id'])
          .doUpdateSet({ login: organization.login, ...additions.standing }),
      )
      .execute();
  return added;
}

/** Notes when the host was asked for what a person is shown of an organisation's teams; false where it was asked later for what is stored. */
async function noteLatest(within: Within, { user, organization_id, at }: Reading, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into team_readings as known (user_id, organization_id, asked_at)
    values (${user.id}, ${organization_id}, ${at}) ${unlessLater(now)} returning user_id`.execute(within);
  return rows.length > 0;
}

/** Of a row `known` of `team_readings`. A moment that has not come is one of before the clock was set back. */
const unlessLater = (now: Date) => sql`
  on conflict (user_id, organization_id) do update set asked_at = excluded.asked_at
    where known.asked_at <= excluded.asked_at or known.asked_at > ${now}::timestamptz`;

/**
 * Whoever is listed a team sees it, whoever is not has lost it at once. Of one that every member was shown it is kept who had seen it:
 * should it turn out to be archived, they see it as it was.
 */
async function noteSight(
  within: Within,
  { user, listing, at }: Reading,
  teams: readonly Team[],
  listed: ReadonlyMap<string, OrganizationTeam>,
): Promise<void> {
  const seen = teams.filter(({ host_id }) => listed.has(host_id!)).map(({ id }) => id);
  const unseen = teams.filter(({ host_id }) => !listed.has(host_id!));
  const isMember = listing.is_member && listed.size > 0;
  const isLost = ({ visibility }: Team) => isMember && visibility === 'visible';
  const lost = unseen.filter(isLost).map(({ id }) => id);
  const gone = unseen.filter((team) => !isLost(team)).map(({ id }) => id);
  await sql`
    insert into team_readers (user_id, team_id, checked_at) select ${user.id}, unnest(${seen}::int[]), ${at}
    on conflict (user_id, team_id) do update set checked_at = excluded.checked_at, lost_at = null, withheld = false`.execute(
    within,
  );
  await sql`
    update team_readers set checked_at = ${at}, lost_at = coalesce(lost_at, ${at}), withheld = false
    where user_id = ${user.id} and team_id = any(${lost}::int[])`.execute(within);
  await sql`delete from team_readers where user_id = ${user.id} and team_id = any(${gone}::int[])`.execute(within);
}

/**
 * The host refused the teams of an organisation, or with null those of all, to this credential: its person does not see them until a list is
 * read again. Others' sight, the teams and their members stay. Nothing when another credential is stored meanwhile, or a list was read since
 * the host was asked.
 */
export async function withholdTeams(
  within: Within,
  {
    user,
    organization_id,
    at,
    grant_id,
  }: Omit<Reading, 'listing' | 'organization_id'> & { readonly organization_id: string | null },
  now: Date,
): Promise<void> {
  await lockTeams(within);
  const { rows } = await sql<{ organization_id: string }>`
    insert into team_readings as known (user_id, organization_id, asked_at)
    select distinct k.user_id, t.organization_id, ${at}::timestamptz from teams t, credentials k
    where t.source = 'host' and t.host = ${user.host} and (${organization_id}::text is null or t.organization_id = ${organization_id})
      and k.user_id = ${user.id} and k.grant_id = ${grant_id} and k.rejected_at is null
    ${unlessLater(now)} returning organization_id`.execute(within);
  await sql`
    update team_readers r set checked_at = ${at}, lost_at = coalesce(r.lost_at, ${at}), withheld = true
    from teams t
    where r.user_id = ${user.id} and t.id = r.team_id and t.source = 'host' and t.host = ${user.host}
      and t.organization_id = any(${rows.map((row) => row.organization_id)}::text[])`.execute(within);
}

/** Follows names, addresses, privacy and nesting; returns the teams between which something was nested otherwise. */
async function describe(
  within: Within,
  { listing }: Reading,
  news: readonly Team[],
  teams: readonly Team[],
  listed: ReadonlyMap<string, OrganizationTeam>,
): Promise<number[]> {
  const parents = parentsAfter(news, teams, listed);
  const organisation = listing.organization.login;
  const changed = news.flatMap((team) => {
    const told = listed.get(team.host_id!);
    if (told === undefined) return [];
    const { slug, name } = told;
    const visibility = told.secret ? 'secret' : 'visible';
    const fresh = { id: team.id, organisation, slug, name, visibility, parent_id: parents.get(team.id) ?? null };
    const isSame = Object.entries(fresh).every(([key, value]) => team[key as keyof typeof fresh] === value);
    return isSame && team.archived_at === null && team.missing_since === null ? [] : [{ before: team, fresh }];
  });
  await sql`
    update teams t set organisation = f.organisation, slug = f.slug, name = f.name, visibility = f.visibility,
      parent_id = f.parent_id, archived_at = null, missing_since = null
    from jsonb_to_recordset(${JSON.stringify(changed.map(({ fresh }) => fresh))}::jsonb)
      as f(id int, organisation text, slug text, name text, visibility text, parent_id int)
    where t.id = f.id`.execute(within);
  return changed.flatMap(({ before, fresh }) =>
    before.parent_id === fresh.parent_id
      ? []
      : [before.id, before.parent_id, fresh.parent_id].filter((id) => id !== null),
  );
}

/**
 * Of which team each is a part, by our ids. A secret parent that this token isn't shown stays, a visible one would be listed; what would make
 * a team part of itself, as pages that were read while the host moved teams can say, is left out.
 */
function parentsAfter(
  news: readonly Team[],
  teams: readonly Team[],
  listed: ReadonlyMap<string, OrganizationTeam>,
): ReadonlyMap<number, number> {
  const byHostId = new Map(teams.map((team) => [team.host_id!, team]));
  const byId = new Map(teams.map((team) => [team.id, team]));
  const isNews = new Set(news.map(({ id }) => id));
  const wanted = teams.map((team) => {
    const told = isNews.has(team.id) ? listed.get(team.host_id!) : undefined;
    if (told === undefined) return [team.id, team.parent_id] as const;
    if (told.parent_id !== null) return [team.id, byHostId.get(told.parent_id)?.id ?? null] as const;
    const stored = team.parent_id === null ? undefined : byId.get(team.parent_id);
    const mayBeUnseen = stored?.visibility === 'secret' && !listed.has(stored.host_id!);
    return [team.id, mayBeUnseen ? stored.id : null] as const;
  });
  const nesting: Map<number, number[]> & Nesting = new Map();
  const parents = new Map<number, number>();
  for (const [id, parent] of wanted) {
    if (parent === null || partOfItself(nesting, parent, [id]) !== null) continue;
    nesting.set(parent, [...(nesting.get(parent) ?? []), id]);
    parents.set(id, parent);
  }
  return parents;
}

/** Notes which teams are missing from the list, and archives those that have been missing for long enough. */
async function noteAbsence(
  within: Within,
  { at }: Reading,
  news: readonly Team[],
  listed: ReadonlyMap<string, OrganizationTeam>,
): Promise<void> {
  for (const team of news) {
    if (listed.has(team.host_id!) || team.archived_at !== null) continue;
    const before = {
      secret: team.visibility === 'secret',
      missing_since: team.missing_since === null ? null : team.missing_since.getTime(),
    };
    const { archived, missing_since } = absence(before, { at: at.getTime(), lists_another: listed.size > 0 });
    if (!archived && missing_since === before.missing_since) continue;
    await within
      .updateTable('teams')
      .set({
        archived_at: archived ? at : null,
        missing_since: missing_since === null ? null : new Date(missing_since),
      })
      .where('id', '=', team.id)
      .execute();
  }
}

/** Takes what is archived out of its parent and leaves it no children; returns the teams between which something was nested so. */
async function partArchived(within: Within, host: string, organization_id: string): Promise<number[]> {
  const { rows } = await sql<{ id: number; parent_id: number }>`
    with parted as (
      select t.id, t.parent_id from teams t join teams parent on parent.id = t.parent_id
      where t.source = 'host' and t.host = ${host} and t.organization_id = ${organization_id}
        and (t.archived_at is not null or parent.archived_at is not null)
    )
    update teams t set parent_id = null from parted where t.id = parted.id
    returning parted.id, parted.parent_id`.execute(within);
  return rows.flatMap(({ id, parent_id }) => [id, parent_id]);
}

interface ReadMembers {
  readonly team: Team;
  readonly members: ReadonlySet<number>;
  readonly first: boolean;
}

/** Stores who belongs to the teams that were read from when on; returns those in which somebody came or went. */
async function noteMembers(
  within: Within,
  at: Date,
  teams: readonly Team[],
  read: readonly ReadMembers[],
): Promise<number[]> {
  if (read.length === 0) return [];
  const { rows } = await sql<{ id: number; team_id: number; person_id: number; from: Date | null; to: Date | null }>`
    select id, team_id, person_id, "from", "to" from team_members
    where team_id = any(${teams.map(({ id }) => id)}::int[])`.execute(within);
  const stored = rows.map((row) => ({
    id: row.id,
    ...{ team: row.team_id, person: row.person_id },
    ...{ from: row.from?.getTime() ?? null, to: row.to?.getTime() ?? null },
  }));
  const current = Map.groupBy(
    stored.filter(({ to }) => to === null),
    ({ team }) => team,
  );
  const readings: TeamReading[] = [];
  const empty = new Map<Date | null, number[]>();
  for (const { team, members, first } of read) {
    const { believed, empty_since } = emptiness(
      members.size,
      { members: current.get(team.id)?.length ?? 0, empty_since: team.empty_since?.getTime() ?? null },
      at.getTime(),
    );
    if (believed) readings.push({ team: team.id, members, first });
    if (empty_since !== (team.empty_since?.getTime() ?? null)) {
      const since = empty_since === null ? null : at;
      empty.set(since, [...(empty.get(since) ?? []), team.id]);
    }
  }
  for (const [since, ids] of empty)
    await within.updateTable('teams').set({ empty_since: since }).where('id', 'in', ids).execute();
  await sql`
    update teams set read_at = ${at}, stale_since = null, assumed_before = coalesce(assumed_before, ${at})
    where id = any(${read.map(({ team }) => team.id)}::int[])`.execute(within);

  const keyOf = ({ team, person, from, to }: TeamMembership) => [team, person, from, to].join('/');
  const after = new Map(membershipsAfter(stored, readings, at.getTime()).map((period) => [keyOf(period), period]));
  const known = new Set(stored.map(keyOf));
  const ended = stored.filter((period) => !after.has(keyOf(period)));
  const begun = [...after.values()].filter((period) => !known.has(keyOf(period)));
  await sql`delete from team_members where id = any(${ended.map(({ id }) => id)}::int[])`.execute(within);
  const moments = (of: 'from' | 'to') => begun.map((period) => (period[of] === null ? null : new Date(period[of])));
  await sql`
    insert into team_members (team_id, person_id, "from", "to")
    select * from unnest(${begun.map(({ team }) => team)}::int[], ${begun.map(({ person }) => person)}::int[],
      ${moments('from')}::timestamptz[], ${moments('to')}::timestamptz[])`.execute(within);
  return [...new Set([...ended, ...begun].map(({ team }) => team))];
}

/** A team that nobody's token lists any more stays as it was read last. */
async function noteStale(within: Within, host: string, organization_id: string, at: Date): Promise<void> {
  await sql`
    update teams t set stale_since = coalesce(t.read_at, ${at})
    where t.source = 'host' and t.host = ${host} and t.organization_id = ${organization_id}
      and t.stale_since is null and t.archived_at is null
      and not exists (select from team_readers r where r.team_id = t.id and r.lost_at is null)`.execute(within);
}

/** @throws HttpError 409 where there are more than an installation holds */
async function requireRoom(within: Within): Promise<void> {
  const { rows } = await sql<{ teams: number; memberships: number }>`
    select (select count(*)::int from teams where source = 'host') as teams,
      (select count(*)::int from team_members m join teams t on t.id = m.team_id
        where t.source = 'host' and m."to" is null) as memberships`.execute(within);
  const { teams = 0, memberships = 0 } = rows[0] ?? {};
  if (teams > MOST_TEAMS) throw tooMany(MOST_TEAMS, 'teams');
  if (memberships > MOST_MEMBERSHIPS) throw tooMany(MOST_MEMBERSHIPS, 'memberships');
}

const tooMany = (most: number, things: string) =>
  new HttpError('too_many', `That is more than ${most.toLocaleString('en')} ${things}.`);
