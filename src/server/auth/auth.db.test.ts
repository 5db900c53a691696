import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieIn, openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { aUser } from '../../../test/support/stored.ts';
import { forgetEndedSessions, startSession, userOfSession } from './sessions.ts';

let host: RunningSimulator;
let app: TestApp;
let time = new Date('2026-03-02T09:00:00Z');

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: host.url, now: () => time });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});

test('without a session nobody is signed in', async () => {
  const answer = await app.ask('GET', '/auth/me');

  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({ error: 'Sign in to go on.', code: 'not_signed_in', request_id: expect.any(String) });
});

test('a personal access token signs in whoever it belongs to', async () => {
  const answer = await app.ask('POST', '/auth/token', { body: { token: ' ghp_octo ' } });
  const cookie = cookieIn(answer, 'session');

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ github_username: 'octo', host: 'GitHub', time_zone: 'UTC' });
  expect((await app.ask('GET', '/auth/me', { as: cookie })).body).toEqual(answer.body);
});

test('the session is a cookie that scripts and other sites cannot use, and the database knows only its hash', async () => {
  const answer = await app.ask('POST', '/auth/token', { body: { token: 'ghp_octo' } });
  const cookie = cookieIn(answer, 'session');
  const id = cookie.slice('session='.length);

  expect(String(answer.headers['set-cookie'])).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
  expect(String(answer.headers['set-cookie'])).toContain('Max-Age=604800');
  expect(Buffer.from(id, 'base64url')).toHaveLength(32);
  const stored = await app.database.db.selectFrom('sessions').select('id_hash').execute();
  expect(stored.map((row) => row.id_hash)).not.toContain(id);
});

test('behind https the cookie travels by https alone', async () => {
  const secure = await openTestApp({
    host_url: host.url,
    database: app.database,
    config: { public_url: 'https://reviews.example.com' },
  });

  const answer = await secure.ask('POST', '/auth/token', {
    body: { token: 'ghp_octo' },
    headers: { origin: 'https://reviews.example.com' },
  });

  expect(String(answer.headers['set-cookie'])).toMatch(
    /^__Host-mergelight=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const cookie = cookieIn(answer, '__Host-mergelight');
  expect((await secure.ask('GET', '/auth/me', { as: cookie })).status).toBe(200);
  expect((await secure.ask('GET', '/auth/me', { as: cookie.replace('__Host-mergelight', 'session') })).status).toBe(
    401,
  );
  await secure.stop();
});

/** Whether the session still signs in after so many hours from `from`. */
async function livesAfter(cookie: string, from: Date, hours: number): Promise<boolean> {
  time = new Date(from.getTime() + hours * 3_600_000);
  return (await app.ask('GET', '/auth/me', { as: cookie })).status === 200;
}

async function lastUseOf(cookie: string): Promise<Date> {
  const id_hash = createHash('sha256').update(cookie.slice('session='.length)).digest('hex');
  const session = app.database.db.selectFrom('sessions').select('last_used_at').where('id_hash', '=', id_hash);
  return (await session.executeTakeFirstOrThrow()).last_used_at;
}

test('a session that is used lasts seven days, and not a moment longer', async () => {
  const cookie = await app.signIn('octo');
  const signedIn = time;
  const lives: boolean[] = [];

  for (let hours = 23; hours < 7 * 24; hours += 23) {
    lives.push(await livesAfter(cookie, signedIn, hours));
    // Written behind the answer.
    await expect.poll(() => lastUseOf(cookie)).toEqual(time);
  }
  const lastMoment = await livesAfter(cookie, signedIn, 7 * 24 - 1 / 3_600_000);
  const after = await livesAfter(cookie, signedIn, 7 * 24);
  time = signedIn;

  expect(new Set(lives)).toEqual(new Set([true]));
  expect([lastMoment, after]).toEqual([true, false]);
});

test('a session that nobody uses for 24 hours ends', async () => {
  const cookie = await app.signIn('octo');
  const signedIn = time;

  // Within the minute no use is written: the time runs from the sign-in.
  expect(await livesAfter(cookie, signedIn, 1 / 120)).toBe(true);
  expect(await livesAfter(cookie, signedIn, 24)).toBe(false);
  expect(await livesAfter(cookie, signedIn, 23)).toBe(true);
  expect(await livesAfter(cookie, signedIn, 46.9)).toBe(true);
  expect(await livesAfter(cookie, signedIn, 46.9 + 24)).toBe(false);
  time = signedIn;
});

test('a page that is open and listens does not keep its session in use', async () => {
  const cookie = await app.signIn('octo');
  const signedIn = time;
  time = new Date(signedIn.getTime() + 3_600_000);
  const stream = await app.server.app.inject({ url: '/api/sync-events', headers: { cookie }, payloadAsStream: true });
  // Opening the stream is a use, looking after the session while it is open is none.
  time = new Date(signedIn.getTime() + 24 * 3_600_000);
  const ended = new Promise((end) => stream.stream().on('end', end).resume());
  await new Promise((later) => setTimeout(later, 1500));
  time = new Date(signedIn.getTime() + 25 * 3_600_000);
  await ended;

  expect(await livesAfter(cookie, signedIn, 25)).toBe(false);
  time = signedIn;
});

test('a person sees where they are signed in, and signs out one session or all', async () => {
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
  const signInAgain = async (headers: Record<string, string>) =>
    cookieIn(await app.ask('POST', '/auth/token', { body: { token: 'ghp_mona' }, headers }), 'session');
  const list = async (as: string) => (await app.ask('GET', '/auth/sessions', { as })).body as { id: string }[];
  const here = await signInAgain(firefox);
  const there = await signInAgain({});
  const stranger = await app.signIn('octo');

  const sessions = await list(here);
  expect(sessions).toHaveLength(2);
  expect(sessions).toContainEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: time.toISOString(),
    last_used_at: time.toISOString(),
    browser: 'Firefox on Linux',
    current: true,
  });
  const other = (await list(there)).find(({ id }) => id !== sessions.find((s) => 'current' in s && s.current)?.id);

  expect((await app.ask('DELETE', `/auth/sessions/${other?.id}`, { as: stranger })).status).toBe(404);
  expect((await app.ask('DELETE', `/auth/sessions/${other?.id}`, { as: here })).status).toBe(204);
  expect((await app.ask('GET', '/auth/me', { as: there })).status).toBe(401);
  expect((await app.ask('DELETE', `/auth/sessions/${other?.id}`, { as: here })).status).toBe(404);

  const again = await signInAgain({});
  const all = await app.ask('DELETE', '/auth/sessions', { as: here });
  expect([all.status, String(all.headers['set-cookie'])]).toEqual([204, expect.stringContaining('session=;')]);
  for (const as of [here, again]) expect((await app.ask('GET', '/auth/me', { as })).status).toBe(401);
  expect((await app.ask('GET', '/auth/me', { as: stranger })).status).toBe(200);
});

test('the session that asks is used now, and comes first', async () => {
  const signedIn = time;
  const here = await app.signIn('mona');
  time = new Date(signedIn.getTime() + 3_600_000);
  await app.signIn('mona');
  time = new Date(signedIn.getTime() + 5 * 3_600_000);

  const [first] = (await app.ask('GET', '/auth/sessions', { as: here })).body as object[];

  expect(first).toMatchObject({ current: true, last_used_at: time.toISOString() });
  time = signedIn;
});

test('nobody has more than 100 sessions: the one not used for longest ends', async () => {
  const { db } = app.database;
  const id = await aUser(db);
  const credential = db.selectFrom('credentials').select('grant_id').where('user_id', '=', id);
  const user = { id, ...(await credential.executeTakeFirstOrThrow()) };
  const open = (second: number) => startSession(db, user, null, new Date(time.getTime() + second * 1000));
  const ids: string[] = [];
  for (let second = 0; second < 102; second += 1) ids.push(await open(second));

  const living = await Promise.all(ids.map((id) => userOfSession(db, id, time)));
  expect(living.map((row) => row !== null)).toEqual(ids.map((_, second) => second >= 2));
});

// The embedded database has a single connection.
test.skipIf(process.env.TEST_DATABASE === 'embedded')(
  'the use of a session that another call is writing keeps nobody waiting, and is written once that is over',
  async () => {
    const { db } = app.database;
    const as = await app.signIn('mona');
    const id_hash = createHash('sha256').update(as.slice('session='.length)).digest('hex');
    const [signed_in_at, start] = [await lastUseOf(as), time];
    time = new Date(start.getTime() + 2 * 60_000);

    const meanwhile = await db.transaction().execute(async (writing) => {
      await sql`select from sessions where id_hash = ${id_hash} for update`.execute(writing);
      const { status } = await app.ask('GET', '/auth/me', { as });
      return { status, last_used_at: await lastUseOf(as) };
    });
    expect(meanwhile).toEqual({ status: 200, last_used_at: signed_in_at });

    await app.ask('GET', '/auth/me', { as });
    await expect.poll(() => lastUseOf(as)).toEqual(time);
    time = start;
  },
);

test('ended sessions are swept away, living ones stay', async () => {
  const { db } = app.database;
  await db.deleteFrom('sessions').execute();
  const start = time;
  const idle = await app.signIn('mona');
  time = new Date(start.getTime() + 12 * 3_600_000);
  const living = await app.signIn('mona');

  await forgetEndedSessions(db, new Date(start.getTime() + 24 * 3_600_000));

  expect(await db.selectFrom('sessions').select('created_at').execute()).toEqual([{ created_at: time }]);
  expect((await app.ask('GET', '/auth/me', { as: idle })).status).toBe(401);
  expect((await app.ask('GET', '/auth/me', { as: living })).status).toBe(200);
  time = start;
});

test('whoever was renamed at the host goes by the name that was seen last, also to delete their account', async () => {
  const { db } = app.database;
  const as = await app.signIn('mona');
  const me = async () => (await app.ask('GET', '/auth/me', { as })).body;
  const {
    id,
    host: key,
    host_id,
  } = await db.selectFrom('users').selectAll().where('login', '=', 'mona').executeTakeFirstOrThrow();
  const seen = (host: string, host_id: string, login: string) =>
    db.insertInto('people').values({ host, host_id, login, type: 'user', kind: 'human' }).execute();
  await seen('elsewhere', host_id, 'somebody');
  await seen(key, 'another', 'mona');
  expect(await me()).toMatchObject({ id, github_username: 'mona' });

  await seen(key, host_id, 'mona-lisa');

  expect(await me()).toMatchObject({ id, github_username: 'mona-lisa' });
  const leave = (confirm: string) => app.ask('DELETE', '/auth/me', { as, body: { confirm } });
  expect((await leave('mona')).status).toBe(400);
  expect((await leave('Mona-Lisa')).status).toBe(204);
  await db.deleteFrom('people').where('login', 'like', 'mona%').execute();
});

test('whoever was renamed at the host goes by the new name once they sign in again, also as a contributor', async () => {
  const { db } = app.database;
  await host.control('accounts', { login: 'earlier' });
  await app.signIn('earlier');
  const user = await db.selectFrom('users').selectAll().where('login', '=', 'earlier').executeTakeFirstOrThrow();
  const account = { host: user.host, host_id: user.host_id };
  await db
    .insertInto('people')
    .values({ ...account, login: 'earlier', type: 'user', kind: 'human' })
    .execute();
  await host.control('accounts/earlier', { login: 'later' }, 'PATCH');

  const as = await app.signIn('later');

  expect((await app.ask('GET', '/auth/me', { as })).body).toMatchObject({ id: user.id, github_username: 'later' });
  const people = db.selectFrom('people').select('login').where('host_id', '=', user.host_id);
  expect(await people.execute()).toEqual([{ login: 'later' }]);
});

test('signing in makes a new session and ends the one before', async () => {
  const first = await app.signIn('octo');

  const answer = await app.ask('POST', '/auth/token', { as: first, body: { token: 'ghp_octo' } });

  expect(cookieIn(answer, 'session')).not.toBe(first);
  expect((await app.ask('GET', '/auth/me', { as: first })).status).toBe(401);
});

test('signing out ends the session on the server, and works without one', async () => {
  const cookie = await app.signIn('octo');

  const answer = await app.ask('POST', '/auth/logout', { as: cookie });

  expect([answer.status, answer.body]).toEqual([204, null]);
  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(401);
  expect((await app.ask('POST', '/auth/logout')).status).toBe(204);
  expect((await app.ask('POST', '/auth/logout', { as: 'session=made-up' })).status).toBe(204);
});

test('a made-up, empty or foreign session cookie signs nobody in', async () => {
  for (const as of ['session=', 'session=AAAA', 'session=%00', "session=' or 1=1"])
    expect((await app.ask('GET', '/auth/me', { as })).status).toBe(401);
});

test('a token that the host does not know is refused in words', async () => {
  const answer = await app.ask('POST', '/auth/token', { body: { token: 'ghp_nobody-at-all' } });

  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: 'token_rejected', error: 'GitHub does not accept this token.' });
});

test('an empty token is a mistake with its place', async () => {
  const answer = await app.ask('POST', '/auth/token', { body: { token: '  ' } });

  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    code: 'invalid_request',
    issues: [{ path: 'token', message: 'Paste a personal access token.' }],
  });
});

test('tokens never stand in the database, an answer or the log as they are', async () => {
  const answer = await app.ask('POST', '/auth/token', { body: { token: 'ghp_octo' } });
  await app.ask('POST', '/auth/token', { body: { token: 'ghp_unknown-person' } });

  const stored = await app.database.db.selectFrom('credentials').selectAll().execute();
  expect(stored).not.toHaveLength(0);
  for (const text of [JSON.stringify(stored), JSON.stringify(answer), app.logged.join('')])
    expect(text).not.toMatch(/ghp_(octo|unknown)/);
});

test('sign-in with a token can be switched off', async () => {
  const closed = await openTestApp({
    host_url: host.url,
    database: app.database,
    config: { allow_token_sign_in: false },
  });

  const answer = await closed.ask('POST', '/auth/token', { body: { token: 'ghp_octo' } });

  expect(answer.status).toBe(403);
  expect((await closed.ask('GET', '/auth/options')).body).toMatchObject({ token: false, oauth: true, demo: false });
  await closed.stop();
});

test('where a list of people is set, only they may sign in', async () => {
  const closed = await openTestApp({
    host_url: host.url,
    database: app.database,
    config: { allowed_logins: ['mona'], allowed_orgs: ['no-such-org'] },
  });

  const octo = await closed.ask('POST', '/auth/token', { body: { token: 'ghp_octo' } });
  const mona = await closed.ask('POST', '/auth/token', { body: { token: 'ghp_mona' } });

  expect(octo.status).toBe(403);
  expect(octo.body).toMatchObject({ code: 'not_allowed' });
  expect(mona.status).toBe(200);
  await closed.stop();
});

test('a session of a host that is not served any more signs nobody in, and has ended', async () => {
  const cookie = await app.signIn('octo');
  const moved = await openTestApp({
    ...{ host_url: 'http://127.0.0.1:9', database: app.database, now: () => time },
    config: { allowed_logins: ['mona'] },
  });

  const answers = [
    await moved.ask('GET', '/auth/me', { as: cookie }),
    await app.ask('GET', '/auth/me', { as: cookie }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  await moved.stop();
});

test('the time zone can be changed, and one that nobody knows is refused', async () => {
  const cookie = await app.signIn('octo');

  const changed = await app.ask('PATCH', '/auth/me', { as: cookie, body: { time_zone: 'Asia/Kolkata' } });
  const refused = await app.ask('PATCH', '/auth/me', { as: cookie, body: { time_zone: 'Mars/Olympus' } });
  const offset = await app.ask('PATCH', '/auth/me', { as: cookie, body: { time_zone: '+02:00' } });

  expect(changed.body).toMatchObject({ time_zone: 'Asia/Kolkata' });
  expect([refused.status, offset.status]).toEqual([400, 400]);
  expect(refused.body).toMatchObject({ issues: [{ path: 'time_zone' }] });
  expect((await app.ask('GET', '/auth/me', { as: cookie })).body).toMatchObject({ time_zone: 'Asia/Kolkata' });

  const again = await app.ask('POST', '/auth/token', { body: { token: 'ghp_octo', time_zone: 'America/New_York' } });
  expect(again.body).toMatchObject({ time_zone: 'Asia/Kolkata' });
});

test('the browser’s time zone is taken at the first sign-in that tells it, and only then', async () => {
  await host.control('accounts', { login: 'traveller' });
  const zoneAfter = async (time_zone: string) => {
    const answer = await app.ask('POST', '/auth/token', { body: { token: 'ghp_traveller', time_zone } });
    expect(answer.status).toBe(200);
    return (answer.body as { time_zone: string }).time_zone;
  };

  expect(await zoneAfter('Mars/Olympus')).toBe('UTC');
  expect(await zoneAfter('America/New_York')).toBe('America/New_York');
  expect(await zoneAfter('Europe/Oslo')).toBe('America/New_York');
});

test('a first sign-in on the host’s page brings the browser’s time zone along', async () => {
  await host.control('accounts', { login: 'newcomer' });
  const asked = await app.ask('GET', '/auth/login?time_zone=Asia%2FTokyo');
  const cookie = cookieIn(asked, 'sign_in');
  const callback = await app.ask('GET', await consent(String(asked.headers.location), 'newcomer'), { as: cookie });

  const me = await app.ask('GET', '/auth/me', { as: cookieIn(callback, 'session') });
  expect(me.body).toMatchObject({ github_username: 'newcomer', time_zone: 'Asia/Tokyo' });
});

test('without the demo there is none to sign in to', async () => {
  expect((await app.ask('POST', '/auth/demo')).status).toBe(404);
});

test('signing in on the host’s page leads back to where one wanted to go', async () => {
  const { cookie, location } = await beginSignIn('/contributors?q=ada');
  const asked = new URL(location);
  expect(asked.origin + asked.pathname).toBe(`${host.url}/login/oauth/authorize`);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: 'mergelight-demo',
    code_challenge_method: 'S256',
    redirect_uri: `${PUBLIC_URL}/auth/callback`,
    scope: 'repo read:org read:user user:email',
  });

  const callback = await app.ask('GET', await consent(location), { as: cookie });

  expect([callback.status, callback.headers.location]).toEqual([302, '/contributors?q=ada']);
  const session = cookieIn(callback, 'session');
  expect((await app.ask('GET', '/auth/me', { as: session })).body).toMatchObject({ github_username: 'octo' });
});

test('without a wish it leads to the dashboard, and never to another site or back to the sign-in', async () => {
  for (const wish of [
    '',
    '?return_to=//evil.example',
    '?return_to=https://evil.example',
    '?return_to=/%5Cevil.example',
    '?return_to=%2Flogin%3Ferror%3Dtoken_rejected',
  ]) {
    const { cookie, location } = await beginSignIn(null, wish);

    const callback = await app.ask('GET', await consent(location), { as: cookie });

    expect(callback.headers.location).toBe('/dashboard');
  }
});

test('a callback that this browser did not ask for signs nobody in', async () => {
  const { cookie, location } = await beginSignIn('/');
  const back = await consent(location);
  const other = await beginSignIn('/');

  const withoutCookie = await app.ask('GET', back);
  const withOtherCookie = await app.ask('GET', back, { as: other.cookie });
  const withForgedCookie = await app.ask('GET', back, { as: 'sign_in=v1.AAAA' });
  const withoutState = await app.ask('GET', '/auth/callback?code=x', { as: cookie });

  for (const answer of [withoutCookie, withOtherCookie, withForgedCookie, withoutState]) {
    expect(answer.headers.location).toBe('/login?error=state_mismatch');
    expect(String(answer.headers['set-cookie'])).not.toContain('session=');
  }
});

test('of sign-ins in several windows each comes back, and none takes another’s with it', async () => {
  const first = await beginSignIn('/prs');
  const second = await beginSignIn('/teams', undefined, first.cookie);
  const stranger = await app.ask('GET', '/auth/callback?code=x&state=y', { as: second.cookie });
  const before = await app.ask('GET', await consent(first.location), { as: second.cookie });
  const after = await app.ask('GET', await consent(second.location), { as: cookieIn(before, 'sign_in') });

  expect([stranger, before, after].map(({ headers }) => headers.location)).toEqual([
    ...['/login?error=state_mismatch', '/prs', '/teams'],
  ]);
  expect(stranger.headers['set-cookie']).toBeUndefined();
  expect(cookieIn(after, 'sign_in')).toBe('sign_in=');
});

test('however many sign-ins a browser begins, its cookie stays as small as browsers keep it, with the latest', async () => {
  let latest = await beginSignIn('/');
  for (let more = 0; more < 20; more += 1) latest = await beginSignIn('/', undefined, latest.cookie);

  const callback = await app.ask('GET', await consent(latest.location), { as: latest.cookie });

  expect(latest.cookie.length).toBeLessThan(4000);
  expect(callback.headers.location).toBe('/');
});

test('a sign-in that took longer than ten minutes begins again', async () => {
  const { cookie, location } = await beginSignIn('/');
  const back = await consent(location);
  const began = time;

  time = new Date(began.getTime() + 601_000);
  const answer = await app.ask('GET', back, { as: cookie });
  time = began;

  expect(answer.headers.location).toBe('/login?error=state_mismatch');
});

test('a code works once', async () => {
  const { cookie, location } = await beginSignIn('/dashboard');
  const back = await consent(location);
  await app.ask('GET', back, { as: cookie });

  const again = await app.ask('GET', back, { as: cookie });

  expect(again.headers.location).toBe('/login?error=code_rejected');
});

test('whoever declines on the host’s page reads that they did, and comes to where they wanted to go afterwards', async () => {
  const { cookie, location } = await beginSignIn('/prs?q=a');
  const state = new URL(location).searchParams.get('state');

  const answer = await app.ask('GET', `/auth/callback?error=access_denied&state=${state}`, { as: cookie });

  expect(answer.headers.location).toBe('/login?error=access_denied&return_to=%2Fprs%3Fq%3Da');
});

test('without a registered app the login page says so', async () => {
  const without = await openTestApp({ host_url: host.url, database: app.database, oauth: null });

  const answer = await without.ask('GET', '/auth/login?return_to=/prs');

  expect([answer.status, answer.headers.location]).toEqual([302, '/login?error=oauth_not_configured&return_to=%2Fprs']);
  await without.stop();
});

test('a host that does not answer is named, by redirect and in JSON', async () => {
  const lonely = await openTestApp({ host_url: 'http://127.0.0.1:9', database: app.database });

  const answer = await lonely.ask('POST', '/auth/token', { body: { token: 'ghp_octo' } });

  expect(answer.status).toBe(502);
  expect(answer.body).toMatchObject({ code: 'host_unavailable' });
  await lonely.stop();
});

test('this machine’s other names are led to the one that the host knows', async () => {
  const answer = await app.ask('GET', '/auth/login?return_to=/prs', { headers: { host: '127.0.0.1:3000' } });

  expect(answer.headers.location).toBe(`${PUBLIC_URL}/auth/login?return_to=/prs`);
});

async function beginSignIn(
  return_to: string | null,
  query = `?return_to=${encodeURIComponent(return_to ?? '')}`,
  as = '',
) {
  const answer = await app.ask('GET', `/auth/login${query}`, { as });
  return { cookie: cookieIn(answer, 'sign_in'), location: String(answer.headers.location) };
}

/** Presses the button of the simulated host's page for `login`; answers the path that it sends the browser back to. */
async function consent(location: string, login = 'octo'): Promise<string> {
  const query = new URL(location).searchParams;
  query.set('login', login);
  const answer = await fetch(`${host.url}/login/oauth/authorize`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
    redirect: 'manual',
  });
  const back = new URL(answer.headers.get('location') ?? '');
  return `${back.pathname}${back.search}`;
}
