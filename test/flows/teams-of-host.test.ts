import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../src/contract/endpoint.ts';
import type { importTeams, listAvailableTeams } from '../../src/contract/teams.ts';
import { HostError, type HostErrorKind } from '../../src/server/host/errors.ts';
import { lockTeams } from '../../src/server/metrics/team-people.ts';
import { forgetPeople } from '../../src/server/repositories/forget.ts';
import { savePeople } from '../../src/server/sync/people.ts';
import { ownersConnectedBy } from '../../src/server/teams/available.ts';
import { readAllTeams, readMissingTeams } from '../../src/server/teams/daily-reading.ts';
import { forgetUnimported, importHostTeams } from '../../src/server/teams/import.ts';
import type { TeamDeps } from '../../src/server/teams/reading.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/**
 * Teams of atlas, one of the company's organisations: dev-1 owns it and is shown secret teams, dev-11, dev-16 and dev-21 are members.
 */
const OWNER = 'dev-1';
const [ANN, BEN, CAT] = ['dev-11', 'dev-16', 'dev-21'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = new Date('2026-11-21T10:00:00Z').getTime();

let simulator: RunningSimulator;
let app: TestApp;
let clock = START;
const now = () => new Date(clock);
let made: string[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'company', now: new Date(START), more: ['--count', '0'] });
  app = await openTestApp({ host_url: simulator.url, database: await openTestDatabase(), now });
}, 60_000);
afterAll(async () => {
  await app.stop();
  await app.database.close();
  await simulator.stop();
});
beforeEach(() => {
  clock += DAY;
});
afterEach(async () => {
  await simulator.control('faults', undefined, 'DELETE');
  await simulator.control('limits', undefined, 'DELETE');
  await simulator.control('permissions', { members: true }, 'PATCH');
  for (const slug of made) await simulator.control(`teams/atlas/${slug}`, { deleted: true }, 'PATCH');
  made = [];
  // What was begun by signing in ends before the next test.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await app.database.db.deleteFrom('users').execute();
  await app.database.db.deleteFrom('teams').execute();
});

/** A team at the host with these members. */
async function aTeam(slug: string, logins: readonly string[], more: object = {}): Promise<void> {
  const members = logins.map((login) => ({ login, from: null, to: null }));
  await simulator.control('teams', { organization: 'atlas', slug, name: `Team ${slug}`, members, ...more });
  made.push(slug);
}
async function change(slug: string, more: object): Promise<void> {
  await simulator.control(`teams/atlas/${slug}`, more, 'PATCH');
  const { slug: renamed, deleted } = more as { slug?: string; deleted?: boolean };
  if (renamed !== undefined || deleted) made = made.filter((one) => one !== slug);
  if (renamed !== undefined) made.push(renamed);
}
const join = (slug: string, login: string) => change(slug, { members: { [login]: 'MEMBER' } });
const leave = (slug: string, login: string) => change(slug, { members: { [login]: null } });
const fails = (effect: string, more: object = {}) =>
  simulator.control('faults', { match: { kind: 'graphql', operation: 'Teams' }, effect: { name: effect, ...more } });

/** Signs in and connects a repository that all members of atlas read. */
async function arrive(login: string, token = `ghp_${login}`): Promise<string> {
  const as = await app.signIn(login, token);
  await app.ask('POST', '/api/repos', { as, body: { owner: 'atlas', name: 'service-6' } });
  return as;
}
type Imported = AnswerOf<typeof importTeams>;
const importing = (as: string, body: object) =>
  app.ask('POST', '/api/teams/import', { as, body: { organisation: 'atlas', ...body } });
async function imported(as: string, ...slugs: string[]): Promise<Imported> {
  const { status, body } = await importing(as, { slugs });
  expect([status, body]).toEqual([202, expect.anything()]);
  return body as Imported;
}
async function available(as: string): Promise<AnswerOf<typeof listAvailableTeams>> {
  const { status, body } = await app.ask('GET', '/api/teams/available', { as });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as AnswerOf<typeof listAvailableTeams>;
}
const slugsOf = ({ organisations }: AnswerOf<typeof listAvailableTeams>) =>
  organisations.flatMap(({ teams }) => teams.map(({ slug }) => slug)).filter((slug) => made.includes(slug));
const sees = async (as: string, id: number) => {
  const { status } = await app.ask('GET', `/api/team-stats?team=${id}`, { as });
  expect([200, 404]).toContain(status);
  return status === 200;
};
const again = (as: string, id: number) => app.ask('POST', `/api/teams/${id}/refresh`, { as });

/** The periods of a team by login, in days since the test's own beginning. */
async function periodsOf(id: number, since: number): Promise<Record<string, (number | null)[][]>> {
  const { rows } = await sql<{ login: string; from: Date | null; to: Date | null }>`
    select p.login, m."from", m."to" from team_members m join people p on p.id = m.person_id
    where m.team_id = ${id} order by p.login, m."from" nulls first`.execute(app.database.db);
  const days = (moment: Date | null) => moment && (moment.getTime() - since) / DAY;
  const all: Record<string, (number | null)[][]> = {};
  for (const { login, from, to } of rows) all[login] = [...(all[login] ?? []), [days(from), days(to)]];
  return all;
}
const row = async (id: number) =>
  await app.database.db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst();
const everything = async () =>
  await Promise.all(
    (
      [
        'teams',
        'team_members',
        'team_people',
        'team_readers',
        'team_readings',
        'team_imports',
        'imported_organisations',
      ] as const
    ).map(
      async (table) => (await sql`select * from ${sql.table(table)} t order by t::text`.execute(app.database.db)).rows,
    ),
  );

/** As the server itself reads; what fails is collected. */
function teamDeps(failures: unknown[] = []): TeamDeps {
  const { clientFor, rejectToken } = app.server.credentials;
  return {
    ...{ db: app.database.db, now, savePeople, clientFor, rejectToken, hostLabel: () => 'GitHub' },
    failed: (error) => void failures.push(error),
  };
}

/** The same, where `act` happens once the host has told its first list, and later by the clock. */
function overtaken(act: () => Promise<void>): TeamDeps {
  const deps = teamDeps();
  let acted = false;
  return {
    ...deps,
    async clientFor(user_id) {
      const personal = await deps.clientFor(user_id);
      if (personal === null) return null;
      const client: typeof personal.client = Object.create(personal.client);
      client.organizationTeams = async (...asked) => {
        const listing = await personal.client.organizationTeams(...asked);
        if (acted) return listing;
        acted = true;
        clock += 1000;
        await act();
        return listing;
      };
      return { ...personal, client };
    },
  };
}

/** The reading of every day; returns what failed. */
async function daily(): Promise<unknown[]> {
  const failures: unknown[] = [];
  await readAllTeams(teamDeps(failures), new AbortController().signal);
  return failures;
}

describe('the teams that can be imported', () => {
  it('are those that the token lists, with where they stand, of organisations that own what was connected', async () => {
    await aTeam('red', [ANN, BEN]);
    await aTeam('red-one', [CAT], { parent: 'red' });
    await aTeam('hush', [BEN], { secret: true });
    const [owner, ann, ben] = [await arrive(OWNER), await arrive(ANN), await arrive(BEN)];

    const of = (lists: AnswerOf<typeof listAvailableTeams>, slug: string) =>
      lists.organisations[0]?.teams.find((team) => team.slug === slug);
    const shown = await available(ann);
    expect(shown).toMatchObject({
      organisations: [{ login: 'atlas', partial: false, standing: false }],
      ...{ missing_scope: null, message: null },
    });
    expect(of(shown, 'red')).toEqual({
      ...{ slug: 'red', name: 'Team red', privacy: 'visible', parent_slug: null, members: 2, imported_id: null },
    });
    expect(of(shown, 'red-one')).toMatchObject({ parent_slug: 'red', members: 1 });
    expect(slugsOf(shown)).toEqual(['red', 'red-one']);
    expect(slugsOf(await available(ben))).toEqual(['hush', 'red', 'red-one']);
    expect(of(await available(owner), 'hush')).toMatchObject({ privacy: 'secret' });

    const { teams } = await imported(owner, 'red');
    expect(of(await available(owner), 'red')).toMatchObject({ imported_id: teams[0]?.id });
  });

  it('say of which organisation one imports all, until one of its teams is taken back', async () => {
    await aTeam('red', [ANN]);
    await aTeam('blue', [ANN]);
    const [ann, ben] = [await arrive(ANN), await arrive(BEN)];
    const standingFor = async (as: string) => (await available(as)).organisations.map(({ standing }) => standing);
    const { teams } = (await importing(ann, { all: true })).body as AnswerOf<typeof importTeams>;

    expect(await standingFor(ann)).toEqual([true]);
    expect(await standingFor(ben)).toEqual([false]);

    await app.ask('DELETE', `/api/teams/${teams[0]?.id}`, { as: ann });
    expect(await standingFor(ann)).toEqual([false]);
  });

  it('are none of an organisation that the account does not belong to', async () => {
    const as = await app.signIn('outsider');
    await app.ask('POST', '/api/repos', { as, body: { owner: 'atlas', name: 'service-10' } });

    expect(await available(as)).toEqual({ organisations: [], missing_scope: null, message: null });
    expect(await importing(as, { all: true })).toMatchObject({
      ...{ status: 404, body: { error: 'No organisation atlas.' } },
    });
  });

  it('need a scope, which is named, and of a fine-grained token a permission', async () => {
    const classic = await arrive(ANN, `ghp_${ANN}_repo`);
    await simulator.control('permissions', { members: false }, 'PATCH');
    const fine = await arrive(BEN, `github_pat_${BEN}`);

    expect(await available(classic)).toEqual({
      ...{ organisations: [], missing_scope: 'read:org' },
      message: 'Your token may not read teams. Sign in again, or give it read:org.',
    });
    expect(await available(fine)).toEqual({
      ...{ organisations: [], missing_scope: 'members:read' },
      message: 'Your token may not read teams. Give it Members: read.',
    });
    expect((await importing(classic, { all: true })).status).toBe(422);
    expect((await everything()).flat()).toEqual([]);
  });

  it('say that the host failed, and that it told only a part', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    await fails('server_error');
    expect((await app.ask('GET', '/api/teams/available', { as })).status).toBe(502);

    await simulator.control('faults', undefined, 'DELETE');
    await fails('secondary_limit_403', { retryAfter: 120 });
    const paused = await app.ask('GET', '/api/teams/available', { as });
    expect(paused).toMatchObject({
      status: 503,
      body: { code: 'host_rate_limited', error: expect.stringMatching(/^Failed to fetch teams/) },
    });
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(60);

    await simulator.control('faults', undefined, 'DELETE');
    await fails('bad_credentials');
    const refused = await app.ask('GET', '/api/teams/available', { as });
    expect(refused).toMatchObject({ status: 502, body: { error: expect.not.stringMatching(/sign in/i) } });

    await simulator.control('faults', undefined, 'DELETE');
    await fails('silent_truncation');
    expect((await available(as)).organisations).toMatchObject([{ login: 'atlas', partial: true }]);
    expect((await importing(as, { slugs: ['red'] })).status).toBe(502);
    expect((await everything()).flat()).toEqual([]);
  });

  it('are sought by the name of the owner that one saw last, where one has lost sight of the repository', async () => {
    const { db } = app.database;
    await arrive(ANN);
    const { id } = await db.selectFrom('users').select('id').where('login', '=', ANN).executeTakeFirstOrThrow();
    const owners = async (seen: object) => {
      await db.updateTable('connections').set(seen).execute();
      return await ownersConnectedBy(db, { id, host: simulator.url });
    };

    expect(await owners({ seen_owner: 'formerly' })).toEqual([{ login: 'atlas', id: expect.any(String) }]);
    expect(await owners({ readable: false })).toEqual([{ login: 'formerly', id: null }]);
  });

  it('are asked for at most once a minute', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    await available(as);
    await aTeam('blue', [ANN]);

    expect(slugsOf(await available(as))).toEqual(['red']);
    clock += 61_000;
    expect(slugsOf(await available(as))).toEqual(['blue', 'red']);
  });
});

describe('importing', () => {
  it('brings children with their parent unless it is not to, and gives the same ids again', async () => {
    await aTeam('red', [ANN, BEN]);
    await aTeam('red-one', [BEN, CAT], { parent: 'red' });
    await aTeam('red-two', [], { parent: 'red-one' });
    const as = await arrive(OWNER);

    const alone = (await importing(as, { slugs: ['red'], with_children: false })).body as Imported;
    expect(alone).toEqual({ imported: 1, people: 2, teams: [{ id: expect.any(Number), handle: 'atlas/red' }] });
    const all = await imported(as, 'RED');
    expect(all).toMatchObject({ imported: 3, people: 3 });
    expect(all.teams[0]).toEqual(alone.teams[0]);
    expect(await imported(as, 'red')).toEqual(all);
    const events = await app.database.db
      .selectFrom('security_events')
      .select(['actor', 'subject'])
      .where('event', '=', 'teams_imported')
      .execute();
    expect(events.slice(-1)).toEqual([{ actor: OWNER, subject: 'atlas: 1' }]);
    const [red, one, two] = all.teams.map(({ id }) => id);
    expect([(await row(red!))?.parent_id, (await row(one!))?.parent_id, (await row(two!))?.parent_id]).toEqual([
      ...[null, red, one],
    ]);
    const { rows } = await sql<{ login: string }>`
      select p.login from team_people t join people p on p.id = t.person_id where t.team_id = ${red} order by 1`.execute(
      app.database.db,
    );
    expect(rows.map(({ login }) => login)).toEqual([ANN, BEN, CAT]);
  });

  it('by several people at once stores each team and membership once', async () => {
    await aTeam('red', [ANN, BEN]);
    await aTeam('red-one', [CAT], { parent: 'red' });
    const people = [await arrive(OWNER), await arrive(ANN), await arrive(BEN), await arrive(CAT)];

    const all = await Promise.all(people.flatMap((as) => [imported(as, 'red'), imported(as, 'red-one')]));
    await Promise.all([daily(), ...people.map((as) => available(as))]);

    const ids = new Set(all.flatMap(({ teams }) => teams.map(({ id, handle }) => `${handle} ${id}`)));
    expect([...ids].map((one) => one.split(' ')[0]).sort()).toEqual(['atlas/red', 'atlas/red-one']);
    const [red, one] = all[0]!.teams.map(({ id }) => id) as [number, number];
    expect(await periodsOf(red, clock)).toEqual({ [ANN]: [[null, null]], [BEN]: [[null, null]] });
    expect(await periodsOf(one, clock)).toEqual({ [CAT]: [[null, null]] });
    for (const as of people) expect(await sees(as, red)).toBe(true);
  });

  it('shows the teams to their importer also where another reading was stored meanwhile, unless they have lost them since', async () => {
    for (const slug of ['red', 'blue', 'left']) await aTeam(slug, [ANN], { secret: slug !== 'red' });
    const as = await arrive(ANN);
    const red = (await imported(as, 'red')).teams[0]!.id;
    clock += 61_000;
    const { id } = await app.database.db
      .selectFrom('users')
      .select('id')
      .where('login', '=', ANN)
      .executeTakeFirstOrThrow();
    const deps = overtaken(async () => {
      await leave('left', ANN);
      expect((await again(as, red)).status).toBe(202);
    });

    const { teams } = await importHostTeams(
      deps,
      { id, host: simulator.url },
      { organisation: 'atlas', slugs: ['blue', 'left'], with_children: true },
    );

    expect(teams.map(({ handle }) => handle)).toEqual(['atlas/blue', 'atlas/left']);
    expect(await Promise.all(teams.map((team) => sees(as, team.id)))).toEqual([true, false]);
  });

  it('of all shows what appears later also where another reading was stored meanwhile', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    const red = ((await importing(as, { all: true })).body as Imported).teams[0]!.id;
    await aTeam('blue', [BEN]);
    clock += HOUR;

    await readAllTeams(
      overtaken(async () => expect((await again(as, red)).status).toBe(202)),
      new AbortController().signal,
    );

    const blue = await app.database.db.selectFrom('teams').select('id').where('slug', '=', 'blue').executeTakeFirst();
    expect(await sees(as, blue!.id)).toBe(true);
  });

  it('finds no team that the token does not list, secret or not there alike, and then imports nothing', async () => {
    await aTeam('red', [ANN]);
    await aTeam('hush', [BEN], { secret: true });
    const as = await arrive(ANN);

    for (const slug of ['hush', 'nowhere']) {
      const { status, body } = await importing(as, { slugs: ['red', slug] });
      expect([status, (body as { error: string }).error]).toEqual([404, `No team ${slug}.`]);
    }
    expect((await everything()).flat()).toEqual([]);
  });

  it('wants either some or all, of an organisation that owns what was connected', async () => {
    const as = await arrive(ANN);

    expect((await importing(as, {})).status).toBe(400);
    expect((await importing(as, { slugs: ['red'], all: true })).status).toBe(400);
    expect((await importing(as, { slugs: [] })).status).toBe(400);
    expect(await importing(as, { organisation: 'borealis', all: true })).toMatchObject({
      ...{ status: 404, body: { error: 'No organisation borealis.' } },
    });
  });

  it('of all brings what appears later, with the reading of the day, until one is taken back', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    const all = (await importing(as, { all: true })).body as Imported;
    expect(all.teams.map(({ handle }) => handle)).toContain('atlas/red');
    await aTeam('blue', [BEN]);
    await aTeam('blue-one', [CAT], { parent: 'blue' });
    clock += 20 * HOUR;

    expect(await daily()).toEqual([]);
    const later = await app.database.db
      .selectFrom('teams')
      .select(['id', 'slug', 'assumed_before', 'parent_id'])
      .where('slug', 'in', ['blue', 'blue-one'])
      .orderBy('slug')
      .execute();
    expect(later).toMatchObject([
      { slug: 'blue', assumed_before: now() },
      { slug: 'blue-one', parent_id: later[0]?.id },
    ]);
    expect(await periodsOf(later[0]!.id, clock)).toEqual({ [BEN]: [[null, null]] });
    expect(await sees(as, later[0]!.id)).toBe(true);

    expect((await app.ask('DELETE', `/api/teams/${later[0]!.id}`, { as })).status).toBe(204);
    clock += DAY;
    await daily();
    expect(await row(later[0]!.id)).toBeUndefined();
    expect((await row(later[1]!.id))?.parent_id).toBeNull();
  });

  it('stores nothing beyond what an installation holds', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    const { rows } = await sql<{ host: string }>`select host from users`.execute(app.database.db);
    await sql`
      insert into teams (host, source, host_id, organization_id, organisation, slug, name, visibility, created_at)
      select ${rows[0]?.host}, 'host', 'many-' || n, 'many', 'many', 'many-' || n, 'Many', 'visible', now() from generate_series(1, 5000) n`.execute(
      app.database.db,
    );
    const { status, body } = await importing(as, { slugs: ['red'] });

    expect([status, (body as { error: string }).error]).toEqual([409, 'That is more than 5,000 teams.']);
    expect((await app.database.db.selectFrom('teams').select('id').execute()).length).toBe(5000);
    expect((await everything()).slice(1).flat()).toEqual([]);
    expect(await forgetUnimported(app.database.db)).toBe(5000);
  });

  it('stores nothing where the quota is spent, or the server ends in the middle, and goes well afterwards', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    await simulator.control('limits/spend', { login: ANN, resource: 'graphql', remaining: 0 });
    expect((await importing(as, { slugs: ['red'] })).status).toBe(503);
    expect((await everything()).flat()).toEqual([]);
    await simulator.control('limits', undefined, 'DELETE');

    await fails('hang');
    const other = await openTestApp({ host_url: simulator.url, database: app.database, now });
    const hanging = other.ask('POST', '/api/teams/import', { as, body: { organisation: 'atlas', slugs: ['red'] } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await other.server.stop(100);
    await Promise.race([hanging.catch(() => null), new Promise((resolve) => setTimeout(resolve, 500))]);
    expect((await everything()).flat()).toEqual([]);

    await simulator.control('faults', undefined, 'DELETE');
    expect((await imported(as, 'red')).imported).toBe(1);
  });
});

describe('who belongs to a team when', () => {
  it('is everybody always at first, then follows who comes, goes, comes back and switches', async () => {
    await aTeam('red', [ANN, BEN]);
    await aTeam('blue', [CAT]);
    const as = await arrive(OWNER);
    const [red, blue] = (await imported(as, 'red', 'blue')).teams.map(({ id }) => id) as [number, number];
    const since = clock;
    expect((await row(red))?.assumed_before).toEqual(now());
    const nextDay = async () => {
      clock += DAY;
      expect(await daily()).toEqual([]);
    };

    await join('red', CAT);
    await leave('red', ANN);
    await nextDay();
    expect(await periodsOf(red, since)).toEqual({ [ANN]: [[null, 1]], [BEN]: [[null, null]], [CAT]: [[1, null]] });
    await join('blue', ANN);
    await nextDay();
    expect(await periodsOf(blue, since)).toEqual({ [ANN]: [[1, null]], [CAT]: [[null, null]] });
    await leave('red', CAT);
    await nextDay();
    clock += 8 * DAY;
    await join('red', CAT);
    await nextDay();
    expect((await periodsOf(red, since))[CAT]).toEqual([
      [1, 3],
      [12, null],
    ]);
    await leave('red', BEN);
    await nextDay();
    await join('red', BEN);
    await nextDay();
    expect((await periodsOf(red, since))[BEN]).toEqual([[null, null]]);
  });

  it('stays when the team is renamed, gets another address or moves', async () => {
    await aTeam('red', [ANN]);
    await aTeam('top', []);
    const as = await arrive(OWNER);
    const [red, top] = (await imported(as, 'red', 'top')).teams.map(({ id }) => id) as [number, number];
    const before = await periodsOf(red, clock);

    await change('red', { slug: 'crimson', name: 'Crimson', parent: 'top' });
    clock += DAY;
    await daily();

    expect(await row(red)).toMatchObject({ slug: 'crimson', name: 'Crimson', parent_id: top, read_at: now() });
    expect(await periodsOf(red, clock)).toEqual(before);
    const { rows } = await sql`select from team_people where team_id = ${top}`.execute(app.database.db);
    expect(rows).toHaveLength(1);
  });

  it('is not believed to be nobody of a team that had five, until that is said again 20 hours later', async () => {
    const five = [ANN, BEN, CAT, 'dev-26', 'dev-31'];
    await aTeam('red', five);
    await aTeam('blue', [ANN]);
    const as = await arrive(OWNER);
    const [red, blue] = (await imported(as, 'red', 'blue')).teams.map(({ id }) => id) as [number, number];
    const since = clock;
    for (const login of five) await leave('red', login);
    await leave('blue', ANN);

    clock += HOUR;
    await again(as, red);
    clock += HOUR;
    expect((await again(as, red)).status).toBe(202);
    expect(Object.values(await periodsOf(red, since))).toEqual(five.map(() => [[null, null]]));
    expect((await periodsOf(blue, since))[ANN]).toEqual([[null, 1 / 24]]);
    clock += 20 * HOUR;
    await daily();
    expect(Object.values(await periodsOf(red, since))).toEqual(five.map(() => [[null, 22 / 24]]));
  });

  it('is left as it was by a reading that fails or is partial', async () => {
    await aTeam('red', [ANN, BEN]);
    await aTeam('hush', [ANN], { secret: true });
    const as = await arrive(OWNER);
    const ids = (await imported(as, 'red', 'hush')).teams.map(({ id }) => id);
    const before = await everything();
    await leave('red', ANN);
    await change('hush', { deleted: true });
    for (const [effect, status] of [
      ['server_error', 502],
      ['silent_truncation', 502],
      ['bad_gateway', 502],
      ['truncated_json', 502],
      ['secondary_limit_403', 503],
    ] as const) {
      clock += 12 * HOUR;
      await fails(effect);
      await daily();
      expect((await again(as, ids[0]!)).status).toBe(status);
      await simulator.control('faults', undefined, 'DELETE');
      expect([effect, await everything()]).toEqual([effect, before]);
    }
  });
});

describe('who sees a team', () => {
  it('is whose token lists it, from their sign-in on', async () => {
    await aTeam('red', [ANN]);
    await aTeam('hush', [BEN], { secret: true });
    const owner = await arrive(OWNER);
    const { teams } = await imported(owner, 'red', 'hush');
    const [red, hush] = teams.map(({ id }) => id) as [number, number];
    const [ann, ben] = [await arrive(ANN), await arrive(BEN)];
    const nobodyYet = await arrive('dev-2');
    for (const as of [ann, ben]) await available(as);

    expect([await sees(owner, red), await sees(owner, hush)]).toEqual([true, true]);
    expect([await sees(ann, red), await sees(ann, hush)]).toEqual([true, false]);
    expect([await sees(ben, red), await sees(ben, hush)]).toEqual([true, true]);
    expect([await sees(nobodyYet, red), await sees(nobodyYet, hush)]).toEqual([false, false]);
    await app.ask('POST', '/auth/logout', { as: ann, body: { background: true } });
    await aTeam('later', [ANN]);
    await imported(owner, 'later');
    const back = await app.signIn(ANN);
    const later = (await app.database.db.selectFrom('teams').select('id').where('slug', '=', 'later').execute())[0]!.id;
    await expect.poll(() => sees(back, later)).toBe(true);
  });

  it('is also who connects a first repository of the organisation, within a minute', async () => {
    await aTeam('red', [ANN]);
    await aTeam('hush', [BEN], { secret: true });
    const owner = await arrive(OWNER);
    const [red, hush] = (await imported(owner, 'red', 'hush')).teams.map(({ id }) => id) as [number, number];
    const [ann, outsider] = [await arrive(ANN), await arrive('outsider')];
    expect(await sees(ann, red)).toBe(false);

    await readMissingTeams(teamDeps(), new AbortController().signal);

    expect([await sees(ann, red), await sees(ann, hush), await sees(outsider, red)]).toEqual([true, false, false]);
  });

  it('loses it with the first complete reading that does not list it, and by no other', async () => {
    await aTeam('hush', [BEN, CAT], { secret: true });
    await aTeam('red', [BEN]);
    const owner = await arrive(OWNER);
    const [hush, red] = (await imported(owner, 'hush', 'red')).teams.map(({ id }) => id) as [number, number];
    const ben = await arrive(BEN);
    await available(ben);
    expect(await sees(ben, hush)).toBe(true);

    await leave('hush', BEN);
    for (const effect of ['server_error', 'silent_truncation']) {
      clock += 2 * 60_000;
      await fails(effect);
      await app.ask('GET', '/api/teams/available', { as: ben });
      await daily();
      await simulator.control('faults', undefined, 'DELETE');
      expect([effect, await sees(ben, hush)]).toEqual([effect, true]);
    }
    clock += 2 * 60_000;
    expect((await again(ben, hush)).status).toBe(404);
    expect([await sees(ben, hush), await sees(ben, red), await sees(owner, hush)]).toEqual([false, true, true]);
  });

  it('loses one that turns secret, and all of an organisation that they leave', async () => {
    await aTeam('red', [CAT]);
    await aTeam('blue', [BEN]);
    const owner = await arrive(OWNER);
    const [red, blue] = (await imported(owner, 'red', 'blue')).teams.map(({ id }) => id) as [number, number];
    const ben = await arrive(BEN);
    await available(ben);
    await change('red', { secret: true });
    clock += 2 * 60_000;
    await available(ben);
    expect([await sees(ben, red), await sees(ben, blue)]).toEqual([false, true]);

    await simulator.control('organizations/atlas', { members: { [BEN]: null } }, 'PATCH');
    clock += 2 * 60_000;
    await available(ben);
    expect([await sees(ben, red), await sees(ben, blue)]).toEqual([false, false]);
    await simulator.control('organizations/atlas', { members: { [BEN]: 'MEMBER' } }, 'PATCH');
    expect((await row(red))?.visibility).toBe('visible');
    await daily();
    expect((await row(red))?.visibility).toBe('secret');
    expect((await row(red))?.archived_at).toBeNull();
  });

  it('keeps one that is archived, as it was: a visible one that two readings lack', async () => {
    await aTeam('red', [ANN, BEN]);
    await aTeam('blue', [BEN]);
    const owner = await arrive(OWNER);
    const [red] = (await imported(owner, 'red', 'blue')).teams.map(({ id }) => id) as [number, number];
    const ben = await arrive(BEN);
    await available(ben);
    const before = await periodsOf(red, clock);
    await change('red', { deleted: true });

    clock += HOUR;
    await daily();
    expect(await row(red)).toMatchObject({ archived_at: null, missing_since: now() });
    expect([await sees(owner, red), await sees(ben, red)]).toEqual([false, false]);
    clock += 19 * HOUR;
    await daily();
    expect((await row(red))?.archived_at).toBeNull();
    clock += HOUR;
    await daily();
    expect((await row(red))?.archived_at).toEqual(now());
    expect([await sees(owner, red), await sees(ben, red)]).toEqual([true, true]);
    expect(await periodsOf(red, clock - 21 * HOUR)).toEqual(before);
    const cat = await arrive(CAT);
    await available(cat);
    expect(await sees(cat, red)).toBe(false);
  });

  it('is nobody of a secret team that no token lists any more: it stays as it was and says since when', async () => {
    await aTeam('hush', [BEN], { secret: true });
    const ben = await arrive(BEN);
    const [hush] = (await imported(ben, 'hush')).teams.map(({ id }) => id) as [number];
    const read_at = now();
    await leave('hush', BEN);
    await join('hush', CAT);
    clock += 3 * HOUR;
    await daily();
    clock += 20 * HOUR;
    await daily();

    expect(await row(hush)).toMatchObject({ archived_at: null, stale_since: read_at, read_at });
    expect(await periodsOf(hush, clock)).toEqual({ [BEN]: [[null, null]] });
    expect(await sees(ben, hush)).toBe(false);
    clock += DAY;
    const cat = await arrive(CAT);
    await available(cat);
    expect(await row(hush)).toMatchObject({ stale_since: null, read_at: now() });
    expect(await sees(cat, hush)).toBe(true);
  });

  it('is nobody by a token that the host refuses the teams, until it lists them again; nothing else is taken', async () => {
    await aTeam('red', [BEN]);
    const ben = await arrive(BEN, `github_pat_${BEN}`);
    const [red] = (await imported(ben, 'red')).teams.map(({ id }) => id) as [number];
    const read_at = now();
    await simulator.control('permissions', { members: false }, 'PATCH');
    clock += 20 * HOUR;

    expect(await again(ben, red)).toMatchObject({
      ...{ status: 422, body: { error: 'Your token may not read teams. Give it Members: read.' } },
    });
    expect(await sees(ben, red)).toBe(false);
    await daily();
    expect(await row(red)).toMatchObject({ stale_since: read_at, archived_at: null });
    expect(await periodsOf(red, clock)).toEqual({ [BEN]: [[null, null]] });
    expect(await sees(ben, red)).toBe(false);

    await simulator.control('permissions', { members: true }, 'PATCH');
    clock += 20 * HOUR;
    await daily();
    expect(await sees(ben, red)).toBe(true);
    expect(await row(red)).toMatchObject({ stale_since: null, read_at: now() });
  });

  it('is whom the host refused the teams as soon as it lists them again, within a quarter of an hour; then with the daily reading', async () => {
    await aTeam('red', [BEN]);
    const ben = await arrive(BEN, `github_pat_${BEN}`);
    const [red] = (await imported(ben, 'red')).teams.map(({ id }) => id) as [number];
    const readMissing = async () => await readMissingTeams(teamDeps(), new AbortController().signal);
    for (const [minutes, isSeen] of [
      [14, true],
      [16, false],
    ] as const) {
      await simulator.control('permissions', { members: false }, 'PATCH');
      clock += 20 * HOUR;
      await again(ben, red);
      await readMissing();
      expect(await sees(ben, red)).toBe(false);
      await simulator.control('permissions', { members: true }, 'PATCH');
      clock += minutes * 60_000;
      await readMissing();
      expect(await sees(ben, red)).toBe(isSeen);
    }
    await daily();
    expect(await sees(ben, red)).toBe(true);
  });

  it('is by the token that is stored now: another one without the right shows none, and takes none from others', async () => {
    await aTeam('hush', [ANN, BEN], { secret: true });
    await aTeam('red', [ANN]);
    const ann = await arrive(ANN);
    const ids = (await imported(ann, 'hush', 'red')).teams.map(({ id }) => id);
    const ben = await arrive(BEN);
    await available(ben);
    const seenBy = async (as: string) => await Promise.all(ids.map((id) => sees(as, id)));
    expect(await seenBy(ann)).toEqual([true, true]);

    // It reads every repository that the first one read.
    const narrower = await app.signIn(ANN, `ghp_${ANN}_repo`);
    expect(await seenBy(narrower)).toEqual([false, false]);
    clock += 2 * 60_000;
    await available(narrower);
    await daily();
    expect(await seenBy(narrower)).toEqual([false, false]);
    expect(await seenBy(ben)).toEqual([true, true]);
    expect(Object.keys(await periodsOf(ids[0]!, clock))).toEqual([ANN, BEN]);

    const back = await app.signIn(ANN, `ghp_${ANN}_repo-read:org`);
    await expect.poll(() => seenBy(back)).toEqual([true, true]);
  });

  it('is by another token once its sign-in has answered, which waits five seconds for it at most, and never fails for it', async () => {
    await aTeam('red', [ANN]);
    const [red] = (await imported(await arrive(ANN), 'red')).teams.map(({ id }) => id) as [number];
    const limits: number[] = [];
    const other = await openTestApp({
      ...{ host_url: simulator.url, database: app.database, now },
      timeLimit(milliseconds) {
        limits.push(milliseconds);
        return milliseconds === 5000 ? AbortSignal.timeout(20) : new AbortController().signal;
      },
    });
    const [first, second] = [`ghp_${ANN}_repo-read:org`, `ghp_${ANN}_repo-read:org-gist`];
    await fails('latency', { milliseconds: 400 });

    expect(await sees(await app.signIn(ANN, first), red)).toBe(true);

    await simulator.control('faults', undefined, 'DELETE');
    await fails('latency', { milliseconds: 2000 });
    const late = await other.signIn(ANN, second);
    expect(await sees(late, red)).toBe(false);
    expect(limits).toContain(5000);
    await expect.poll(() => sees(late, red), { timeout: 10_000 }).toBe(true);
    limits.length = 0;
    await other.signIn(ANN, second);
    await other.signIn(BEN);
    expect(limits).toEqual([]);

    await simulator.control('faults', undefined, 'DELETE');
    await fails('bad_gateway');
    expect(await sees(await app.signIn(ANN, first), red)).toBe(false);
    await other.stop();
  });
});

describe('a secret team', () => {
  it('is to those who are not shown it like one that never was, in every call that names teams', async () => {
    await aTeam('hush', [BEN], { secret: true, name: 'Planted secret' });
    await aTeam('red', [ANN, BEN]);
    const owner = await arrive(OWNER);
    const [hush, red] = (await imported(owner, 'hush', 'red')).teams.map(({ id }) => id) as [number, number];
    const ann = await arrive(ANN);
    await available(ann);
    const calls = (id: number): [Parameters<TestApp['ask']>[0], string, object?][] => [
      ['GET', `/api/teams/${id}`],
      ['POST', `/api/teams/${id}/refresh`],
      ['PATCH', `/api/teams/${id}`, { name: 'Other' }],
      ['DELETE', `/api/teams/${id}`],
      ['PUT', `/api/teams/${id}/members/${ANN}`, { from: null, to: null }],
      ['DELETE', `/api/teams/${id}/members/${ANN}`],
      ['POST', '/api/teams', { name: `With ${id}`, teams: [id] }],
      ...[
        'team-stats',
        'reviewer-stats',
        'developer-stats',
        'review-load',
        'contributors',
        'explain/team.open_prs',
      ].map((call): ['GET', string] => ['GET', `/api/${call}?team=${id}`]),
    ];
    const told = async (as: string, id: number) => {
      const answers: unknown[] = [];
      for (const [method, path, body] of calls(id)) {
        const answer = await app.ask(method, path, { as, ...(body && { body }) });
        const text = JSON.stringify(answer.body ?? '').replaceAll(String(id), 'ID');
        answers.push([method, path.replace(String(id), 'ID'), answer.status, text.replace(/"request_id":"[^"]+"/, '')]);
      }
      return answers;
    };

    expect(await told(ann, hush)).toEqual(await told(ann, 2_000_000));
    const lists = ['/api/teams', '/api/teams?all=true', '/api/teams/available', `/api/teams/${red}`];
    for (const path of lists) {
      const mine = await app.ask('GET', path, { as: ann });
      const theirs = await app.ask('GET', path, { as: owner });
      expect([path, mine.status, JSON.stringify(mine.body).match(/hush|Planted/)]).toEqual([path, 200, null]);
      if (path !== lists[3])
        expect([path, JSON.stringify(theirs.body)]).toEqual([path, expect.stringContaining('hush')]);
    }
    expect(await row(hush)).toBeDefined();
  });
});

// The embedded database has a single connection.
it.skipIf(process.env.TEST_DATABASE === 'embedded')(
  'changes of groups wait on one connection together, also of people with marks of their own; what is not there waits for none',
  async () => {
    const { db } = app.database;
    const [ann, ben] = [await arrive(ANN), await arrive(BEN)];
    const make = async (as: string, name: string) =>
      ((await app.ask('POST', '/api/teams', { as, body: { name } })).body as { id: number }).id;
    const groups = [[ann, await make(ann, 'One')] as const, [ann, await make(ann, 'Two')] as const];
    groups.push([ben, await make(ben, 'Three')]);
    await sql`
      insert into own_account_kinds (user_id, host, host_id, kind, set_at)
      select id, host, host_id, 'bot', now() from users`.execute(db);
    const waiting = async () => {
      const { rows } = await sql<{ many: number }>`
        select count(*)::int as many from pg_locks where not granted and relation = 'team_people'::regclass
          and database = (select oid from pg_database where datname = current_database())`.execute(db);
      return rows[0]!.many;
    };

    const { gone, held, deleted } = await db.transaction().execute(async (within) => {
      await lockTeams(within);
      const gone = await app.ask('DELETE', '/api/teams/999999', { as: ann });
      const deleted = groups.map(([as, id]) => app.ask('DELETE', `/api/teams/${id}`, { as }));
      while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { gone, held: await waiting(), deleted };
    });

    expect([gone.status, held]).toEqual([404, 1]);
    expect((await Promise.all(deleted)).map(({ status }) => status)).toEqual([204, 204, 204]);
  },
);

describe('reading again', () => {
  it('answers when it was read before, once a minute, and reads with the token of whoever asks', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    const [red] = (await imported(as, 'red')).teams.map(({ id }) => id) as [number];
    const first = now();
    const soon = await again(as, red);
    expect([soon.status, soon.headers['retry-after']]).toEqual([429, '60']);
    clock += 60_000;
    await join('red', BEN);

    expect(await again(as, red)).toMatchObject({ status: 202, body: { read_at: first.toISOString() } });
    expect((await row(red))?.read_at).toEqual(now());
    expect(Object.keys(await periodsOf(red, clock))).toEqual([ANN, BEN]);
    expect((await again(as, red)).status).toBe(429);
    expect((await again(await arrive('dev-2'), red)).status).toBe(404);
    const group = (await app.ask('POST', '/api/teams', { as, body: { name: 'Mine', teams: [red] } })).body as {
      id: number;
    };
    expect(await again(as, group.id)).toMatchObject({ status: 409, body: { error: 'Groups have no host.' } });
  });

  it('says until when to wait also after the host failed', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    const [red] = (await imported(as, 'red')).teams.map(({ id }) => id) as [number];
    expect((await again(as, red)).body).toMatchObject({ error: 'The team was read a moment ago. Try again in 60 s.' });
    clock += 60_000;
    await fails('server_error');

    expect((await again(as, red)).status).toBe(502);
    expect(await again(as, red)).toMatchObject({
      status: 429,
      body: { error: 'The team was asked for a moment ago. Try again in 60 s.' },
    });
  });

  it('follows deliveries of the organisation’s webhook', async () => {
    await aTeam('red', [ANN]);
    await aTeam('hush', [ANN, BEN], { secret: true });
    const owner = await arrive(OWNER);
    const [red, hush] = (await imported(owner, 'red', 'hush')).teams.map(({ id }) => id) as [number, number];
    const ben = await arrive(BEN);
    await available(ben);
    const hook = (await app.ask('POST', '/api/organisations/atlas/webhook', { as: owner })).body as {
      url: string;
      secret: string;
    };
    const deliver = async (event: string, more: object, organization = 900) => {
      const raw = JSON.stringify({ action: 'removed', organization: { id: organization, login: 'atlas' }, ...more });
      const signature = createHmac('sha256', hook.secret).update(raw).digest('hex');
      const answer = await app.server.app.inject({
        ...{ method: 'POST', url: new URL(hook.url).pathname, payload: raw },
        headers: {
          ...{ host: new URL(hook.url).host, 'content-type': 'application/json' },
          ...{ 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` },
        },
      });
      return answer.statusCode;
    };
    await join('red', CAT);
    await leave('hush', BEN);
    clock += HOUR;
    expect(await deliver('membership', { member: { id: 1_015 } }, 901)).toBe(202);
    expect(await sees(ben, hush)).toBe(true);

    // dev-16, by the host's number.
    expect(await deliver('membership', { member: { id: 1_015 } })).toBe(202);

    await expect.poll(async () => Object.keys(await periodsOf(red, clock))).toEqual([ANN, CAT]);
    await expect.poll(() => sees(ben, hush)).toBe(false);
    expect(await sees(owner, hush)).toBe(true);
  });

  it('goes on with others where one person’s token or one organisation fails', async () => {
    await aTeam('red', [ANN, BEN]);
    const [ann, ben] = [await arrive(ANN, `ghp_${ANN}_repo-read:org`), await arrive(BEN)];
    const [red] = (await imported(ann, 'red')).teams.map(({ id }) => id) as [number];
    await available(ben);
    await simulator.control('tokens', { token: `ghp_${ANN}_repo-read:org` }, 'DELETE');
    await join('red', CAT);
    clock += DAY;

    expect(await daily()).toEqual([]);
    expect(Object.keys(await periodsOf(red, clock))).toEqual([ANN, BEN, CAT]);
    expect((await row(red))?.stale_since).toBeNull();
  });

  it('stay as they were at a 401 that the host does not repeat, and are tried again', async () => {
    await aTeam('red', [ANN]);
    const [red] = (await imported(await arrive(ANN), 'red')).teams.map(({ id }) => id) as [number];
    await fails('bad_credentials');
    clock += DAY;

    expect(await daily()).toHaveLength(1);
    expect((await row(red))?.stale_since).toBeNull();
    await simulator.control('faults', undefined, 'DELETE');
    expect(await daily()).toEqual([]);
    expect(await row(red)).toMatchObject({ stale_since: null, read_at: now() });
  });
});

describe('the reading of the day', () => {
  /** Reads as the job does, and returns with whose tokens it asked, by their logins. */
  async function asked(act: (login: string, abort: () => void) => void = () => undefined, sent_at = now()) {
    const logins: string[] = [];
    const deps = teamDeps();
    const abort = new AbortController();
    const done = await readAllTeams(
      {
        ...deps,
        async clientFor(user_id) {
          const { login } = await app.database.db
            .selectFrom('users')
            .select('login')
            .where('id', '=', user_id)
            .executeTakeFirstOrThrow();
          logins.push(login);
          act(login, () => abort.abort());
          return await deps.clientFor(user_id);
        },
      },
      abort.signal,
      sent_at,
    );
    return { done, logins };
  }

  it('that was broken off goes on with those whose token has read nothing since it was sent', async () => {
    await aTeam('red', [ANN, BEN, CAT]);
    for (const login of [ANN, BEN, CAT]) await imported(await arrive(login), 'red');
    clock += HOUR;
    const sent_at = now();
    clock += 1000;

    const stopped = await asked((login, abort) => login === BEN && abort(), sent_at);
    clock += HOUR;
    const retried = await asked(undefined, sent_at);
    const again = await asked();

    expect(stopped).toEqual({ done: false, logins: [ANN, BEN] });
    expect(retried).toEqual({ done: true, logins: [BEN, CAT] });
    expect(again.logins.toSorted()).toEqual([ANN, BEN, CAT]);
    expect((await app.database.db.selectFrom('teams').select('stale_since').execute())[0]).toEqual({
      stale_since: null,
    });
  });

  it('is broken off where the host cannot be reached for several people in a row', async () => {
    await aTeam('red', [ANN]);
    await imported(await arrive(ANN), 'red');
    for (const number of [2, 3, 4, 5, 6, 7]) await arrive(`dev-${10 * number + 1}`);
    clock += HOUR;
    await fails('bad_gateway');

    expect(await asked()).toMatchObject({ done: false, logins: { length: 5 } });
  });

  it('is not done where a single one failed in passing, and is where the host refuses it', async () => {
    await aTeam('red', [BEN]);
    const ben = await arrive(BEN, `github_pat_${BEN}`);
    await imported(ben, 'red');
    clock += HOUR;
    await fails('bad_gateway');
    expect(await asked()).toMatchObject({ done: false });
    await simulator.control('faults', undefined, 'DELETE');
    expect(await asked()).toMatchObject({ done: true });
    await simulator.control('permissions', { members: false }, 'PATCH');
    expect(await asked()).toMatchObject({ done: true });
    await simulator.control('permissions', { members: true }, 'PATCH');
  });

  it.each([
    [
      'is not done where somebody’s failed in a way that an hour may mend',
      false,
      ['unavailable', 'rate_limited', 'secondary_limit'],
    ],
    ['is done where somebody’s fails in the same way each time', true, ['too_heavy', 'protocol']],
  ] as const)('%s', async (_, isDone, kinds) => {
    await aTeam('red', [ANN]);
    await imported(await arrive(ANN), 'red');
    clock += HOUR;
    const failures: unknown[] = [];
    const deps = teamDeps(failures);
    const fail = async (kind: HostErrorKind) =>
      await readAllTeams(
        {
          ...deps,
          async clientFor(user_id) {
            const personal = (await deps.clientFor(user_id))!;
            const client: typeof personal.client = Object.create(personal.client);
            client.organizationTeams = () => Promise.reject(new HostError(kind, 'No teams.'));
            return { ...personal, client };
          },
        },
        new AbortController().signal,
      );

    for (const kind of kinds) expect([kind, await fail(kind)]).toEqual([kind, isDone]);
    expect(failures).toHaveLength(kinds.length);
  });

  it('asks everybody after the clock was set back, whatever was read by the one before', async () => {
    await aTeam('red', [ANN]);
    await imported(await arrive(ANN), 'red');
    clock -= 24 * HOUR;

    expect(await asked()).toEqual({ done: true, logins: [ANN] });
  });
});

describe('taking an import back', () => {
  it('leaves the team to other importers, and removes it with the last, from what holds it, too', async () => {
    await aTeam('red', [ANN]);
    await aTeam('red-one', [BEN], { parent: 'red' });
    await aTeam('hush', [BEN], { secret: true });
    const owner = await arrive(OWNER);
    const ann = await arrive(ANN);
    const [red, one] = (await imported(owner, 'red')).teams.map(({ id }) => id) as [number, number];
    const [hush] = (await imported(owner, 'hush')).teams.map(({ id }) => id) as [number];
    await imported(ann, 'red-one');
    const takeBack = async (as: string, id: number) => (await app.ask('DELETE', `/api/teams/${id}`, { as })).status;

    expect(await takeBack(owner, one)).toBe(204);
    expect(await row(one)).toBeDefined();
    expect(await takeBack(ann, one)).toBe(204);
    expect(await row(one)).toBeUndefined();
    expect(await row(red)).toBeDefined();
    const { rows } = await sql<{ login: string }>`
      select p.login from team_people t join people p on p.id = t.person_id where t.team_id = ${red}`.execute(
      app.database.db,
    );
    expect(rows).toEqual([{ login: ANN }]);
    // Gone, never there, and not to be seen are the same; whoever sees a team and did not import it has nothing to take back.
    expect([await takeBack(ann, one), await takeBack(ann, 2_000_000), await takeBack(ann, hush)]).toEqual([
      ...[404, 404, 404],
    ]);
    expect(await takeBack(ann, red)).toBe(204);
    expect([await row(red), await row(hush)]).toEqual([expect.anything(), expect.anything()]);
  });

  it('happens with the account: what nobody imports is forgotten, with the names of people who are nowhere else', async () => {
    await aTeam('red', [ANN]);
    const as = await arrive(ANN);
    const [red] = (await imported(as, 'red')).teams.map(({ id }) => id) as [number];
    await app.ask('DELETE', '/auth/me', { as, body: { confirm: ANN } });

    const nameOf = async () => {
      const people = app.database.db.selectFrom('people').select(['login', 'avatar_url']).where('host_id', '=', '1010');
      return await people.executeTakeFirst();
    };
    await forgetPeople(app.database.db);
    expect(await nameOf()).toMatchObject({ login: ANN });
    expect(await forgetUnimported(app.database.db)).toBe(1);
    expect(await row(red)).toBeUndefined();
    expect(await forgetUnimported(app.database.db)).toBe(0);
    await forgetPeople(app.database.db);
    expect(await nameOf()).toEqual({ login: '', avatar_url: null });
  });
});
