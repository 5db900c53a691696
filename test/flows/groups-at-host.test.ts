import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Team, TeamRow, WholeTeam } from '../../src/contract/teams.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/**
 * Two people of one organisation with different rights: dev-1 owns atlas and is shown secret teams, dev-11 is a member and is not. A group is
 * made of what is imported from the host, over HTTP as browsers ask.
 */
const START = Date.parse('2026-11-21T10:00:00Z');
const HOUR = 3_600_000;
let clock = START;
let simulator: RunningSimulator;
let app: TestApp;
let owner: string;
let member: string;
const ids: Record<string, number> = {};

beforeAll(async () => {
  simulator = await startSimulator({ world: 'company', now: new Date(START), more: ['--count', '0'] });
  for (const [slug, more] of [
    ['green', {}],
    ['green-one', { parent: 'green' }],
    ['hidden-ones', { secret: true }],
  ] as const) {
    const members = (slug === 'hidden-ones' ? ['dev-16'] : ['dev-11', 'dev-21']).map((login) => ({
      login,
      from: null,
      to: null,
    }));
    await simulator.control('teams', { organization: 'atlas', slug, name: `Team ${slug}`, members, ...more });
  }
  app = await openTestApp({
    host_url: simulator.url,
    now: () => new Date(clock),
    config: { admin_logins: ['dev-1'] },
  });
  owner = await arrive('dev-1');
  member = await arrive('dev-11');
  const slugs = ['green', 'hidden-ones'];
  const { body } = await ask('POST', '/api/teams/import', owner, { organisation: 'atlas', slugs });
  for (const { id, handle } of (body as { teams: { id: number; handle: string }[] }).teams)
    ids[handle.replace('atlas/', '')] = id;
  // What the member is shown is read at their next sign-in.
  await ask('GET', '/api/teams/available', member);
}, 60_000);
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, as: string, body?: object) =>
  app.ask(method, path, { as, ...(body !== undefined && { body }) });
async function arrive(login: string): Promise<string> {
  const as = await app.signIn(login);
  await ask('POST', '/api/repos', as, { owner: 'atlas', name: 'service-6' });
  return as;
}
const teamsOf = async (as: string) => (await ask('GET', '/api/teams', as)).body as Team[];

test('each lists the teams that their token lists, and compares these alone', async () => {
  expect((await teamsOf(owner)).map(({ handle }) => handle)).toEqual(
    expect.arrayContaining(['atlas/green', 'atlas/green-one', 'atlas/hidden-ones']),
  );
  const seen = await teamsOf(member);
  expect(seen.map(({ handle }) => handle)).toEqual(['atlas/green', 'atlas/green-one']);
  expect(seen.find(({ id }) => id === ids['green-one'])).toMatchObject({ parent_id: ids.green, source: 'host' });

  const compared = async (as: string, query = '') => {
    const { rows } = (await ask('GET', `/api/teams/compare${query}`, as)).body as { rows: TeamRow[] };
    return rows.map(({ key, team }) => team?.handle ?? key);
  };
  expect(await compared(owner)).toEqual(expect.arrayContaining(['atlas/green', 'atlas/hidden-ones', 'none', 'scope']));
  expect(await compared(member)).toEqual(['atlas/green', 'none', 'scope']);
  expect(await compared(member, `?parent=${ids.green}`)).toEqual(['atlas/green-one', 'none', 'scope']);
  for (const path of [
    `/api/teams/compare?parent=${ids['hidden-ones']}`,
    `/api/teams/${ids['hidden-ones']}`,
    `/api/teams/${ids['hidden-ones']}/view`,
  ])
    expect((await ask('GET', path, member)).status, path).toBe(404);
  for (const query of ['?window=2y', '?sort=best', '?order=up', '?parent=first'])
    expect((await ask('GET', `/api/teams/compare${query}`, member)).status, query).toBe(400);
});

test('a group shows each what its parts show them, also after the host has made a part secret', async () => {
  const made = await ask('POST', '/api/teams', owner, {
    ...{ name: 'Everything green', visibility: 'everyone', teams: [ids.green] },
    members: ['dev-1'],
  });
  expect(made.status).toBe(201);
  const { id } = made.body as WholeTeam;
  const whole = async (as: string) => (await ask('GET', `/api/teams/${id}`, as)).body as WholeTeam;
  expect(await whole(member)).toMatchObject({ members_now: 3, teams: [ids.green], mine: false });

  const taken = await ask('PATCH', `/api/teams/${id}`, owner, { teams: [ids.green, ids['hidden-ones']] });
  expect([taken.status, taken.body]).toEqual([
    409,
    expect.objectContaining({ error: 'Others may not see Team hidden-ones.' }),
  ]);
  expect(
    (await ask('PUT', `/api/teams/${ids.green}/members/dev-1`, owner, { from: null, to: null })).body,
  ).toMatchObject({
    error: 'Memberships of Team green come from GitHub.',
  });

  await simulator.control('teams/atlas/hidden-ones', { secret: false }, 'PATCH');
  clock += HOUR;
  await ask('GET', '/api/teams/available', member);
  await ask('POST', `/api/teams/${ids['hidden-ones']}/refresh`, owner);
  await expect
    .poll(async () => (await teamsOf(owner)).find((team) => team.id === ids['hidden-ones'])?.visibility)
    .toBe('visible');
  expect((await ask('PATCH', `/api/teams/${id}`, owner, { teams: [ids.green, ids['hidden-ones']] })).status).toBe(200);
  expect(await whole(member)).toMatchObject({ members_now: 4, teams: [ids.green, ids['hidden-ones']] });

  await simulator.control('teams/atlas/hidden-ones', { secret: true }, 'PATCH');
  clock += HOUR;
  await ask('POST', `/api/teams/${ids['hidden-ones']}/refresh`, owner);
  await ask('GET', '/api/teams/available', member);
  await expect.poll(async () => (await whole(member)).teams).toEqual([ids.green]);
  expect(await whole(member)).toMatchObject({ members_now: 3 });
  expect(await whole(owner)).toMatchObject({ members_now: 4 });
  expect(JSON.stringify([await whole(member), await teamsOf(member)])).not.toMatch(/hidden-ones|dev-16/);
});

test('what is changed in groups is audited, without their names', async () => {
  const { body } = await ask('POST', '/api/teams', member, { name: 'Between us' });
  const { id } = body as WholeTeam;
  expect((await ask('PUT', `/api/teams/${id}/members/dev-21`, member, { from: null, to: null })).status).toBe(200);
  expect((await ask('DELETE', `/api/teams/${id}/members/dev-21`, member)).status).toBe(204);
  expect((await ask('DELETE', `/api/teams/${id}`, owner)).status).toBe(404);
  expect((await ask('DELETE', `/api/teams/${id}`, member)).status).toBe(204);

  const audit = (await ask('GET', '/api/administration/audit?actor=dev-11', owner)).body as {
    items: { event: string; subject: string }[];
  };
  const events = audit.items.filter(({ subject }) => subject?.endsWith(` ${id}`)).map(({ event }) => event);
  expect(events).toEqual(['team_removed', 'group_changed', 'group_changed', 'group_made']);
  expect(JSON.stringify(audit)).not.toContain('Between us');
});

test('a team of the host goes with its last import, and out of every group', async () => {
  const { body } = await ask('POST', '/api/teams', owner, { name: 'Holder', teams: [ids['hidden-ones']] });
  const { id } = body as WholeTeam;
  expect((await ask('DELETE', `/api/teams/${ids['hidden-ones']}`, member)).status).toBe(404);
  expect((await ask('DELETE', `/api/teams/${ids['hidden-ones']}`, owner)).status).toBe(204);

  expect((await ask('GET', `/api/teams/${id}`, owner)).body).toMatchObject({ members_now: 0, teams: [] });
  expect((await ask('GET', `/api/teams/${ids['hidden-ones']}`, owner)).status).toBe(404);
});
