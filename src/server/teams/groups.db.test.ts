import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeGroup } from '#contract/teams.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aUser, HOST } from '../../../test/support/stored.ts';
import { aGroup, aTeam } from '../../../test/support/teams.ts';
import type { OpenDatabase } from '../db/open.ts';
import { savePeople } from '../sync/people.ts';
import { changeGroupOf, type GroupDeps, makeGroupOf, saveMemberOf } from './groups.ts';
import { teamsSeenBy } from './list-teams.ts';
import { wholeTeam } from './whole-team.ts';

const NOW = new Date('2026-06-18T13:00:00Z');

let database: OpenDatabase;
let ada: number;
let ben: number;
let administrator: number | null;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('users').execute();
  await db.deleteFrom('teams').execute();
  [ada, ben] = [await aUser(db), await aUser(db)];
  administrator = null;
});

const deps = (): GroupDeps => ({
  db: database.db,
  now: () => NOW,
  administrators: {
    ids: async () => new Set(),
    includes: async ({ id }) => id === administrator,
    require: async () => undefined,
  },
  hostLabel: () => 'GitHub',
  accountAtHost: async () => null,
  savePeople,
});
const as = (id: number, host = HOST) => ({ id, host, login: 'me', time_zone: 'UTC', own_marks: false });
const change = (id: number, group: number, body: BodyOf<typeof changeGroup>, host = HOST) =>
  changeGroupOf(deps(), as(id, host), group, body);
const seenBy = async (id: number, group: number) => (await wholeTeam(database.db, { id }, group, NOW, false)).teams;
const team = (name: string, ...readers: number[]) => aTeam(database.db, name, readers, []);
const turn = (id: number, visibility: 'secret' | 'visible') =>
  database.db.updateTable('teams').set({ visibility }).where('id', '=', id).execute();
const lose = (id: number) => database.db.updateTable('team_readers').set({ lost_at: NOW }).where('team_id', '=', id);
const partsOf = async (group: number) => {
  const rows = await database.db
    .selectFrom('team_parts')
    .select('team_id')
    .where('group_id', '=', group)
    .orderBy('team_id')
    .execute();
  return rows.map(({ team_id }) => team_id);
};

describe('the teams of a group', () => {
  let [open, lost, other] = [0, 0, 0];
  let group: number;
  beforeEach(async () => {
    [open, lost, other] = [await team('Open', ada, ben), await team('Lost', ada), await team('Other', ada)];
    group = await aGroup(database.db, ada, [open, lost]);
    await lose(lost).execute();
  });

  it('are replaced as far as whoever changes them sees them: what they do not see now stays', async () => {
    expect(await seenBy(ada, group)).toEqual([open]);
    await change(ada, group, { name: 'Renamed', visibility: 'mine', teams: [open] });
    expect(await partsOf(group)).toEqual([open, lost]);
    await change(ada, group, { teams: [other] });
    expect(await partsOf(group)).toEqual([lost, other]);
    await change(ada, group, { teams: [] });
    expect(await partsOf(group)).toEqual([lost]);

    await database.db.updateTable('team_readers').set({ lost_at: null }).execute();
    expect(await seenBy(ada, group)).toEqual([lost]);
    await change(ada, group, { teams: [open] });
    expect(await partsOf(group)).toEqual([open]);
  });

  it('may be given with those that are not seen, and with no others of that kind', async () => {
    await change(ada, group, { teams: [open, lost] });
    expect(await partsOf(group)).toEqual([open, lost]);
    await lose(other).execute();
    await expect(change(ada, group, { teams: [open, other] })).rejects.toMatchObject({ status: 404 });
    expect(await partsOf(group)).toEqual([open, lost]);
  });

  it('that are not seen keep nobody from showing the rest to everyone, who see them no more than their maker', async () => {
    await turn(lost, 'secret');
    await change(ada, group, { visibility: 'everyone', teams: [open] });
    expect(await partsOf(group)).toEqual([open, lost]);
    expect(await seenBy(ben, group)).toEqual([open]);
  });

  it('stay also where an administrator changes them, who sees others', async () => {
    await database.db.updateTable('team_readers').set({ lost_at: null }).execute();
    await change(ada, group, { visibility: 'everyone' });
    administrator = ben;
    await change(ben, group, { name: 'Ours', teams: [] });
    expect(await seenBy(ada, group)).toEqual([lost]);
  });
});

it('a group of a visitor of the demo is theirs alone, whomever they make or change it for', async () => {
  const { db } = database;
  await db.updateTable('users').set({ host: DEMO_HOST }).execute();
  const visitor = { id: ada, host: DEMO_HOST };
  const id = await makeGroupOf(deps(), visitor, { name: 'Mine', visibility: 'everyone', members: [], teams: [] });
  const seen = async () => await Promise.all([ada, ben].map((user) => teamsSeenBy(db, user, NOW)));

  expect(await seen()).toMatchObject([[{ visibility: 'mine' }], []]);
  await change(ada, id, { name: 'To strangers', visibility: 'everyone' }, DEMO_HOST);
  expect(await seen()).toMatchObject([[{ name: 'To strangers', visibility: 'mine' }], []]);
});

it('a name is taken that the database takes for the same, whatever JavaScript does', async () => {
  const [upper, lower] = ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'];
  const { rows } = await sql<{ same: boolean }>`select lower(${upper}) = lower(${lower}) as same`.execute(database.db);
  const make = (name: string) =>
    makeGroupOf(deps(), { id: ada, host: HOST }, { name, visibility: 'mine', members: [], teams: [] });
  await make(upper);

  const made = expect(make(lower));
  await (rows[0]!.same ? made.rejects.toMatchObject({ status: 409 }) : made.resolves.toBeDefined());
});

describe('the groups of one person hold 100,000 memberships at most, where each counts those of everything in it', () => {
  const refusal = {
    status: 409,
    message:
      'The groups of one person can hold 100,000 memberships, where each group counts those of everything in it. Take something out of one, or delete one.',
  };
  const hold = (user: number, name: string, ...teams: number[]) =>
    makeGroupOf(deps(), { id: user, host: HOST }, { name, visibility: 'mine', members: [], teams });
  const periods = (many: number) =>
    Array.from({ length: many }, (_, year) => ({
      from: `${1970 + year}-01-01T00:00:00Z`,
      to: `${1971 + year}-01-01T00:00:00Z`,
    }));
  const save = (many: number) => saveMemberOf(deps(), as(ada), leaf, 'one-1', periods(many));
  let leaf: number;
  /** A group for everyone with 26,000 memberships, 52 each of 500 people. */
  beforeEach(async () => {
    const { db } = database;
    leaf = await aGroup(db, ada, [], 'everyone');
    await sql`
      with one as (
        insert into people (host, host_id, login, type, kind)
        select ${HOST}, 'one-' || n, 'one-' || n, 'user', 'human' from generate_series(1, 500) n
        on conflict (host, host_id) do update set login = excluded.login returning id
      )
      insert into team_members (team_id, person_id, "from", "to")
      select ${leaf}::int, one.id, make_date(1970 + year, 1, 1), make_date(1971 + year, 1, 1)
      from one, generate_series(0, 51) year`.execute(db);
  });

  it('however deep or wide they are nested: what would exceed it leaves nothing behind', async () => {
    const middle = await hold(ada, 'Middle', leaf);
    await expect(hold(ada, 'Both', middle, leaf)).resolves.toBeDefined();
    await expect(hold(ada, 'Top', middle)).rejects.toMatchObject(refusal);
    const empty = await hold(ada, 'Empty');
    await expect(change(ada, empty, { teams: [leaf] })).rejects.toMatchObject(refusal);
    const names = (await teamsSeenBy(database.db, ada, NOW)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Both', 'Empty', 'Middle', 'Of ']);
    expect(await partsOf(empty)).toEqual([]);
  });

  it('keeps those that are larger already, which can be changed but not grow', async () => {
    const groups = [await hold(ada, 'One', leaf), await hold(ada, 'Two', leaf), await aGroup(database.db, ada, [leaf])];
    await change(ada, groups[2]!, { name: 'Renamed', teams: [leaf] });
    await save(51);
    await save(51);
    await expect(save(52)).rejects.toMatchObject(refusal);
    await change(ada, groups[2]!, { teams: [] });
    await save(52);
  });

  it('lets whoever made what the groups of others hold go up to ten times that', async () => {
    const holders = [];
    for (let n = 0; n < 3; n++) holders.push(await hold(ben, `Holder ${n}`, leaf));
    holders.push(await aGroup(database.db, ben, [leaf]));
    await save(51);
    await save(52);
    await sql`
      with holder as (
        insert into teams (host, source, name, visibility, created_by, created_at)
        select ${HOST}, 'own', 'More ' || n, 'mine', ${ben}::int, ${NOW} from generate_series(1, 35) n returning id
      )
      insert into team_parts (group_id, team_id) select id, ${leaf}::int from holder`.execute(database.db);
    await expect(save(53)).rejects.toMatchObject({
      status: 409,
      message: 'Groups of other people that hold Of  would get too large. Make a new group for this.',
    });
  });
});

it('of a group each counts whom they see, one person once', async () => {
  const { db } = database;
  const { rows } = await sql<{ id: number }>`
    insert into people (host, host_id, login, type, kind)
    select ${HOST}, 'counted-' || n, 'counted-' || n, 'user', case when n = 4 then 'bot' else 'human' end
    from generate_series(1, 4) n returning id`.execute(db);
  const always = rows.map(({ id }) => ({ person: id, from: null, to: null }));
  const open = await aTeam(db, 'Seen', [ada, ben], [always[0]!, always[3]!]);
  const closed = await aTeam(db, 'Unseen', [ada], [...always.slice(0, 2), { ...always[2]!, to: NOW.getTime() }]);
  const group = await aGroup(db, ada, [open, closed], 'everyone');
  const counted = async (user: number) =>
    (await teamsSeenBy(db, user, NOW)).map(({ id, members_now }) => [id, members_now]);

  expect(await counted(ada)).toEqual([
    [group, 2],
    [open, 1],
    [closed, 2],
  ]);
  expect(await counted(ben)).toEqual([
    [group, 1],
    [open, 1],
  ]);
});
