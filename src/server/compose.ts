import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { EndpointName } from '#contract/endpoints.ts';
import { accountRoutes } from './accounts/routes.ts';
import { buildApp, signInLimit } from './app.ts';
import { type Credentials, credentialsIn } from './auth/credentials.ts';
import { sessionRoutes } from './auth/routes.ts';
import { signIn } from './auth/sign-in.ts';
import { serveWebFlow } from './auth/web-flow.ts';
import type { Config } from './config.ts';
import type { Context, Hosts } from './context.ts';
import { contributorExports, contributorRoutes } from './contributors/routes.ts';
import type { OpenDatabase } from './db/open.ts';
import { tidy } from './db/tidy.ts';
import { followAddress } from './demo/demo-address.ts';
import type { DemoHost } from './demo/demo-host.ts';
import { serveDemoPages } from './demo/demo-pages.ts';
import { exploring } from './demo/explore.ts';
import { explainRoutes } from './explain/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import type { CodeHost } from './host/host.ts';
import type { Gauge } from './http/metrics.ts';
import type { Handlers } from './http/serve.ts';
import { openJobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import { pullRequestRoutes } from './pull-requests/routes.ts';
import { checkAccess, dueForCheck } from './repositories/access.ts';
import { connectRepository } from './repositories/connect.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { createWebhook } from './repositories/webhook.ts';
import { type SecretBox, sealedAs } from './secret-box.ts';
import type { SyncContext } from './sync/context.ts';
import { markFactsOf } from './sync/rebuild-facts.ts';
import { refreshForPerson } from './sync/refresh.ts';
import { syncRoutes } from './sync/routes.ts';
import { cancelSession, newestSession, startSession } from './sync/sessions.ts';
import { UPKEEP_CRON, upkeep, upkeepQueue } from './sync/upkeep.ts';
import { type SyncWorker, startSyncWorker, workerDefaults } from './sync/worker.ts';
import { teamRoutes } from './team/routes.ts';
import { webhookRoute } from './webhooks/webhook-route.ts';

/** What a server is made of; everything that differs between production and tests is named here. */
export interface Parts {
  readonly config: Pick<
    Config,
    'public_url' | 'github_url' | 'allow_token_sign_in' | 'allowed_logins' | 'allowed_orgs' | 'role' | 'metrics'
  >;
  readonly database: OpenDatabase;
  readonly box: SecretBox;
  /** The host that people sign in to. */
  readonly host: CodeHost;
  /** Addresses that its pictures come from. */
  readonly image_sources: readonly string[];
  /** The built-in demo, the host made of its address, and where that reaches this server; null without it. */
  readonly demo: { readonly process: DemoHost; readonly host: CodeHost; readonly deliver_to: string } | null;
  readonly web_folder: string;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Log;
  /** Answers are held against the contract: for tests. */
  readonly check_answers: boolean;
}

export interface Server {
  readonly app: FastifyInstance;
  readonly credentials: Credentials;
  /** Ends streams and requests, lets running work reach its next checkpoint within `patience` ms; the database stays open. */
  stop(patience: number): Promise<void>;
}

/** Puts the server together, starts its worker as its role says, and leaves listening to the caller. */
export async function composeServer(parts: Parts): Promise<Server> {
  const { config, database, box, host, demo, now, log } = parts;
  const { db } = database;
  const { public_url, role } = config;
  const hosts: Hosts = {
    main: host,
    byKey: (key) => (key === host.key ? host : key === demo?.host.key ? demo.host : null),
  };
  const credentials = credentialsIn(db, hosts, box, now);
  const { clientFor, rejectToken } = credentials;
  const hostLabel = (key: string) => hosts.byKey(key)?.label ?? key;
  const context: Context = { db, hosts, now, log, public_url };
  const connecting = { db, box, clientFor, rejectToken, now, public_url };
  const syncing: SyncContext = {
    db,
    hostLabel,
    clientFor,
    rejectToken,
    checkAccess: (user_id, repository_id) => checkAccess(connecting, user_id, repository_id),
    accessDue: (limit) => dueForCheck(db, now(), limit),
    now,
    sleep,
    random: parts.random,
    log,
  };

  if (demo) await followAddress(db, demo.host.key, public_url);

  const working = role !== 'web';
  const jobs = await openJobs(database, [upkeepQueue], { working, log: (err) => log.error({ err }, 'job failed') });
  let worker: SyncWorker | null = null;
  const nudge = () => worker?.nudge();
  const closing = new AbortController();

  const explore =
    demo &&
    exploring({
      ...{ process: demo.process, host: demo.host, db, log },
      connect: (user, name) => connectRepository(connecting, user, name),
      startSync: startSyncOf,
      deliver: async (user_id, repository_id) => {
        await createWebhook(connecting, user_id, repository_id, demo.deliver_to);
      },
    });
  const allowed = { logins: config.allowed_logins, orgs: config.allowed_orgs };
  const sessions = sessionRoutes({
    ...{ db, hosts, credentials, now, public_url, allowed },
    host_url: config.github_url,
    allow_token_sign_in: config.allow_token_sign_in,
    demo: explore,
  });

  async function startSyncOf(user_id: number, repository_id: number): Promise<void> {
    const request = { repository_id, user_id, mode: 'smart', asked_by: 'person', page_size_limit: null } as const;
    await startSession(db, request, now());
    nudge();
  }

  async function cancelSync(repository_id: number, of_user: number | null): Promise<void> {
    const session = await newestSession(db, repository_id);
    if (session !== null && (of_user === null || session.user_id === of_user))
      await cancelSession(db, session.id, now());
  }

  const handlers: Handlers<EndpointName> = {
    ...sessions.handlers,
    ...repositoryRoutes({ ...connecting, hostLabel, cancelSync }),
    ...syncRoutes(syncing, nudge, async (request) => (await sessions.signedIn(request)) !== null),
    ...teamRoutes(context),
    ...contributorRoutes(context),
    ...exportRoutes(context, contributorExports(context)),
    ...pullRequestRoutes(context, (wanted) => refreshForPerson(syncing, wanted)),
    ...explainRoutes(context),
    ...accountRoutes(context, (transaction, account) => markFactsOf(transaction, account.id)),
  };
  const web = role !== 'worker';
  const app = await buildApp({
    public_url,
    log,
    web_folder: parts.web_folder,
    serving: { signedIn: sessions.signedIn, check_answers: parts.check_answers, closing: closing.signal },
    // A worker answers probes alone.
    handlers: web ? handlers : {},
    routes: web
      ? [
          (scope) =>
            serveWebFlow(scope, {
              ...{ host, box, now, public_url, options: signInLimit() },
              openSession: sessions.openSession,
              signInWith: (token) => signIn({ db, credentials, now }, host, token, allowed),
            }),
          (scope) =>
            webhookRoute(scope, {
              ...{ db, hosts, now, sleep, nudge },
              openSecret: (sealed, webhook_key) => box.open(sealed, sealedAs.webhookSecret(webhook_key)),
            }),
          ...(demo ? [(scope: FastifyInstance) => serveDemoPages(scope, demo.process.url)] : []),
        ]
      : [],
    image_sources: parts.image_sources,
    async checkReady() {
      await sql`select 1`.execute(db);
      await jobs.check();
    },
    gauges: config.metrics ? [syncGauge(context)] : null,
  });

  if (working) {
    worker = startSyncWorker(syncing, { ...workerDefaults, alone: database.kind === 'embedded' });
    await jobs.work(upkeepQueue, 1, async (_data, { stopping }) => {
      await upkeep(syncing, stopping);
      if (database.kind === 'embedded') await tidy(db);
      nudge();
    });
    await jobs.schedule(upkeepQueue, UPKEEP_CRON, {});
    explore?.deliverAgain().catch((err: unknown) => log.warn({ err }, 'the demo’s events will not be delivered'));
  }

  return {
    app,
    credentials,
    async stop(patience) {
      closing.abort();
      await Promise.all([closeWithin(app, patience), worker?.stop(patience), jobs.stop(patience)]);
    },
  };
}

/** Stops taking requests and waits for those that run; the connections of those that take too long are cut. */
async function closeWithin(app: FastifyInstance, patience: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), patience);
  await app.close();
  clearTimeout(cut);
}

function syncGauge({ db }: Context): Gauge {
  return {
    name: 'mergelight_sync_sessions',
    help: 'Sync sessions by status.',
    async read() {
      const rows = await db
        .selectFrom('sync_sessions')
        .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('status')
        .execute();
      return new Map(rows.map(({ status, count }) => [`status="${status}"`, Number(count)]));
    },
  };
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
