import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { NotificationChannel, NotificationSettings } from '../../src/contract/notifications.ts';
import { forgetOldNotifications } from '../../src/server/notifications/log.ts';
import type { Outlets, PlainMail, Sent } from '../../src/server/notifications/outlets.ts';
import { checkTarget } from '../../src/server/notifications/send/targets.ts';
import { unsubscribeToken } from '../../src/server/notifications/unsubscribe.ts';
import { sealedAs, secretBox } from '../../src/server/secret-box.ts';
import { type Answer, openTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aConnection, aRepository } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';

/** What people say they want to be told, over HTTP: every refusal with its words, links of mails, and nothing of anybody else's. */
const START = Date.parse('2026-06-18T13:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const box = secretBox(Buffer.alloc(32, 1));

let simulator: RunningSimulator;
let app: TestApp;
let now: number;
let [ada, ben]: { id: number; cookie: string }[] = [];
const mails: PlainMail[] = [];
const tested: { id: string; target: string; secret: string | null }[] = [];
let answerOfMail: Sent;
let off: Partial<Record<'mail' | 'slack_dm' | 'sending', string>> = {};

const resolve = async (name: string) => {
  if (name === 'nowhere.example') throw new Error('getaddrinfo ENOTFOUND nowhere.example');
  return [name === 'inside.example' ? '10.0.0.1' : '8.8.8.8'];
};

const outlets: Outlets = {
  get off() {
    return off.sending ?? null;
  },
  whyOff: (channel) => off[channel] ?? null,
  checkTarget: (_user_id, url, type) => checkTarget(url, type, { allowPrivate: false, resolve }),
  async sendMail(mail) {
    mails.push(mail);
    return answerOfMail;
  },
  async sendTest(id, { target, secret }) {
    tested.push({ id, target, secret });
    return answerOfMail;
  },
  subjectOf: () => '',
  send: async () => ({ ...answerOfMail, retryAfter: null, gone: false }),
};

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  for (const login of ['ada', 'ben']) await simulator.control('accounts', { login });
  now = START;
  app = await openTestApp({ host_url: simulator.url, now: () => new Date(now), outlets });
});
afterAll(async () => {
  await app?.stop();
  await simulator?.stop();
});
beforeEach(async () => {
  now = START;
  off = {};
  answerOfMail = { state: 'sent', status: '250', message: 'OK' };
  for (const list of [mails, tested, app.logged]) list.length = 0;
  const { db } = app.database;
  await sql`delete from confirmation_mails`.execute(db);
  await db.deleteFrom('repositories').execute();
  await db.deleteFrom('users').execute();
  [ada, ben] = await Promise.all(
    ['ada', 'ben'].map(async (login) => {
      const cookie = await app.signIn(login);
      const { id } = await db
        .updateTable('users')
        .set({ email: `${login}@host.example`, time_zone: 'Europe/Berlin' })
        .where('login', '=', login)
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, cookie };
    }),
  );
});

/** Time passes; whoever was signed in signs in again. */
async function later(milliseconds: number): Promise<void> {
  now += milliseconds;
  if (milliseconds < DAY) return;
  for (const [login, user] of Object.entries({ ada, ben })) user!.cookie = await app.signIn(login);
}

type Who = 'ada' | 'ben';
const cookieOf = (who: Who) => (who === 'ada' ? ada : ben)!.cookie;
const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, who: Who = 'ada') =>
  app.ask(method, path, { as: cookieOf(who), ...(body !== undefined && { body }) });
const save = (body: object, who?: Who) => ask('PUT', '/api/notifications', body, who);
const settings = async (who?: Who) =>
  (await ask('GET', '/api/notifications', undefined, who)).body as NotificationSettings;

type MadeChannel = NotificationChannel & { secret?: string };
const aWebhook = { type: 'webhook', name: 'Ours', url: 'https://hooks.example.org/services/0123456789abcdef' };
const make = (body: object = {}, who?: Who) => ask('POST', '/api/channels', { ...aWebhook, ...body }, who);
async function made(body: object = {}, who?: Who): Promise<MadeChannel> {
  const answer = await make(body, who);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as MadeChannel;
}
const aSlack = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/0123456789abcdef' };
const aList = (address = 'team@lists.example') => ({ type: 'mail', url: undefined, address });

/** What an answer refuses: its status and the first thing that it says about it. */
function refusalOf({ status, body }: Answer): [number, string, string] {
  const { error, issues = [] } = body as { error: string; issues?: { path: string; message: string }[] };
  return issues[0] === undefined ? [status, '', error] : [status, issues[0].path, issues[0].message];
}

const tokenIn = (mail: PlainMail | undefined) => /\/confirm\/([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';
/** As whoever follows a link in a mail: no cookie, no Origin. */
const follow = (method: 'GET' | 'POST', path: string, more: Record<string, unknown> = {}) =>
  app.server.app.inject({ method, url: path, ...more });

describe('what a person is told', () => {
  it('is nothing until they say so, with the hours and the address that are there', async () => {
    expect(await settings()).toEqual({
      channels_available: [
        { channel: 'mail', available: true, why: null },
        { channel: 'slack_dm', available: true, why: null },
      ],
      mail: { address: 'ada@host.example', confirmed: true },
      subscriptions: [],
      quiet_hours: { mode: 'hours', from: '08:00', to: '19:00', weekdays: [1, 2, 3, 4, 5] },
      paused: false,
    });
  });

  it('is what they say, whole, with defaults for what is left out; what is left out of the call stays', async () => {
    const first = await save({
      subscriptions: [
        { kind: 'weekly', channel: 'mail' },
        { kind: 'turn', channel: 'slack_dm', delay: 0, team_review: true },
        { kind: 'stuck', channel: 'mail', repeat: 24 },
        { kind: 'sync', channel: 'mail' },
      ],
      quiet_hours: { mode: 'off', from: '22:00', to: '06:00', weekdays: [7, 1, 1] },
    });
    expect(first).toMatchObject({ status: 200 });
    const paused = await save({ paused: true });

    expect(paused.body).toEqual({
      ...(first.body as object),
      paused: true,
      subscriptions: [
        { kind: 'turn', channel: 'slack_dm', delay: 0, team_review: true },
        { kind: 'stuck', channel: 'mail', after: 24, repeat: 24, mine: false },
        { kind: 'weekly', channel: 'mail', time: '09:00', weekday: 1 },
        { kind: 'sync', channel: 'mail' },
      ],
      quiet_hours: { mode: 'off', from: '22:00', to: '06:00', weekdays: [1, 7] },
    });
    expect(await settings()).toEqual(paused.body);
    expect(await settings('ben')).toMatchObject({ subscriptions: [], paused: false });
  });

  it('keeps since when each is there while options change, and begins anew when it comes back', async () => {
    const since = async () => {
      const rows = await app.database.db.selectFrom('notification_subscriptions').select(['kind', 'since']).execute();
      return Object.fromEntries(rows.map((row) => [row.kind, row.since.getTime() - START]));
    };
    await save({
      subscriptions: [
        { kind: 'turn', channel: 'mail' },
        { kind: 'daily', channel: 'mail' },
      ],
    });
    now += HOUR;
    await save({
      subscriptions: [
        { kind: 'turn', channel: 'mail', delay: 60 },
        { kind: 'daily', channel: 'mail' },
      ],
    });
    expect(await since()).toEqual({ turn: 0, daily: 0 });

    await save({ subscriptions: [{ kind: 'turn', channel: 'mail', delay: 60 }] });
    now += HOUR;
    await save({
      subscriptions: [
        { kind: 'turn', channel: 'mail' },
        { kind: 'daily', channel: 'mail' },
      ],
    });
    expect(await since()).toEqual({ turn: 0, daily: 2 * HOUR });
  });

  const sub = (change: object) => ({ subscriptions: [{ kind: 'stuck', channel: 'mail', ...change }] });
  it.each([
    [sub({ kind: 'hourly' }), 'subscriptions.0.kind', 'must be one of: turn, stuck, daily, weekly, sync'],
    [sub({ channel: 'pager' }), 'subscriptions.0.channel', 'must be one of: mail, slack_dm'],
    [sub({ channel: undefined }), 'subscriptions.0.channel', 'must be one of: mail, slack_dm'],
    [sub({ loud: true }), 'subscriptions.0', 'has no loud'],
    [sub({ delay: 5 }), 'subscriptions.0.delay', 'is no option of stuck'],
    [sub({ humans_only: true }), 'subscriptions.0.humans_only', 'is no option of stuck'],
    [sub({ after: 0 }), 'subscriptions.0.after', 'must be 1 or more'],
    [sub({ after: 721 }), 'subscriptions.0.after', 'must be 720 or less'],
    [sub({ after: 1.5 }), 'subscriptions.0.after', 'must be a whole number'],
    [sub({ after: '24' }), 'subscriptions.0.after', 'must be a whole number'],
    [sub({ repeat: 48 }), 'subscriptions.0.repeat', 'must be null, 24 or 72'],
    [sub({ mine: 'yes' }), 'subscriptions.0.mine', 'must be true or false'],
    [sub({ kind: 'turn', delay: 241 }), 'subscriptions.0.delay', 'must be 240 or less'],
    [sub({ kind: 'turn', delay: -1 }), 'subscriptions.0.delay', 'must be 0 or more'],
    [sub({ kind: 'daily', time: '24:00' }), 'subscriptions.0.time', 'must be a time such as 09:00'],
    [sub({ kind: 'daily', time: '9:00' }), 'subscriptions.0.time', 'must be a time such as 09:00'],
    [sub({ kind: 'daily', weekdays: [] }), 'subscriptions.0.weekdays', 'must name a day'],
    [
      sub({ kind: 'daily', weekdays: [0] }),
      'subscriptions.0.weekdays.0',
      'must be a day from 1 (Monday) to 7 (Sunday)',
    ],
    [sub({ kind: 'weekly', weekday: 8 }), 'subscriptions.0.weekday', 'must be a day from 1 (Monday) to 7 (Sunday)'],
    [sub({ kind: 'sync', time: '09:00' }), 'subscriptions.0.time', 'is no option of sync'],
    [
      { subscriptions: [...sub({}).subscriptions, ...sub({ after: 5 }).subscriptions] },
      'subscriptions.1',
      'is there twice',
    ],
    [{ subscriptions: 'all' }, 'subscriptions', 'must be a list'],
    [{ quiet_hours: { mode: 'hours', from: '08:00', to: '19:00' } }, 'quiet_hours.weekdays', 'must be a list of days'],
    [
      { quiet_hours: { mode: 'loud', from: '08:00', to: '19:00', weekdays: [1] } },
      'quiet_hours.mode',
      'must be hours or off',
    ],
    [{ mail: { address: 'somewhere' } }, 'mail.address', 'must be a mail address'],
    [{ mail: { address: 'a@b.example\nBcc: c@d.example' } }, 'mail.address', 'must be a mail address'],
    [{ mail: { address: '"a b"@c.example' } }, 'mail.address', 'must be a mail address'],
    [{ mail: {} }, 'mail.address', 'must be a mail address'],
    [{ paused: 1 }, 'paused', 'must be true or false'],
  ])('refuses %j', async (body, path, message) => {
    await save({ subscriptions: [{ kind: 'sync', channel: 'mail' }] });
    expect(refusalOf(await save(body))).toEqual([400, path, message]);
    expect(mails).toEqual([]);
    expect((await settings()).subscriptions).toEqual([{ kind: 'sync', channel: 'mail' }]);
  });

  it('by a channel that is off is refused with why, but for what is there already', async () => {
    await save({ subscriptions: [{ kind: 'turn', channel: 'slack_dm' }] });
    off = { mail: 'No mail here.', slack_dm: 'No Slack here.' };

    expect((await settings()).channels_available).toEqual([
      { channel: 'mail', available: false, why: 'No mail here.' },
      { channel: 'slack_dm', available: false, why: 'No Slack here.' },
    ]);
    const both = [
      { kind: 'turn', channel: 'slack_dm' },
      { kind: 'daily', channel: 'mail' },
    ];
    expect(refusalOf(await save({ subscriptions: both }))).toEqual([422, '', 'No mail here.']);
    expect(await save({ subscriptions: [{ kind: 'turn', channel: 'slack_dm', delay: 5 }] })).toMatchObject({
      status: 200,
    });
    expect(refusalOf(await save({ mail: { address: 'new@else.example' } }))).toEqual([422, '', 'No mail here.']);
  });

  it('is thirty subscriptions at most, those of channels included', async () => {
    const ofTeam = ['stuck', 'daily', 'weekly'].map((kind) => ({ kind }));
    for (let at = 0; at < 8; at += 1) await made({ subscriptions: ofTeam });
    const five = ['turn', 'stuck', 'daily', 'weekly', 'sync'].map((kind) => ({ kind, channel: 'mail' }));
    const seven = [...five, { kind: 'turn', channel: 'slack_dm' }, { kind: 'stuck', channel: 'slack_dm' }];
    const sentence = 'At most 30 subscriptions, those of your channels included: switch one off first.';

    expect(refusalOf(await save({ subscriptions: seven }))).toEqual([409, '', sentence]);
    expect((await settings()).subscriptions).toEqual([]);
    expect(await save({ subscriptions: seven.slice(0, 6) })).toMatchObject({ status: 200 });
    expect(refusalOf(await make({ subscriptions: [{ kind: 'daily' }] }))).toEqual([409, '', sentence]);
    expect(await make()).toMatchObject({ status: 201 });
  });

  it('is dropped from what waits when they pause, and tells nothing that came to pass before they go on', async () => {
    const { id: team } = await made();
    const { id: own } = await made({ personal: true });
    const rows = [{ channel: 'mail' }, { channel_id: own }, { channel_id: team }] as const;
    for (const [at, row] of rows.entries()) await aMessage({ ...row, state: at === 1 ? 'held' : 'pending' });
    await aMessage({ channel: 'mail', state: 'sending' });

    await save({ paused: true });
    expect(await messages()).toEqual([`${own} dropped`, `${team} pending`, 'mail dropped', 'mail sending'].sort());
    now += HOUR;
    await save({ paused: false });
    now += HOUR;
    await save({ paused: false });
    const row = await app.database.db
      .selectFrom('notification_settings')
      .select('resumed_at')
      .executeTakeFirstOrThrow();
    expect(row.resumed_at).toEqual(new Date(START + HOUR));
  });
});

describe('what is held', () => {
  const heldUntil = async () =>
    (await app.database.db.selectFrom('notifications').select('next_attempt_at').orderBy('created_at').execute()).map(
      ({ next_attempt_at }) => next_attempt_at,
    );
  const hold = async () => {
    const { db } = app.database;
    await db
      .updateTable('notifications')
      .set({ next_attempt_at: new Date(now + DAY) })
      .execute();
  };

  it('is looked at again when its recipient changes the hours or the zone, of theirs alone and nothing that waits to be sent again', async () => {
    const { id } = await made();
    await aMessage({ channel: 'mail', state: 'held' });
    await aMessage({ channel_id: id, state: 'held', at: now + 1 });
    await aMessage({ channel: 'mail', at: now + 2 });
    await aMessage({ channel: 'mail', state: 'held', who: 'ben', at: now + 3 });
    const hours = { mode: 'off', from: '08:00', to: '19:00', weekdays: [1] };
    const later = new Date(now + DAY);
    for (const change of [
      () => save({ quiet_hours: hours }),
      () => ask('PATCH', `/api/channels/${id}`, { quiet_hours: hours }),
      () => ask('PATCH', `/api/channels/${id}`, { time_zone: 'Asia/Kolkata' }),
      () => ask('PATCH', '/auth/me', { time_zone: 'Asia/Kolkata' }),
    ]) {
      await hold();
      expect((await change()).status).toBe(200);
      expect(await heldUntil()).toEqual([new Date(now), new Date(now), later, later]);
    }
    await hold();
    await save({ paused: false });
    await ask('PATCH', `/api/channels/${id}`, { name: 'Other' });
    expect(await heldUntil()).toEqual([later, later, later, later]);
  });
});

async function aMessage(row: {
  channel?: 'mail' | 'slack_dm';
  channel_id?: number;
  kind?: 'turn' | 'daily';
  state?: 'pending' | 'held' | 'sending' | 'sent' | 'failed';
  at?: number;
  finished?: number;
  who?: Who;
}): Promise<string> {
  const at = new Date(row.at ?? now);
  const { id } = await app.database.db
    .insertInto('notifications')
    .values({
      id: crypto.randomUUID(),
      user_id: (row.who === 'ben' ? ben : ada)!.id,
      ...(row.channel_id === undefined ? { channel: row.channel ?? 'mail' } : { channel_id: row.channel_id }),
      ...{ kind: row.kind ?? 'turn', state: row.state ?? 'pending', due_at: at, created_at: at },
      finished_at: row.finished === undefined ? null : new Date(row.finished),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const messages = async () =>
  (await app.database.db.selectFrom('notifications').selectAll().execute())
    .map(({ channel, channel_id, state }) => `${channel ?? channel_id} ${state}`)
    .sort();

describe('a mail address', () => {
  it('gets one mail and nothing else until its link is used; mail goes to the address before', async () => {
    await save({ subscriptions: [{ kind: 'daily', channel: 'mail' }] });
    const answer = await save({ mail: { address: 'ada@else.example' } });

    expect(answer.body).toMatchObject({ mail: { address: 'ada@else.example', confirmed: false } });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'ada@else.example', subject: 'Mergelight: confirm this address' });
    const again = [
      { kind: 'daily', channel: 'mail' },
      { kind: 'weekly', channel: 'mail' },
    ];
    const notYet = [422, '', 'That address isn’t confirmed yet'];
    expect(refusalOf(await save({ subscriptions: again }))).toEqual(notYet);
    expect(refusalOf(await ask('POST', '/api/notifications/test', { channel: 'mail' }))).toEqual(notYet);
    // By Slack the person is found by the address before.
    await ask('POST', '/api/notifications/test', { channel: 'slack_dm' });
    expect(tested.map(({ target }) => target)).toEqual(['ada@host.example']);

    const path = `/confirm/${tokenIn(mails[0])}`;
    const shown = await follow('GET', path);
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(shown.body).toContain(
      'ada would like messages of Mergelight to be sent to <strong>ada@else.example</strong>.',
    );
    expect((await settings()).mail.confirmed).toBe(false);
    const done = await follow('POST', path);
    expect([done.statusCode, done.body.includes('<form')]).toEqual([200, false]);
    expect((await settings()).mail).toEqual({ address: 'ada@else.example', confirmed: true });
    expect(await save({ subscriptions: again })).toMatchObject({ status: 200 });
    for (const method of ['GET', 'POST'] as const) expect((await follow(method, path)).statusCode).toBe(404);
  });

  it('that is the host’s needs no confirmation, nor one that was confirmed before', async () => {
    await save({ mail: { address: 'ada@else.example' } });
    await follow('POST', `/confirm/${tokenIn(mails[0])}`);
    await save({ mail: { address: 'third@else.example' } });
    expect((await settings()).mail.confirmed).toBe(false);

    expect((await save({ mail: { address: 'ADA@else.example' } })).body).toMatchObject({
      mail: { address: 'ada@else.example', confirmed: true },
    });
    for (const address of ['Ada@host.example', null]) {
      const { body } = await save({ mail: { address } });
      expect(body).toMatchObject({ mail: { address: 'ada@host.example', confirmed: true } });
    }
    expect(mails).toHaveLength(2);
    // Given up, it has to be confirmed again.
    expect((await save({ mail: { address: 'ada@else.example' } })).body).toMatchObject({ mail: { confirmed: false } });
  });

  it('is confirmed within 24 hours, while it is still wanted, and by no other link', async () => {
    await save({ mail: { address: 'ada@else.example' } });
    const first = `/confirm/${tokenIn(mails[0])}`;
    await later(DAY);
    for (const method of ['GET', 'POST'] as const) expect((await follow(method, first)).statusCode).toBe(404);

    await save({ mail: { address: 'ada@else.example' } });
    const second = `/confirm/${tokenIn(mails[1])}`;
    await save({ mail: { address: 'another@else.example' } });
    expect((await follow('POST', second)).statusCode).toBe(404);
    const forged = `/confirm/${'A'.repeat(43)}`;
    for (const path of [forged, '/confirm/short', `${second}x`])
      for (const method of ['GET', 'POST'] as const) expect((await follow(method, path)).statusCode).toBe(404);
    expect((await settings()).mail).toEqual({ address: 'another@else.example', confirmed: false });
  });

  it('gets three confirmation mails a day, whoever asks, and a person has ten sent', async () => {
    const victim = { mail: { address: 'Victim@else.example' } };
    for (const who of ['ada', 'ben', 'ada'] as const) expect(await save(victim, who)).toMatchObject({ status: 200 });
    const refused = await make(aList('victim@ELSE.example'), 'ben');
    expect(refusalOf(refused)).toEqual([
      429,
      '',
      'At most 3 confirmation mails a day go to one address. Try again tomorrow.',
    ]);
    expect(refused.headers['retry-after']).toBe(String(24 * 3600));
    // Leaving and coming back does not help.
    await app.ask('DELETE', '/auth/me', { as: cookieOf('ben'), body: { confirm: 'ben' } });
    const cookie = await app.signIn('ben');
    expect(await app.ask('PUT', '/api/notifications', { as: cookie, body: victim })).toMatchObject({ status: 429 });
    for (let at = 0; at < 8; at += 1) await save({ mail: { address: `a${at}@else.example` } });

    expect(mails).toHaveLength(11);
    expect(refusalOf(await save({ mail: { address: 'b@else.example' } }))).toEqual([
      ...[429, '', 'At most 10 confirmation mails a day are sent for you. Try again tomorrow.'],
    ]);
    expect((await settings()).mail.address).toBe('a7@else.example');
    await later(DAY);
    expect(await save({ mail: { address: 'b@else.example' } })).toMatchObject({ status: 200 });
  });

  it('stays as it was where the confirmation mail cannot be sent, and that counts for nothing', async () => {
    answerOfMail = { state: 'final', status: '550', message: '550 No such user' };
    const change = { mail: { address: 'ada@else.example' }, paused: true };
    for (let at = 0; at < 4; at += 1)
      expect(refusalOf(await save(change))).toEqual([
        502,
        '',
        'The confirmation mail could not be sent: 550 No such user',
      ]);
    expect(await settings()).toMatchObject({ mail: { address: 'ada@host.example' }, paused: false });
    expect(await make(aList())).toMatchObject({ status: 502 });
    expect((await ask('GET', '/api/channels')).body).toEqual([]);

    off = { sending: 'Sending is switched off on this server.' };
    expect(refusalOf(await save(change))).toEqual([422, '', 'Sending is switched off on this server.']);
  });

  it('is tried twenty times an hour for one person, whatever the mail server says', async () => {
    answerOfMail = { state: 'final', status: '550', message: '550 No such user' };
    const change = (at: number, who?: Who) => save({ mail: { address: `a${at}@else.example` } }, who);
    for (let at = 0; at < 20; at += 1) expect(await change(at)).toMatchObject({ status: 502 });
    const refused = await change(20);
    const others = await change(20, 'ben');
    await later(3 * MINUTE);
    const next = [await change(21), await change(22)];

    expect(refusalOf(refused)).toEqual([429, '', 'At most 20 confirmation mails an hour. Try again in 180 s.']);
    expect(refused.headers['retry-after']).toBe('180');
    expect([others, ...next].map(({ status }) => status)).toEqual([502, 502, 429]);
    expect(mails).toHaveLength(22);
  });

  it('that nobody knows is asked for', async () => {
    await app.database.db.updateTable('users').set({ email: null }).execute();
    expect((await settings()).mail).toEqual({ address: null, confirmed: false });
    for (const channel of ['mail', 'slack_dm'])
      expect(refusalOf(await save({ subscriptions: [{ kind: 'daily', channel }] }))).toEqual([
        ...[422, '', 'No mail address of yours is known. Enter one and confirm it.'],
      ]);
  });
});

describe('a channel', () => {
  it('is made with its secret, which is shown once, and its address shortened', async () => {
    const channel = await made({ subscriptions: [{ kind: 'stuck', after: 48 }] });

    expect(channel).toEqual({
      ...{ id: channel.id, type: 'webhook', name: 'Ours', target: 'https://hooks.example.org/…cdef', personal: false },
      ...{ repositories: 'all', team: null, titles: true, time_zone: 'Europe/Berlin' },
      quiet_hours: { mode: 'hours', from: '08:00', to: '19:00', weekdays: [1, 2, 3, 4, 5] },
      subscriptions: [{ kind: 'stuck', after: 48, repeat: null, humans_only: false, skip_failing: true }],
      ...{ paused: null, reaches: { repositories: 0, private: 0 }, created_at: new Date(START).toISOString() },
      secret: expect.stringMatching(/^[\da-f]{64}$/),
    });
    const { secret: _, ...rest } = channel;
    expect((await ask('GET', '/api/channels')).body).toEqual([rest]);
    const slack = await made(aSlack);
    expect([slack.target, 'secret' in slack]).toEqual(['https://hooks.slack.com/…cdef', false]);
    // A name that doesn’t resolve is taken: the test tells.
    await made({ url: 'https://nowhere.example/hooks/x' });
    const stored = await app.database.db.selectFrom('notification_channels').selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/0123456789|hooks\.example\.org\/services/);
  });

  it('has its address checked, of which thirty a minute are for one person', async () => {
    const { id } = await made();
    const elsewhere = (id: number, who?: Who) =>
      ask('PATCH', `/api/channels/${id}`, { url: 'https://hooks.example.org/services/another' }, who);
    const answers = [];
    for (let at = 0; at < 30; at += 1) answers.push(await elsewhere(id));
    const ofBen = await made({}, 'ben');
    const rename = await ask('PATCH', `/api/channels/${id}`, { name: 'Renamed' });

    expect(answers.map(({ status }) => status)).toEqual([...Array(29).fill(200), 429]);
    expect(refusalOf(answers.at(-1)!)).toEqual([429, '', 'At most 30 addresses a minute. Try again in 2 s.']);
    expect([rename.status, (await elsewhere(ofBen.id, 'ben')).status]).toEqual([200, 200]);
  });

  it('that is personal takes a person’s kinds and options', async () => {
    const kinds = [{ kind: 'turn' }, { kind: 'stuck', mine: true }, { kind: 'sync' }];
    const { subscriptions } = await made({ personal: true, subscriptions: kinds });
    expect(subscriptions).toEqual([
      { kind: 'turn', delay: 10, team_review: false },
      { kind: 'stuck', after: 24, repeat: null, mine: true },
      { kind: 'sync' },
    ]);
  });

  it.each([
    [{ url: 'http://hooks.example.org/x' }, 'url', 'must begin with https://'],
    [{ url: undefined }, 'url', 'must begin with https://'],
    [{ type: 'slack' }, 'url', 'isn’t a Slack webhook address'],
    [{ type: 'teams' }, 'url', 'isn’t a Teams webhook address'],
    [
      { type: 'teams', url: 'https://acme.webhook.office.com/x' },
      'url',
      'Microsoft has retired these. Make a Workflows webhook',
    ],
    [{ url: 'https://127.0.0.1/hook' }, 'url', 'leads to a private address'],
    [{ url: 'https://inside.example/hook' }, 'url', 'leads to a private address'],
    [{ url: 'https://somebody@hooks.example.org/x' }, 'url', 'must not name a user'],
    [{ address: 'a@b.example' }, 'address', 'is for a channel of another type'],
    [{ type: 'mail' }, 'url', 'is for a channel of another type'],
    [{ type: 'mail', url: undefined }, 'address', 'must be a mail address'],
    [{ type: 'mail', url: undefined, address: 'nobody' }, 'address', 'must be a mail address'],
    [{ type: 'pager' }, 'type', 'must be one of: slack, teams, webhook, mail'],
    [{ name: '  ' }, 'name', 'must not be empty'],
    [{ name: 'x'.repeat(81) }, 'name', 'must not be longer than 80 letters'],
    [{ name: 'two\nlines' }, 'name', 'must be one line'],
    [{ personal: 'yes' }, 'personal', 'must be true or false'],
    [{ titles: 0 }, 'titles', 'must be true or false'],
    [{ repositories: 'some' }, 'repositories', 'must be all, or a list of ids of repositories'],
    [{ repositories: [2_000_000] }, 'repositories', 'Repository not found'],
    [{ team: 2_000_000 }, 'team', 'Team not found'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone', 'must be a time zone such as Europe/Berlin'],
    [{ quiet_hours: { mode: 'off' } }, 'quiet_hours.from', 'must be a time such as 09:00'],
    [
      { subscriptions: [{ kind: 'turn' }] },
      'subscriptions.0.kind',
      'is told to a person alone, not to the channel of a team',
    ],
    [
      { subscriptions: [{ kind: 'sync' }] },
      'subscriptions.0.kind',
      'is told to a person alone, not to the channel of a team',
    ],
    [{ subscriptions: [{ kind: 'stuck', mine: true }] }, 'subscriptions.0.mine', 'is no option of stuck'],
    [{ subscriptions: [{ kind: 'daily' }, { kind: 'daily' }] }, 'subscriptions.1', 'is there twice'],
    [{ subscriptions: [{ kind: 'daily', channel: 'mail' }] }, 'subscriptions.0', 'has no channel'],
    [
      { personal: true, subscriptions: [{ kind: 'stuck', skip_failing: true }] },
      'subscriptions.0.skip_failing',
      'is no option of stuck',
    ],
  ])('is refused with %j', async (change, path, message) => {
    expect(refusalOf(await make(change))).toEqual([400, path, message]);
    expect((await ask('GET', '/api/channels')).body).toEqual([]);
  });

  it('tells of all mistakes of one place at once', async () => {
    const { body } = await make({ time_zone: 'Mars/Olympus', team: 2_000_000 });
    expect((body as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual(['time_zone', 'team']);
  });

  it('is one of twenty at most', async () => {
    for (let at = 0; at < 20; at += 1) await made();
    expect(refusalOf(await make())).toEqual([409, '', 'At most 20 channels: delete one that you no longer need.']);
    expect(await make({}, 'ben')).toMatchObject({ status: 201 });
  });

  it('reaches what its owner reads, narrowed to what was chosen, and at once no more', async () => {
    const { db } = app.database;
    const [web, api, bens] = [
      await aRepository(db, 'acme/web', [ada!.id]),
      await aRepository(db, 'acme/api', [ada!.id, ben!.id]),
      await aRepository(db, 'other/bens', [ben!.id]),
    ];
    await db.updateTable('repositories').set({ private: true }).where('id', '=', web).execute();
    await db.updateTable('repositories').set({ private: false }).where('id', '=', api).execute();
    await made();
    await made({ repositories: [api, web, web] });

    const seen = async () =>
      ((await ask('GET', '/api/channels')).body as NotificationChannel[]).map(({ repositories, reaches }) => [
        repositories,
        reaches,
      ]);
    expect(await seen()).toEqual([
      ['all', { repositories: 2, private: 1 }],
      [[web, api], { repositories: 2, private: 1 }],
    ]);
    expect(refusalOf(await make({ repositories: [web, bens] }))).toEqual([400, 'repositories', 'Repository not found']);
    await db.updateTable('connections').set({ readable: false }).where('repository_id', '=', web).execute();
    expect(await seen()).toEqual([
      ['all', { repositories: 1, private: 0 }],
      [[api], { repositories: 1, private: 0 }],
    ]);
    expect(refusalOf(await make({ repositories: [web] }))).toEqual([400, 'repositories', 'Repository not found']);
  });

  it('of a team reaches nothing once its owner no longer sees the team, and keeps it', async () => {
    const { db } = app.database;
    await aRepository(db, 'acme/web', [ada!.id]);
    const team = await aTeam(db, `Team ${crypto.randomUUID()}`, [ada!.id], []);
    const { id, reaches } = await made({ team });
    expect(reaches.repositories).toBe(1);
    expect(refusalOf(await make({ team }, 'ben'))).toEqual([400, 'team', 'Team not found']);

    await db.deleteFrom('team_readers').where('team_id', '=', team).execute();
    const changed = await ask('PATCH', `/api/channels/${id}`, { name: 'Renamed', team });
    expect(changed.body).toMatchObject({ name: 'Renamed', team, reaches: { repositories: 0, private: 0 } });
    await db.deleteFrom('teams').where('id', '=', team).execute();
    expect((await ask('GET', '/api/channels')).body).toMatchObject([{ team, reaches: { repositories: 0 } }]);
  });

  it('that is personal is not narrowed, nor is one that was it once', async () => {
    const { db } = app.database;
    const web = await aRepository(db, 'acme/web', [ada!.id]);
    await aRepository(db, 'acme/api', [ada!.id]);
    const team = await aTeam(db, `Team ${crypto.randomUUID()}`, [ada!.id], []);
    const words = 'is for the channel of a team';
    const issues = [
      { path: 'repositories', message: words },
      { path: 'team', message: words },
    ];
    const narrowed = { repositories: [web], team };
    expect(await make({ personal: true, ...narrowed })).toMatchObject({ status: 400, body: { issues } });

    const { id } = await made(narrowed);
    const change = (body: object) => ask('PATCH', `/api/channels/${id}`, body);
    const becomes = { personal: true, subscriptions: [{ kind: 'turn' }] };
    expect(await change({ ...becomes, ...narrowed })).toMatchObject({ status: 400, body: { issues } });
    const all = { repositories: 'all', team: null, reaches: { repositories: 2 } };
    expect(await change(becomes)).toMatchObject({ status: 200, body: all });
    expect(refusalOf(await change({ team }))).toEqual([400, 'team', words]);
    expect((await change({ personal: false, subscriptions: [] })).body).toMatchObject(all);
  });

  it('is changed in parts; what is left out stays', async () => {
    const before = await made({ subscriptions: [{ kind: 'daily' }], titles: false, time_zone: 'Asia/Kolkata' });
    const { secret: _, ...rest } = before;
    const change = {
      name: 'Other',
      titles: true,
      time_zone: null,
      quiet_hours: { ...before.quiet_hours, mode: 'off' },
    };
    const { status, body } = await ask('PATCH', `/api/channels/${before.id}`, change);

    expect([status, body]).toEqual([200, { ...rest, ...change, time_zone: 'Europe/Berlin' }]);
    expect((await ask('PATCH', `/api/channels/${before.id}`, {})).body).toEqual(body);
    expect(refusalOf(await ask('PATCH', `/api/channels/${before.id}`, { personal: true }))).toEqual([
      ...[400, 'subscriptions', 'must be given with personal: a person and a team have different ones'],
    ]);
    const personal = await ask('PATCH', `/api/channels/${before.id}`, {
      personal: true,
      subscriptions: [{ kind: 'turn' }],
    });
    expect(personal.body).toMatchObject({ personal: true, subscriptions: [{ kind: 'turn', delay: 10 }] });
  });

  it('gets a new secret and loses what waits with another url, and a new secret alone when asked for', async () => {
    const { id, secret } = await made();
    const other = await made();
    for (const channel_id of [id, other.id]) await aMessage({ channel_id });
    const { body } = await ask('PATCH', `/api/channels/${id}`, { url: 'https://else.example/hooks/fedcba9876543210' });
    const changed = body as MadeChannel;
    const renewed = await ask('POST', `/api/channels/${id}/secret`);
    const { secret: third } = renewed.body as { secret: string };

    expect(changed.target).toBe('https://else.example/…3210');
    expect(new Set([secret, changed.secret, third]).size).toBe(3);
    expect([changed.secret, third]).toEqual([expect.stringMatching(/^\w{64}$/), expect.stringMatching(/^\w{64}$/)]);
    expect(await messages()).toEqual([`${id} dropped`, `${other.id} pending`]);
    await ask('POST', '/api/notifications/test', { channel: id });
    expect(tested).toEqual([
      { id: expect.any(String), target: 'https://else.example/hooks/fedcba9876543210', secret: third },
    ]);
    const slack = await made(aSlack);
    expect(refusalOf(await ask('POST', `/api/channels/${slack.id}/secret`))).toEqual([
      409,
      '',
      'Only a webhook has a secret.',
    ]);
  });

  it('that is paused says since when and why, and goes on when asked to', async () => {
    const { id } = await made();
    expect(refusalOf(await ask('POST', `/api/channels/${id}/resume`))).toEqual([409, '', 'It isn’t paused.']);
    await app.database.db
      .updateTable('notification_channels')
      .set({ paused_at: new Date(START), paused_reason: 'the address is gone', failures: 5 })
      .execute();

    expect((await ask('GET', '/api/channels')).body).toMatchObject([
      { paused: { since: new Date(START).toISOString(), reason: 'the address is gone' } },
    ]);
    now += HOUR;
    expect(await ask('POST', `/api/channels/${id}/resume`)).toMatchObject({ status: 200, body: { id, paused: null } });
    const row = await app.database.db.selectFrom('notification_channels').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ failures: 0, paused_reason: null, resumed_at: new Date(now) });
  });

  it('is paused when its owner’s token is rejected or deleted, and says so', async () => {
    const { db } = app.database;
    // At the host there is no way back for a token that was revoked.
    const token = 'ghp_ada_repo-read:org-n1';
    ada!.cookie = await app.signIn('ada', token);
    const { id } = await made();
    await made({}, 'ben');
    const { grant_id } = await db
      .selectFrom('credentials')
      .selectAll()
      .where('user_id', '=', ada!.id)
      .executeTakeFirstOrThrow();
    await simulator.control('tokens', { token }, 'DELETE');
    expect(await app.server.credentials.rejectToken(ada!.id, grant_id)).toBe(true);
    const reasons = async () =>
      (await db.selectFrom('notification_channels').select(['id', 'paused_reason']).orderBy('id').execute()).map(
        (row) => row.paused_reason,
      );
    expect(await reasons()).toEqual(['your access token was rejected', null]);
    await ask('POST', '/auth/logout', {}, 'ben');
    expect(await reasons()).toEqual(['your access token was rejected', 'your access token was deleted']);

    ada!.cookie = await app.signIn('ada');
    expect((await ask('GET', '/api/channels')).body).toMatchObject([
      { paused: { reason: 'your access token was rejected' } },
    ]);
    expect(await ask('POST', `/api/channels/${id}/resume`)).toMatchObject({ status: 200 });
  });

  it('to a mailing list waits until its address is confirmed', async () => {
    const { id, target, paused } = await made({ ...aList(), name: 'The <list>' });
    expect([target, paused]).toEqual([
      't…@lists.example',
      { since: new Date(START).toISOString(), reason: 'not confirmed yet' },
    ]);
    expect(mails.map(({ to }) => to)).toEqual(['team@lists.example']);
    const notYet = [422, '', 'That address isn’t confirmed yet'];
    expect(refusalOf(await ask('POST', `/api/channels/${id}/resume`))).toEqual(notYet);
    expect(refusalOf(await ask('POST', '/api/notifications/test', { channel: id }))).toEqual(notYet);

    const path = `/confirm/${tokenIn(mails[0])}`;
    expect((await follow('GET', path)).body).toContain(
      'ada would like messages of the channel “The &lt;list&gt;” of Mergelight to be sent to <strong>team@lists.example</strong>.',
    );
    expect((await follow('POST', path)).statusCode).toBe(200);
    const list = async () => ((await ask('GET', '/api/channels')).body as NotificationChannel[])[0];
    expect(await list()).toMatchObject({ paused: null });
    // The same again needs nothing, another one all of it; a link to the one before is worth nothing then.
    await ask('PATCH', `/api/channels/${id}`, { address: 'Team@lists.example' });
    expect([await list(), mails.length]).toMatchObject([{ paused: null }, 1]);
    await ask('PATCH', `/api/channels/${id}`, { address: 'two@lists.example' });
    expect(await list()).toMatchObject({ target: 't…@lists.example', paused: { reason: 'not confirmed yet' } });
    await ask('PATCH', `/api/channels/${id}`, { address: 'three@lists.example' });
    expect((await follow('POST', `/confirm/${tokenIn(mails[1])}`)).statusCode).toBe(404);
    await ask('PATCH', `/api/channels/${id}`, { address: 'ada@host.example' });
    expect([await list(), mails.length]).toMatchObject([{ paused: null }, 3]);
  });

  it('is nobody else’s: to change, delete, resume, test, or get a secret of', async () => {
    const { id } = await made();
    const before = (await ask('GET', '/api/channels')).body;
    for (const [method, path, body] of [
      ['PATCH', `/api/channels/${id}`, { name: 'x' }],
      ['DELETE', `/api/channels/${id}`],
      ['POST', `/api/channels/${id}/resume`],
      ['POST', `/api/channels/${id}/secret`],
      ['POST', '/api/notifications/test', { channel: id }],
    ] as const) {
      const unknown = path.replace(String(id), '2000000');
      const [theirs, none] = [
        await ask(method, path, body, 'ben'),
        await ask(method, unknown, body && 'channel' in body ? { channel: 2_000_000 } : body, 'ben'),
      ];
      expect([refusalOf(theirs), refusalOf(none)]).toEqual([
        [404, '', 'Channel not found'],
        [404, '', 'Channel not found'],
      ]);
    }
    expect((await ask('GET', '/api/channels', undefined, 'ben')).body).toEqual([]);
    expect((await ask('GET', '/api/channels')).body).toEqual(before);
    expect(await ask('DELETE', `/api/channels/${id}`)).toMatchObject({ status: 204 });
    expect(await ask('DELETE', `/api/channels/${id}`)).toMatchObject({ status: 404 });
  });
});

describe('a link to unsubscribe', () => {
  const oneClick = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  };
  const tokenFor = (kind: 'daily' | 'turn' = 'daily', who: Who = 'ada') =>
    unsubscribeToken({ db: app.database.db, box, now: () => new Date(now) }, (who === 'ada' ? ada : ben)!.id, kind);
  const subscribed = async (who?: Who) =>
    (await settings(who)).subscriptions.map(({ kind, channel }) => `${kind} ${channel}`);
  const three = [
    { kind: 'turn', channel: 'mail' },
    { kind: 'daily', channel: 'mail' },
    { kind: 'daily', channel: 'slack_dm' },
  ];

  it('stops one kind by mail by a POST without cookies, Origin or JSON (RFC 8058), and nothing by GET', async () => {
    await save({ subscriptions: three });
    await save({ subscriptions: three }, 'ben');
    for (const [kind, channel] of [
      ['daily', 'mail'],
      ['turn', 'mail'],
      ['daily', 'slack_dm'],
    ] as const)
      await aMessage({ kind, channel });
    const path = `/unsubscribe/${await tokenFor()}`;

    // Programs that look at every link of a mail for its reader.
    for (let look = 0; look < 3; look += 1)
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers } = await app.server.app.inject({ method, url: path });
        expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      }
    expect(await subscribed()).toEqual(['turn mail', 'daily mail', 'daily slack_dm']);
    const page = (await follow('GET', path)).body;
    expect(page).toContain('You would get no more mails with what waits for you each day.');
    expect(page).toContain('<form method="post"><button type="submit">Stop these mails</button></form>');
    expect(page).toContain(`<a href="${PUBLIC_URL}/settings/notifications">`);

    const stopped = await follow('POST', path, oneClick);
    expect([stopped.statusCode, stopped.headers['set-cookie'], stopped.body.includes('<form')]).toEqual([
      200,
      undefined,
      false,
    ]);
    expect(await subscribed()).toEqual(['turn mail', 'daily slack_dm']);
    expect(await subscribed('ben')).toHaveLength(3);
    expect(await messages()).toEqual(['mail dropped', 'mail pending', 'slack_dm pending']);
    // Alerts of other kinds wait in the same message.
    expect((await follow('POST', `/unsubscribe/${await tokenFor('turn')}`, oneClick)).statusCode).toBe(200);
    expect(await messages()).toEqual(['mail dropped', 'mail pending', 'slack_dm pending']);
    expect(await subscribed()).toEqual(['daily slack_dm']);
    expect((await follow('POST', path, oneClick)).statusCode).toBe(200);
    await save({ subscriptions: three });
    expect((await follow('POST', path, oneClick)).statusCode).toBe(200);
    expect(await subscribed()).toEqual(['turn mail', 'daily slack_dm']);
  });

  it('takes whatever a mail program sends, up to 4 kB, from wherever it comes', async () => {
    const path = `/unsubscribe/${await tokenFor()}`;
    const boundary = 'x';
    const form = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;
    for (const more of [
      {},
      { headers: { origin: 'null' } },
      { headers: { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' } },
      { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload: form },
      { headers: { 'content-type': 'application/json' }, payload: '{"broken": [' },
      { headers: { 'content-type': 'text/plain' }, payload: 'x'.repeat(4096) },
    ])
      expect((await follow('POST', path, more)).statusCode, JSON.stringify(more)).toBe(200);
    const tooLong = { headers: { 'content-type': 'text/plain' }, payload: 'x'.repeat(4097) };
    expect((await follow('POST', path, tooLong)).statusCode).toBe(413);
    // Nothing else is open to other places by that.
    const elsewhere = {
      headers: { origin: 'https://mail.example' },
      cookies: { session: cookieOf('ada').split('=')[1]! },
    };
    expect((await follow('POST', '/api/notifications/test', elsewhere)).statusCode).toBe(403);
  });

  it('is good for a year after the last mail that has it, and dies with the account', async () => {
    const first = await tokenFor();
    now += 29 * DAY;
    expect(await tokenFor()).toBe(first);
    expect(await tokenFor('turn')).not.toBe(first);
    now += 2 * DAY;
    const second = await tokenFor();
    expect(second).not.toBe(first);

    now = START + 29 * DAY + 365 * DAY - 1000;
    await forgetOldNotifications(app.database.db, new Date(now));
    expect((await follow('POST', `/unsubscribe/${first}`)).statusCode).toBe(200);
    now += 2000;
    expect((await follow('POST', `/unsubscribe/${first}`)).statusCode).toBe(404);
    expect((await follow('GET', `/unsubscribe/${second}`)).statusCode).toBe(200);
    now = START;
    const bens = await tokenFor('daily', 'ben');
    await ask('DELETE', '/auth/me', { confirm: 'ben' }, 'ben');
    for (const token of [bens, 'A'.repeat(43), 'short', `${first}x`])
      for (const method of ['GET', 'POST'] as const)
        expect((await follow(method, `/unsubscribe/${token}`)).statusCode).toBe(404);
  });

  it('and one to confirm are told to nobody: no referrer, no index, no cache, no log', async () => {
    await save({ mail: { address: 'ada@else.example' } });
    const paths = [`/confirm/${tokenIn(mails[0])}`, `/unsubscribe/${await tokenFor()}`];
    for (const path of [...paths, '/confirm/short', `/unsubscribe/${'A'.repeat(43)}`])
      for (const method of ['GET', 'POST'] as const) {
        const { headers } = await follow(method, path);
        expect(headers).toMatchObject({
          ...{ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex', 'cache-control': 'no-store' },
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; style-src 'sha256-[^']+'; .*form-action 'self'/,
          ),
        });
      }
    const tokens = paths.map((path) => path.split('/')[2]!);
    // Also where a mail program has made something else of the address.
    for (const token of tokens)
      for (const path of [
        `/confirm/${token}/more`,
        `//unsubscribe/${token}`,
        `/%63onfirm/${token}`,
        `/%63onfirm/${token}/more`,
        `/UNSUBSCRIBE/${token}?x`,
        `/confirm/${token}%`,
      ])
        await follow('GET', path);
    const lines = app.logged.join('');
    expect(lines).toContain('"path":"/confirm/:token"');
    expect(app.logged.filter((line) => tokens.some((token) => line.includes(token)))).toEqual([]);
    const stored = await sql<{ row: string }>`
      select t::text as row from mail_confirmations t union all select t::text from unsubscribe_tokens t`.execute(
      app.database.db,
    );
    expect(stored.rows).toHaveLength(2);
    expect(tokens.filter((token) => JSON.stringify(stored.rows).includes(token))).toEqual([]);
  });
});

describe('a test message', () => {
  const send = (channel: unknown, who?: Who) => ask('POST', '/api/notifications/test', { channel }, who);

  it('says what came of it, is in the log, and a failure is an answer', async () => {
    const { id } = await made();
    expect((await send(id)).body).toEqual({ ok: true, status: '250', message: 'OK', took_ms: expect.any(Number) });
    answerOfMail = { state: 'final', status: '404', message: '404 no_service' };
    expect(await send(id)).toMatchObject({
      status: 200,
      body: { ok: false, status: '404', message: '404 no_service' },
    });
    answerOfMail = { state: 'unknown', status: null, message: 'The connection broke.' };
    await send('mail');

    const { body } = await ask('GET', '/api/notifications/log');
    const common = {
      kind: 'test',
      attempts: 1,
      subject: 'This is Mergelight. It works.',
      items: [],
      at: new Date(START).toISOString(),
    };
    expect((body as { deliveries: object[] }).deliveries).toEqual(
      expect.arrayContaining([
        { ...common, channel: id, state: 'sent', last_error: null },
        { ...common, channel: id, state: 'failed', last_error: '404 no_service' },
        { ...common, channel: 'mail', state: 'unknown', last_error: 'The connection broke.' },
      ]),
    );
    const row = await app.database.db
      .selectFrom('notification_channels')
      .select(['failures', 'paused_at'])
      .executeTakeFirst();
    expect(row).toEqual({ failures: 0, paused_at: null });
  });

  it('is one of five a minute', async () => {
    for (let at = 0; at < 5; at += 1) expect(await send('mail')).toMatchObject({ status: 200 });
    const refused = await send('mail');
    expect(refusalOf(refused)).toEqual([429, '', 'At most 5 tests a minute. Try again in 12 s.']);
    expect(refused.headers['retry-after']).toBe('12');
    expect(await send('mail', 'ben')).toMatchObject({ status: 200 });
    now += 12_000;
    expect(await send('mail')).toMatchObject({ status: 200 });
  });

  it('by what there is not, or is off, is refused; with all sending off it says so', async () => {
    expect(refusalOf(await send('pager'))).toEqual([400, 'channel', 'must be mail, slack_dm or the id of a channel']);
    expect(refusalOf(await send(2_000_000))).toEqual([404, '', 'Channel not found']);
    off = { mail: 'No mail here.', sending: 'Sending is switched off on this server.' };
    expect(refusalOf(await send('mail'))).toEqual([422, '', 'No mail here.']);
    expect((await send('slack_dm')).body).toEqual({ ok: false, status: null, message: off.sending, took_ms: 0 });
    expect(tested).toEqual([]);
  });
});

describe('the log', () => {
  const log = async (query = '', who?: Who) =>
    (await ask('GET', `/api/notifications/log${query}`, undefined, who)).body as {
      deliveries: { at: string; state: string; items: string[]; channel: unknown }[];
      total: number;
    };

  it('has the messages of 30 days, newest first, page by page, each reader their own', async () => {
    const { id } = await made();
    await aMessage({ at: START - 31 * DAY, finished: START - 31 * DAY, state: 'sent' });
    await aMessage({ at: START - 31 * DAY, finished: START - 2 * DAY, state: 'failed' });
    await aMessage({ at: START - 3 * DAY, channel_id: id });
    await aMessage({ at: START - DAY, channel: 'slack_dm', finished: START - DAY, state: 'sent' });
    await aMessage({ who: 'ben' });

    const { deliveries, total } = await log();
    expect(total).toBe(3);
    expect(deliveries.map(({ at, state, channel }) => [(START - Date.parse(at)) / DAY, state, channel])).toEqual([
      [1, 'sent', 'slack_dm'],
      [2, 'failed', 'mail'],
      [3, 'pending', id],
    ]);
    expect(await log('?limit=1&offset=1')).toEqual({ deliveries: [deliveries[1]], total: 3 });
    expect((await log('', 'ben')).total).toBe(1);
    for (const [query, path, message] of [
      ['?limit=0', 'limit', 'must be 1 or more'],
      ['?limit=201', 'limit', 'must be 200 or less'],
      ['?offset=-1', 'offset', 'must be 0 or more'],
    ] as const)
      expect(refusalOf(await ask('GET', `/api/notifications/log${query}`))).toEqual([400, path, message]);
    await forgetOldNotifications(app.database.db, new Date(now));
    expect(await messages()).toHaveLength(4);
  });

  it('names of pull requests those alone that the reader sees now', async () => {
    const { db } = app.database;
    const [web, api] = [await aRepository(db, 'acme/web', [ada!.id]), await aRepository(db, 'acme/api', [ada!.id])];
    const notification_id = await aMessage({ state: 'sent', finished: now });
    for (const [repository_id, number] of [
      [web, 12],
      [web, 3],
      [api, 7],
    ] as const)
      await db.insertInto('notification_items').values({ notification_id, repository_id, number }).execute();

    expect((await log()).deliveries[0]!.items).toEqual(['acme/api#7', 'acme/web#3', 'acme/web#12']);
    await db.updateTable('connections').set({ readable: false }).where('repository_id', '=', web).execute();
    expect((await log()).deliveries[0]!.items).toEqual(['acme/api#7']);
    await aConnection(db, ben!.id, web);
    expect((await log('', 'ben')).deliveries).toEqual([]);
  });
});

test('what belongs to an account goes with it, but for how many confirmation mails were sent', async () => {
  const { id } = await made({ ...aList(), subscriptions: [{ kind: 'daily' }] });
  await save({ mail: { address: 'ada@else.example' }, subscriptions: [{ kind: 'turn', channel: 'slack_dm' }] });
  await aMessage({ channel_id: id });
  await unsubscribeToken({ db: app.database.db, box, now: () => new Date(now) }, ada!.id, 'turn');
  const confirm = `/confirm/${tokenIn(mails[0])}`;
  await ask('DELETE', '/auth/me', { confirm: 'ada' });

  const left = async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and (table_name ~ '^notification_|^notifications$|confirmation|unsubscribe')`.execute(
      app.database.db,
    );
    const counts = await Promise.all(
      rows.map(async ({ name }) => {
        const { rows: found } = await sql`select from ${sql.table(name)} limit 1`.execute(app.database.db);
        return found.length > 0 ? [name] : [];
      }),
    );
    return counts.flat();
  };
  expect(await left()).toEqual(['confirmation_mails']);
  expect((await follow('POST', confirm)).statusCode).toBe(404);
  await forgetOldNotifications(app.database.db, new Date(now + DAY + 1000));
  expect(await left()).toEqual([]);
});

test('a channel whose address was encrypted with a key that is gone says so, and takes its address again', async () => {
  const { id } = await made();
  const lost = secretBox(Buffer.alloc(32, 9)).seal('https://lost.example/', sealedAs.channelTarget(id));
  await app.database.db.updateTable('notification_channels').set({ target_encrypted: lost }).execute();
  const test = { channel: id };
  expect(refusalOf(await ask('POST', '/api/notifications/test', test))).toEqual([
    ...[422, '', 'Its address was encrypted with a key that is gone. Enter it again.'],
  ]);
  expect(await ask('PATCH', `/api/channels/${id}`, { url: aWebhook.url })).toMatchObject({ status: 200 });
  expect(await ask('POST', '/api/notifications/test', test)).toMatchObject({ status: 200, body: { ok: true } });
});

test('addresses of channels open as those of their own row alone', async () => {
  const [one, two] = [await made(), await made()];
  const { db } = app.database;
  const { target_encrypted } = await db
    .selectFrom('notification_channels')
    .selectAll()
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow();
  expect(box.open(target_encrypted, sealedAs.channelTarget(one.id))).toBe(aWebhook.url);
  expect(() => box.open(target_encrypted, sealedAs.channelTarget(two.id))).toThrow();
});

test('what somebody does with channels is in the audit log, without where messages go', async () => {
  const { id } = await made();
  await ask('PATCH', `/api/channels/${id}`, { url: 'https://else.example/hooks/fedcba9876543210' });
  await ask('POST', `/api/channels/${id}/secret`);
  await ask('DELETE', `/api/channels/${id}`);
  await save({ paused: false });
  await save({ mail: { address: 'ada@else.example' } });

  const { rows } = await sql<{ event: string; subject: string | null }>`
    select event, subject from security_events where actor = 'ada' and event ~ 'channel|mail' order by id desc limit 5`.execute(
    app.database.db,
  );
  expect(rows.reverse()).toEqual([
    { event: 'channel_made', subject: `channel ${id}: webhook` },
    { event: 'channel_changed', subject: `channel ${id}` },
    { event: 'channel_secret_made', subject: `channel ${id}` },
    { event: 'channel_removed', subject: `channel ${id}` },
    { event: 'mail_address_changed', subject: null },
  ]);
});
