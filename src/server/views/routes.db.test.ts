import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aConnection, aRepository, aUser, HOST } from '../../../test/support/stored.ts';
import { aTeam } from '../../../test/support/teams.ts';
import type { OpenDatabase } from '../db/open.ts';
import { MOST_VIEWS, viewRoutes } from './routes.ts';

const NOW = new Date('2026-06-18T13:00:00Z');

let database: OpenDatabase;
let ada: number;
let ben: number;
let web: number;
let api: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('users').execute();
  ada = await aUser(database.db);
  ben = await aUser(database.db);
  web = await aRepository(database.db, 'acme/web', [ada, ben]);
  api = await aRepository(database.db, 'acme/api', [ada]);
});

const routes = () => viewRoutes({ db: database.db, now: () => NOW });
const as = (id: number, host = HOST) => ({ id, host, login: 'me', time_zone: 'UTC', own_marks: false });

async function keep(id: number, given: object, host = HOST) {
  const body = endpoints.keepView.body.parse({ name: 'A view', path: '/prs', ...given });
  return endpoints.keepView.answer.parse(await routes().keepView({ user: as(id, host), body } as never));
}
const open = async (id: number, slug: string, host = HOST) =>
  endpoints.getView.answer.parse(await routes().getView({ user: as(id, host), params: { slug } } as never));
const list = async (id: number, host = HOST) =>
  endpoints.listViews.answer.parse(await routes().listViews({ user: as(id, host) } as never));
const change = async (id: number, slug: string, given: object, host = HOST) => {
  const body = endpoints.changeView.body.parse(given);
  return endpoints.changeView.answer.parse(
    await routes().changeView({ user: as(id, host), params: { slug }, body } as never),
  );
};
const remove = (id: number, slug: string) => routes().deleteView({ user: as(id), params: { slug } } as never);

describe('a kept view', () => {
  it('has twelve random letters of its own, and is for oneself and off the dashboard unless said', async () => {
    const [one, two] = [await keep(ada, { name: ' Slow\n reviews ' }), await keep(ada, {})];

    expect(one).toEqual({
      ...{ id: one.id, slug: one.slug, name: 'Slow reviews', path: '/prs', visibility: 'mine', pinned: false },
      ...{ mine: true, created_at: NOW.toISOString() },
    });
    expect(one.slug).toMatch(/^[a-z0-9]{12}$/);
    expect(two.slug).not.toBe(one.slug);
    expect(await open(ada, one.slug)).toEqual({ ...one, missing: false, team_gone: false });
  });

  it('for oneself is nobody else’s: unknown to read, change and delete', async () => {
    const { slug } = await keep(ada, {});

    expect(await list(ben)).toEqual([]);
    for (const call of [() => open(ben, slug), () => change(ben, slug, { name: 'x' }), () => remove(ben, slug)])
      await expect(call()).rejects.toMatchObject({ status: 404, message: 'View not found' });
    expect(await list(ada)).toHaveLength(1);
  });

  it('for everyone is read by everyone of the same host, and changed and deleted by whoever keeps it', async () => {
    const { slug } = await keep(ada, { visibility: 'everyone' });

    expect(await open(ben, slug)).toMatchObject({ slug, mine: false, missing: false });
    expect((await list(ben)).map(({ mine }) => mine)).toEqual([false]);
    expect(await list(ben, 'https://another.test')).toEqual([]);
    await expect(open(ben, slug, 'https://another.test')).rejects.toMatchObject({ status: 404 });
    for (const call of [() => change(ben, slug, { name: 'x' }), () => remove(ben, slug)])
      await expect(call()).rejects.toMatchObject({ status: 403 });

    expect(await change(ada, slug, { pinned: true, name: 'Other' })).toMatchObject({ pinned: true, name: 'Other' });
    expect(await change(ada, slug, {})).toMatchObject({ pinned: true, name: 'Other', visibility: 'everyone' });
    expect(await change(ada, slug, { path: '/trends', visibility: 'mine' })).toMatchObject({ path: '/trends' });
    await expect(open(ben, slug)).rejects.toMatchObject({ status: 404 });
    await remove(ada, slug);
    await expect(open(ada, slug)).rejects.toMatchObject({ status: 404 });
  });

  it('of a visitor of the demo is theirs alone, whomever they keep or change it for', async () => {
    const { slug, visibility } = await keep(ada, { visibility: 'everyone' }, DEMO_HOST);

    expect(visibility).toBe('mine');
    expect(await change(ada, slug, { name: 'To strangers', visibility: 'everyone' }, DEMO_HOST)).toMatchObject({
      ...{ name: 'To strangers', visibility: 'mine' },
    });
    expect(await list(ben, DEMO_HOST)).toEqual([]);
    await expect(open(ben, slug, DEMO_HOST)).rejects.toMatchObject({ status: 404 });
  });

  it('names no repository to those who do not see it, and nothing that its maker typed', async () => {
    const path = `/trends?repository=${web},${api}&split=base&q=secret`;
    const { slug } = await keep(ada, { path, visibility: 'everyone' });
    const theirs = `/trends?repository=${web}&split=base`;

    expect(await open(ada, slug)).toMatchObject({ path, missing: false });
    expect(await open(ben, slug)).toMatchObject({ path: theirs, missing: true });
    expect(await list(ben)).toMatchObject([{ path: theirs }]);
    expect(JSON.stringify([await open(ben, slug), await list(ben)])).not.toMatch(new RegExp(`secret|=${api}|,${api}`));

    await aConnection(database.db, ben, api);
    expect(await open(ben, slug)).toMatchObject({
      path: `/trends?repository=${web},${api}&split=base`,
      missing: true,
    });
  });

  it('follows the sight of its reader, the maker’s too', async () => {
    const { slug } = await keep(ada, { path: `/prs?repository=${api}&q=mine`, visibility: 'everyone' });
    await database.db
      .updateTable('connections')
      .set({ readable: false })
      .where('user_id', '=', ada)
      .where('repository_id', '=', api)
      .execute();

    expect(await open(ada, slug)).toMatchObject({ path: '/prs?q=mine', missing: true });
    expect(await open(ben, slug)).toMatchObject({ path: '/prs', missing: true });
  });

  it('names teams to those who see them, and says of others that they are gone', async () => {
    const team = await aTeam(database.db, 'Core', [ada], []);
    const { slug } = await keep(ada, { path: `/team/${team}?period=90d`, visibility: 'everyone' });
    const { slug: other } = await keep(ada, { path: `/prs?team=${team}&team_as=reviewer`, visibility: 'everyone' });

    expect(await open(ada, slug)).toMatchObject({ path: `/team/${team}?period=90d`, missing: false, team_gone: false });
    expect(await open(ben, slug)).toMatchObject({ path: '/teams?period=90d', missing: true, team_gone: true });
    expect(await open(ben, other)).toMatchObject({ path: '/prs', team_gone: true });
    expect((await list(ben)).map(({ path }) => path)).toEqual(['/teams?period=90d', '/prs']);
    await database.db.deleteFrom('teams').where('id', '=', team).execute();
    expect(await open(ada, slug)).toMatchObject({ path: '/teams?period=90d', missing: true, team_gone: true });
  });

  it('goes with the person who keeps it', async () => {
    await keep(ada, { visibility: 'everyone' });
    await database.db.deleteFrom('users').where('id', '=', ada).execute();

    expect(await list(ben)).toEqual([]);
  });

  it(`is one of ${MOST_VIEWS} at most, each person’s own`, async () => {
    const row = {
      ...{ user_id: ada, host: HOST, name: 'x', path: '/prs', visibility: 'everyone' as const, pinned: false },
      created_at: NOW,
    };
    await database.db
      .insertInto('kept_views')
      .values(Array.from({ length: MOST_VIEWS - 1 }, (_, at) => ({ ...row, slug: `view-${at}` })))
      .execute();

    const kept = await Promise.allSettled([1, 2, 3].map(() => keep(ada, {})));

    expect(kept.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(keep(ada, {})).rejects.toMatchObject({ status: 409, message: /At most 100 views/ });
    await keep(ben, {});
    expect(await list(ben)).toHaveLength(MOST_VIEWS);
  });

  it('is listed by its name', async () => {
    for (const name of ['beta', 'Alpha', 'älter']) await keep(ada, { name });

    expect((await list(ada)).map(({ name }) => name)).toEqual(['Alpha', 'älter', 'beta']);
  });
});

describe('what is kept', () => {
  const refused = (given: object) =>
    endpoints.keepView.body.safeParse({ name: 'A view', path: '/prs', ...given }).error?.issues[0]?.message ?? null;

  it.each([
    [{ name: ' ' }, 'must not be empty'],
    [{ name: 'x'.repeat(81) }, 'must not be longer than 80 letters'],
    [{ name: undefined }, 'must be a text'],
    [{ name: '🙂'.repeat(80) }, null],
    [{ path: undefined }, 'must be a text'],
    [{ path: '//elsewhere.test' }, 'must begin with one /'],
    [{ path: '/dashboard/../administration' }, 'must be one of the screens that can be kept'],
    [{ visibility: 'team' }, 'must be mine or everyone'],
    [{ pinned: 'yes' }, expect.any(String)],
  ])('%j: %s', (given, message) => {
    expect(refused(given)).toEqual(message);
    expect(endpoints.changeView.body.safeParse(given).success).toBe(
      message === null || Object.values(given)[0] === undefined,
    );
  });
});
