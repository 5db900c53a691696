import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../../test/support/simulator.ts';
import type { HostClient } from '../client.ts';
import { addresses } from './addresses.ts';
import { githubHost } from './host.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startSimulator({ world: 'company', now: NOW, more: ['--count', '0'] });
  const members = Array.from({ length: 120 }, (_, at) => ({ login: `dev-${at * 5 + 1}`, from: null, to: null }));
  await simulator.control('teams', { organization: 'atlas', slug: 'everybody', name: 'Everybody', members });
}, 30_000);
afterAll(() => simulator.stop());
afterEach(async () => {
  await simulator.control('faults', undefined, 'DELETE');
  await simulator.control('permissions', { members: true }, 'PATCH');
});

function as(token: string, fetch = globalThis.fetch): HostClient {
  const web = addresses(simulator.url);
  return githubHost({
    key: 'simulated',
    label: 'GitHub',
    ...web,
    oauth: null,
    now: () => NOW,
    timeout: 10_000,
    fetch,
  }).as(token);
}

const all = () => true;
const none = () => false;
const fails = (effect: object, match: object = {}) =>
  simulator.control('faults', { match: { kind: 'graphql', operation: 'Teams', ...match }, effect });

describe('the teams of an organisation', () => {
  it('come with their organisation, parents and immediate members', async () => {
    const teams = await as('ghp_dev-1').organizationTeams('atlas', all);

    expect(teams).toMatchObject({ organization: { id: '900', login: 'atlas' }, is_member: true, complete: true });
    const bySlug = new Map(teams?.teams.map((team) => [team.slug, team]));
    expect(bySlug.get('group-1')).toMatchObject({
      ...{ id: '5000', handle: 'atlas/group-1', name: 'group 1', secret: false, parent_id: null, size: 1 },
      members: [{ type: 'user' }],
    });
    expect(bySlug.get('group-1-part-1')).toMatchObject({ parent_id: '5000', size: 0, members: [] });
    expect(bySlug.get('group-2-part-2-squad-1')).toMatchObject({ secret: true });
  });

  it('have all their members where the team is wanted, and else none past the first page', async () => {
    const client = as('ghp_dev-1');
    const everybody = async (wanted: () => boolean) =>
      (await client.organizationTeams('atlas', wanted))?.teams.find(({ slug }) => slug === 'everybody');

    const whole = await everybody(all);
    expect(whole?.size).toBe(120);
    expect(new Set(whole?.members?.map(({ login }) => login)).size).toBe(120);
    expect(await everybody(none)).toMatchObject({ size: 120, members: null });
  });

  it('are read page by page where there are more than a hundred', async () => {
    for (let at = 0; at < 101; at += 1)
      await simulator.control('teams', { organization: 'delta', slug: `many-${at}`, members: [] });

    const teams = await as('ghp_dev-4').organizationTeams('delta', none);

    expect(teams?.complete).toBe(true);
    expect(new Set(teams?.teams.map(({ id }) => id)).size).toBeGreaterThan(101);
  });

  it('are none to whoever is taken out of the organisation between two pages', async () => {
    let pages = 0;
    const removes: typeof fetch = async (url, more) => {
      const answer = await fetch(url, more);
      if (!String(more?.body).includes('query Teams') || ++pages === 1) return answer;
      const body = (await answer.json()) as { data: { organization: object } };
      Object.assign(body.data.organization, { viewerIsAMember: false, teams: null });
      return Response.json(body);
    };

    const teams = await as('ghp_dev-4', removes).organizationTeams('delta', none);

    expect(pages).toBe(2);
    expect(teams).toMatchObject({ is_member: false, teams: [], complete: true });
  });

  it('leave out secret ones that the account is no member of, and all of an organisation that it does not belong to', async () => {
    const shown = await as('ghp_dev-11').organizationTeams('atlas', none);
    expect(shown?.teams.some(({ secret }) => secret)).toBe(false);
    expect(await as('ghp_outsider').organizationTeams('atlas', none)).toMatchObject({ is_member: false, teams: [] });
  });

  it('are none to whom the host refuses them for not belonging there, and a failure to a member', async () => {
    const errors = [{ type: 'FORBIDDEN', path: ['organization', 'teams'], message: 'You must be a member.' }];
    const refuses: typeof fetch = async (url, more) =>
      String(more?.body).includes('query Teams')
        ? Response.json({ data: { organization: null }, errors })
        : await fetch(url, more);

    expect(await as('ghp_outsider', refuses).organizationTeams('atlas', none)).toMatchObject({
      ...{ organization: { id: '900' }, is_member: false, teams: [], complete: true },
    });
    await expect(as('ghp_dev-1', refuses).organizationTeams('atlas', none)).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('are nobody’s of a person or of a name that is not there', async () => {
    expect(await as('ghp_dev-1').organizationTeams('dev-2', none)).toBeNull();
    expect(await as('ghp_dev-1').organizationTeams('nowhere', none)).toBeNull();
  });

  it('are incomplete where the host leaves some out without a word', async () => {
    await fails({ name: 'silent_truncation' });

    expect((await as('ghp_dev-1').organizationTeams('atlas', all))?.complete).toBe(false);
  });

  it('have no members where some were left out', async () => {
    await fails({ name: 'silent_truncation' });

    const shown = await as('ghp_dev-1').organizationTeams('atlas', all);
    const cut = shown?.teams.filter(({ members }) => members === null) ?? [];
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.every(({ size }) => size > 0)).toBe(true);
  });

  it('have no members where the host failed over one of them', async () => {
    const losing: typeof fetch = async (url, more) => {
      const answer = await fetch(url, more);
      if (!String(more?.body).includes('query TeamMembers')) return answer;
      const { data } = (await answer.json()) as { data: { nodes: { list: { nodes: unknown[] } }[] } };
      data.nodes[0]!.list.nodes[0] = null;
      const errors = [{ type: 'INTERNAL', message: 'It went wrong.', path: ['nodes', 0, 'list', 'nodes', 0] }];
      return new Response(JSON.stringify({ data, errors }), answer);
    };

    const shown = await as('ghp_dev-1', losing).organizationTeams('atlas', all);

    expect(shown?.teams.find(({ slug }) => slug === 'everybody')).toMatchObject({ size: 120, members: null });
  });

  it('are asked for in smaller pages where the host cannot compute them', async () => {
    await fails({ name: 'resource_limits' }, { next: 2 });

    expect(await as('ghp_dev-1').organizationTeams('atlas', all)).toMatchObject({ complete: true });
  });
});

describe('a token that may not read teams', () => {
  it('lacks the scope read:org', async () => {
    await expect(as('ghp_dev-1_repo').organizationTeams('atlas', all)).rejects.toMatchObject({
      ...{ kind: 'missing_scope', scope: 'read:org' },
    });
  });

  it('lacks the permission for members where it has permissions instead', async () => {
    await simulator.control('permissions', { members: false }, 'PATCH');

    await expect(as('github_pat_dev-1').organizationTeams('atlas', all)).rejects.toMatchObject({
      ...{ kind: 'missing_scope', scope: 'members:read' },
    });
    expect(await as('ghp_dev-1').organizationTeams('atlas', all)).toMatchObject({ complete: true });
  });

  it('is refused by an organisation that approves no app', async () => {
    const { token } = (await simulator.control('tokens', { login: 'dev-1', scopes: ['read:org'] })) as {
      token: string;
    };
    await simulator.control('organizations/atlas', { approves: false }, 'PATCH');

    await expect(as(token).organizationTeams('atlas', all)).rejects.toMatchObject({ kind: 'forbidden' });
    await simulator.control('organizations/atlas', { approves: true }, 'PATCH');
  });

  it('fails with the host', async () => {
    await fails({ name: 'server_error' });

    await expect(as('ghp_dev-1').organizationTeams('atlas', all)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
