import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeGroup } from '#contract/teams.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aUser, HOST } from '../../../test/support/stored.ts';
import { aGroup, aTeam } from '../../../test/support/teams.ts';
import type { OpenDatabase } from '../db/open.ts';
import { savePeople } from '../sync/people.ts';
import { changeGroupOf, type GroupDeps, makeGroupOf } from './groups.ts';
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
