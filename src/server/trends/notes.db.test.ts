import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aUser, HOST } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { MOST_NOTES, noteRoutes } from './notes.ts';

const NOW = new Date('2026-06-18T13:00:00Z');
const ZONE = 'Europe/Oslo';

let database: OpenDatabase;
let ada: number;
let ben: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('users').execute();
  ada = await aUser(database.db, ZONE);
  ben = await aUser(database.db, ZONE);
});

const routes = () => noteRoutes({ db: database.db, now: () => NOW });
const as = (id: number, host = HOST) => ({ id, host, login: 'me', time_zone: ZONE, own_marks: false });

async function add(id: number, given: object, host = HOST) {
  const body = endpoints.addNote.body.parse(given);
  return endpoints.addNote.answer.parse(await routes().addNote({ user: as(id, host), body } as never));
}
async function list(id: number, query: object = {}, host = HOST) {
  const parsed = endpoints.listNotes.query.parse(query);
  return endpoints.listNotes.answer.parse(await routes().listNotes({ user: as(id, host), query: parsed } as never));
}
const remove = (id: number, note: number) => routes().deleteNote({ user: as(id), params: { id: note } } as never);
const refused = (given: object) => endpoints.addNote.body.safeParse(given).error?.issues[0]?.message ?? null;

describe('a note', () => {
  it('of a date is about its midnight on the writer’s clock, and one’s own unless said', async () => {
    expect(await add(ada, { at: '2026-06-01', text: '  Reviews\n of two ' })).toMatchObject({
      at: '2026-05-31T22:00:00.000Z',
      text: 'Reviews of two',
      visibility: 'mine',
      mine: true,
    });
    expect(await add(ada, { at: '2026-06-01T10:00:00+02:00', text: 'x' })).toMatchObject({
      at: '2026-06-01T08:00:00.000Z',
    });
  });

  it('is seen by its writer, and by everyone of the same host where it is for everyone', async () => {
    await add(ada, { at: '2026-06-02', text: 'hers' });
    await add(ada, { at: '2026-06-01', text: 'everyone’s', visibility: 'everyone' });

    expect((await list(ada)).map(({ text, mine }) => [text, mine])).toEqual([
      ['everyone’s', true],
      ['hers', true],
    ]);
    expect((await list(ben)).map(({ text, mine }) => [text, mine])).toEqual([['everyone’s', false]]);
    expect(await list(ben, {}, 'https://another.test')).toEqual([]);
  });

  it('of a visitor of the demo is theirs alone', async () => {
    expect(await add(ada, { at: '2026-06-01', text: 'to strangers', visibility: 'everyone' }, DEMO_HOST)).toMatchObject(
      { visibility: 'mine', mine: true },
    );

    expect((await list(ada, {}, DEMO_HOST)).map(({ text }) => text)).toEqual(['to strangers']);
    expect(await list(ben, {}, DEMO_HOST)).toEqual([]);
  });

  it('is listed where it lies from the first moment on and before the last', async () => {
    for (const day of ['01', '02', '03']) await add(ada, { at: `2026-06-${day}`, text: day });

    expect((await list(ada, { from: '2026-06-01', to: '2026-06-03' })).map(({ text }) => text)).toEqual(['01', '02']);
    expect((await list(ada, { from: '2026-06-02T00:00:00+02:00' })).map(({ text }) => text)).toEqual(['02', '03']);
    await expect(list(ada, { from: '2026-06-02', to: '2026-06-02' })).rejects.toMatchObject({ status: 400 });
  });

  it('of others pushes out no note of one’s own, and those of one person none of another', async () => {
    const cyd = await aUser(database.db, ZONE);
    await add(ben, { at: '2026-06-01', text: 'own' });
    await add(cyd, { at: '2026-06-02', text: 'of somebody else', visibility: 'everyone' });
    const row = { user_id: ada, host: HOST, visibility: 'everyone' as const, created_at: NOW };
    const many = Array.from({ length: MOST_NOTES }, (_, n) => ({
      ...row,
      ...{ at: new Date(NOW.getTime() - n * 60_000), text: `${n}` },
    }));
    await database.db.insertInto('notes').values(many).execute();

    const texts = (await list(ben)).map(({ text }) => text);

    expect(texts).toHaveLength(MOST_NOTES);
    expect(texts.slice(0, 2)).toEqual(['own', 'of somebody else']);
    expect([texts[2], texts.at(-1)]).toEqual([`${MOST_NOTES - 3}`, '0']);
  });

  it('is deleted by its writer alone, and goes with them', async () => {
    const { id } = await add(ada, { at: '2026-06-01', text: 'x', visibility: 'everyone' });

    await expect(remove(ben, id)).rejects.toMatchObject({ status: 404 });
    await remove(ada, id);
    await expect(remove(ada, id)).rejects.toMatchObject({ status: 404 });
    await add(ada, { at: '2026-06-01', text: 'x', visibility: 'everyone' });
    await database.db.deleteFrom('users').where('id', '=', ada).execute();

    expect(await list(ben)).toEqual([]);
  });

  it('has a moment and 1 to 140 letters', async () => {
    const at = '2026-06-01';
    expect(refused({ at, text: ' \n' })).toBe('must not be empty');
    expect(refused({ at, text: 'ü'.repeat(141) })).toBe('must not be longer than 140 letters');
    expect(refused({ at, text: '🙂'.repeat(140) })).toBeNull();
    expect(refused({ at })).toBe('must be a text');
    expect(refused({ text: 'x' })).toMatch(/^must be a date/);
    expect(refused({ at: 'soon', text: 'x' })).toMatch(/^must be a date/);
    expect(refused({ at, text: 'x', visibility: 'team' })).toBe('must be mine or everyone');
    for (const far of ['1969-06-01', '2100-01-02', '9999-12-31T23:59:59-23:59'])
      await expect(add(ada, { at: far, text: 'x' })).rejects.toMatchObject({ status: 400 });
  });

  it(`is one of ${MOST_NOTES} at most, each person’s own`, async () => {
    const row = { user_id: ada, host: HOST, at: NOW, text: 'x', visibility: 'mine' as const, created_at: NOW };
    await database.db
      .insertInto('notes')
      .values(Array.from({ length: MOST_NOTES - 1 }, () => row))
      .execute();

    const added = await Promise.allSettled([1, 2, 3].map(() => add(ada, { at: '2026-06-01', text: 'one more' })));

    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(add(ada, { at: '2026-06-01', text: 'x' })).rejects.toMatchObject({ status: 409 });
    await add(ben, { at: '2026-06-01', text: 'x' });
  });
});
