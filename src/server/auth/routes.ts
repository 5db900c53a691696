import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { User } from '#contract/session.ts';
import type { Administrators, Hosts, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isForLackOfSpace } from '../db/disk-space.ts';
import { lookAtHeldAgain } from '../db/held-messages.ts';
import { noteSeen } from '../db/sight.ts';
import { isTimeZone } from '../db/time-zones.ts';
import type { CodeHost } from '../host/host.ts';
import { HttpError, invalidValue, notFound } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { Handlers } from '../http/serve.ts';
import { sessionCookieOf } from '../http/session-cookie.ts';
import type { NoteSecurityEvent, RequestOrigin } from '../security-events.ts';
import { type Allowed, mayEnter } from './allowed.ts';
import { browserName } from './browser-name.ts';
import type { NewCredential } from './credentials.ts';
import type { Departures } from './departures.ts';
import {
  endAllSessions,
  endListedSession,
  endSession,
  listSessions,
  noteUse,
  SESSION_SECONDS,
  type SignedInUser,
  startSession,
  type UserRow,
  userOfSession,
} from './sessions.ts';
import { SignInRefused } from './sign-in.ts';

export interface SessionDeps {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  /** Signs in whoever the host says the token belongs to; throws SignInRefused. */
  readonly signInWith: (
    host: CodeHost,
    given: NewCredential,
    allowed: Allowed,
    replace: boolean,
    request: RequestOrigin,
  ) => Promise<SignedInUser>;
  readonly administrators: Administrators;
  readonly now: () => Date;
  readonly public_url: string;
  readonly host_url: string;
  readonly allow_token_sign_in: boolean;
  /** How many days a personal token may live here at most; null where there are none. */
  readonly api_token_days: number | null;
  /** Whether assistants can connect. */
  readonly assistants: boolean;
  readonly allowed: Allowed;
  readonly noteSecurityEvent: NoteSecurityEvent;
  readonly departures: Departures;
  /** Null where no demo is served. */
  readonly demo: DemoSignIn | null;
  readonly countVisitor: Limits['countVisitor'];
  /** Logs a failure, and has nobody wait. */
  readonly inBackground: (work: Promise<unknown>, failure: string) => void;
}

export interface DemoSignIn {
  readonly host: CodeHost;
  /**
   * The token of a visitor, the same as before for one's `login`, once the demo is ready for them; `countNew` is called before another one is
   * given a place, and what it throws is thrown.
   */
  admit(login: string | null, countNew: () => void): Promise<{ token: string } | 'not_ready' | 'full'>;
  /** Connects the demo's repositories for a visitor who has just signed in. */
  connect(user: { id: number; host: string }): Promise<void>;
}

/** Sessions (docs/server.md#sessions): who asks, signing in by token or to the demo, and signing out. */
export function sessionRoutes(deps: SessionDeps) {
  const { db, hosts, now, noteSecurityEvent, departures } = deps;
  const secure = deps.public_url.startsWith('https:');
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const sessionCookie = sessionCookieOf(deps.public_url);
  const writing = new Set<string>();

  function sessionIdOf(request: FastifyRequest): string | undefined {
    return request.cookies[sessionCookie] || undefined;
  }

  /**
   * That somebody is here is written behind their answer, which does not wait for the disk, and once for what a page asks at the same time:
   * nothing of one `key` while it is written.
   */
  function writeBehind(key: string, write: () => Promise<void>): void {
    if (writing.has(key)) return;
    writing.add(key);
    deps.inBackground(
      write()
        // On a full disk people go on reading.
        .catch((error: unknown) => {
          if (!isForLackOfSpace(error)) throw error;
        })
        .finally(() => writing.delete(key)),
      'that somebody is here could not be noted',
    );
  }

  async function rowOf(request: FastifyRequest) {
    const id = sessionIdOf(request);
    const row = id === undefined ? null : await userOfSession(db, id, now());
    if (row === null) return null;
    writeBehind(`session ${id}`, () => noteUse(db, id!, row.last_used_at, now()));
    if (await mayEnter(deps, row, now())) return row;
    // A page asks several things at once: the first one notes it.
    if ((await endAllSessions(db, row.id)) > 0)
      await noteSecurityEvent({ event: 'session_ended', actor: row.login, subject: 'not_allowed' }, request);
    return null;
  }

  async function signedIn(request: FastifyRequest): Promise<SignedIn | null> {
    const row = await rowOf(request);
    if (row !== null) writeBehind(`user ${row.id}`, () => noteSeen(db, row, now()));
    return row && { id: row.id, host: row.host, login: row.login, time_zone: row.time_zone, own_marks: row.own_marks };
  }

  /** Gives the browser a new session; the one that it had ends. `time_zone` is the browser's, where it told. */
  async function openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    user: SignedInUser,
    time_zone: string | null,
  ): Promise<void> {
    await takeTimeZone(db, user, time_zone);
    const before = sessionIdOf(request);
    if (before !== undefined) await endSession(db, before);
    const id = await startSession(db, user, browserName(request.headers['user-agent']), now());
    reply.setCookie(sessionCookie, id, { ...cookie, maxAge: SESSION_SECONDS });
    await noteSecurityEvent(
      { event: 'signed_in', actor: user.login, subject: hosts.byKey(user.host)?.label ?? null },
      request,
    );
  }

  async function sessionOf(user_id: number): Promise<User> {
    const row = await accountOf(user_id);
    return {
      id: row.id,
      github_username: row.github_username,
      email: row.email,
      display_name: row.display_name,
      avatar_url: row.avatar_url,
      host: hosts.byKey(row.host)?.label ?? row.host,
      time_zone: row.time_zone,
      administrator: await deps.administrators.includes(row),
    };
  }

  /** `github_username` is what the account was called when it was seen last, `login` at its last sign-in. */
  async function accountOf(user_id: number): Promise<UserRow & { readonly github_username: string }> {
    return await db
      .selectFrom('users')
      .leftJoin('people', (join) =>
        join.onRef('people.host', '=', 'users.host').onRef('people.host_id', '=', 'users.host_id'),
      )
      .selectAll('users')
      .select(sql<string>`coalesce(nullif(people.login, ''), users.login)`.as('github_username'))
      .where('users.id', '=', user_id)
      .executeTakeFirstOrThrow();
  }

  async function signInAnswering(
    request: FastifyRequest,
    host: CodeHost,
    token: string,
    allowed: Allowed,
    replace = false,
  ): Promise<SignedInUser> {
    try {
      return await deps.signInWith(host, personalToken(token), allowed, replace, request);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      await noteSecurityEvent({ event: 'sign_in_refused', actor: error.login, subject: error.code }, request);
      const details = { cause: error, ...(error.code === 'host_busy' && { retry_after: 10 }) };
      throw new HttpError(error.code, error.message, details);
    }
  }

  const handlers: Handlers<
    | 'getSession'
    | 'updateSession'
    | 'getSignInOptions'
    | 'signInWithToken'
    | 'signInToDemo'
    | 'signOut'
    | 'listSessions'
    | 'endSession'
    | 'endAllSessions'
    | 'deleteAccount'
  > = {
    async getSession({ user }) {
      return await sessionOf(user.id);
    },

    async updateSession({ user, body }) {
      if (!(await isTimeZone(db, body.time_zone)))
        throw invalidValue('time_zone', 'must be a time zone such as Europe/Berlin');
      await storeTimeZone(db, user.id, body.time_zone);
      await lookAtHeldAgain(db, user.id, now());
      return await sessionOf(user.id);
    },

    async getSignInOptions() {
      return {
        oauth: hosts.main.oauth !== null,
        github_app: hosts.main.oauth?.kind === 'github_app',
        install_url: hosts.main.oauth?.install_url ?? null,
        token: deps.allow_token_sign_in,
        demo: deps.demo !== null,
        api_token_days: deps.api_token_days,
        assistants: deps.assistants,
        host: hosts.main.label,
        host_url: deps.host_url,
      };
    },

    async signInWithToken({ body, request, reply }) {
      if (!deps.allow_token_sign_in) throw new HttpError('token_sign_in_off');
      if (!hosts.main.isPersonalToken(body.token)) throw new HttpError('not_a_personal_token');
      const user = await signInAnswering(request, hosts.main, body.token, deps.allowed, body.replace);
      await openSession(request, reply, user, body.time_zone ?? null);
      return await sessionOf(user.id);
    },

    async signInToDemo({ body, request, reply }) {
      if (deps.demo === null) throw new HttpError('not_found', 'The demo is switched off on this server.');
      const { demo } = deps;
      const before = await rowOf(request);
      const admitted = await demo.admit(before?.host === demo.host.key ? before.login : null, () =>
        deps.countVisitor(request.ip),
      );
      if (admitted === 'not_ready') throw new HttpError('demo_not_ready', undefined, { retry_after: 5 });
      if (admitted === 'full') throw new HttpError('demo_full', undefined, { retry_after: 300 });
      const user = await signInAnswering(request, demo.host, admitted.token, { logins: null, orgs: null });
      await demo.connect(user);
      await openSession(request, reply, user, body.time_zone ?? null);
      return await sessionOf(user.id);
    },

    async signOut({ body, request, reply }) {
      const id = sessionIdOf(request);
      const user = await rowOf(request);
      const ended = { event: 'signed_out', subject: null } as const;
      if (user === null || body.background === true) {
        if (id !== undefined) await endSession(db, id);
        if (user !== null) await noteSecurityEvent({ ...ended, actor: user.login }, request);
      } else await departures.endSessions(user, ended, request, (within) => endSession(within, id!));
      reply.clearCookie(sessionCookie, cookie);
      return undefined;
    },

    async deleteAccount({ user, body, request, reply }) {
      const { github_username: login } = await accountOf(user.id);
      if (body.confirm.trim().toLowerCase() !== login.toLowerCase()) throw invalidValue('confirm', `must be ${login}`);
      await departures.deleteAccount(user.id, request);
      reply.clearCookie(sessionCookie, cookie);
      return undefined;
    },

    async listSessions({ user, request }) {
      return await listSessions(db, user.id, sessionIdOf(request), now());
    },

    async endSession({ user, params, request, reply }) {
      const sessions = await listSessions(db, user.id, sessionIdOf(request), now());
      const session = sessions.find(({ id }) => id === params.id);
      if (session === undefined) throw notFound('There is no such session.');
      const event = session.current ? 'signed_out' : 'session_ended';
      await departures.endSessions(user, { event, subject: session.browser }, request, async (within) => {
        if (!(await endListedSession(within, user.id, params.id))) throw notFound('There is no such session.');
      });
      if (session.current) reply.clearCookie(sessionCookie, cookie);
      return undefined;
    },

    async endAllSessions({ user, request, reply }) {
      await departures.endSessions(user, { event: 'signed_out', subject: 'everywhere' }, request, async (within) => {
        await endAllSessions(within, user.id);
      });
      reply.clearCookie(sessionCookie, cookie);
      return undefined;
    },
  };

  return { handlers, signedIn, sessionIdOf, openSession };
}

/** Its scopes are what the host says when it is used. */
export function personalToken(token: string): NewCredential {
  return { token, client_id: null, scopes: null, expires_at: null, refresh_token: null };
}

/** Takes the browser's zone of whoever never had one, neither chosen nor taken before. */
async function takeTimeZone(db: Kysely<Database>, user: UserRow, time_zone: string | null): Promise<void> {
  if (user.time_zone_known || time_zone === null || !(await isTimeZone(db, time_zone))) return;
  await storeTimeZone(db, user.id, time_zone);
}

async function storeTimeZone(db: Kysely<Database>, user_id: number, time_zone: string): Promise<void> {
  await db.updateTable('users').set({ time_zone, time_zone_known: true }).where('id', '=', user_id).execute();
}
