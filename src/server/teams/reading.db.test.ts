import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST } from '../../../test/support/stored.ts';
import type { PersonalClient } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { HostError } from '../host/errors.ts';
import type { HostRepository } from '../host/repository.ts';
import type { OrganizationTeams } from '../host/teams.ts';
import { listTeams } from './reading.ts';

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
  listTeams({ db: database.db }, client, user, { id: '7', login: 'acme' }, () => true);

it('an organisation that was renamed is found by a repository of its, whoever has its name now', async () => {
  const renamed = { acme: listing('9', 'acme'), 'acme-corp': listing('7', 'acme-corp') };

  expect(await list(clientOf(renamed, { login: 'acme-corp', id: '7' }))).toEqual(renamed['acme-corp']);
  expect(asked).toEqual(['acme', 'acme-corp']);
  expect(await list(clientOf({ acme: listing('7', 'acme') }, new HostError('not_found', 'not asked')))).not.toBeNull();
});

it('one that is nowhere is nobody’s, and a host that fails says nothing', async () => {
  expect(await list(clientOf({}, { login: 'somebody', id: '8' }))).toBeNull();
  expect(await list(clientOf({ acme: listing('9', 'acme') }, new HostError('not_found', 'gone')))).toBeNull();
  await expect(list(clientOf({}, new HostError('unavailable', 'away')))).rejects.toMatchObject({ kind: 'unavailable' });
});
