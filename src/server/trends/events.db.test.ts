import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  comments,
  hour,
  merged,
  replies,
  says,
} from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import { changeHealthSettings } from '../db/health-settings.ts';
import type { OpenDatabase } from '../db/open.ts';
import { scopeOf } from '../metrics/scope.ts';
import { deletePullRequests } from '../sync/save.ts';
import { eventsOf, MOST_EVENTS } from './events.ts';

let database: OpenDatabase;
let user: number;
let web: number;
let api: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'health_settings');
  await db.deleteFrom('account_kinds').execute();
  user = await aUser(db);
  web = await aRepository(db, 'acme/web', [user]);
  api = await aRepository(db, 'acme/api', [user]);
});

const NOW = hour(1000);
const everywhere = { from: hour(0), to: NOW };
async function events(span = everywhere, repository?: number, as = user) {
  const found = await eventsOf(database.db, await scopeOf(database.db, as, repository), { id: as, host: HOST }, span);
  return found.map(({ at, kind, text }) => `${(Date.parse(at) - hour(0)) / 3_600_000} ${kind}: ${text}`);
}
const save = (id: number, ...pulls: Parameters<typeof store>[3]) => store(database.db, id, NOW, pulls);

describe('an AI reviewer', () => {
  it('is told when it first acts on somebody else’s open pull request, once for what is asked about', async () => {
    await save(web, aPullRequest({ number: 7 }, comments(20, 'agent-x'), approves(25, 'agent-x')));
    await save(api, aPullRequest({ number: 3 }, comments(40, 'agent-x')), aPullRequest({ number: 4 }));

    expect(await events()).toEqual(['20 ai_reviewer: agent-x reviewed for the first time: acme/web#7']);
    expect(await events(everywhere, api)).toEqual(['40 ai_reviewer: agent-x reviewed for the first time: acme/api#3']);
    expect(await events({ from: hour(21), to: NOW })).toEqual([]);
    expect(await events({ from: hour(0), to: hour(20) })).toEqual([]);
  });

  it('has not acted on its own pull request, after the end of one, by words in the conversation, or as a person or bot', async () => {
    await save(
      web,
      aPullRequest({ number: 1, author: aPerson('agent-x') }, comments(5, 'agent-x')),
      aPullRequest({ number: 2 }, merged(9), approves(10, 'agent-x')),
      aPullRequest({ number: 3 }, says(5, 'agent-x'), approves(6, 'ben'), approves(7, 'bot-y')),
    );
    expect(await events()).toEqual([]);

    // An answer in a thread is an inline comment.
    await save(web, aPullRequest({ number: 3 }, comments(5, 'ben', { threads: 1 }), replies(30, 'agent-x')));
    expect(await events()).toEqual(['30 ai_reviewer: agent-x reviewed for the first time: acme/web#3']);
  });

  it('is a tool with all its accounts, and acts by words in the conversation where it is known to review', async () => {
    const [writer, reviewer] = ['copilot-swe-agent[bot]', 'copilot-pull-request-reviewer[bot]'].map((login) =>
      aPerson(login, { kind: 'agent' }),
    ) as [PersonRef, PersonRef];
    const as = (author: PersonRef, { reviews, comments, ...pull }: PullRequestRecord): PullRequestRecord => ({
      ...pull,
      reviews: reviews.map((review) => ({ ...review, author })),
      comments: comments.map((comment) => ({ ...comment, author })),
    });
    await save(
      web,
      as(writer, aPullRequest({ number: 1 }, says(5, 'x'))),
      as(reviewer, aPullRequest({ number: 2, author: writer }, comments(6, 'x'))),
      as(reviewer, aPullRequest({ number: 3 }, says(7, 'x'))),
      as(writer, aPullRequest({ number: 4 }, comments(8, 'x'))),
    );

    expect(await events()).toEqual(['7 ai_reviewer: Copilot reviewed for the first time: acme/web#3']);
  });

  it('is told anew where an earlier act is read, or the first one is gone', async () => {
    await save(web, aPullRequest({ number: 7 }, approves(50, 'agent-x')));
    await save(web, aPullRequest({ number: 6 }, approves(30, 'agent-x')));
    expect(await events()).toEqual(['30 ai_reviewer: agent-x reviewed for the first time: acme/web#6']);

    await database.db.transaction().execute((within) => deletePullRequests(within, web, [6]));
    expect(await events()).toEqual(['50 ai_reviewer: agent-x reviewed for the first time: acme/web#7']);

    await save(web, aPullRequest({ number: 7 }));
    expect(await events()).toEqual([]);
  });

  it('is told to whoever sees the repository', async () => {
    await save(web, aPullRequest({ number: 7 }, approves(20, 'agent-x')));
    const stranger = await aUser(database.db);

    expect(await events(everywhere, undefined, stranger)).toEqual([]);
  });
});

it('a repository is told when its reader connected it', async () => {
  await sql`update connections set connected_at = ${new Date(hour(8))} where repository_id = ${api}`.execute(
    database.db,
  );

  expect(await events()).toEqual(['8 repository_connected: acme/api connected']);
  expect(await events(everywhere, web)).toEqual([]);
});

it('thresholds are told with what they were and became, to everyone of the host', async () => {
  const change = (at: number, big: number, generated?: string[]) =>
    changeHealthSettings(
      database.db,
      { id: user, host: HOST },
      (settings) => ({ ...settings, big, ...(generated && { generated }) }),
      new Date(hour(at)),
    );
  await change(3, 500);
  await change(4, 500);
  await change(5, 300, ['*.lock']);
  await database.db
    .insertInto('health_settings')
    .columns(['host', 'settings', 'revision', 'set_at'])
    .expression((query) =>
      query
        .selectFrom('health_settings')
        .select(({ val }) => [val('elsewhere').as('host'), 'settings', 'revision', 'set_at']),
    )
    .execute();

  expect(await events()).toEqual([
    '3 thresholds: Thresholds changed: lines of a big one 400 → 500',
    '5 thresholds: Thresholds changed: lines of a big one 500 → 300, generated files',
  ]);
  expect(await events({ from: hour(4), to: NOW })).toHaveLength(1);
});

it('definitions are told when the installation began to count by others, not those that it was set up with', async () => {
  const { db } = database;
  expect(await events({ from: 0, to: Date.parse('2100-01-01') })).toHaveLength(2);
  await sql`update kysely_migration set "timestamp" = '2026-01-01 00:00:00+00'`.execute(db);
  await sql`insert into kysely_migration values ('facts-version-0', ${new Date(hour(9)).toISOString()})`.execute(db);
  const told = await events();
  await sql`delete from kysely_migration where name = 'facts-version-0'`.execute(db);

  expect(told).toEqual(['9 definitions: The definitions of figures changed (version 0)']);
});

it(`notes stand among them, one’s own and everyone’s, and of more than ${MOST_EVENTS} events the latest`, async () => {
  const other = await aUser(database.db);
  const note = (user_id: number, at: number, visibility: 'mine' | 'everyone') => ({
    ...{ user_id, host: HOST, at: new Date(hour(at)), text: `at ${at}`, visibility, created_at: new Date(0) },
  });
  await database.db
    .insertInto('notes')
    .values([note(user, 2, 'mine'), note(other, 3, 'mine'), note(other, 4, 'everyone')])
    .execute();

  expect(await events()).toEqual(['2 note: at 2', '4 note: at 4']);
  await database.db
    .insertInto('notes')
    .values(Array.from({ length: MOST_EVENTS }, (_, at) => note(user, 5 + at, 'mine')))
    .execute();
  expect(await events()).toHaveLength(MOST_EVENTS);
  expect((await events())[0]).toBe('5 note: at 5');
});

it('notes of others have the room that all else leaves', async () => {
  const other = await aUser(database.db);
  await sql`update connections set connected_at = ${new Date(hour(1))} where repository_id = ${api}`.execute(
    database.db,
  );
  await changeHealthSettings(
    database.db,
    { id: user, host: HOST },
    (settings) => ({ ...settings, big: 500 }),
    new Date(hour(2)),
  );
  const note = { host: HOST, created_at: new Date(0) };
  const theirs = Array.from({ length: MOST_EVENTS }, (_, at) => ({
    ...{ ...note, user_id: other, at: new Date(hour(10 + at)), text: `${at}`, visibility: 'everyone' as const },
  }));
  await database.db
    .insertInto('notes')
    .values([...theirs, { ...note, user_id: user, at: new Date(hour(3)), text: 'own', visibility: 'mine' }])
    .execute();

  const told = await events();

  expect(told).toHaveLength(MOST_EVENTS);
  expect(told.slice(0, 4)).toEqual([
    '1 repository_connected: acme/api connected',
    '2 thresholds: Thresholds changed: lines of a big one 400 → 500',
    '3 note: own',
    '13 note: 3',
  ]);
});
