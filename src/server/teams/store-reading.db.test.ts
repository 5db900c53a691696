import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aUser, HOST } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { OrganizationTeam, OrganizationTeams } from '../host/teams.ts';
import { isTeamVisible } from '../metrics/team-people.ts';
import { savePeople } from '../sync/people.ts';
import { storeReading, withholdTeams } from './store-reading.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const at = (minute: number) => new Date(NOW.getTime() - 3_600_000 + minute * 60_000);

let database: OpenDatabase;
let user_id: number;
let grant_id: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('users').execute();
  await db.deleteFrom('teams').execute();
  user_id = await aUser(db, 'octo');
  ({ grant_id } = await grant());
});

async function grant(): Promise<{ grant_id: number }> {
  await database.db.deleteFrom('credentials').where('user_id', '=', user_id).execute();
  const { rows } = await sql<{ grant_id: number }>`
    insert into credentials (user_id, token_encrypted, updated_at) values (${user_id}, 'sealed', ${NOW}) returning grant_id`.execute(
    database.db,
  );
  return rows[0]!;
}

/** A team as the host tells it; members are numbers of accounts. */
const team = (
  slug: string,
  members: readonly number[] | null,
  more: Partial<OrganizationTeam> = {},
): OrganizationTeam => ({
  ...{ id: `id of ${slug}`, slug, handle: `acme/${slug}`, name: slug, secret: false, parent_id: null },
  size: members?.length ?? 200,
  members:
    members?.map((id) => ({ id: String(id), login: `p${id}`, type: 'user', name: null, avatar_url: null })) ?? null,
  ...more,
});

async function read(teams: readonly OrganizationTeam[], minute: number, adding: readonly OrganizationTeam[] = []) {
  const listing: OrganizationTeams = {
    organization: { id: '7', login: 'acme', name: null, avatar_url: null },
    ...{ is_member: true, teams, complete: true },
  };
  const reading = { user: { id: user_id, host: HOST }, grant_id, organization_id: '7', listing, at: at(minute) };
  return await database.db
    .transaction()
    .execute(async (within) =>
      storeReading(within, savePeople, reading, NOW, adding.length > 0 ? { teams: adding, standing: null } : null),
    );
}

const membersNow = async () => {
  const { rows } = await sql<{ slug: string; login: string }>`
    select t.slug, p.login from team_members m join teams t on t.id = m.team_id join people p on p.id = m.person_id
    where m."to" is null order by 1, 2`.execute(database.db);
  return rows.map(({ slug, login }) => `${slug}: ${login}`);
};
/** Of a team and all that it holds. */
const peopleOf = async (slug: string) => {
  const { rows } = await sql<{ login: string }>`
    select p.login from team_people m join teams t on t.id = m.team_id join people p on p.id = m.person_id
    where t.slug = ${slug} order by 1`.execute(database.db);
  return rows.map(({ login }) => login);
};
const seen = async () => {
  const { rows } = await sql<{ slug: string }>`
    select t.slug from teams t where ${isTeamVisible(user_id)} order by 1`.execute(database.db);
  return rows.map(({ slug }) => slug);
};
const parents = async () => {
  const { rows } = await sql<{ slug: string; parent: string | null }>`
    select t.slug, p.slug as parent from teams t left join teams p on p.id = t.parent_id order by 1`.execute(
    database.db,
  );
  return Object.fromEntries(rows.map(({ slug, parent }) => [slug, parent]));
};

it('what a later reading said stands when an earlier one is stored after it', async () => {
  await read([team('red', [1])], 1, [team('red', [1])]);
  await read([team('red', [1, 2], { name: 'Later' })], 30);
  await read([team('red', [])], 20);
  await read([], 20);

  expect(await membersNow()).toEqual(['red: p1', 'red: p2']);
  const { rows } = await sql`select name, missing_since, lost_at from teams join team_readers on team_id = id`.execute(
    database.db,
  );
  expect(rows).toEqual([{ name: 'Later', missing_since: null, lost_at: null }]);
});

it('an earlier reading that is stored after a later one, or after a refusal, shows nobody what those took', async () => {
  const red = team('red', [1]);
  await read([red], 1, [red]);
  await read([], 30);
  await read([red], 20);
  expect(await seen()).toEqual([]);
  await read([red], 31);
  expect(await seen()).toEqual(['red']);

  await read([], 32);
  const refused = { user: { id: user_id, host: HOST }, grant_id, organization_id: null, at: at(50) };
  await database.db.transaction().execute((within) => withholdTeams(within, refused, NOW));
  await read([red], 40);
  expect(await seen()).toEqual([]);
});

it('a team of which not all members were told keeps them, while others are read', async () => {
  await read([team('red', [1]), team('blue', [2])], 1, [team('red', [1]), team('blue', [2])]);
  await read([team('red', null), team('blue', [3])], 2);

  expect(await membersNow()).toEqual(['blue: p3', 'red: p1']);
  const { rows } = await sql`select slug, read_at from teams order by 1`.execute(database.db);
  expect(rows).toEqual([
    { slug: 'blue', read_at: at(2) },
    { slug: 'red', read_at: at(1) },
  ]);
});

it('a list by a token says again of an archived team that its reader had seen it', async () => {
  const both = [team('red', [1]), team('blue', [2])];
  await read(both, 1, both);
  await sql`update teams set archived_at = ${at(2)} where slug = 'red'`.execute(database.db);
  await sql`update team_readers set lost_at = ${at(2)}, withheld = true`.execute(database.db);
  const withheld = await seen();
  await read([team('blue', [2])], 3);

  expect([withheld, await seen()]).toEqual([[], ['blue', 'red']]);
});

it('a token that is not shown the parent leaves it; one that is shown it takes it away', async () => {
  const child = team('child', [1], { parent_id: 'id of top' });
  const top = team('top', [2], { secret: true });
  await read([top, child], 1, [top, child]);
  const { rows: before } = await sql`select person_id from team_people order by team_id, person_id`.execute(
    database.db,
  );
  expect(before).toHaveLength(3);

  await read([team('child', [1])], 2);
  expect(await parents()).toEqual({ child: 'top', top: null });
  await read([top, team('child', [1])], 3);
  expect(await parents()).toEqual({ child: null, top: null });
  const { rows: after } = await sql`select person_id from team_people`.execute(database.db);
  expect(after).toHaveLength(2);
});

it('a visible parent that a complete list lacks holds nothing of what the list names', async () => {
  const all = [team('top', [2]), team('child', [1], { parent_id: 'id of top' })];
  await read(all, 1, all);
  await read([team('child', [1])], 2);

  expect(await parents()).toEqual({ child: null, top: null });
  expect(await peopleOf('top')).toEqual(['p2']);
});

it('what is archived is part of nothing and holds nothing, with who belonged to it when, until it comes back', async () => {
  const [top, part] = [team('top', [1]), team('part', [2], { parent_id: 'id of top' })];
  const held = team('held', [3], { secret: true, parent_id: 'id of part' });
  const all = [top, part, held];
  await read(all, -1400, all);
  await read([top], -1300);
  expect(await peopleOf('top')).toEqual(['p1', 'p2', 'p3']);

  await read([top], -10);
  expect(await parents()).toEqual({ held: null, part: null, top: null });
  expect(await Promise.all(['top', 'part', 'held'].map(peopleOf))).toEqual([['p1'], ['p2'], ['p3']]);
  expect(await membersNow()).toEqual(['held: p3', 'part: p2', 'top: p1']);

  await read(all, 1);
  expect(await parents()).toEqual({ held: 'part', part: 'top', top: null });
  expect(await peopleOf('top')).toEqual(['p1', 'p2', 'p3']);
});

it('what stayed part of another when it was archived is taken out of it by the next reading', async () => {
  const [top, part] = [team('top', [1]), team('part', [2], { parent_id: 'id of top' })];
  await read([top, part], 1, [top, part]);
  await sql`update teams set archived_at = ${at(1)} where slug = 'part'`.execute(database.db);
  await read([top], 2);

  expect(await parents()).toEqual({ part: null, top: null });
  expect(await peopleOf('top')).toEqual(['p1']);
});

it('no team becomes part of itself by what a host says while it moves teams', async () => {
  const all = [team('a', [1], { parent_id: 'id of b' }), team('b', [2], { parent_id: 'id of a' })];
  await read(all, 1, all);

  expect(await parents()).toEqual({ a: 'b', b: null });
});

it('a parent that is not imported is none', async () => {
  const child = team('child', [1], { parent_id: 'id of top' });
  await read([team('top', [2]), child], 1, [child]);

  expect(await parents()).toEqual({ child: null });
});

it('nothing is stored of what was asked with a credential that is no longer the person’s', async () => {
  await read([team('red', [1])], 1, [team('red', [1])]);
  await grant();

  expect(await read([team('red', [2])], 2)).toBeNull();
  expect(await membersNow()).toEqual(['red: p1']);
});

it('what breaks in the middle stores nothing', async () => {
  const red = team('red', [1]);
  await read([red], 1, [red]);
  const before = await membersNow();
  const breaks = async () => {
    throw new Error('broken');
  };
  const reading = {
    ...{ user: { id: user_id, host: HOST }, grant_id, organization_id: '7', at: at(2) },
    listing: {
      ...{ organization: { id: '7', login: 'renamed', name: null, avatar_url: null }, is_member: true, complete: true },
      teams: [team('red', [2], { name: 'Crimson' }), team('blue', [3])],
    },
  };
  const additions = { teams: reading.listing.teams, standing: { with_children: true } };

  await expect(
    database.db.transaction().execute(async (within) => storeReading(within, breaks, reading, NOW, additions)),
  ).rejects.toThrow('broken');
  expect(await membersNow()).toEqual(before);
  const { rows } = await sql`
    select slug, name, organisation, (select count(*)::int from imported_organisations) as standing from teams`.execute(
    database.db,
  );
  expect(rows).toEqual([{ slug: 'red', name: 'red', organisation: 'acme', standing: 0 }]);
});

it('people follow their names, and bots are members without being counted as people', async () => {
  const bot = { id: '9', login: 'builder[bot]', type: 'bot', name: null, avatar_url: null } as const;
  const red = team('red', [1]);
  const withBot = { ...red, members: [...red.members!, bot] };

  expect(await read([withBot], 1, [withBot])).toMatchObject({ people: 1 });
  expect(await membersNow()).toEqual(['red: builder[bot]', 'red: p1']);
});
