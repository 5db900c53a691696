import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  hour,
  merged,
  noAttribution,
  pending,
  pushed,
  replies,
  requestsChanges,
  says,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, store } from '../../../test/support/stored.ts';
import { everythingStored } from '../../../test/support/syncing.ts';
import type { OpenDatabase } from '../db/open.ts';
import { markFactsOf, rebuild, rebuildFacts } from './rebuild-facts.ts';

const fail = (error: unknown) => {
  throw error;
};

describe('facts that have become stale', () => {
  let database: OpenDatabase;
  let repository: number;
  const now = () => new Date(hour(100));
  const patient = new AbortController().signal;

  beforeAll(async () => {
    database = await openTestDatabase();
    repository = await aRepository(database.db, 'octo-org/hello');
    await store(database.db, repository, hour(100), [
      aPullRequest(
        { number: 1 },
        says(1, 'ben'),
        requestsChanges(2, 'ben'),
        replies(3, 'ada'),
        approves(5, 'cleo'),
        merged(6),
      ),
      aPullRequest({ number: 2 }, approves(4, 'ben')),
    ]);
  });
  afterAll(async () => {
    await database.close();
  });

  it('are recomputed from what is stored, to the same', async () => {
    const before = await everythingStored(database.db, repository);
    await sql`update pull_request_facts set version = -1, review_cycles = 99, phases = '[]', reviewer_ids = '{}'`.execute(
      database.db,
    );
    await sql`update reviews set counts = false, is_reply = false, response_hours = null, comments_count = 99`.execute(
      database.db,
    );

    const rebuilt = await rebuildFacts(database.db, now, patient, fail);

    expect(rebuilt).toBe(2);
    expect(await everythingStored(database.db, repository)).toEqual(before);
    expect(await rebuildFacts(database.db, now, patient, fail)).toBe(0);
  });

  it('follow an account that turns out to be a bot', async () => {
    const { id } = await database.db
      .updateTable('people')
      .set({ kind: 'bot' })
      .where('login', '=', 'ben')
      .returning('id')
      .executeTakeFirstOrThrow();
    await markFactsOf(database.db, id);

    const rebuilt = await rebuildFacts(database.db, now, patient, fail);

    const facts = await database.db
      .selectFrom('pull_request_facts')
      .select(['number', 'review_cycles', 'first_review_at'])
      .orderBy('number')
      .execute();
    expect(rebuilt).toBe(2);
    expect(facts).toEqual([
      { number: 1, review_cycles: 1, first_review_at: new Date(hour(5)) },
      { number: 2, review_cycles: 0, first_review_at: null },
    ]);
  });

  it('are those, too, of a pull request in which a bot is only asked for its review: its list of reviewers is another', async () => {
    const { db } = database;
    await store(db, repository, hour(100), [aPullRequest({ number: 3 }, pending('dora'))]);
    const noted = () =>
      db.selectFrom('pull_request_changes').select('changed_at').where('number', '=', 3).executeTakeFirstOrThrow();
    const before = await noted();
    const { id } = await db
      .updateTable('people')
      .set({ kind: 'bot' })
      .where('login', '=', 'dora')
      .returning('id')
      .executeTakeFirstOrThrow();
    await markFactsOf(db, id);
    expect(await rebuildFacts(db, now, patient, fail)).toBe(1);

    expect((await noted()).changed_at.getTime()).toBeGreaterThan(before.changed_at.getTime());
  });

  it('are those, too, whose dates lay in the future', async () => {
    await database.db
      .updateTable('pull_request_facts')
      .set({ provisional_until: new Date(hour(101)) })
      .where('number', '=', 1)
      .execute();

    expect(await rebuildFacts(database.db, now, patient, fail)).toBe(0);
    expect(await rebuildFacts(database.db, () => new Date(hour(102)), patient, fail)).toBe(1);
  });
});

describe('the credit of agents’ pull requests', () => {
  let database: OpenDatabase;
  let repository: number;
  const at = hour(100);
  const eve = aPerson('77', { login: 'eve' });
  const ci = aPerson('78', { login: 'acme-ci' });
  const ada = aPerson('79', { login: 'ada' });
  const assigned = (...who: (typeof eve)[]) => ({
    ...noAttribution,
    assignments: who.map((person) => ({ person, at: hour(0.1), until: null })),
  });
  const author = aPerson('agent-x');
  /** In each of them eve has no other part than to be named. */
  const named = [
    aPullRequest({ number: 1, author, attribution: assigned(eve) }),
    { ...aPullRequest({ number: 2, author }, pushed(0, 'agent-x')), messages: { [sha(0)]: coAuthored('77+old-name') } },
    { ...aPullRequest({ number: 3, author }, pushed(0, 'agent-x')), messages: { [sha(0)]: coAuthored('Eve') } },
    { ...aPullRequest({ number: 4, author }), body: 'Requested by: @Eve' },
    aPullRequest({ number: 5, author }, asks(0.2, 'eve', 'agent-x')),
    aPullRequest({ number: 6, author }),
    aPullRequest({ number: 7, author }),
  ];

  function sha(index: number): string {
    return String(1000 + index).padStart(40, '0');
  }
  function coAuthored(address: string): string {
    return `Faster\n\nCo-authored-by: Eve <${address}@users.noreply.host.test>`;
  }
  async function becomes(login: string, kind: 'human' | 'bot') {
    const { id } = await database.db
      .updateTable('people')
      .set({ kind })
      .where('login', '=', login)
      .returning('id')
      .executeTakeFirstOrThrow();
    await markFactsOf(database.db, id);
    await rebuildFacts(database.db, () => new Date(at), new AbortController().signal, fail);
  }
  const credited = async () => {
    const rows = await database.db
      .selectFrom('pull_request_facts as f')
      .leftJoin('people', 'people.id', 'f.credited_id')
      .select(['f.number', 'people.login', 'f.credit_by'])
      .where('f.authorship', '=', 'agent')
      .orderBy('f.number')
      .execute();
    return rows.map(({ number, login, credit_by }) => `${number} ${login} ${credit_by}`);
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    repository = await aRepository(database.db, 'octo-org/agents');
    await store(database.db, repository, at, [
      ...named.map((pull) => (pull.number === 5 ? { ...pull, events: askingFor(pull.events) } : pull)),
      aPullRequest({ number: 8, author, attribution: assigned(ci, ada) }),
      aPullRequest({ number: 9, author: eve }),
    ]);
    const { id } = await database.db
      .selectFrom('people')
      .select('id')
      .where('login', '=', 'eve')
      .executeTakeFirstOrThrow();
    for (const [number, kind] of [
      [6, 'session'],
      [7, 'issue'],
    ] as const)
      await sql`
        insert into clues (repository_id, number, kind, person_ids) values (${repository}, ${number}, ${kind}, ${[id]})
        on conflict (repository_id, number, kind) do update set person_ids = excluded.person_ids, due_at = null`.execute(
        database.db,
      );
    await rebuild(database.db, repository, [2, 3, 4, 6, 7], new Date(at));
  });
  afterAll(async () => {
    await database.close();
  });

  function askingFor(events: readonly EventRecord[]): EventRecord[] {
    return events.map((event) => ({ ...event, reviewer: eve }));
  }

  it('goes with a person who turns out to be a bot, and comes back, wherever they are named', async () => {
    const before = [
      '1 eve assignee',
      '2 eve trailer',
      '3 eve trailer',
      '4 eve line',
      '5 eve asked',
      '6 eve session',
      '7 eve issue',
    ];
    expect(await credited()).toEqual([...before, '8 null null']);

    await becomes('eve', 'bot');
    expect(await credited()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `${number} null null`));

    await becomes('eve', 'human');
    expect(await credited()).toEqual([...before, '8 null null']);
  });

  it('is the other’s where one of two who were assigned turns out to be a bot', async () => {
    await becomes('acme-ci', 'bot');
    expect((await credited()).at(-1)).toBe('8 ada assignee');

    await becomes('acme-ci', 'human');
    expect((await credited()).at(-1)).toBe('8 null null');
  });
});
