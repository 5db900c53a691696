import { type Kysely, sql, type Transaction } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import { type changeGroup, MOST_MEMBERS, MOST_PERIODS, type makeGroup } from '#contract/teams.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { HostAccount } from '../host/pull-request.ts';
import { HttpError, invalidValue, notFound } from '../http/errors.ts';
import { appearsIn } from '../metrics/conditions.ts';
import { type Scope, scopeWithoutFigures } from '../metrics/scope.ts';
import { expandTeams, isTeamVisible, lockTeams, partsOf } from '../metrics/team-people.ts';
import type { SavePeople } from './store-reading.ts';

/** So many groups can one person make. */
export const MOST_GROUPS = 100;
/**
 * Limit of memberships in the groups of one person together, where each group counts its own and those of everything nested in it: what
 * `expandTeams` writes for them. A limit of depth would not bound that: 100 groups in 5 layers hold each other 4,000 times.
 */
const MOST_MEMBERSHIPS = 100_000;
/**
 * The same for other people's groups that hold the group being changed. Only its growth takes them beyond their own limit, and nobody can
 * keep a group from growing by holding it.
 */
const MOST_OF_HOLDERS = 10 * MOST_MEMBERSHIPS;
const DAY = 24 * 3_600_000;

/** Somebody at a host, as far as making a group asks who they are. */
type Maker = Pick<SignedIn, 'id' | 'host'>;

export interface GroupDeps extends Pick<Context, 'db' | 'now' | 'administrators'> {
  /** The account of that login as the host shows it to this user's token; null for none. */
  readonly accountAtHost: (user: Maker, login: string) => Promise<HostAccount | null>;
  readonly savePeople: SavePeople;
  /** What a host is called, by its key. */
  readonly hostLabel: (key: string) => string;
}

type Within = Transaction<Database>;
/** Half-open; null: always, and still. */
interface Period {
  readonly from: Date | null;
  readonly to: Date | null;
}
/** When each person is a member, by their row id. */
type Membership = ReadonlyMap<number, readonly Period[]>;
/** Whom a request names, by login in lower case: the row of who is known, else the account as the host shows it. */
type Named = ReadonlyMap<string, number | HostAccount>;
/** The members of a request before those are stored whom only the host knows. */
interface GivenMembers {
  readonly named: Named;
  readonly periods: ReadonlyMap<string, readonly Period[]>;
}
interface Group {
  readonly id: number;
  readonly name: string;
  readonly visibility: 'mine' | 'everyone';
  readonly mine: boolean;
}

/**
 * Makes a group of one's own and returns its id. What is refused leaves nothing behind (docs/server.md#teams-and-groups).
 * @throws HttpError 400 for somebody unknown, 404 for an unknown team, 409 for a name that is taken and over the limits
 */
export async function makeGroupOf(deps: GroupDeps, user: Maker, body: BodyOf<typeof makeGroup>): Promise<number> {
  const { db, now } = deps;
  const { name, teams } = body;
  const visibility = visibilityFor(user, body.visibility);
  const given = await membersIn(deps, user, body.members);
  return await db.transaction().execute(async (within) => {
    await lockTeams(within);
    const members = await membershipOf(deps, within, user, given);
    const own = await within.selectFrom('teams').select('id').where('created_by', '=', user.id).execute();
    if (own.length >= MOST_GROUPS) throw tooMany(MOST_GROUPS, 'groups');
    await requireFreeName(within, user.id, name, null);
    await requireShowable(within, user, teams, visibility);
    const { id } = await within
      .insertInto('teams')
      .values({ host: user.host, source: 'own', name, visibility, created_by: user.id, created_at: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await changeContents(within, { id, name }, async () => {
      await replaceParts(within, id, teams);
      await replaceMembers(within, id, members);
    });
    return id;
  });
}

/**
 * Changes a group; what is left out of the request stays, and so do the parts and members that the user doesn't see, who cannot have meant to take
 * them out.
 * @throws HttpError as `makeGroupOf`; 403 for a group that is somebody else's to change, 409 for a team of the host and for a cycle
 */
export async function changeGroupOf(
  deps: GroupDeps,
  user: SignedIn,
  id: number,
  { name, visibility: wanted, teams, members: wantedMembers }: BodyOf<typeof changeGroup>,
): Promise<void> {
  const { db } = deps;
  const visibility = wanted && visibilityFor(user, wanted);
  const isAdministrator = await deps.administrators.includes(user);
  await groupToChange(deps, db, user, id, isAdministrator);
  const given = wantedMembers === undefined ? null : await membersIn(deps, user, wantedMembers);
  await db.transaction().execute(async (within) => {
    await lockTeams(within);
    const group = await groupToChange(deps, within, user, id, isAdministrator);
    const members = given && (await membershipOf(deps, within, user, given));
    if (visibility === 'mine' && !group.mine)
      throw new HttpError('not_your_group', 'Only whoever made this group can keep it to themselves.');
    if (name !== undefined) await requireFreeName(within, user.id, name, group);
    const before = await partsOfGroup(within, user, id);
    const held = teams ?? before.seen;
    const added = held.filter((team) => !before.seen.includes(team) && !before.hidden.includes(team));
    const turnsPublic = visibility === 'everyone' && group.visibility === 'mine';
    await requireShowable(within, user, turnsPublic ? held : added, visibility ?? group.visibility);
    if (teams !== undefined) await requireNoCycle(within, group, teams);
    if (name !== undefined || visibility !== undefined)
      await within
        .updateTable('teams')
        .set({ ...(name !== undefined && { name }), ...(visibility !== undefined && { visibility }) })
        .where('id', '=', id)
        .execute();
    if (teams === undefined && members === null) return;
    await changeContents(within, group, async () => {
      if (teams !== undefined) await replaceParts(within, id, [...teams, ...before.hidden]);
      if (members === null) return;
      await replaceMembers(within, id, members, await unseenMembers(within, user, id));
      await requireMemberLimit(within, id);
    });
  });
}

/**
 * Deletes a group and takes it out of all that hold it.
 * @throws HttpError 404 for one that is not to be seen, 403 for one that is somebody else's to change
 */
export async function deleteGroupOf(deps: GroupDeps, user: SignedIn, id: number): Promise<void> {
  const isAdministrator = await deps.administrators.includes(user);
  await groupToChange(deps, deps.db, user, id, isAdministrator);
  await deps.db.transaction().execute(async (within) => {
    await lockTeams(within);
    await groupToChange(deps, within, user, id, isAdministrator);
    const holders = await within.selectFrom('team_parts').select('group_id').where('team_id', '=', id).execute();
    await within.deleteFrom('teams').where('id', '=', id).execute();
    await expandTeams(
      within,
      holders.map(({ group_id }) => group_id),
    );
  });
}

/**
 * Says when somebody is a member of a group, whether they were one or not.
 * @throws HttpError 400 for periods that overlap or somebody unknown, 403 and 404 as `deleteGroupOf`, 409 for a team of the host and over the limit
 */
export async function saveMemberOf(
  deps: GroupDeps,
  user: SignedIn,
  id: number,
  username: string,
  given: readonly GivenPeriod[],
): Promise<void> {
  const isAdministrator = await deps.administrators.includes(user);
  await groupToChange(deps, deps.db, user, id, isAdministrator);
  const periods = given.map((one) => periodIn(one, 'periods', deps.now()));
  requireApart(periods, 'periods');
  const member = await memberCalled(deps.db, id, username);
  const named = member === null ? await peopleCalled(deps, user, [username]) : null;
  await deps.db.transaction().execute(async (within) => {
    await lockTeams(within);
    const group = await groupToChange(deps, within, user, id, isAdministrator);
    const person_id =
      named === null ? member! : (await storedPeople(deps, within, user, named)).get(username.toLowerCase())!;
    await changeContents(within, group, async () => {
      await within.deleteFrom('team_members').where('team_id', '=', id).where('person_id', '=', person_id).execute();
      await addMembers(within, id, new Map([[person_id, periods]]));
      await requireMemberLimit(within, id);
    });
  });
}

/**
 * Takes somebody out of a group, with all their periods.
 * @throws HttpError 404 for somebody who is no member of it; else as `saveMemberOf`
 */
export async function removeMemberOf(deps: GroupDeps, user: SignedIn, id: number, username: string): Promise<void> {
  const isAdministrator = await deps.administrators.includes(user);
  await groupToChange(deps, deps.db, user, id, isAdministrator);
  await deps.db.transaction().execute(async (within) => {
    await lockTeams(within);
    await groupToChange(deps, within, user, id, isAdministrator);
    const person_id = await memberCalled(within, id, username);
    if (person_id === null) throw notFound(`No member called ${username}`);
    await within.deleteFrom('team_members').where('team_id', '=', id).where('person_id', '=', person_id).execute();
    await expandTeams(within, [id]);
  });
}

/** A group that the user may change. Inside a transaction it stays as it is while teams are locked. */
async function groupToChange(
  { hostLabel }: GroupDeps,
  db: Kysely<Database>,
  user: SignedIn,
  id: number,
  isAdministrator: boolean,
): Promise<Group> {
  const { rows } = await sql<Group & { source: 'host' | 'own'; host: string }>`
    select t.id, t.name, t.source, t.host, t.visibility, coalesce(t.created_by = ${user.id}, false) as mine
    from teams t where t.id = ${id} and ${isTeamVisible(user.id)}`.execute(db);
  const [team] = rows;
  if (team === undefined) throw notFound('Team not found');
  if (team.source === 'host')
    throw new HttpError('team_of_host', `Memberships of ${team.name} come from ${hostLabel(team.host)}.`);
  if (!team.mine && !isAdministrator)
    throw new HttpError('not_your_group', 'Only whoever made this group and administrators can change it.');
  return team;
}

/** Names are the maker's own, whoever changes the group, and upper and lower case are the same. */
async function requireFreeName(within: Within, user_id: number, name: string, group: Group | null): Promise<void> {
  const maker =
    group === null ? sql`${user_id}::int` : sql`(select of.created_by from teams of where of.id = ${group.id})`;
  const { rows } = await sql<{ id: number; name: string; is_same: boolean }>`
    select id, name, lower(name) = lower(${name}) as is_same from teams
    where source = 'own' and created_by = ${maker}`.execute(within);
  // The index of names goes by the database's locale, which knows other letters than JavaScript does, or ASCII alone.
  const taken = rows.find(
    (row) => row.id !== group?.id && (row.is_same || row.name.toLowerCase() === name.toLowerCase()),
  );
  if (taken !== undefined) throw new HttpError('name_taken', `There is a group called ${taken.name} already.`);
}

/** What a group takes has to be seen by whoever takes it, and of a group for everyone by everyone. */
async function requireShowable(
  within: Within,
  user: Maker,
  team_ids: readonly number[],
  visibility: Group['visibility'],
): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; visibility: string }>`
    select t.id, t.name, t.visibility from teams t
    where t.id = any(${team_ids}::int[]) and ${isTeamVisible(user.id)} order by t.id`.execute(within);
  const found = new Set(rows.map(({ id }) => id));
  if (!team_ids.every((id) => found.has(id))) throw notFound('Team not found');
  const hidden = rows.find((team) => team.visibility === 'secret' || team.visibility === 'mine');
  if (visibility === 'everyone' && hidden !== undefined)
    throw new HttpError('hidden_part', `Others may not see ${hidden.name}.`);
}

/** What a group holds, told apart by whether the user sees it. */
async function partsOfGroup(
  within: Within,
  user: Maker,
  group_id: number,
): Promise<{ readonly seen: readonly number[]; readonly hidden: readonly number[] }> {
  const { rows } = await sql<{ id: number; seen: boolean }>`
    select t.id, ${isTeamVisible(user.id)} is true as seen from team_parts held join teams t on t.id = held.team_id
    where held.group_id = ${group_id}`.execute(within);
  const idsOf = (seen: boolean) => rows.filter((row) => row.seen === seen).map(({ id }) => id);
  return { seen: idsOf(true), hidden: idsOf(false) };
}

async function requireNoCycle(within: Within, group: Group, team_ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with recursive part (id) as (
      select unnest(${team_ids}::int[])
      union
      select held.id from part cross join lateral (${partsOf(sql`part.id`)}) held
    )
    select id from part where id = ${group.id}`.execute(within);
  if (rows.length > 0) throw new HttpError('group_cycle', `That would make ${group.name} part of itself`);
}

/**
 * Changes the members or the parts of a group and brings `team_people` in line. Groups that are over the limit already, such as by readings of
 * the teams in them, can be changed as long as they don't grow.
 * @throws HttpError 409 where memberships, its own or those of groups that hold it, come to more than the limits
 */
async function changeContents(
  within: Within,
  group: Pick<Group, 'id' | 'name'>,
  change: () => Promise<void>,
): Promise<void> {
  const before = new Map((await membershipsAround(within, group.id)).map((row) => [row.maker, row.memberships]));
  await change();
  for (const { maker, own, memberships } of await membershipsAround(within, group.id)) {
    if (memberships <= (before.get(maker) ?? 0)) continue;
    if (own && memberships > MOST_MEMBERSHIPS) {
      const most = MOST_MEMBERSHIPS.toLocaleString('en');
      const sentence = `The groups of one person can hold ${most} memberships, where each group counts those of everything in it.`;
      throw new HttpError('too_many', `${sentence} Take something out of one, or delete one.`);
    }
    if (memberships > MOST_OF_HOLDERS)
      throw new HttpError(
        'too_many',
        `Groups of other people that hold ${group.name} would get too large. Make a new group for this.`,
      );
  }
  await expandTeams(within, [group.id]);
}

/** Of whoever made a group, and of the makers of all that hold it, how many memberships their groups hold together. */
async function membershipsAround(
  within: Within,
  group_id: number,
): Promise<{ readonly maker: number; readonly own: boolean; readonly memberships: number }[]> {
  const { rows } = await sql<{ maker: number; own: boolean; memberships: number }>`
    with recursive holder (id) as (
      select ${group_id}::int
      union
      select held.group_id from holder join team_parts held on held.team_id = holder.id
    ),
    part (root, id) as (
      select t.id, t.id from teams t where t.created_by in (select of.created_by from teams of join holder on holder.id = of.id)
      union
      select part.root, held.id from part cross join lateral (${partsOf(sql`part.id`)}) held
    ),
    sizes as materialized (
      select one.id, (select count(*) from team_members m where m.team_id = one.id) as size from (select distinct id from part) one
    )
    select root.created_by as maker, bool_or(root.id = ${group_id}) as own, sum(sizes.size)::int as memberships
    from part join teams root on root.id = part.root join sizes on sizes.id = part.id
    group by root.created_by order by root.created_by`.execute(within);
  return rows;
}

/** Who sees a group: visitors of the demo are strangers to each other, and what they make is theirs alone. */
function visibilityFor({ host }: Maker, wanted: Group['visibility']): Group['visibility'] {
  return host === DEMO_HOST ? 'mine' : wanted;
}

async function replaceParts(within: Within, group_id: number, team_ids: readonly number[]): Promise<void> {
  await within.deleteFrom('team_parts').where('group_id', '=', group_id).execute();
  const different = [...new Set(team_ids)];
  if (different.length > 0)
    await within
      .insertInto('team_parts')
      .values(different.map((team_id) => ({ group_id, team_id })))
      .execute();
}

/** Replaces the members except those who stay; of these the periods, too, where the request names them. */
async function replaceMembers(
  within: Within,
  team_id: number,
  members: Membership,
  staying: readonly number[] = [],
): Promise<void> {
  const kept = staying.filter((id) => !members.has(id));
  await sql`
    delete from team_members where team_id = ${team_id} and not (person_id = any(${kept}::int[]))`.execute(within);
  await addMembers(within, team_id, members);
}

/** Immediate members of a group whom its page doesn't list to the user. */
async function unseenMembers(within: Within, user: Maker, group_id: number): Promise<number[]> {
  const scope = await scopeWithoutFigures(within, user.id);
  const { rows } = await sql<{ id: number }>`
    select person.id from people person
    where person.id in (select person_id from team_members where team_id = ${group_id})
      and not (person.kind = 'human' and ${appearsIn(scope, sql`person.id`)})`.execute(within);
  return rows.map(({ id }) => id);
}

/** @throws HttpError 409 for a group with more people than a group can have */
async function requireMemberLimit(within: Within, group_id: number): Promise<void> {
  const { people } = await within
    .selectFrom('team_members')
    .select(sql<number>`count(distinct person_id)::int`.as('people'))
    .where('team_id', '=', group_id)
    .executeTakeFirstOrThrow();
  if (people > MOST_MEMBERS) throw tooMany(MOST_MEMBERS, 'members');
}

async function addMembers(within: Within, team_id: number, members: Membership): Promise<void> {
  const rows = [...members].flatMap(([person_id, periods]) => periods.map((period) => ({ person_id, ...period })));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  await sql`
    insert into team_members (team_id, person_id, "from", "to")
    select ${team_id}::int, person_id, "from", "to"
    from unnest(${column('person_id')}::int[], ${column('from')}::timestamptz[], ${column('to')}::timestamptz[])
      given (person_id, "from", "to")`.execute(within);
}

export interface GivenPeriod {
  readonly from: string | null;
  readonly to: string | null;
}
type GivenMember = string | (GivenPeriod & { readonly username: string });

/** @throws HttpError 400 for one that ends before it begins, and for one of later than a day ahead */
function periodIn({ from, to }: GivenPeriod, path: string, now: Date): Period {
  const period = { from: from === null ? null : new Date(from), to: to === null ? null : new Date(to) };
  const latest = now.getTime() + DAY;
  if ([period.from, period.to].some((moment) => moment !== null && moment.getTime() > latest))
    throw invalidValue(path, 'must not lie more than a day ahead');
  if (period.from !== null && period.to !== null && period.from >= period.to)
    throw invalidValue(path, 'from must be before to');
  return period;
}

/** @throws HttpError 400 for periods that overlap or are out of order */
function requireApart(periods: readonly Period[], path: string): void {
  const apart = periods.every((period, at) => {
    const next = periods[at + 1];
    return next === undefined || (period.to !== null && next.from !== null && period.to <= next.from);
  });
  if (!apart) throw invalidValue(path, 'must be sorted and must not overlap');
}

/**
 * The members of a request, each known to the user.
 * @throws HttpError 400 for wrong periods and somebody unknown, 409 for more people than a group can have
 */
async function membersIn(deps: GroupDeps, user: Maker, members: readonly GivenMember[]): Promise<GivenMembers> {
  const now = deps.now();
  const given = members.map((member, at) => {
    const { username, ...period } = typeof member === 'string' ? { username: member, from: null, to: null } : member;
    return { username, period: periodIn(period, `members.${at}`, now) };
  });
  const byLogin = Map.groupBy(given, ({ username }) => username.toLowerCase());
  if (byLogin.size > MOST_MEMBERS) throw tooMany(MOST_MEMBERS, 'members');
  const named = await peopleCalled(
    deps,
    user,
    [...byLogin.values()].map(([first]) => first!.username),
  );
  const all = new Map<string, readonly Period[]>();
  for (const [login, entries] of byLogin) {
    const different = new Map(
      entries.map(({ period }) => [`${period.from?.getTime()} ${period.to?.getTime()}`, period] as const),
    );
    const start = ({ from }: Period) => from?.getTime() ?? Number.NEGATIVE_INFINITY;
    const periods = [...different.values()].sort((a, b) => start(a) - start(b));
    requireApart(periods, 'members');
    if (periods.length > MOST_PERIODS) throw invalidValue('members', `At most ${MOST_PERIODS} periods a person`);
    all.set(login, periods);
  }
  return { named, periods: all };
}

async function membershipOf(
  deps: GroupDeps,
  within: Within,
  user: Maker,
  { named, periods }: GivenMembers,
): Promise<Membership> {
  const ids = await storedPeople(deps, within, user, named);
  return new Map([...periods].map(([login, of]) => [ids.get(login)!, of]));
}

/**
 * People whom the user can know: who takes part in their repositories, else whom the host shows them. Nothing is stored.
 * @throws HttpError 400 for nobody and for an organisation
 */
async function peopleCalled(deps: GroupDeps, user: Maker, logins: readonly string[]): Promise<Named> {
  const { db } = deps;
  const inScope = await peopleInScope(db, await scopeWithoutFigures(db, user.id), user.host, logins);
  const named = new Map<string, number | HostAccount>();
  for (const login of logins) {
    const one = inScope.get(login.toLowerCase()) ?? (await deps.accountAtHost(user, login));
    if (one === null || (typeof one !== 'number' && one.type === 'organization'))
      throw new HttpError('unknown_person', `We know nobody called ${login}`);
    named.set(login.toLowerCase(), one);
  }
  return named;
}

/**
 * The row ids of people by login, stored with what else the transaction stores.
 * @throws HttpError 400 for an account that is no person's
 */
async function storedPeople(
  { savePeople }: GroupDeps,
  within: Within,
  { host }: Maker,
  named: Named,
): Promise<ReadonlyMap<string, number>> {
  const shown = [...named.values()].filter((one) => typeof one !== 'number');
  const saved = await savePeople(within, host, shown);
  const ids = new Map([...named].map(([login, one]) => [login, typeof one === 'number' ? one : saved.get(one.id)!.id]));
  const people = await within
    .selectFrom('people')
    .select('login')
    .where('id', '=', sql<number>`any(${[...ids.values()]}::int[])`)
    .where('kind', '<>', 'human')
    .executeTakeFirst();
  if (people !== undefined) throw new HttpError('no_person', `${people.login} is not a person`);
  return ids;
}

async function peopleInScope(
  db: Kysely<Database>,
  scope: Scope,
  host: string,
  logins: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ login: string; id: number }>`
    select distinct on (lower(person.login)) lower(person.login) as login, person.id
    from people person
    where person.host = ${host} and lower(person.login) = any(${logins.map((login) => login.toLowerCase())}::text[])
      and person.type <> 'organization' and ${appearsIn(scope, sql`person.id`)}
    order by lower(person.login), person.id desc`.execute(db);
  return new Map(rows.map(({ login, id }) => [login, id]));
}

/** The immediate member of that login; null where there is none. */
async function memberCalled(db: Kysely<Database>, team_id: number, username: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select person.id from people person
    where lower(person.login) = lower(${username})
      and exists (select from team_members m where m.team_id = ${team_id} and m.person_id = person.id)
    order by person.id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

function tooMany(most: number, things: string): HttpError {
  return new HttpError('too_many', `That is more than ${most} ${things}.`);
}
