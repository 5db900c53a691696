import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST } from '../../../test/support/stored.ts';
import { aTeam } from '../../../test/support/teams.ts';
import type { PersonalClient } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { HostError } from '../host/errors.ts';
import type { HostRepository } from '../host/repository.ts';
import type { OrganizationTeam, OrganizationTeams } from '../host/teams.ts';
import { isTeamVisible } from '../metrics/team-people.ts';
import { savePeople } from '../sync/people.ts';
import { availableTeams } from './available.ts';
import { importHostTeams } from './import.ts';
import { listTeams, type TeamDeps } from './reading.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const listing = (id: string, login: string): OrganizationTeams => ({
  organization: { id, login, name: null, avatar_url: null },
  ...{ is_member: true, teams: [], complete: true },
});
let user: { id: number; host: string };
let asked: string[];
beforeEach(async () => {
  user = { id: await aUser(database.db), host: HOST };
  const repository_id = await aRepository(database.db, 'acme/web', [user.id]);
  await sql`update repositories set owner_id = '7' where id = ${repository_id}`.execute(database.db);
  asked = [];
});

/** A host on which these organisations are, by name, and whose repository's owner is called so now. */
const clientOf = (organizations: Record<string, OrganizationTeams>, owner: { login: string; id: string } | HostError) =>
  ({
    grant_id: 1,
    client: {
      organizationTeams: async (login: string) => {
        asked.push(login);
        return organizations[login] ?? null;
      },
      repositoryById: async () => {
        if (owner instanceof HostError) throw owner;
        return { owner: owner.login, owner_id: owner.id } as HostRepository;
      },
    },
  }) as unknown as PersonalClient;
const list = (client: PersonalClient) =>
  listTeams({ db: database.db, now: () => new Date() }, client, user, { id: '7', login: 'acme' }, () => true);

it('an organisation that was renamed is found by a repository of its, whoever has its name now', async () => {
  const renamed = { acme: listing('9', 'acme'), 'acme-corp': listing('7', 'acme-corp') };

  expect(await list(clientOf(renamed, { login: 'acme-corp', id: '7' }))).toEqual(renamed['acme-corp']);
  expect(asked).toEqual(['acme', 'acme-corp']);
  expect(await list(clientOf({ acme: listing('7', 'acme') }, new HostError('not_found', 'not asked')))).not.toBeNull();
});

it('one that was renamed is listed by a name by which its teams are imported', async () => {
  const { grant_id } = await database.db
    .selectFrom('credentials')
    .select('grant_id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const core: OrganizationTeam = {
    ...{ id: '70', slug: 'core', handle: 'acme-corp/core', name: 'Core', secret: false, parent_id: null },
    ...{ size: 0, members: [] },
  };
  const host = clientOf(
    { 'acme-corp': { ...listing('7', 'acme-corp'), teams: [core] } },
    { login: 'acme-corp', id: '7' },
  );
  const deps: TeamDeps = {
    ...{ db: database.db, savePeople, now: () => new Date(), hostLabel: () => 'GitHub' },
    ...{ clientFor: async () => ({ ...host, grant_id }), rejectToken: async () => false, failed: () => undefined },
  };
  const [organization] = (await availableTeams(deps, new Map(), user)).organisations;
  const all = { organisation: organization!.login, all: true as const, with_children: true };

  expect(await importHostTeams(deps, user, all)).toMatchObject({ imported: 1, teams: [{ handle: 'acme-corp/core' }] });
});

it('one that is nowhere is nobody’s, and a host that fails says nothing', async () => {
  expect(await list(clientOf({}, { login: 'somebody', id: '8' }))).toBeNull();
  expect(await list(clientOf({ acme: listing('9', 'acme') }, new HostError('not_found', 'gone')))).toBeNull();
  await expect(list(clientOf({}, new HostError('unavailable', 'away')))).rejects.toMatchObject({ kind: 'unavailable' });
});

describe('a token to which the host refuses the teams', () => {
  const AT = new Date('2026-03-01T12:00:00Z');
  const [readScope, readMembers] = [{ scope: 'read:org' }, { scope: 'members:read' }];
  let grant_id: number;
  let ours: number;
  beforeEach(async () => {
    await database.db.deleteFrom('teams').execute();
    ours = await aTeam(database.db, 'ours', [user.id], []);
    await aTeam(database.db, 'others', [user.id], []);
    await sql`update teams set organization_id = case when id = ${ours} then '7' else '9' end`.execute(database.db);
    ({ grant_id } = await database.db
      .selectFrom('credentials')
      .select('grant_id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow());
  });

  const refusing = (error: HostError) =>
    ({ grant_id, client: { organizationTeams: () => Promise.reject(error) } }) as unknown as PersonalClient;
  const read = async (error: HostError, now = () => AT) =>
    await listTeams({ db: database.db, now }, refusing(error), user, { id: '7', login: 'acme' }, () => true).catch(
      (thrown: unknown) => thrown,
    );
  const seen = async (viewer = user.id) => {
    const teams = await sql<{ id: number }>`select t.id from teams t where ${isTeamVisible(viewer)}`.execute(
      database.db,
    );
    return teams.rows.map(({ id }) => (id === ours ? 'ours' : 'others')).sort();
  };

  it.each([
    ['missing_scope', readScope, []],
    ['missing_scope', readMembers, ['others']],
    ['forbidden', {}, ['others']],
    ['sso_required', {}, ['others']],
    ['blocked', {}, ['others']],
    ['not_found', {}, ['others', 'ours']],
    ['unauthorized', {}, ['others', 'ours']],
    ['rate_limited', {}, ['others', 'ours']],
    ['secondary_limit', {}, ['others', 'ours']],
    ['unavailable', {}, ['others', 'ours']],
    ['too_heavy', {}, ['others', 'ours']],
    ['protocol', {}, ['others', 'ours']],
  ] as const)('with %s %j leaves its person %j', async (kind, details, left) => {
    const error = new HostError(kind, 'no', details);

    expect(await read(error)).toBe(error);
    expect(await seen()).toEqual(left);
  });

  it('leaves others what they see, and hides an archived team, too', async () => {
    const colleague = await aUser(database.db);
    await sql`insert into team_readers (user_id, team_id, checked_at) values (${colleague}, ${ours}, ${AT})`.execute(
      database.db,
    );
    await sql`update teams set archived_at = ${AT}`.execute(database.db);
    await read(new HostError('forbidden', 'no'));

    expect([await seen(), await seen(colleague)]).toEqual([['others'], ['ours']]);
  });

  it('takes nothing where a list was read after it was asked, or another token is stored meanwhile', async () => {
    const moments = [new Date(AT.getTime() - 2000), AT];
    await sql`insert into team_readings values (${user.id}, '7', ${new Date(AT.getTime() - 1000)})`.execute(
      database.db,
    );
    await read(new HostError('forbidden', 'no'), () => moments.shift()!);
    expect(await seen()).toEqual(['others', 'ours']);

    await sql`update credentials set grant_id = nextval('grants') where user_id = ${user.id}`.execute(database.db);
    await read(new HostError('forbidden', 'no'));
    expect(await seen()).toEqual(['others', 'ours']);
  });
});
