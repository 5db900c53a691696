import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { humansOf, splitByTenure } from './belongs.ts';
import { scopeOf } from './scope.ts';
import { deleteUsers, expandTeams, isMemberAt, partsSeen, teamOf, teamsApart } from './team-people.ts';

const now = new Date('2026-03-01T12:00:00Z');
let database: OpenDatabase;
let maker: number;
let stranger: number;

beforeAll(async () => {
  database = await openTestDatabase();
  maker = await aUser('maker');
  stranger = await aUser('stranger');
});
afterAll(() => database.close());

test('the people of a team are its own and those of its parts, each time once', async () => {
  const [parent, child] = [await hostTeam('parent'), await hostTeam('child')];
  const [ada, bo] = [await aPerson('ada'), await aPerson('bo')];
  await sql`update teams set parent_id = ${parent} where id = ${child}`.execute(database.db);
  await member(parent, ada, null, '2026-01-10');
  await member(child, ada, '2026-01-05', '2026-01-20');
  await member(child, bo, '2026-01-20', null);
  await read(maker, parent, child);
  await expand(child);

  const team = await teamOf(database.db, maker, [parent]);

  const { rows } = await sql`select person_id, "from"::text, "to"::text from ${team.people} p order by 1, 2`.execute(
    database.db,
  );
  expect(rows).toEqual([
    { person_id: ada, from: '-infinity', to: '2026-01-20 00:00:00+00' },
    { person_id: bo, from: '2026-01-20 00:00:00+00', to: 'infinity' },
  ]);
  // Half-open: of the instant at which one leaves and another joins only that other.
  expect(await areMembers(team, [ada, bo], '2026-01-20')).toEqual([false, true]);
  expect(await areMembers(team, [ada, bo], '2026-01-19')).toEqual([true, false]);
});

test('what a viewer may not see of a group counts for them nowhere', async () => {
  const [open, secret] = [await hostTeam('open'), await hostTeam('secret')];
  const [cy, di] = [await aPerson('cy'), await aPerson('di')];
  await member(open, cy, null, null);
  await member(secret, di, null, null);
  const group = await aGroup(maker, 'both', 'everyone', [open, secret]);
  await read(maker, open, secret);
  await read(stranger, open);
  await expand(open, secret, group);

  const all = await teamOf(database.db, maker, [group]);
  const part = await teamOf(database.db, stranger, [group]);

  expect(await areMembers(all, [cy, di], '2026-01-01')).toEqual([true, true]);
  expect(await areMembers(part, [cy, di], '2026-01-01')).toEqual([true, false]);
  expect(await partsSeen(database.db, stranger, [group])).toEqual([
    { id: open, seen: true },
    { id: secret, seen: false },
    { id: group, seen: true },
  ]);
});

test('what one may not see, what was never there and somebody else’s group are not found, all alike', async () => {
  const secret = await hostTeam('hidden');
  const group = await aGroup(maker, 'own', 'mine', []);
  for (const id of [secret, group, 2_147_483_647])
    await expect(scopeOf(database.db, stranger, undefined, { team: id })).rejects.toMatchObject({
      status: 404,
      message: 'Team not found',
    });
  await expect(scopeOf(database.db, stranger, undefined, { team_as: 'reviewer' })).rejects.toMatchObject({
    status: 400,
  });
});

test('of a team of a thousand and more it is told of each when they belonged to it, as of a small one', async () => {
  const { db } = database;
  const { rows } = await sql<{ id: number }>`
    insert into people (host, host_id, login, type, kind)
    select 'host.test', 'many-' || n, 'many-' || n, case when n % 2 = 0 then 'user' else 'bot' end,
      case when n % 2 = 0 then 'human' else 'bot' end
    from generate_series(1, 1001) n returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  for (const [slug, size] of [
    ['small', 1000],
    ['many', 1001],
  ] as const) {
    const team_id = await hostTeam(slug);
    await sql`
      insert into team_members (team_id, person_id, "from")
      select ${team_id}::int, id, case when place % 3 = 0 then '2026-01-10'::timestamptz end
      from unnest(${ids.slice(0, size)}::int[]) with ordinality one (id, place)`.execute(db);
    await read(maker, team_id);
    await expand(team_id);
    const team = await teamOf(db, maker, [team_id]);

    expect(team.members === null, slug).toBe(size > 1000);
    const some = ids.slice(0, 6);
    expect(await areMembers(team, some, '2026-01-09')).toEqual([true, true, false, true, true, false]);
    expect(await areMembers(team, some, '2026-01-10')).toEqual([true, true, true, true, true, true]);
    expect(await areMembers(humansOf(team), some, '2026-01-10')).toEqual([false, true, false, true, false, true]);
    const { always, sometimes } = splitByTenure(humansOf(team));
    expect(await areMembers(always, some, '2026-01-10')).toEqual([false, true, false, true, false, false]);
    expect(await areMembers(sometimes, some, '2026-01-10')).toEqual([false, false, false, false, false, true]);
  }
});

test('whoever is deleted takes their groups along, out of what held them, too', async () => {
  const [leaver, ed] = [await aUser('leaver'), await aPerson('ed')];
  const theirs = await aGroup(leaver, 'theirs', 'everyone', []);
  const holder = await aGroup(maker, 'holder', 'mine', [theirs]);
  await member(theirs, ed, null, null);
  await expand(theirs);
  const peopleOf = async (id: number) => {
    const { rows } = await sql`select person_id from team_people where team_id = ${id}`.execute(database.db);
    return rows;
  };
  expect(await peopleOf(holder)).toEqual([{ person_id: ed }]);

  await deleteUsers(database.db, [leaver]);

  expect([await peopleOf(theirs), await peopleOf(holder)]).toEqual([[], []]);
});

test('a group is not seen at another host', async () => {
  const group = await aGroup(maker, 'for all', 'everyone', []);
  const elsewhere = await aUser('elsewhere', 'other.test');

  await expect(teamOf(database.db, elsewhere, [group])).rejects.toMatchObject({ status: 404 });
  expect((await teamOf(database.db, stranger, [group])).ids).toEqual([group]);
});

test('teams that are told apart and have one name are called by their handles', async () => {
  const [one, other] = [await hostTeam('one'), await hostTeam('other')];
  await sql`update teams set name = 'Platform' where id = any(${[one, other]}::int[])`.execute(database.db);
  const group = await aGroup(maker, 'Platform', 'mine', []);
  await read(maker, one, other);
  const namesOf = async (...ids: number[]) => [...(await teamsApart(database.db, maker, ids)).names.values()];

  expect(await namesOf(one, other, group)).toEqual(['acme/one', 'acme/other', 'Platform (group)']);
  expect(await namesOf(other)).toEqual(['Platform']);
});

async function areMembers(team: Awaited<ReturnType<typeof teamOf>>, people: number[], at: string) {
  const moment = sql`${new Date(at)}::timestamptz`;
  const { rows } = await sql<{ belongs: boolean }>`
    select ${isMemberAt(team, sql`p.id`, moment)} as belongs from unnest(${people}::int[]) with ordinality p (id, place)
    order by place`.execute(database.db);
  return rows.map(({ belongs }) => belongs);
}

const expand = async (...ids: number[]) =>
  await database.db.transaction().execute((transaction) => expandTeams(transaction, ids));

async function aUser(login: string, host = 'host.test'): Promise<number> {
  const values = { host, host_id: login, login, created_at: now, signed_in_at: now };
  const { id } = await database.db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

async function aPerson(login: string): Promise<number> {
  const values = { host: 'host.test', host_id: login, login, type: 'user', kind: 'human' } as const;
  const { id } = await database.db.insertInto('people').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

async function hostTeam(slug: string): Promise<number> {
  const values = {
    host: 'host.test',
    source: 'host',
    host_id: slug,
    organization_id: '1',
    organisation: 'acme',
  } as const;
  const { id } = await database.db
    .insertInto('teams')
    .values({ ...values, slug, name: slug, visibility: slug === 'open' ? 'visible' : 'secret', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function aGroup(
  user_id: number,
  name: string,
  visibility: 'mine' | 'everyone',
  teams: number[],
): Promise<number> {
  const { id } = await database.db
    .insertInto('teams')
    .values({ host: 'host.test', source: 'own', name, visibility, created_by: user_id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const team_id of teams) await database.db.insertInto('team_parts').values({ group_id: id, team_id }).execute();
  return id;
}

async function member(team_id: number, person_id: number, from: string | null, to: string | null) {
  const date = (text: string | null) => (text === null ? null : new Date(text));
  await database.db
    .insertInto('team_members')
    .values({ team_id, person_id, from: date(from), to: date(to) })
    .execute();
}

async function read(user_id: number, ...teams: number[]) {
  for (const team_id of teams)
    await database.db.insertInto('team_readers').values({ user_id, team_id, checked_at: now }).execute();
}
