import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { buildApp } from '../../src/server/app.ts';
import { startSession, userOfSession } from '../../src/server/auth/sessions.ts';
import { withinConnectionShare } from '../../src/server/db/connection-share.ts';
import type { Database } from '../../src/server/db/database.ts';
import { createLimits, defaultLimits, type LimitSettings } from '../../src/server/http/limits.ts';
import type { Handlers } from '../../src/server/http/serve.ts';
import { openLog } from '../../src/server/log.ts';
import { NOW } from './fill.ts';

const PUBLIC_URL = 'http://localhost:3000';
const COOKIE = 'session';
const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1_000_000_000])) as LimitSettings;

/** Makes calls as a browser does, through all that a request goes through but the socket. */
export interface Browser {
  /** How many bytes the answer has. @throws Error where it is no success */
  call(name: EndpointName, query: object, params: object): Promise<number>;
}

/** A browser in which a user is signed in at a server of these calls. */
export async function browserOf(
  db: Kysely<Database>,
  user_id: number,
  handlers: Partial<Handlers<EndpointName>>,
): Promise<Browser> {
  const { grant_id } = await db
    .selectFrom('credentials')
    .select('grant_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const user = await db.selectFrom('users').selectAll().where('id', '=', user_id).executeTakeFirstOrThrow();
  const cookie = `${COOKIE}=${await startSession(db, { ...user, grant_id }, null, NOW)}`;
  const app = await appOf(db, handlers);
  return {
    async call(name, query, params) {
      const { statusCode, rawPayload, body } = await app.inject({
        method: 'GET',
        url: addressOf(name, query, params),
        headers: { host: new URL(PUBLIC_URL).host, cookie, 'accept-encoding': 'gzip, br' },
      });
      if (statusCode >= 300) throw new Error(`${name} was answered with ${statusCode}: ${body}`);
      return rawPayload.length;
    },
  };
}

async function appOf(db: Kysely<Database>, handlers: Partial<Handlers<EndpointName>>): Promise<FastifyInstance> {
  const now = () => NOW;
  return await buildApp({
    public_url: PUBLIC_URL,
    now,
    log: openLog('silent'),
    filesOfOthers: null,
    web_folder: '/nonexistent',
    handlers,
    serving: {
      async signedIn(request) {
        const id = request.cookies[COOKIE];
        return id === undefined ? null : await userOfSession(db, id, NOW);
      },
      check_answers: false,
    },
    tokens: null,
    within: (work) => withinConnectionShare(2, work),
    withinFigures: (_user_id, work) => withinConnectionShare(2, work),
    routes: [],
    image_sources: [],
    checkReady: async () => null,
    diskIsFull: () => false,
    trust_proxy: false,
    limits: createLimits({ settings: noLimits, now, sleep: async () => undefined }),
    metrics: null,
    serves_metrics: false,
    probes_only: false,
    listener: null,
  });
}

function addressOf(name: EndpointName, query: object, params: object): string {
  const { path }: Endpoint = endpoints[name];
  const filled = Object.entries(params).reduce(
    (address, [key, value]) => address.replace(`{${key}}`, encodeURIComponent(String(value))),
    path as string,
  );
  const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]));
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}
