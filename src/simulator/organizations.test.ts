import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, startTestHost, type TestHost } from '../../test/support/test-host.ts';
import type { World } from './history.ts';
import { DAY, person, pull, repository } from './worlds/builder.ts';
import { companyWorld } from './worlds/company.ts';

const SOON = NOW + 3 * DAY;

function world(now: number): World {
  const still = { from: null, to: null };
  return {
    name: 'organizations',
    accounts: [
      ...['owner', 'mona', 'hubot', 'stranger', 'octo'].map((login) => person(login)),
      person('acme', { type: 'Organization' }),
      person('other', { type: 'Organization' }),
    ],
    organizations: [
      { login: 'acme', members: [{ login: 'owner', owner: true }, { login: 'mona' }, { login: 'hubot' }] },
    ],
    teams: [
      { id: 2, organization: 'acme', slug: 'web', name: 'Web', parent: 'all', members: [{ login: 'mona', ...still }] },
      {
        id: 1,
        organization: 'acme',
        slug: 'all',
        name: 'All',
        members: [{ login: 'owner', maintainer: true, ...still }],
      },
      {
        id: 3,
        organization: 'acme',
        slug: 'hidden',
        name: 'Hidden',
        secret: true,
        members: [
          { login: 'hubot', from: null, to: SOON },
          { login: 'mona', from: SOON, to: null },
        ],
      },
    ],
    repositories: [
      repository(1, 'acme/open', now - 9 * DAY, [pull(11, 1, 'First', 'mona', now - DAY)]),
      repository(2, 'acme/closed', now - 8 * DAY, [], { private: true, readers: ['mona'], fork: true }),
      repository(3, 'acme/old', now - 7 * DAY, [], { archived: true }),
      repository(4, 'other/shared', now - 6 * DAY, [], { private: true, readers: ['mona'] }),
      repository(5, 'mona/own', now - 5 * DAY, []),
      repository(6, 'stranger/public', now - 4 * DAY, []),
    ],
    signIn: ['mona'],
  };
}

const teams = `{ organization(login: "acme") { viewerIsAMember viewerCanAdminister
  teams(first: 10) { nodes { databaseId combinedSlug privacy parentTeam { databaseId }
    members(first: 10, membership: IMMEDIATE) { edges { role node { login } } } all: members(first: 10) { totalCount } } } } }`;

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost(world);
});
afterEach(() => host.close());

const slugs = async (token: string) =>
  (await host.graphql(teams, {}, token)).data.organization.teams.nodes.map(
    ({ combinedSlug }: { combinedSlug: string }) => combinedSlug,
  );

describe('teams', () => {
  it('have immediate members, those of their parts on top, a parent and a role each', async () => {
    const { organization } = (await host.graphql(teams, {}, 'ghp_mona')).data;

    expect(organization).toEqual({
      viewerIsAMember: true,
      viewerCanAdminister: false,
      teams: {
        nodes: [
          {
            databaseId: 1,
            combinedSlug: 'acme/all',
            privacy: 'VISIBLE',
            parentTeam: null,
            members: { edges: [{ role: 'MAINTAINER', node: { login: 'owner' } }] },
            all: { totalCount: 2 },
          },
          {
            databaseId: 2,
            combinedSlug: 'acme/web',
            privacy: 'VISIBLE',
            parentTeam: { databaseId: 1 },
            members: { edges: [{ role: 'MEMBER', node: { login: 'mona' } }] },
            all: { totalCount: 1 },
          },
        ],
      },
    });
  });

  it('are shown to members of the organisation, secret ones to their members and to owners', async () => {
    expect(await slugs('ghp_owner')).toEqual(['acme/all', 'acme/hidden', 'acme/web']);
    expect(await slugs('ghp_hubot')).toEqual(['acme/all', 'acme/hidden', 'acme/web']);
    expect(await slugs('ghp_mona')).toEqual(['acme/all', 'acme/web']);
    expect(await slugs('ghp_stranger')).toEqual([]);
    const one = '{ organization(login: "acme") { team(slug: "hidden") { slug } } }';
    expect((await host.graphql(one, {}, 'ghp_mona')).data.organization.team).toBeNull();
  });

  it('need read:org, without which the whole query is refused', async () => {
    const { data, errors } = await host.graphql(teams, {}, 'ghp_mona_repo');

    expect(data).toBeUndefined();
    expect(errors[0]).toMatchObject({ type: 'INSUFFICIENT_SCOPES' });
  });

  it('change when their time comes', async () => {
    await host.control('POST', 'clock', { set: new Date(SOON).toISOString() });

    expect(await slugs('ghp_hubot')).toEqual(['acme/all', 'acme/web']);
    expect(await slugs('ghp_mona')).toEqual(['acme/all', 'acme/hidden', 'acme/web']);
  });

  it('are made, changed and deleted by hand; who leaves the organisation leaves its teams', async () => {
    await host.control('POST', 'teams', { organization: 'acme', slug: 'new', parent: 'all' });
    await host.control('PATCH', 'teams/acme/new', { slug: 'newer', members: { hubot: 'MEMBER', mona: 'MAINTAINER' } });
    await host.control('PATCH', 'organizations/acme', { members: { hubot: null } });

    expect(await slugs('ghp_mona')).toEqual(['acme/all', 'acme/newer', 'acme/web']);
    expect(await slugs('ghp_hubot')).toEqual([]);
    const members = '{ organization(login: "acme") { team(slug: "newer") { members(first: 5) { nodes { login } } } } }';
    expect((await host.graphql(members, {}, 'ghp_mona')).data.organization.team.members.nodes).toEqual([
      { login: 'mona' },
    ]);

    await host.control('PATCH', 'teams/acme/newer', { deleted: true });
    expect(await slugs('ghp_mona')).toEqual(['acme/all', 'acme/web']);
  });
});

describe('the repositories of an account', () => {
  const names = async (query = '', token = 'ghp_mona') =>
    (await host.rest('GET', `/user/repos${query}`, { token })).body.map(
      ({ full_name }: { full_name: string }) => full_name,
    );

  it('are its own, those of its organisations and those that it reads elsewhere', async () => {
    expect(await names()).toEqual(['acme/closed', 'acme/old', 'acme/open', 'mona/own', 'other/shared']);
    expect(await names('?affiliation=owner')).toEqual(['mona/own']);
    expect(await names('?sort=pushed')).toEqual(['acme/open', 'mona/own', 'other/shared', 'acme/old', 'acme/closed']);
    expect(await names('', 'ghp_hubot')).toEqual(['acme/old', 'acme/open']);
    expect(await names('', 'ghp_mona_public_repo')).toEqual(['acme/old', 'acme/open', 'mona/own']);
    expect(await names('', 'ghp_stranger')).toEqual(['stranger/public']);
  });

  it('are the same in GraphQL with both affiliations, and no organisation’s without', async () => {
    const all = '[OWNER, COLLABORATOR, ORGANIZATION_MEMBER]';
    const ask = async (args: string) =>
      (
        await host.graphql(
          `{ viewer { repositories(first: 10, orderBy: {field: NAME, direction: ASC}${args}) { nodes { nameWithOwner isFork isArchived } } } }`,
          {},
          'ghp_mona',
        )
      ).data.viewer.repositories.nodes;

    expect(await ask(`, affiliations: ${all}, ownerAffiliations: ${all}`)).toEqual([
      { nameWithOwner: 'acme/closed', isFork: true, isArchived: false },
      { nameWithOwner: 'acme/old', isFork: false, isArchived: true },
      { nameWithOwner: 'acme/open', isFork: false, isArchived: false },
      { nameWithOwner: 'mona/own', isFork: false, isArchived: false },
      { nameWithOwner: 'other/shared', isFork: false, isArchived: false },
    ]);
    expect((await ask('')).map(({ nameWithOwner }: { nameWithOwner: string }) => nameWithOwner)).toEqual(['mona/own']);
  });

  it('leave out what wants single sign-on, and say whose that is', async () => {
    await host.control('PATCH', 'repos/acme/closed', { saml: true });

    const { headers, body } = await host.rest('GET', '/user/repos?per_page=100', { token: 'ghp_mona' });

    expect(body).toHaveLength(4);
    const acme = (await host.rest('GET', '/users/acme')).body.id;
    expect(headers.get('x-github-sso')).toBe(`partial-results; organizations=${acme}`);
    const { data, errors } = await host.graphql(
      '{ viewer { repositories(first: 9, affiliations: ORGANIZATION_MEMBER, ownerAffiliations: ORGANIZATION_MEMBER) { nodes { name } } } }',
      {},
      'ghp_mona',
    );
    expect(data.viewer.repositories.nodes.filter((node: unknown) => node === null)).toHaveLength(1);
    expect(errors[0]).toMatchObject({ extensions: { saml_failure: true } });
  });

  it('leave out without a word what an organisation did not approve the app for', async () => {
    await host.control('PATCH', 'organizations/acme', { approves: false });
    const { token } = (await host.control('POST', 'tokens', { login: 'mona' })).body;

    expect(await names('', token)).toEqual(['mona/own', 'other/shared']);
    expect(await names()).toHaveLength(5);
    expect((await host.rest('GET', '/repos/acme/closed', { token })).status).toBe(403);
  });
});

it('an organisation’s hook hears of all its repositories and their collaborators, its teams and its people', async () => {
  const heard: { event: string; body: Record<string, unknown> }[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      heard.push({ event: String(request.headers['x-github-event']), body: JSON.parse(text) });
      response.end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const config = {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    content_type: 'json',
    secret: 's',
  };
  const token = 'ghp_owner_admin:org_hook';
  const hook = { config, events: ['*'] };
  expect((await host.rest('POST', '/orgs/acme/hooks', { token: 'ghp_mona', body: hook })).status).toBe(404);
  expect((await host.rest('POST', '/orgs/acme/hooks', { token: 'ghp_owner_repo', body: hook })).status).toBe(404);
  expect((await host.rest('POST', '/orgs/acme/hooks', { token, body: hook })).status).toBe(201);

  await host.control('POST', 'repos/acme/open/pulls/1/entries', { kind: 'comment', by: 'hubot' });
  await host.control('PATCH', 'teams/acme/web', { members: { hubot: 'MEMBER' } });
  await host.control('PATCH', 'organizations/acme', { members: { mona: null } });
  await host.control('PATCH', 'repos/acme/closed', { readers: [] });

  await expect.poll(() => heard.length).toBe(6);
  receiver.close();
  const organization = expect.objectContaining({ login: 'acme' });
  const of = (event: string) => heard.filter((one) => one.event === event).map(({ body }) => body);
  expect(of('ping')).toMatchObject([{ organization }]);
  expect(of('issue_comment')).toMatchObject([{ repository: { full_name: 'acme/open' }, organization }]);
  expect(of('membership')).toMatchObject([
    { action: 'added', team: { slug: 'web', privacy: 'closed' }, member: { login: 'hubot' }, organization },
    { action: 'removed', team: { slug: 'web' }, member: { login: 'mona' } },
  ]);
  expect(of('member')).toMatchObject([
    { action: 'removed', member: { login: 'mona' }, repository: { full_name: 'acme/closed' }, organization },
  ]);
  expect(of('organization')).toMatchObject([{ action: 'member_removed', membership: { user: { login: 'mona' } } }]);
});

it('the company has five organisations, 1,200 repositories, 600 people and 60 teams in three levels', () => {
  const { organizations = [], teams: all, repositories, accounts } = companyWorld(600, NOW, 1);
  const depth = (slug: string | undefined): number =>
    slug === undefined ? 0 : 1 + depth(all.find((team) => team.slug === slug)!.parent);

  expect(organizations).toHaveLength(5);
  expect(repositories).toHaveLength(1200);
  expect(accounts.filter(({ type }) => type === 'User')).toHaveLength(601);
  expect(all).toHaveLength(60);
  expect(new Set(all.map(({ slug }) => depth(slug)))).toEqual(new Set([1, 2, 3]));
  expect(all.filter(({ secret }) => secret)).toHaveLength(5);
  expect(all.flatMap(({ members = [] }) => members).filter(({ from }) => from !== null).length).toBeGreaterThan(50);
  expect(repositories.reduce((sum, { pullRequests }) => sum + pullRequests.length, 0)).toBe(600);
});
