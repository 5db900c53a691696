import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttributionAnswer, PullRequestDetail, PullRequestList } from '../../src/contract/pull-requests.ts';
import { up as whoWroteAgain } from '../../src/server/db/migrations/0059-who-wrote-again.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { readAgain } from '../../src/server/sync/read-again.ts';
import { rebuildFacts } from '../../src/server/sync/rebuild-facts.ts';
import { settleAccountKinds } from '../../src/server/sync/settle-account-kinds.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing } from '../support/syncing.ts';
import { aTeam } from '../support/teams.ts';

const MINUTE = 60_000;
const COPILOT = 'copilot-swe-agent[bot]';
const REPOSITORY = 'repos/octo-org/agents';

let simulator: RunningSimulator;
let database: OpenDatabase;
let syncing: Syncing;
let app: TestApp;
let user: number;
let id: number;
const cookies = new Map<string, string>();
const ids = new Map<string, number>();
const opened = Math.floor((Date.now() - 30 * 24 * 60 * MINUTE) / 1000) * 1000;

/** One pull request for each way in which somebody can be credited, and some that are a person's. */
const pulls: Readonly<Record<number, (at: (minutes: number) => number) => { pull: object; entries: object[] }>> = {
  1: () => ({
    pull: {
      author: COPILOT,
      commits: [aCommit('Fix\n\nCo-authored-by: Mona <{mona}+mona@users.noreply.127.0.0.1>', COPILOT)],
    },
    entries: [],
  }),
  2: (at) => ({
    pull: { author: COPILOT },
    entries: [{ kind: 'other', event: 'copilot_work_started', by: 'hubot', at: at(1) }],
  }),
  3: () => ({
    pull: {
      author: COPILOT,
      commits: [aCommit('Fix\n\nCo-authored-by: New <{newcomer}+old-name@users.noreply.127.0.0.1>', COPILOT)],
    },
    entries: [],
  }),
  4: (at) => ({ pull: { author: COPILOT }, entries: [{ kind: 'assigned', who: 'mona', by: 'mona', at: at(2) }] }),
  5: () => ({ pull: { author: COPILOT, body: 'Faster.\n\nRequested by: @hubot' }, entries: [] }),
  10: (at) => ({
    pull: {
      author: COPILOT,
      closes: [
        {
          ...{ number: 70, author: 'mona', body: 'It is slow. Mail me at x@copilot-swe-agent.example.' },
          entries: [
            { kind: 'comment', at: at(1), by: 'octo', id: 701, body: 'Who takes it?' },
            { kind: 'assigned', at: at(2), by: 'hubot', who: COPILOT },
            { kind: 'comment', at: at(3), by: 'hubot', id: 702, body: '@Copilot go on' },
          ],
        },
      ],
    },
    entries: [],
  }),
  11: (at) => ({
    pull: { author: COPILOT },
    entries: [{ kind: 'review_requested', reviewer: { account: 'mona' }, by: COPILOT, at: at(6) }],
  }),
  6: () => ({ pull: { author: 'mona', headRef: 'claude/faster' }, entries: [] }),
  7: (at) => ({ pull: { author: 'mona' }, entries: [{ kind: 'labeled', label: 'By Machine', by: 'mona', at: at(1) }] }),
  8: () => ({ pull: { author: 'mona' }, entries: [] }),
  9: (at) => ({
    pull: { author: 'mona' },
    entries: [
      {
        kind: 'review',
        by: 'copilot-pull-request-reviewer[bot]',
        id: 991,
        at: at(1),
        comments: [
          { id: 992, path: 'a.ts' },
          { id: 993, path: 'b.ts' },
        ],
      },
      { kind: 'thread_resolved', comment: 992, by: 'mona', at: at(2) },
      { kind: 'merged', by: 'mona', at: at(3) },
    ],
  }),
};

function aCommit(message: string, account: string) {
  const named = message.replaceAll(/\{(\w+)\}/g, (_, login: string) => String(ids.get(login)));
  const time = { authoredAt: opened, committedAt: opened };
  return {
    sha: `${Math.random()}`.slice(2).padStart(40, '0').slice(0, 40),
    account,
    authorName: account,
    authorEmail: '198982749+Copilot@users.noreply.github.com',
    ...time,
    message: named,
  };
}

beforeAll(async () => {
  [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  await database.db.deleteFrom('repositories').execute();
  for (const [login, more] of [
    ['newcomer', {}],
    ['reader', {}],
    ['boss', {}],
    [COPILOT, { type: 'Bot' }],
    ['copilot-pull-request-reviewer[bot]', { type: 'Bot' }],
  ] as const) {
    const { id: account } = (await simulator.control('accounts', { login, ...more })) as { id: number };
    ids.set(login, account);
  }
  for (const login of ['mona', 'hubot']) {
    const answer = await fetch(`${simulator.url}/api/v3/users/${login}`, {
      headers: { authorization: 'Bearer ghp_octo' },
    });
    ids.set(login, ((await answer.json()) as { id: number }).id);
  }
  await simulator.control('repos', {
    ...{ owner: 'octo-org', name: 'agents', private: true },
    ...{ readers: ['octo', 'mona', 'hubot', 'reader', 'boss'], admins: ['octo'] },
  });
  for (const [number, make] of Object.entries(pulls)) {
    const { pull, entries } = make((minutes) => opened + minutes * MINUTE);
    await simulator.control(`${REPOSITORY}/pulls`, {
      number: Number(number),
      title: `Change ${number}`,
      createdAt: opened,
      ...pull,
    });
    if (entries.length > 0) await simulator.control(`${REPOSITORY}/pulls/${number}/entries`, entries);
  }
  syncing = openSyncing(database.db, simulator);
  user = await syncing.user('octo');
  id = await syncing.connect(user, 'octo-org/agents');
  await syncing.run(user, id, 'full');
  app = await openTestApp({ host_url: simulator.url, database: { ...database }, config: { admin_logins: ['boss'] } });
  for (const login of ['octo', 'mona', 'reader', 'boss']) {
    const cookie = await app.signIn(login);
    cookies.set(login, cookie);
    await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name: 'agents' } });
  }
});
afterAll(async () => {
  await app.stop();
  await syncing.stop();
  await database.close();
  await simulator.stop();
});

const ask = async <T>(method: 'GET' | 'PUT' | 'DELETE', path: string, as: string, body?: object) => {
  const answer = await app.ask(method, path, { as: cookies.get(as)!, ...(body !== undefined && { body }) });
  return { status: answer.status, body: answer.body as T };
};
const detail = async (number: number) =>
  (await ask<PullRequestDetail>('GET', `/api/pr/octo-org/agents/${number}`, 'octo')).body;
const numbers = async (query: string) =>
  (await ask<PullRequestList>('GET', `/api/prs?${query}`, 'octo')).body.prs
    .map(({ pr_number }) => pr_number)
    .sort((a, b) => a - b);
const rebuild = async () =>
  await rebuildFacts(
    database.db,
    () => new Date(),
    new AbortController().signal,
    (error) => {
      throw error;
    },
  );

describe('who wrote pull requests and who started them', () => {
  it('is known as far as what is read of all tells it, and after what is asked beside', async () => {
    const before = await detail(3);
    await readAgain(syncing.context, { until: null }, new AbortController().signal);

    const found = await Promise.all(Object.keys(pulls).map((number) => detail(Number(number))));

    expect(before).toMatchObject({ authorship: 'agent', credited_to: null, credit_by: null });
    expect(
      found.map(({ pr_number, authorship, agents, credited_to, credit_by }) => [
        pr_number,
        authorship,
        agents,
        credited_to,
        credit_by,
      ]),
    ).toEqual([
      [1, 'agent', ['copilot'], 'mona', 'trailer'],
      [2, 'agent', ['copilot'], 'hubot', 'session'],
      [3, 'agent', ['copilot'], 'newcomer', 'trailer'],
      [4, 'agent', ['copilot'], 'mona', 'assignee'],
      [5, 'agent', ['copilot'], 'hubot', 'line'],
      [6, 'assisted', ['claude'], 'mona', 'author'],
      [7, 'human', [], 'mona', 'author'],
      [8, 'human', [], 'mona', 'author'],
      [9, 'human', [], 'mona', 'author'],
      [10, 'agent', ['copilot'], 'hubot', 'issue'],
      [11, 'agent', ['copilot'], 'mona', 'asked'],
    ]);
    expect(found[5]).toMatchObject({
      confidence: 'branch',
      evidence: [{ rule: 6, tool: 'claude', text: 'Branch claude/', source: 'claude/faster' }],
    });
    expect(found[3]).toMatchObject({ assignees: ['mona'], assignee_kinds: ['human'] });
    expect(found[6]!.labels).toEqual(['By Machine']);
    expect(await database.db.selectFrom('clues').select('number').where('due_at', 'is not', null).execute()).toEqual(
      [],
    );
  });

  it('is asked once: the next time asks for nothing', async () => {
    await simulator.control('counters', undefined, 'DELETE');
    await readAgain(syncing.context, { until: null }, new AbortController().signal);

    const { accounts } = (await simulator.control('counters')) as { accounts: Record<string, { requests: number }> };
    expect(Object.values(accounts).reduce((sum, { requests }) => sum + requests, 0)).toBe(0);
  });

  it('is read again, once, where an earlier version did not understand whom a text names', async () => {
    const { db } = database;
    const due = async () =>
      (await db.selectFrom('pull_requests').select('number').where('collection', '<', 1).execute()).map(
        ({ number }) => number,
      );
    await sql`update commits set trailers = trailers - 'co_authors' || '{"co_authors": []}' where number = 1`.execute(
      db,
    );
    await sql`update pull_request_facts set version = 0 where number = 1`.execute(db);
    await rebuild();
    const before = await detail(1);

    await whoWroteAgain(db as never);
    const asked = await due();
    const list = (await ask<PullRequestList>('GET', '/api/prs', 'octo')).body;
    await readAgain(syncing.context, { until: null }, new AbortController().signal);

    expect(before).toMatchObject({ authorship: 'agent', credit_by: null });
    expect(asked).toEqual([1]);
    expect(list.attributed_since).toBeNull();
    expect(await detail(1)).toMatchObject({ credited_to: 'mona', credit_by: 'trailer' });
    await whoWroteAgain(db as never);
    expect(await due()).toEqual([]);
  });

  it('follows a new list of known automation from the start of a worker on', async () => {
    const account = database.db.selectFrom('people').select('kind').where('login', '=', COPILOT);
    await database.db.updateTable('people').set({ kind: 'bot' }).where('login', '=', COPILOT).execute();

    const started = openSyncing(database.db, simulator);

    await expect.poll(async () => (await account.executeTakeFirstOrThrow()).kind, { timeout: 10_000 }).toBe('agent');
    await started.stop();
    await rebuild();
    expect(await detail(1)).toMatchObject({ authorship: 'agent', credited_to: 'mona' });
  });

  it('narrows the list', async () => {
    expect(await numbers('authorship=agent')).toEqual([1, 2, 3, 4, 5, 10, 11]);
    expect(await numbers('authorship=assisted')).toEqual([6]);
    expect(await numbers('authorship=human')).toEqual([7, 8, 9]);
    expect(await numbers('tool=copilot')).toEqual([1, 2, 3, 4, 5, 10, 11]);
    expect(await numbers('tool=Claude')).toEqual([6]);
    expect(await numbers('credited_to=MONA')).toEqual([1, 4, 6, 7, 8, 9, 11]);
    expect(await numbers('credited_to=nobody-known')).toEqual([]);
    expect(await numbers('credited_to=none')).toEqual([]);
    expect(await numbers('agents=only')).toEqual([1, 2, 3, 4, 5, 6, 10, 11]);
  });

  it('follows a mark of whoever is credited, and the mark taken back', async () => {
    const credited = async () => (await numbers('credited_to=mona')).filter((number) => number < 6 || number > 9);
    const mark = async (method: 'PUT' | 'DELETE', body?: object) => {
      expect((await ask(method, '/api/account-kinds/mona', 'boss', body)).status).toBeLessThan(300);
      await settleAccountKinds(syncing.context, new AbortController().signal);
      await rebuild();
    };
    expect(await credited()).toEqual([1, 4, 11]);

    await mark('PUT', { kind: 'bot' });
    expect(await credited()).toEqual([]);

    await mark('DELETE');
    expect(await credited()).toEqual([1, 4, 11]);
  });

  it('is found by the team of whoever started it', async () => {
    const { id: person } = await database.db
      .selectFrom('people')
      .select('id')
      .where('login', '=', 'hubot')
      .executeTakeFirstOrThrow();
    const readers = (await database.db.selectFrom('users').select('id').execute()).map((each) => each.id);
    const team = await aTeam(database.db, 'Starters', readers, [{ person, from: null, to: null }]);
    await database.db.updateTable('teams').set({ host: syncing.host.key }).where('id', '=', team).execute();

    expect(await numbers(`team=${team}`)).toEqual([2, 5, 10]);
  });

  it('tells how threads with an agent’s comments ended', async () => {
    const threads = await database.db
      .selectFrom('review_threads')
      .leftJoin('people', 'people.id', 'resolved_by_id')
      .select(['comment_id', 'resolved', 'people.login'])
      .orderBy('comment_id')
      .execute();

    expect(threads).toEqual([
      { comment_id: '992', resolved: true, login: 'mona' },
      { comment_id: '993', resolved: false, login: null },
    ]);
  });

  it.each(['threads', 'session', 'issue'] as const)(
    'does not take %s for none where whoever asks has lost access, and asks in somebody else’s name',
    async (kind) => {
      const { db } = database;
      const told = async () => ({
        threads: await db.selectFrom('review_threads').select('comment_id').orderBy('comment_id').execute(),
        starters: await db
          .selectFrom('clues')
          .select(['number', 'kind', 'person_ids'])
          .where(sql<boolean>`person_ids <> '{}'`)
          .orderBy('number')
          .execute(),
      });
      const due = () => db.selectFrom('clues').select('number').where('due_at', 'is not', null).execute();
      const readers = (who: readonly string[]) => simulator.control(REPOSITORY, { readers: who }, 'PATCH');
      const before = await told();
      await db
        .updateTable('clues')
        .set({ due_at: new Date(0) })
        .where('kind', '=', kind)
        .execute();
      await readers(['hubot']);

      await readAgain(syncing.context, { until: null }, new AbortController().signal);

      expect(before).toMatchObject({ threads: { length: 2 }, starters: [{ number: 2 }, { number: 10 }] });
      expect(await told()).toEqual(before);
      expect(await due()).toEqual([]);
      await readers(['octo', 'mona', 'hubot', 'reader', 'boss']);
      for (const { user_id } of await db.selectFrom('connections').select('user_id').execute())
        await syncing.context.checkAccess(user_id, id);
    },
  );
});

describe('a correction', () => {
  const path = (number: number, of: string) => `/api/pr/octo-org/agents/${number}/${of}`;

  it('is its author’s, outlives a reading, and can be taken back', async () => {
    const said = { authorship: 'assisted', tool: 'Amp' };
    const { status, body } = await ask<AttributionAnswer>('PUT', path(8, 'authorship'), 'mona', said);
    await syncing.run(user, id, 'full');
    const after = await detail(8);
    const undone = await ask<AttributionAnswer>('DELETE', path(8, 'authorship'), 'mona');

    expect(status).toBe(200);
    const corrected = { authorship: 'assisted', agents: ['amp'], corrected: { authorship: true, credit: false } };
    expect(body).toMatchObject(corrected);
    expect(after).toMatchObject({ ...corrected, by_agent: true });
    expect(undone.body).toMatchObject({ authorship: 'human', agents: [], corrected: { authorship: false } });
    expect(await numbers('agents=only')).toEqual([1, 2, 3, 4, 5, 6, 10, 11]);
  });

  it('of who started it is an admin’s, the credited person’s, and nobody else’s', async () => {
    const credit = (as: string, username: string | null) =>
      ask<AttributionAnswer>('PUT', path(2, 'credit'), as, { username });

    expect((await credit('reader', 'reader')).status).toBe(403);
    expect((await credit('octo', 'mona')).body).toMatchObject({ credited_to: 'mona', credit_by: 'corrected' });
    // Who was credited may pass it on, and take that back for as long as nobody else has corrected it.
    expect((await credit('mona', null)).body).toMatchObject({ credited_to: null, credit_by: 'corrected' });
    expect(await numbers('credited_to=none')).toEqual([2]);
    expect((await credit('mona', 'mona')).body).toMatchObject({ credited_to: 'mona' });
    expect((await credit('octo', null)).status).toBe(200);
    expect((await credit('mona', 'mona')).status).toBe(403);
    expect((await ask<AttributionAnswer>('DELETE', path(2, 'credit'), 'octo')).body).toMatchObject({
      credited_to: 'hubot',
      credit_by: 'session',
    });
  });

  it('is not lost halfway by who is credited and says that a person wrote it', async () => {
    const said = { authorship: 'assisted', tool: 'copilot' };
    const who = await ask<AttributionAnswer>('PUT', path(4, 'authorship'), 'mona', said);
    const credit = await ask<AttributionAnswer>('PUT', path(4, 'credit'), 'mona', { username: 'hubot' });
    const undone = [
      await ask<AttributionAnswer>('DELETE', path(4, 'authorship'), 'mona'),
      await ask<AttributionAnswer>('DELETE', path(4, 'credit'), 'mona'),
    ];

    // The agent's account opened it: that is nobody who started it.
    expect(who).toMatchObject({ status: 200, body: { authorship: 'assisted', credited_to: null, credit_by: null } });
    expect(credit).toMatchObject({ status: 200, body: { credited_to: 'hubot' } });
    expect(undone.map(({ status }) => status)).toEqual([200, 200]);
    expect(undone[1]!.body).toMatchObject({ authorship: 'agent', credited_to: 'mona', credit_by: 'assignee' });
    expect(await ask('PUT', path(4, 'credit'), 'reader', { username: 'reader' })).toMatchObject({ status: 403 });
  });

  it('names somebody who is known here, or at the host, and a person', async () => {
    const credit = (username: string) => ask<{ error: string }>('PUT', path(2, 'credit'), 'octo', { username });

    expect(await credit('no-such-body')).toMatchObject({
      status: 400,
      body: { error: 'We know nobody called no-such-body' },
    });
    expect(await credit(COPILOT)).toMatchObject({ status: 400, body: { error: `${COPILOT} is not a person` } });
    expect(await credit('boss')).toMatchObject({ status: 200, body: { credited_to: 'boss' } });
    await ask('DELETE', path(2, 'credit'), 'octo');
  });

  it('of a human’s names no tool', async () => {
    const said = { authorship: 'human', tool: 'claude' };
    expect((await ask('PUT', path(8, 'authorship'), 'mona', said)).status).toBe(400);
  });
});

describe('a label named in the settings', () => {
  it('makes pull requests that carry it assisted, for as long as it is named', async () => {
    const labels = [{ label: 'by machine', tool: 'devin' }];
    expect((await ask('PUT', '/api/settings/ai', 'mona', { labels })).status).toBe(403);
    const refused = async (given: readonly { label: string; tool: string }[]) => {
      const { status, body } = await ask<{ issues: object[] }>('PUT', '/api/settings/ai', 'boss', { labels: given });
      expect(status).toBe(400);
      return body.issues;
    };
    expect(await refused([...labels, { label: 'By Machine', tool: 'devin' }])).toMatchObject([
      { path: 'labels.1.label' },
    ]);
    expect(await refused([{ label: 'by hand', tool: 'hammer' }])).toMatchObject([{ path: 'labels.0.tool' }]);
    expect(await refused([{ label: ' ', tool: 'devin' }])).toMatchObject([{ path: 'labels.0.label' }]);
    expect(await refused(Array.from({ length: 101 }, (_, n) => ({ label: `l${n}`, tool: 'amp' })))).toMatchObject([
      { path: 'labels', message: 'at most 100 labels' },
    ]);
    expect(await ask('GET', '/api/settings/ai', 'mona')).toEqual({ status: 200, body: { labels: [] } });

    expect(await ask('PUT', '/api/settings/ai', 'boss', { labels })).toEqual({ status: 200, body: { labels } });
    await rebuild();
    const named = await detail(7);
    await syncing.run(user, id, 'full');
    const read = await detail(7);
    const { rows: noted } = await sql`
      select event, actor, subject from security_events where event = 'agent_labels_changed'`.execute(database.db);
    expect(noted).toEqual([{ event: 'agent_labels_changed', actor: 'boss', subject: '1 labels' }]);
    await ask('PUT', '/api/settings/ai', 'boss', { labels: [] });
    await rebuild();

    const assisted = { authorship: 'assisted', agents: ['devin'], evidence: [{ rule: 5, source: 'By Machine' }] };
    expect(named).toMatchObject(assisted);
    expect(read).toMatchObject(assisted);
    expect(await detail(7)).toMatchObject({ authorship: 'human', agents: [], evidence: [] });
  });
});

it('of the many accounts that a pull request names each is looked up once', async () => {
  const named = Array.from(
    { length: 14 },
    (_, at) => `Co-authored-by: N <${9_900_000 + at}+n${at}@users.noreply.127.0.0.1>`,
  );
  await simulator.control(`${REPOSITORY}/pulls`, {
    ...{ number: 50, title: 'Of many', createdAt: Date.now(), author: COPILOT },
    commits: [aCommit(`Fix\n\n${named.join('\n')}`, COPILOT)],
  });
  await syncing.run(user, id, 'incremental');
  await simulator.control('counters', undefined, 'DELETE');
  await readAgain(syncing.context, { until: null }, new AbortController().signal);

  const { accounts } = (await simulator.control('counters')) as { accounts: Record<string, { requests: number }> };
  const requests = Object.values(accounts).reduce((sum, { requests }) => sum + requests, 0);
  expect(await database.db.selectFrom('unknown_accounts').select('named').execute()).toHaveLength(14);
  expect(requests).toBeGreaterThanOrEqual(14);
  expect(requests).toBeLessThan(25);
  expect(await database.db.selectFrom('clues').select('number').where('due_at', 'is not', null).execute()).toEqual([]);
});
