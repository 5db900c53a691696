import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { endpoints } from '../../src/contract/endpoints.ts';
import type { ReviewLoadRow } from '../../src/contract/team.ts';
import {
  MOST_MEMBERS,
  type Team,
  type TeamComparison,
  type TeamView,
  type WholeTeam,
} from '../../src/contract/teams.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { explainRoutes } from '../../src/server/explain/routes.ts';
import type { HostAccount } from '../../src/server/host/pull-request.ts';
import { expandTeams } from '../../src/server/metrics/team-people.ts';
import { savePeople } from '../../src/server/sync/people.ts';
import { teamRoutes } from '../../src/server/team/routes.ts';
import { groupRoutes } from '../../src/server/teams/group-routes.ts';
import { MOST_GROUPS } from '../../src/server/teams/groups.ts';
import { trendRoutes } from '../../src/server/trends/routes.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  comments,
  type Happening,
  hour,
  merged,
  pending,
  requestsChanges,
} from '../support/builders.ts';
import { openTestDatabase } from '../support/database.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../support/stored.ts';
import { aTeam, type Membership } from '../support/teams.ts';

/**
 * Ada and Ben read `acme/web`, Ada alone `acme/api`; who takes part in `web` is known to both. Ada's token lists every team, Ben's only
 * what a test says.
 */
const NOW = new Date(hour(24 * 60));
const daysAgo = (days: number) => 24 * (60 - days);
const at = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000).toISOString();

let database: OpenDatabase;
let ada: number;
let ben: number;
let web: number;
let api: number;
/** Accounts that the host shows to whoever asks, by login. */
const atHost = new Map<string, HostAccount>();
const show = (login: string, type: HostAccount['type'] = 'user') =>
  atHost.set(login, { id: login, login, type, name: null, avatar_url: null });
let administrator: number | null = null;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('users').execute();
  await database.db.deleteFrom('teams').execute();
  await database.db.deleteFrom('repositories').execute();
  ada = await aUser(database.db);
  ben = await aUser(database.db);
  web = await aRepository(database.db, 'acme/web', [ada, ben]);
  api = await aRepository(database.db, 'acme/api', [ada]);
  await storeIn(web, aPullRequest({ number: 1, createdAt: hour(daysAgo(9)), author: aPerson('ann') }, pending('bob')));
  await storeIn(web, aPullRequest({ number: 2, createdAt: hour(daysAgo(9)), author: aPerson('eve') }));
  await storeIn(api, aPullRequest({ number: 1, createdAt: hour(daysAgo(9)), author: aPerson('cyd') }));
  atHost.clear();
  show('dot');
  administrator = null;
});

const storeIn = (id: number, ...pulls: Parameters<typeof store>[3][number][]) =>
  store(database.db, id, NOW.getTime(), pulls);

async function personCalled(login: string, kind: 'human' | 'bot' = 'human'): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into people (host, host_id, login, type, kind) values (${HOST}, ${login}, ${login}, 'user', ${kind})
    on conflict (host, host_id) do update set login = excluded.login returning id`.execute(database.db);
  return rows[0]!.id;
}

type Routes = ReturnType<typeof groupRoutes>;
/** Calls as a person, what is sent and what comes back held against the contract. */
async function call<Name extends keyof Routes>(
  name: Name,
  as: number,
  { params = {}, query = {}, body = {} }: { params?: object; query?: object; body?: object } = {},
): Promise<unknown> {
  const routes = groupRoutes(
    { db: database.db },
    {
      db: database.db,
      now: () => NOW,
      administrators: {
        ids: async () => new Set(),
        includes: async ({ id }) => id === administrator,
        require: async () => undefined,
      },
      hostLabel: () => 'GitHub',
      inTurn: (change) => change(),
      forgetPeopleSoon: () => undefined,
      accountAtHost: async (_, login) => atHost.get(login.toLowerCase()) ?? null,
      savePeople,
    },
  );
  const endpoint = endpoints[name] as { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer?: z.ZodType };
  const input = {
    user: { id: as, host: HOST, login: `user-${as}`, time_zone: 'UTC', own_marks: false },
    params: endpoint.params?.parse(params),
    query: endpoint.query?.parse(query),
    body: endpoint.body?.parse(body),
  };
  const answer = await (routes[name] as (input: unknown) => Promise<unknown>)(input);
  return endpoint.answer === undefined ? answer : endpoint.answer.parse(JSON.parse(JSON.stringify(answer)));
}
const list = async (as: number, query = {}) => (await call('listTeams', as, { query })) as Team[];
const open = async (as: number, id: number) => (await call('getTeam', as, { params: { id } })) as WholeTeam;
const make = async (as: number, body: object) => (await call('makeGroup', as, { body })) as WholeTeam;
const change = async (as: number, id: number, body: object) =>
  (await call('changeGroup', as, { params: { id }, body })) as WholeTeam;
const remove = (as: number, id: number) => call('deleteTeam', as, { params: { id } });
const put = async (as: number, id: number, username: string, body: object) =>
  (await call('saveMember', as, { params: { id, username }, body })) as WholeTeam;
const takeOut = (as: number, id: number, username: string) => call('removeMember', as, { params: { id, username } });

const refused = (status: number, message: string | RegExp = /./) => ({
  status,
  message: expect.stringMatching(message),
});
/** Of always, unless days ago are said. */
const since = async (login: string, from: number | null = null, to: number | null = null): Promise<Membership> => ({
  person: await personCalled(login),
  from: from === null ? null : Date.parse(at(from)),
  to: to === null ? null : Date.parse(at(to)),
});
const hostTeam = async (name: string, readers: number[], logins: string[], parent: number | null = null) =>
  await aTeam(database.db, name, readers, await Promise.all(logins.map((login) => since(login))), parent);
const turn = (id: number, visibility: 'secret' | 'visible') =>
  database.db.updateTable('teams').set({ visibility }).where('id', '=', id).execute();
const names = ({ members }: WholeTeam) => members.map(({ username }) => username);
/** All that is stored of teams and people. */
const stored = async () =>
  JSON.stringify(
    await Promise.all(
      ['teams', 'team_parts', 'team_members', 'team_people', 'people'].map(
        async (table) => (await sql`select * from ${sql.table(table)} t order by t::text`.execute(database.db)).rows,
      ),
    ),
  );
/** Something is refused, and nothing is different from before. */
async function refuses(what: () => Promise<unknown>, status: number, message?: string | RegExp): Promise<void> {
  const before = await stored();
  await expect(what()).rejects.toMatchObject(refused(status, message));
  expect(await stored()).toBe(before);
}

describe('a group of one’s own', () => {
  it('is made of people and teams, with who belongs to it by login, when and through what', async () => {
    const team = await hostTeam('Payments', [ada], ['bob', 'eve']);
    const group = await make(ada, {
      name: '  Checkout guild ',
      members: ['ANN', { username: 'eve', from: at(20), to: at(10) }, { username: 'Eve', from: at(5) }],
      teams: [team],
    });

    expect(group).toEqual({
      ...{ id: group.id, source: 'own', handle: null, name: 'Checkout guild', parent_id: null, members_now: 3 },
      ...{ visibility: 'mine', assumed_before: null, read_at: null, stale_since: null, archived_at: null, mine: true },
      ...{ teams: [team], hidden_members: 0, requests: [], requests_total: 0 },
      members: [
        { username: 'ann', from: null, to: null, via: [] },
        // When somebody was in a team of the host is for its members, also where it is a part of something.
        // Who was only asked for a review has no page of their own.
        { username: 'bob', is_contributor: false, via: [team] },
        { username: 'eve', via: [team] },
        { username: 'eve', from: at(20), to: at(10), via: [] },
        { username: 'eve', from: at(5), to: null, via: [] },
      ].map((member) => ({ display_name: null, avatar_url: null, is_contributor: true, ...member })),
    });
    expect(await open(ada, group.id)).toEqual(group);
    expect((await list(ada)).map(({ name, members_now }) => [name, members_now])).toEqual([
      ['Checkout guild', 3],
      ['Payments', 2],
    ]);
  });

  it('changes by what is said, and what is left out stays', async () => {
    const team = await hostTeam('Payments', [ada], ['bob']);
    const { id } = await make(ada, { name: 'One', members: ['ann'], teams: [team] });

    expect(names(await change(ada, id, { name: 'Two' }))).toEqual(['ann', 'bob']);
    expect(await change(ada, id, { members: ['eve'] })).toMatchObject({ name: 'Two', teams: [team] });
    expect(names(await change(ada, id, { teams: [] }))).toEqual(['eve']);
    expect(names(await change(ada, id, {}))).toEqual(['eve']);
    expect(await change(ada, id, { visibility: 'everyone' })).toMatchObject({ visibility: 'everyone', mine: true });
    await remove(ada, id);
    await expect(open(ada, id)).rejects.toMatchObject(refused(404, 'Team not found'));
    const { rows } = await sql`select 1 from team_people where team_id = ${id}`.execute(database.db);
    expect(rows).toEqual([]);
  });

  it('is taken out of what held it when it is deleted', async () => {
    const inner = await make(ada, { name: 'Inner', members: ['ann'] });
    const outer = await make(ada, { name: 'Outer', members: ['bob'], teams: [inner.id] });
    expect(outer.members_now).toBe(2);
    await remove(ada, inner.id);

    expect(await open(ada, outer.id)).toMatchObject({ members_now: 1, teams: [] });
    const { rows } = await sql`select person_id from team_people where team_id = ${outer.id}`.execute(database.db);
    expect(rows).toEqual([{ person_id: await personCalled('bob') }]);
  });

  it('says when each of its people is a member, in periods that are apart', async () => {
    const { id } = await make(ada, { name: 'One', members: ['ann'] });
    const periods = [
      { from: null, to: at(30) },
      { from: at(30), to: at(20) },
      { from: at(10), to: null },
    ];

    expect((await put(ada, id, 'Ann', { periods })).members.map(({ from, to }) => ({ from, to }))).toEqual(periods);
    expect((await put(ada, id, 'ann', { from: at(3), to: null })).members).toMatchObject([{ from: at(3), to: null }]);
    expect(await put(ada, id, 'bob', { to: at(-0.9) })).toMatchObject({ members_now: 2 });
    await takeOut(ada, id, 'ANN');
    expect(names(await open(ada, id))).toEqual(['bob']);

    await refuses(() => takeOut(ada, id, 'ann'), 404, 'No member called ann');
    const saving =
      (...given: object[]) =>
      () =>
        put(ada, id, 'bob', { periods: given });
    await refuses(saving({ from: at(2), to: at(2) }), 400, 'from must be before to');
    await refuses(saving({ from: at(1), to: at(2) }), 400, 'from must be before to');
    await refuses(saving({ from: at(-1.1), to: null }), 400, 'more than a day ahead');
    await refuses(saving({ from: at(9), to: at(5) }, { from: at(6), to: null }), 400, 'must not overlap');
    await refuses(saving({ from: at(9), to: null }, { from: at(6), to: null }), 400, 'must not overlap');
    await refuses(saving({ from: at(6), to: null }, { from: at(9), to: at(7) }), 400, 'sorted');
    await refuses(() => put(ada, id, 'nobody', { from: null }), 400, 'We know nobody called nobody');
    const shape = (body: object) => endpoints.saveMember.body.safeParse(body).success;
    for (const body of [{}, { periods: [] }, { periods, from: null }, { from: 'yesterday' }, { from: '2026-01-01' }])
      expect(shape(body), JSON.stringify(body)).toBe(false);
    expect(shape({ periods: Array(21).fill({ from: null, to: null }) })).toBe(false);
  });

  it('has a name of its own among those of its maker, whoever else has one of that name', async () => {
    await make(ada, { name: 'Ärzte' });
    const other = await make(ada, { name: 'Other' });
    await make(ben, { name: 'ärzte', visibility: 'everyone' });

    await refuses(() => make(ada, { name: ' äRZTE ' }), 409, 'There is a group called Ärzte already.');
    await refuses(() => change(ada, other.id, { name: 'ärzte' }), 409);
    expect(await change(ada, other.id, { name: 'OTHER' })).toMatchObject({ name: 'OTHER' });
    const shape = (name: unknown) => endpoints.makeGroup.body.safeParse({ name }).success;
    expect([' ', 'x'.repeat(81), '🙂'.repeat(80), undefined].map(shape)).toEqual([false, false, true, false]);
  });

  it('holds people whom its maker can know: of their own repositories, or whom the host shows them', async () => {
    await refuses(() => make(ben, { name: 'One', members: ['cyd'] }), 400, 'We know nobody called cyd');
    show('newcomer');
    await refuses(() => make(ada, { name: 'One', members: ['newcomer', 'who'] }), 400, 'We know nobody called who');
    expect(names(await make(ada, { name: 'One', members: ['cyd'] }))).toEqual(['cyd']);
    // Whom the host shows is a member, and has no name here until they do something in what one reads.
    expect(await make(ben, { name: 'One', members: ['Dot'] })).toMatchObject({
      ...{ members: [], hidden_members: 1, members_now: 1 },
    });
    show('robot', 'bot');
    await refuses(() => make(ada, { name: 'Two', members: ['newcomer', 'robot'] }), 400, 'robot is not a person');
    await refuses(() => make(ada, { name: 'one', members: ['newcomer'] }), 409);
  });

  it('keeps members whom whoever replaces them is not named, unless the request names them', async () => {
    const { id } = await make(ben, { name: 'One', members: ['ann', 'Dot'] });

    expect(await change(ben, id, { members: ['bob'] })).toMatchObject({
      ...{ members: [{ username: 'bob' }], hidden_members: 1, members_now: 2 },
    });
    await change(ben, id, { members: [{ username: 'dot', from: at(9), to: at(5) }] });
    const { rows } = await sql`
      select p.login, m."from", m."to" from team_members m join people p on p.id = m.person_id
      where m.team_id = ${id}`.execute(database.db);
    expect(rows).toEqual([{ login: expect.stringMatching(/^dot$/i), from: new Date(at(9)), to: new Date(at(5)) }]);
    expect(await change(ben, id, { members: [] })).toMatchObject({ members: [], hidden_members: 0 });
    await takeOut(ben, id, 'dot');
    await refuses(() => takeOut(ben, id, 'dot'), 404);
  });

  it('holds no organisation, whether the host shows it or it takes part in a repository of its maker', async () => {
    const group = await make(ada, { name: 'One' });
    const unknown = () => refuses(() => put(ada, group.id, 'cyd', { from: null }), 400, 'We know nobody called cyd');
    await sql`update people set type = 'organization' where login = 'cyd'`.execute(database.db);
    show('cyd', 'organization');
    await unknown();
    await refuses(() => make(ada, { name: 'Two', members: ['cyd'] }), 400, 'We know nobody called cyd');
    show('newcomer', 'organization');
    await refuses(() => make(ada, { name: 'Two', members: ['newcomer'] }), 400, 'We know nobody called newcomer');
  });

  it('holds no team that its maker does not see', async () => {
    const team = await hostTeam('Hidden', [ada], ['ann']);
    const own = await make(ada, { name: 'Own' });
    const theirs = await make(ben, { name: 'Theirs' });

    for (const id of [team, own.id, 2_147_483_647]) {
      await refuses(() => make(ben, { name: 'One', teams: [id] }), 404, 'Team not found');
      await refuses(() => change(ben, theirs.id, { teams: [id] }), 404, 'Team not found');
    }
  });

  it('never becomes part of itself, by whatever way', async () => {
    const [parent, child] = [await hostTeam('Parent', [ada], ['bob']), await hostTeam('Child', [ada], ['eve'])];
    await sql`update teams set parent_id = ${parent} where id = ${child}`.execute(database.db);
    await database.db.transaction().execute((within) => expandTeams(within, [child]));
    const [a, b] = [await make(ada, { name: 'A', teams: [parent] }), await make(ada, { name: 'B' })];
    await change(ada, b.id, { teams: [a.id] });
    const c = await make(ada, { name: 'C', teams: [b.id, child] });
    // By two ways, once.
    expect(c).toMatchObject({ members_now: 2 });

    for (const teams of [[a.id], [b.id], [c.id], [child, c.id]])
      await refuses(() => change(ada, a.id, { teams }), 409, /^That would make A part of itself$/);
    await change(ada, b.id, { teams: [] });
    expect(await change(ada, a.id, { teams: [b.id] })).toMatchObject({ teams: [b.id] });
  });

  it('never becomes part of itself by two changes at once', async () => {
    const [a, b] = [await make(ada, { name: 'A' }), await make(ada, { name: 'B' })];
    const results = await Promise.allSettled([
      change(ada, a.id, { teams: [b.id] }),
      change(ada, b.id, { teams: [a.id] }),
    ]);

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409 } });
  });

  it(`is one of ${MOST_GROUPS} at most, however many are made at once, and has ${MOST_MEMBERS} members at most`, async () => {
    const row = { host: HOST, source: 'own' as const, visibility: 'mine' as const, created_by: ada, created_at: NOW };
    await database.db
      .insertInto('teams')
      .values(Array.from({ length: MOST_GROUPS - 1 }, (_, one) => ({ ...row, name: `Group ${one}` })))
      .execute();
    const made = await Promise.allSettled(['x', 'y', 'z'].map((name) => make(ada, { name })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await refuses(() => make(ada, { name: 'More' }), 409, /^That is more than 100 groups\.$/);

    const logins = Array.from({ length: MOST_MEMBERS + 1 }, (_, one) => `one-of-many-${one}`);
    const { rows } = await sql<{ login: string; id: number }>`
      insert into people (host, host_id, login, type, kind)
      select ${HOST}, login, login, 'user', 'human' from unnest(${logins}::text[]) login
      on conflict (host, host_id) do update set login = excluded.login returning login, id`.execute(database.db);
    for (const { login } of rows) show(login);
    await refuses(() => make(ben, { name: 'One', members: logins }), 409, /^That is more than 500 members\.$/);
    const { id } = await make(ben, { name: 'One', members: logins.slice(0, MOST_MEMBERS - 1) });
    const added = await Promise.allSettled(
      [logins.at(-1)!, logins.at(-2)!].map((login) => put(ben, id, login, { from: null })),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await refuses(() => put(ben, id, 'ann', { from: null }), 409, /^That is more than 500 members\.$/);
    expect(await open(ben, id)).toMatchObject({ members_now: MOST_MEMBERS });
  });
});

describe('who sees and changes what', () => {
  it('nobody sees what is somebody’s own; what is for everyone is seen by all and changed by its maker and administrators', async () => {
    const own = await make(ada, { name: 'Own', members: ['ann'] });
    const all = await make(ada, { name: 'All', members: ['ann'], visibility: 'everyone' });

    expect((await list(ben)).map(({ name, mine }) => [name, mine])).toEqual([['All', false]]);
    const changes = (id: number) => [
      () => change(ben, id, { name: 'x' }),
      () => put(ben, id, 'ann', { from: null }),
      () => takeOut(ben, id, 'ann'),
      () => remove(ben, id),
    ];
    for (const what of changes(own.id)) await refuses(what, 404, 'Team not found');
    for (const what of changes(all.id)) await refuses(what, 403, 'administrators can change it');
    administrator = ben;
    for (const what of changes(own.id)) await refuses(what, 404, 'Team not found');
    expect(await change(ben, all.id, { name: 'Ours' })).toMatchObject({ name: 'Ours', mine: false });
    await refuses(() => change(ben, all.id, { visibility: 'mine' }), 403);
    await takeOut(ben, all.id, 'ann');
    await remove(ben, all.id);
    expect((await list(ada)).map(({ name }) => name)).toEqual(['Own']);
  });

  it('memberships of a team of the host are the host’s', async () => {
    const team = await hostTeam('Payments', [ada], ['ann']);
    const message = 'Memberships of Payments come from GitHub.';
    await refuses(() => put(ada, team, 'bob', { from: null }), 409, message);
    await refuses(() => takeOut(ada, team, 'ann'), 409, message);
    await refuses(() => change(ada, team, { name: 'x' }), 409, message);
    await refuses(() => put(ben, team, 'bob', { from: null }), 404);
  });

  it('a group for everyone takes nothing that others may not see, and lets go of what turns secret for those who may not', async () => {
    const [open1, closed] = [await hostTeam('Open', [ada, ben], ['ann']), await hostTeam('Closed', [ada], ['bob'])];
    await turn(closed, 'secret');
    const own = await make(ada, { name: 'Own', members: ['eve'] });
    const all = await make(ada, { name: 'All', members: [], teams: [open1], visibility: 'everyone' });

    for (const [id, name] of [
      [closed, 'Closed'],
      [own.id, 'Own'],
    ] as const) {
      const message = new RegExp(`^Others may not see ${name}\\.$`);
      await refuses(() => make(ada, { name: 'x', teams: [id], visibility: 'everyone' }), 409, message);
      await refuses(() => change(ada, all.id, { teams: [open1, id] }), 409, message);
      const mine = await make(ada, { name: `Mine ${name}`, teams: [id] });
      await refuses(() => change(ada, mine.id, { visibility: 'everyone' }), 409, message);
      await change(ada, mine.id, { teams: [] });
      await refuses(() => change(ada, mine.id, { visibility: 'everyone', teams: [id] }), 409, message);
      expect(await change(ada, mine.id, { visibility: 'everyone' })).toMatchObject({ visibility: 'everyone' });
    }

    await turn(closed, 'visible');
    await change(ada, all.id, { teams: [open1, closed] });
    await turn(closed, 'secret');
    expect(await open(ada, all.id)).toMatchObject({ teams: [open1, closed], members_now: 2 });
    const seen = await open(ben, all.id);
    expect(seen).toMatchObject({ teams: [open1], members_now: 1, hidden_members: 0 });
    expect(seen.members).toEqual([
      { username: 'ann', display_name: null, avatar_url: null, is_contributor: true, via: [open1] },
    ]);
    expect((await list(ben)).find(({ id }) => id === all.id)).toMatchObject({ members_now: 1 });
    // Its maker may change the rest of it, and take it along as it is.
    expect(await change(ada, all.id, { name: 'Renamed', teams: [closed] })).toMatchObject({ teams: [closed] });
  });

  it('somebody who is a member by a hidden team and by a visible one is there by the visible one alone', async () => {
    const [open1, closed] = [
      await hostTeam('Open', [ada, ben], ['ann']),
      await hostTeam('Closed', [ada], ['ann', 'bob']),
    ];
    const group = await make(ada, { name: 'All', teams: [open1, closed], visibility: 'everyone' });

    expect((await open(ada, group.id)).members).toMatchObject([
      { username: 'ann', via: [open1, closed] },
      { username: 'bob', via: [closed] },
    ]);
    expect((await open(ben, group.id)).members).toEqual([
      { username: 'ann', display_name: null, avatar_url: null, is_contributor: true, via: [open1] },
    ]);
  });

  it('names nobody who appears in no repository of the reader, and counts them', async () => {
    const team = await hostTeam('Team', [ada, ben], ['ann', 'cyd', 'dot']);
    const left = { person_id: await personCalled('fay'), from: null, to: new Date(at(9)) };
    await database.db
      .insertInto('team_members')
      .values({ team_id: team, ...left })
      .execute();

    expect(await open(ada, team)).toMatchObject({ members_now: 3, hidden_members: 1 });
    expect(names(await open(ada, team))).toEqual(['ann', 'cyd']);
    expect(await open(ben, team)).toMatchObject({ members_now: 3, hidden_members: 2 });
    expect(names(await open(ben, team))).toEqual(['ann']);
    await aConnection(database.db, ben, api);
    expect(names(await open(ben, team))).toEqual(['ann', 'cyd']);
    expect(await list(ben)).toMatchObject([{ members_now: 3 }]);
  });

  it('tells when somebody was a member to members now, the maker of a group and administrators; others read who is one now', async () => {
    const team = await aTeam(
      database.db,
      'Team',
      [ada, ben],
      [await since('ann', 20, 10), await since('ann', 5), await since('bob', 20, 10), await since('eve', 30)],
    );
    const without = (await open(ben, team)).members;
    expect(without).toEqual([
      { username: 'ann', display_name: null, avatar_url: null, is_contributor: true, via: [] },
      { username: 'eve', display_name: null, avatar_url: null, is_contributor: true, via: [] },
    ]);
    const all = [
      ['ann', at(20), at(10)],
      ['ann', at(5), null],
      ['bob', at(20), at(10)],
      ['eve', at(30), null],
    ];
    const told = async (as: number) =>
      (await open(as, team)).members.map(({ username, from, to }) => [username, from, to]);
    administrator = ben;
    expect(await told(ben)).toEqual(all);
    administrator = null;

    const { host_id } = await database.db
      .selectFrom('users')
      .select('host_id')
      .where('id', '=', ben)
      .executeTakeFirstOrThrow();
    const himself = await personCalled(host_id);
    const joins = (from: Date | null, to: Date | null) =>
      database.db.insertInto('team_members').values({ team_id: team, person_id: himself, from, to }).execute();
    await joins(null, new Date(at(1)));
    expect((await open(ben, team)).members).toEqual(without);
    await joins(new Date(at(1)), null);
    expect((await told(ben)).slice(0, 4)).toEqual(all);
    const group = await make(ada, { name: 'All', members: [{ username: 'ann', from: at(3) }], visibility: 'everyone' });
    expect(group.members[0]).toMatchObject({ from: at(3) });
    expect((await open(ben, group.id)).members[0]).not.toHaveProperty('from');
  });

  it('archived teams are listed when they are asked for, and answer as before', async () => {
    const [gone, parent] = [await hostTeam('B gone', [ada], ['ann']), await hostTeam('c parent', [ada], ['ann'])];
    const child = await hostTeam('A child', [ada, ben], ['ann'], parent);
    await database.db.updateTable('teams').set({ archived_at: NOW }).where('id', '=', gone).execute();

    expect((await list(ada)).map(({ id, parent_id }) => [id, parent_id])).toEqual([
      [child, parent],
      [parent, null],
    ]);
    expect((await list(ada, { all: 'true' })).map(({ id }) => id)).toEqual([child, gone, parent]);
    expect(await open(ada, gone)).toMatchObject({ archived_at: NOW.toISOString(), handle: 'acme/b gone' });
    // A parent that one does not see is none.
    expect(await list(ben)).toMatchObject([{ id: child, parent_id: null }]);
  });

  it('one whose parent is archived is compared with those that are part of none', async () => {
    const parent = await hostTeam('Parent', [ada], ['ann']);
    await hostTeam('Child', [ada], ['bob'], parent);
    await hostTeam('Other', [ada], ['eve']);
    await database.db.updateTable('teams').set({ archived_at: NOW }).where('id', '=', parent).execute();
    const query = endpoints.compareTeams.query.parse({});

    const { rows } = (await call('compareTeams', ada, { query })) as TeamComparison;
    expect(rows.map(({ key, team }) => team?.name ?? key)).toEqual(['Child', 'Other', 'none', 'scope']);
  });
});

describe('what is asked of a team', () => {
  it('are outstanding requests to it and what it holds, on no draft, the oldest first', async () => {
    const parent = await hostTeam('Core', [ada, ben], ['ann']);
    const child = await hostTeam('Inner', [ada], ['bob'], parent);
    const asked = (number: number, days: number, handle: string, more: object = {}) =>
      aPullRequest({ number, createdAt: hour(daysAgo(days)), ...more }, pending(handle));
    await storeIn(
      web,
      asked(11, 4, '@acme/core'),
      asked(12, 6, '@acme/inner'),
      asked(13, 5, '@acme/core', { draft: true }),
      asked(14, 5, '@acme/other'),
      aPullRequest({ number: 15, createdAt: hour(daysAgo(7)) }, pending('@acme/core'), merged(daysAgo(1))),
    );
    await storeIn(api, asked(16, 8, '@acme/core'));
    const told = async (as: number, id = parent) => {
      const { requests, requests_total } = await open(as, id);
      return [requests_total, requests.map(({ repo_name, pr_number, team }) => `${repo_name} ${pr_number} ${team}`)];
    };

    expect(await told(ada)).toEqual([3, ['api 16 acme/core', 'web 12 acme/inner', 'web 11 acme/core']]);
    // What is asked of a part that one does not see is not told of this team.
    expect(await told(ben)).toEqual([1, ['web 11 acme/core']]);
    // One that had the same address and is gone is asked nothing.
    const gone = await hostTeam('core', [ada, ben], ['cyd']);
    await database.db.updateTable('teams').set({ archived_at: NOW }).where('id', '=', gone).execute();
    const { id: both } = await make(ben, { name: 'Both', visibility: 'mine', teams: [parent, gone], members: [] });
    expect([await told(ben, both), await told(ben, gone)]).toEqual([
      [1, ['web 11 acme/core']],
      [0, []],
    ]);
    expect((await open(ada, child)).requests).toEqual([
      {
        ...{ repo_owner: 'acme', repo_name: 'web', pr_number: 12, title: 'Pull request 12' },
        ...{ asked_at: new Date(hour(daysAgo(6))).toISOString(), team: 'acme/inner' },
      },
    ]);
  });
});

describe('the view of a team', () => {
  const view = async (as: number, id: number, query = {}) =>
    (await call('getTeamView', as, { params: { id }, query })) as TeamView;

  it('tells of whom its open pull requests wait, how long at most, and on which nobody is asked', async () => {
    const team = await hostTeam('Core', [ada], ['mia']);
    const mia = (number: number, days: number, ...more: Happening[]) =>
      aPullRequest({ number, createdAt: hour(daysAgo(days)), author: aPerson('mia') }, ...more);
    await storeIn(
      web,
      mia(21, 9),
      mia(22, 8, pending('bob')),
      mia(23, 7, pending('@acme/else')),
      mia(24, 6, requestsChanges(daysAgo(5), 'bob')),
      mia(25, 5, approves(daysAgo(4), 'bob')),
      mia(26, 5, approves(daysAgo(2), 'bob')),
      mia(27, 4, pending('bot-x')),
      aPullRequest({ number: 28, createdAt: hour(daysAgo(3)), author: aPerson('bot-y') }, pending('@acme/core')),
    );
    const told = await view(ada, team);

    expect(told.open).toBe(7);
    expect(told.waits).toEqual([
      { on: 'reviewers', count: 2, longest_hours: 8 * 24 },
      { on: 'author', count: 1, longest_hours: 5 * 24 },
      { on: 'merge', count: 2, longest_hours: 4 * 24 },
      { on: 'nobody', count: 2, longest_hours: 9 * 24 },
    ]);
    expect(told.ready_to_merge).toMatchObject({ total: 2, items: [{ pr_number: 25 }, { pr_number: 26 }] });
    expect(told.nobody_asked).toMatchObject({
      total: 2,
      items: [
        { pr_number: 21, author: 'mia', author_kind: 'human', since: at(9), waited_hours: 216 },
        { pr_number: 27 },
      ],
    });
    expect(told.requests).toMatchObject({ total: 1, items: [{ author: 'bot-y', author_kind: 'bot' }] });
    expect(await view(ada, team, { repository: String(api) })).toMatchObject({ open: 0, nobody_asked: { total: 0 } });
    await expect(view(ben, team)).rejects.toMatchObject(refused(404, 'Team not found'));
  });

  it('tells which reviews came from outside, and which went there', async () => {
    const team = await hostTeam('Core', [ada], ['mia', 'max']);
    const by = (login: string, number: number) => ({ number, createdAt: hour(daysAgo(9)), author: aPerson(login) });
    await storeIn(
      web,
      aPullRequest(
        by('mia', 31),
        approves(daysAgo(8), 'max'),
        comments(daysAgo(7), 'bob'),
        comments(daysAgo(6), 'eve'),
      ),
      aPullRequest(by('eve', 32), approves(daysAgo(8), 'max'), approves(daysAgo(7), 'bob')),
      aPullRequest(by('bot-y', 33), approves(daysAgo(8), 'mia')),
    );

    expect(await view(ada, team)).toMatchObject({
      from_outside: { value: 2 / 3, reviews: 2, n: 3 },
      to_outside: { value: 1 / 2, reviews: 1, n: 2 },
    });
    expect(await view(ada, team, { from: at(6.5) })).toMatchObject({
      from_outside: { value: 1, reviews: 1, n: 1 },
      to_outside: { value: null, reviews: 0, n: 0 },
    });
    const signedIn = { id: ada, host: HOST, login: 'ada', time_zone: 'UTC', own_marks: false };
    const context = { db: database.db, now: () => NOW };
    const behind = async (metric: string, query: object) =>
      await explainRoutes(context).explainMetric({
        ...{ user: signedIn, params: { metric } },
        query: endpoints.explainMetric.query.parse({ team, ...query }),
      } as never);
    expect(await behind('team.from_outside', {})).toMatchObject({
      ...{ name: 'From outside', value: 2 / 3, n: 3, total: 3 },
      items: [
        { pr_number: 31, value: 1 },
        { pr_number: 31, value: 1 },
        { pr_number: 31, value: 0 },
      ],
    });
    expect(await behind('team.to_outside', { team_as: 'reviewer' })).toMatchObject({ value: 1 / 2, n: 2 });
    // Without a team everybody is in it.
    expect(await behind('team.from_outside', { team: undefined })).toMatchObject({ value: 0, n: 5 });
    expect(await behind('team.to_outside', { team: undefined })).toMatchObject({ value: 0, n: 5 });
    const { items } = await trendRoutes(context).getTrends({
      user: signedIn,
      query: endpoints.getTrends.query.parse({
        ...{
          figure: 'from_outside,to_outside',
          team: String(team),
          bucket: 'whole',
          from: at(30),
          split: 'repository',
        },
      }),
    } as never);
    expect(items.map(({ lines }) => lines.map(({ key, points }) => ({ key, points })))).toEqual([
      [{ key: String(web), points: [{ value: 2 / 3, n: 3 }] }],
      [{ key: String(web), points: [{ value: 1 / 2, n: 2 }] }],
    ]);
  });
});

describe('figures of a team', () => {
  const signedIn = () => ({ id: ada, host: HOST, login: 'ada', time_zone: 'UTC', own_marks: false });
  const context = () => ({ db: database.db, now: () => NOW });
  const load = async (query: object) =>
    (await teamRoutes(context()).listReviewLoad({
      ...{ user: signedIn(), query: endpoints.listReviewLoad.query.parse(query) },
    } as never)) as ReviewLoadRow[];
  const explained = async (metric: string, query: object, as = ada) =>
    await explainRoutes(context()).explainMetric({
      ...{ user: { ...signedIn(), id: as }, params: { metric }, query: endpoints.explainMetric.query.parse(query) },
    } as never);

  it('have what is asked of a member now, also of a window before they were one', async () => {
    const team = await aTeam(database.db, 'Core', [ada], [await since('eve'), await since('bob', 2)]);
    const past = { team, from: at(30), to: at(20) };

    const rows = (await load(past)).map(({ reviewer, outstanding_reviews }) => [reviewer, outstanding_reviews]);
    expect(rows).toEqual([['bob', 1]]);
    expect(await explained('team.outstanding_reviews', past)).toMatchObject({ value: 1, total: 1 });
  });

  it('count no bot among its members, also where bots are listed', async () => {
    const bot = { person: await personCalled('bot-x', 'bot'), from: null, to: null };
    const team = await aTeam(database.db, 'Core', [ada], [bot, await since('bob')]);
    const changes = [requestsChanges(daysAgo(3), 'bot-x'), requestsChanges(daysAgo(2), 'bob')];
    await storeIn(web, aPullRequest({ number: 41, createdAt: hour(daysAgo(4)), author: aPerson('eve') }, ...changes));
    const query = { team, accounts: 'all' };

    const rows = (await load(query)).map(({ reviewer, complex_reviews }) => [reviewer, complex_reviews]);
    expect(rows).toEqual([['bob', 1]]);
    expect(await explained('team.complex_reviews', query)).toMatchObject({ value: 1, total: 1 });
    expect(await explained('team.active_reviewers', query)).toMatchObject({ value: 1 });
  });
});

it('a figure of somebody in a repository where they did nothing is explained, as it is told', async () => {
  const asked = async (as: number) =>
    await explainRoutes({ db: database.db, now: () => NOW }).explainMetric({
      user: { id: as, host: HOST, login: 'ada', time_zone: 'UTC', own_marks: false },
      params: { metric: 'contributor.total_prs_opened' },
      query: endpoints.explainMetric.query.parse({ username: 'cyd', repository: String(web) }),
    } as never);

  expect(await asked(ada)).toMatchObject({ value: 0, n: 0, items: [] });
  await expect(asked(ben)).rejects.toMatchObject(refused(404, 'Nobody called cyd takes part'));
});
