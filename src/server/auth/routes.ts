import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { User } from '#contract/session.ts';
import type { Hosts, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { CodeHost } from '../host/host.ts';
import { HttpError } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import type { Credentials } from './credentials.ts';
import { endSession, SESSION_SECONDS, startSession, type UserRow, userOfSession } from './sessions.ts';
import { type Allowed, SignInRefused, signIn } from './sign-in.ts';

const sessionCookie = 'session';

export interface SessionRouting {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  readonly credentials: Credentials;
  readonly now: () => Date;
  readonly public_url: string;
  readonly host_url: string;
  readonly allow_token_sign_in: boolean;
  readonly allowed: Allowed;
  /** Null where no demo is served. */
  readonly demo: DemoSignIn | null;
}

export interface DemoSignIn {
  /** Waits until the demo's host answers; null when it takes too long. */
  ready(): Promise<{ host: CodeHost; token: string } | null>;
  /** Connects the demo's repositories for a user who has just signed in, and starts to sync them. */
  connect(user: UserRow): Promise<void>;
}

/** Sessions (server specification, section 3): who asks, signing in by token or to the demo, and signing out. */
export function sessionRoutes(handling: SessionRouting) {
  const { db, hosts, now } = handling;
  const cookie = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: handling.public_url.startsWith('https:'),
  } as const;

  async function rowOf(request: FastifyRequest): Promise<UserRow | null> {
    const id = request.cookies[sessionCookie];
    return id === undefined || id === '' ? null : await userOfSession(db, id, now());
  }

  async function signedIn(request: FastifyRequest): Promise<SignedIn | null> {
    const row = await rowOf(request);
    return row && { id: row.id, host: row.host, login: row.login, time_zone: row.time_zone };
  }

  /** Gives the browser a new session; the one that it had ends. */
  async function openSession(request: FastifyRequest, reply: FastifyReply, user: UserRow): Promise<void> {
    const before = request.cookies[sessionCookie];
    if (before !== undefined) await endSession(db, before);
    const id = await startSession(db, user.id, now());
    reply.setCookie(sessionCookie, id, { ...cookie, maxAge: SESSION_SECONDS });
  }

  function answer(row: UserRow): User {
    return {
      id: row.id,
      github_username: row.login,
      email: row.email,
      display_name: row.display_name,
      avatar_url: row.avatar_url,
      host: hosts.byKey(row.host)?.label ?? row.host,
      time_zone: row.time_zone,
    };
  }

  async function userRow(id: number): Promise<UserRow> {
    return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  async function signInAnswering(host: CodeHost, token: string, allowed: Allowed): Promise<UserRow> {
    try {
      return await signIn({ db, credentials: handling.credentials, now }, host, token, allowed);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const status = error.code === 'not_allowed' ? 403 : error.code === 'host_unavailable' ? 502 : 422;
      throw new HttpError(status, error.code, error.message, { cause: error });
    }
  }

  const handlers: Handlers<
    'getSession' | 'updateSession' | 'getSignInOptions' | 'signInWithToken' | 'signInToDemo' | 'signOut'
  > = {
    async getSession({ user }) {
      return answer(await userRow(user.id));
    },

    async updateSession({ user, body }) {
      if (!(await isTimeZone(db, body.time_zone)))
        throw new HttpError(400, 'invalid_request', 'time_zone: must be a time zone such as Europe/Berlin', {
          issues: [{ path: 'time_zone', message: 'must be a time zone such as Europe/Berlin' }],
        });
      await db.updateTable('users').set({ time_zone: body.time_zone }).where('id', '=', user.id).execute();
      return answer(await userRow(user.id));
    },

    async getSignInOptions() {
      return {
        oauth: hosts.main.oauth !== null,
        token: handling.allow_token_sign_in,
        demo: handling.demo !== null,
        host: hosts.main.label,
        host_url: handling.host_url,
      };
    },

    async signInWithToken({ body, request, reply }) {
      if (!handling.allow_token_sign_in)
        throw new HttpError(403, 'token_sign_in_off', 'Sign-in with a personal access token is switched off here.');
      const user = await signInAnswering(hosts.main, body.token, handling.allowed);
      await openSession(request, reply, user);
      return answer(user);
    },

    async signInToDemo({ request, reply }) {
      if (handling.demo === null) throw new HttpError(404, 'not_found', 'The demo is switched off on this server.');
      const ready = await handling.demo.ready();
      if (ready === null)
        throw new HttpError(503, 'demo_not_ready', 'The demo is still being prepared. Try again in a moment.', {
          retry_after: 5,
        });
      const user = await signInAnswering(ready.host, ready.token, { logins: null, orgs: null });
      await handling.demo.connect(user);
      await openSession(request, reply, user);
      return answer(user);
    },

    async signOut({ request, reply }) {
      const id = request.cookies[sessionCookie];
      if (id !== undefined) await endSession(db, id);
      reply.clearCookie(sessionCookie, cookie);
      return undefined;
    },
  };

  return { handlers, signedIn, openSession };
}

/** Names that both the database and the language know; offsets are none, for the two read their signs differently. */
async function isTimeZone(db: Kysely<Database>, name: string): Promise<boolean> {
  if (!/^[a-z][\w+\-/]*$/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    // RangeError is how the language says that it does not know the name.
    return false;
  }
  const { rows } = await sql`select from pg_timezone_names where lower(name) = lower(${name}) limit 1`.execute(db);
  return rows.length > 0;
}
