import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { EndpointName } from '#contract/endpoints.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { adoptMarks } from './accounts/marked-accounts.ts';
import { accountRoutes } from './accounts/routes.ts';
import { databaseGauges } from './administration/gauges.ts';
import { administrationRoutes } from './administration/routes.ts';
import { noteSecurityCalls } from './administration/security-calls.ts';
import { securityEventsIn } from './administration/security-events.ts';
import { authorshipExplanations } from './ai/explain-authorship.ts';
import { reviewerExplanations } from './ai/explain-reviewers.ts';
import { aiRoutes } from './ai/routes.ts';
import { type AppParts, buildApp } from './app.ts';
import { administratorsIn, forgetUnlisted } from './auth/administrators.ts';
import {
  type Allowed,
  forgetUnlistedLogins,
  mayEnter,
  membershipChecks,
  pauseChannelsOfUnlisted,
} from './auth/allowed.ts';
import { type Credentials, credentialsIn, type NewCredential } from './auth/credentials.ts';
import { type Departures, departuresOf } from './auth/departures.ts';
import { personalToken, sessionRoutes } from './auth/routes.ts';
import { livingSessions } from './auth/sessions.ts';
import { signIn } from './auth/sign-in.ts';
import { serveWebFlow } from './auth/web-flow.ts';
import { cleanUpQueue, queues, takeJobs } from './background-jobs.ts';
import type { Config } from './config.ts';
import type { Context, Hosts, SignedIn } from './context.ts';
import { contributorExports, contributorRoutes } from './contributors/routes.ts';
import { connectionLane, connectionsAtOnce, figuresAtOnce, withinConnectionShare } from './db/connection-share.ts';
import { withinDatabaseTime } from './db/database-time.ts';
import { DISK_IS_FULL, type FreeSpace, freeSpace, isForLackOfSpace, watchDiskSpace } from './db/disk-space.ts';
import { lensOf } from './db/lens.ts';
import type { OpenDatabase } from './db/open.ts';
import { recountProgress, recountSentence } from './db/recounts.ts';
import { noteSeenUpToNow } from './db/replica.ts';
import { followAddress } from './demo/demo-address.ts';
import type { DemoHost } from './demo/demo-host.ts';
import { serveDemoPages } from './demo/demo-pages.ts';
import { exploring } from './demo/explore.ts';
import { serveDocs } from './docs/docs-pages.ts';
import { explainRoutes } from './explain/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { healthRoutes, healthSettingsRoutes } from './health/routes.ts';
import { type CodeHost, HostError } from './host/host.ts';
import { sentenceOfError } from './http/answer-error.ts';
import type { CsvLimits } from './http/csv-answer.ts';
import { HttpError } from './http/errors.ts';
import { limitSignIn } from './http/limit-routes.ts';
import { createLimits } from './http/limits.ts';
import { type Listener, updating } from './http/listener.ts';
import { createCounter, createMetrics, type Metrics } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Handlers } from './http/serve.ts';
import { throughLenses } from './http/through-lenses.ts';
import { answeredByReplica, notingChanges } from './http/through-replica.ts';
import { openJobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import { assistantRoutes } from './mcp/recent-calls.ts';
import { serveAssistants } from './mcp/route.ts';
import { narrowedTo } from './metrics/scope.ts';
import { personDesk } from './my-work/desk.ts';
import { beginWithSnoozes } from './my-work/first-snoozes.ts';
import { shownPerson } from './my-work/person-work.ts';
import { workExplanations, workRoutes } from './my-work/routes.ts';
import { workCountsIn } from './my-work/work-counts.ts';
import { addressing } from './notifications/addressing.ts';
import { channelDesk } from './notifications/channel-desk.ts';
import { outletsOf } from './notifications/configured-outlets.ts';
import { byUser, DemoInbox, demoOutlets, inboxRoutes } from './notifications/demo-inbox.ts';
import type { DeskOf } from './notifications/desk.ts';
import { serveLinkPages } from './notifications/link-pages.ts';
import type { NotificationDeps, Outlets } from './notifications/outlets.ts';
import { previewRoutes } from './notifications/preview.ts';
import { notificationRoutes } from './notifications/routes.ts';
import {
  type NotificationWorker,
  type NotificationWorkerDeps,
  startNotificationWorker,
} from './notifications/worker.ts';
import { correctionRoutes } from './pull-requests/corrections.ts';
import { signalRoutes } from './pull-requests/dismissals.ts';
import type { ExportSettings } from './pull-requests/export-pull-requests.ts';
import { pullRequestRoutes } from './pull-requests/routes.ts';
import { checkAccess, checkEverythingOf } from './repositories/access.ts';
import { connectRepository } from './repositories/connect.ts';
import { connectSeveralQueue } from './repositories/connect-several.ts';
import { connectFollowed } from './repositories/following.ts';
import { forgetPeople } from './repositories/forget.ts';
import { organizationSecrets } from './repositories/organization-webhooks.ts';
import { mayWrite } from './repositories/roles.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { type SeveralRouting, severalRoutes } from './repositories/several-routes.ts';
import { createWebhook } from './repositories/webhook.ts';
import { acceptedSecrets } from './repositories/webhook-secret.ts';
import type { SecretBox } from './secret-box.ts';
import { type SyncDeps, upkeepSteps } from './sync/context.ts';
import { SyncEvents } from './sync/events.ts';
import { accountAtHost, savePeople } from './sync/people.ts';
import { rebuild } from './sync/rebuild-facts.ts';
import { refreshForPerson } from './sync/refresh.ts';
import { syncRoutes } from './sync/routes.ts';
import { cancelSession, newestSession, resumeSession, startSession } from './sync/sessions.ts';
import { passOnSyncs } from './sync/settle.ts';
import { type SyncWorker, startSyncWorker, workerDefaults } from './sync/worker.ts';
import { teamRoutes } from './team/routes.ts';
import { teamChecks } from './teams/daily-reading.ts';
import { groupRoutes } from './teams/group-routes.ts';
import { type GroupDeps, makeGroupOf } from './teams/groups.ts';
import { hostTeamRoutes } from './teams/host-routes.ts';
import { importHostTeams } from './teams/import.ts';
import { readTeamsOf, type TeamDeps } from './teams/reading.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { tokenUses } from './tokens/use-token.ts';
import { noteRoutes } from './trends/notes.ts';
import { trendRoutes } from './trends/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { appRoute } from './webhooks/app-route.ts';
import { organizationRoute } from './webhooks/organization-route.ts';
import { webhookRoute } from './webhooks/webhook-route.ts';

/** What a server is made of; everything that differs between production and tests is named here. */
export interface Parts {
  readonly config: Pick<
    Config,
    | 'public_url'
    | 'github_url'
    | 'allow_token_sign_in'
    | 'allowed_logins'
    | 'allowed_orgs'
    | 'admin_logins'
    | 'github_webhook_secret'
    | 'role'
    | 'metrics'
    | 'metrics_port'
    | 'trust_proxy'
    | 'limits'
    | 'backups'
    | 'durability'
    | 'mail'
    | 'slack'
    | 'allow_private_webhooks'
    | 'notifications'
    | 'allow_api_tokens'
    | 'api_token_max_days'
    | 'enable_mcp'
  >;
  readonly database: OpenDatabase;
  readonly box: SecretBox;
  /** Takes keys out of the data folder that nothing is sealed with any more; null where they are kept elsewhere. */
  readonly dropOldKeys: (() => Promise<void>) | null;
  /** The host that people sign in to. */
  readonly host: CodeHost;
  /** Addresses that its pictures come from. */
  readonly image_sources: readonly string[];
  /** The built-in demo, the host made of its address, and where that reaches this server; null without it. */
  readonly demo: { readonly process: DemoHost; readonly host: CodeHost; readonly deliver_to: string } | null;
  readonly web_folder: string;
  /** The port that was taken at the start; null where the application makes a server of its own, as tests do. */
  readonly listener: Listener | null;
  /** How much room is left beside an embedded database; the default asks the system. */
  readonly freeSpace?: FreeSpace;
  /** What can be sent, where that is not as the settings say. */
  readonly outlets?: Outlets;
  /** Makes a backup of the database. */
  readonly backup: () => Promise<Readable>;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Log;
  /** A signal that is aborted after so many milliseconds; the default goes by the system's clock. */
  readonly timeLimit?: (milliseconds: number) => AbortSignal;
  /** Answers are held against the contract: for tests. */
  readonly check_answers: boolean;
  /** As in the product unless a test has fewer rows. */
  readonly csv_limits?: CsvLimits;
  readonly exporting?: ExportSettings;
}

export interface Server {
  readonly app: FastifyInstance;
  readonly credentials: Credentials;
  readonly departures: Departures;
  /** Null where METRICS is off. */
  readonly metrics: Metrics | null;
  /** Ends streams and requests, lets running work reach its next checkpoint within `patience` ms; the database stays open. */
  stop(patience: number): Promise<void>;
}

/** Puts the server together, starts its worker as its role says, and leaves listening to the caller. */
export async function composeServer(parts: Parts): Promise<Server> {
  const { config, database, box, host, demo, now, log } = parts;
  const { db, replica } = database;
  const { public_url, role } = config;
  const hosts: Hosts = {
    main: host,
    byKey: (key) => (key === host.key ? host : key === demo?.host.key ? demo.host : null),
  };
  const noteSecurityEvent = securityEventsIn(db, now, log);
  const credentials = credentialsIn({ db, hosts, box, now, sleep, log, noteSecurityEvent });
  const { clientFor, clientForSync, rejectToken } = credentials;
  const hostLabel = (key: string) => hosts.byKey(key)?.label ?? key;
  const administrators = administratorsIn(db, host.key, config.admin_logins);
  const context: Context = { db, hosts, administrators, now, log, public_url };
  const app_delivers = config.github_webhook_secret !== null;
  const githubApp =
    host.oauth?.kind === 'github_app' ? { client_id: host.oauth.client_id, delivers: app_delivers } : null;
  const connecting = { db, box, clientFor, rejectToken, now, public_url, log, noteSecurityEvent, app: githubApp };
  const upkeepFailures = createCounter(
    'mergelight_upkeep_failures_total',
    'Steps of the background work that failed, each for one person or repository.',
    upkeepSteps.map((step) => `step="${step}"`),
  );
  const hostWaits = createCounter('mergelight_host_waits_total', 'How often a sync had to wait for the host.');
  const metrics = config.metrics ? createMetrics([...databaseGauges(database, now), upkeepFailures, hostWaits]) : null;
  const syncing: SyncDeps = {
    db,
    hostLabel,
    clientFor,
    clientForSync,
    rejectToken,
    checkAccess: (user_id, repository_id, deleted) => checkAccess(connecting, user_id, repository_id, deleted),
    stepFailed(step, err, fields, again = false) {
      if (!again) log.error({ err, step, ...fields }, 'upkeep step failed');
      upkeepFailures.add(`step="${step}"`);
    },
    hostWaited: (kind) => hostWaits.add(`reason="${kind}"`),
    noteSecurityEvent,
    now,
    sleep,
    random: parts.random,
    log,
  };

  const teams: TeamDeps = {
    ...{ db, clientFor, rejectToken, hostLabel, savePeople, now },
    failed(error, fields) {
      const isExpected = error instanceof HostError || error instanceof HttpError;
      if (isExpected) log.warn({ err: error, ...fields }, 'teams could not be read');
      else syncing.stepFailed('read_teams', error, fields);
    },
  };

  if (demo) await followAddress(db, demo.host.key, public_url);
  const allowed = { logins: config.allowed_logins, orgs: config.allowed_orgs };
  const memberships = { db, allowed, host: host.key, clientFor, rejectToken, now, log };
  if (role !== 'worker') {
    await forgetUnlisted(db, config.admin_logins);
    await pauseChannelsOfUnlisted(db, allowed, now());
    await forgetUnlistedLogins(db, allowed);
  }
  await adoptMarks(db, await administrators.ids());

  const working = role !== 'web';
  let worker: SyncWorker | null = null;
  let notifier: NotificationWorker | null = null;
  const disk =
    database.embedded &&
    watchDiskSpace({
      folder: database.embedded.folder,
      pool: database.pool,
      free: parts.freeSpace ?? freeSpace,
      async onFull() {
        log.error(`${DISK_IS_FULL}: nothing is stored until there is room; what is there can be read`);
        await worker?.pause(5000);
      },
      onRoom() {
        log.info('there is room on the disk again: going on');
        worker?.resume();
      },
      onError: (err) => log.error({ err }, 'failed to look at the free space of the disk'),
    });
  const jobs = await openJobs(database, queues, {
    working,
    log(err) {
      if (!(disk?.full && isForLackOfSpace(err))) log.error({ err }, 'job failed');
    },
    onWait(reason) {
      log.warn({ reason }, 'waiting to set up the job queue');
      parts.listener?.show(updating(`Waiting: ${reason}.`));
    },
  });
  const nudge = () => worker?.nudge();
  const closing = new AbortController();

  const groups: GroupDeps = {
    ...{ db, now, administrators, hostLabel },
    accountAtHost: (user, login) => accountAtHost(syncing, user, login),
  };
  const explore =
    demo &&
    exploring({
      ...{ process: demo.process, host: demo.host, db, now, log },
      signIn: (token) =>
        signIn({ db, credentials, now }, demo.host, personalToken(token), { logins: null, orgs: null }),
      connect: (user, name) => connectRepository(connecting, user, name),
      importTeams: async (user, organisation) =>
        void (await importHostTeams(teams, user, { organisation, all: true, with_children: true })),
      readTeams: (user) => readTeamsOf(teams, user),
      makeGroup: async (user, group) => void (await makeGroupOf(groups, user, group)),
      snooze: async (user_id) => closing.signal.aborted || (await beginWithSnoozes(db, user_id, now())),
      sleep: (milliseconds) => sleep(milliseconds, closing.signal),
      startSync: async (user_id, repository_id) => void (await startSyncOf(user_id, repository_id)),
      deliver: async (user_id, repository_id) => {
        await createWebhook(connecting, user_id, repository_id, demo.deliver_to);
      },
    });
  /** What a person sees is checked with the credential that they have just signed in with; the answer does not wait for it. */
  const checkAtOnce = (user_id: number) => {
    checkEverythingOf(connecting, user_id).catch((err: unknown) =>
      log.error({ err, user: user_id }, 'access could not be checked after a sign-in'),
    );
  };
  const followAtOnce = (user: { readonly id: number; readonly host: string }) => {
    connectFollowed(several, user).catch((err: unknown) =>
      log.error({ err, user: user.id }, 'failed to connect followed repositories after a sign-in'),
    );
  };
  const readTeamsAtOnce = (user: { readonly id: number; readonly host: string }) => {
    readTeamsOf(teams, user).catch((err: unknown) =>
      log.error({ err, user: user.id }, 'teams could not be read after a sign-in'),
    );
  };
  const signInWith = async (at: CodeHost, given: NewCredential, who: Allowed, replace: boolean) => {
    const user = await signIn(
      { db, credentials, now, ...(parts.timeLimit && { timeLimit: parts.timeLimit }) },
      at,
      given,
      who,
      replace,
    );
    checkAtOnce(user.id);
    followAtOnce({ id: user.id, host: at.key });
    readTeamsAtOnce({ id: user.id, host: at.key });
    await noteSecurityEvent({ event: 'token_stored', actor: user.id, subject: at.label }, null);
    return user;
  };
  const cleanUpSoon = () => {
    jobs.send(cleanUpQueue).catch((err: unknown) => log.error({ err }, 'failed to enqueue the clean-up'));
  };
  const departures = departuresOf({
    ...{ db, hosts, box, now, log, noteSecurityEvent },
    passOnSyncs: (user_id) => passOnSyncs(syncing, user_id),
    cleanUpSoon,
  });
  const sessions = sessionRoutes({
    ...{ db, hosts, administrators, now, public_url, allowed, signInWith, noteSecurityEvent, departures },
    host_url: config.github_url,
    allow_token_sign_in: config.allow_token_sign_in,
    api_token_days: config.allow_api_tokens ? config.api_token_max_days : null,
    assistants: config.enable_mcp,
    demo: explore,
  });

  async function startSyncOf(user_id: number, repository_id: number) {
    const request = { repository_id, user_id, mode: 'smart', asked_by: 'person', page_size_limit: null } as const;
    const session = await startSession(db, request, now());
    nudge();
    return session;
  }

  async function cancelSync(repository_id: number, of_user: number): Promise<void> {
    const session = await newestSession(db, repository_id);
    if (session?.user_id === of_user) await cancelSession(db, session.id, now());
  }

  const several: SeveralRouting = {
    ...connecting,
    hostLabel,
    sleep,
    startSync: startSyncOf,
    stepFailed: (error, fields) => syncing.stepFailed('connect_several', error, fields),
    cancelSession: async (id) => void (await cancelSession(db, id, now())),
    resumeSession: async (id, user_id) => {
      await resumeSession(db, id, user_id, 'person', now());
      nudge();
    },
    connectSoon: () => {
      jobs
        .send(connectSeveralQueue)
        .catch((err: unknown) => log.error({ err }, 'failed to enqueue what is to be connected'));
    },
    approvalUrl: (key) => hosts.byKey(key)?.oauth?.approval_url ?? null,
  };
  const events = new SyncEvents({
    ...{ db, now, sleep, log, notifications: database.listen?.() ?? null },
    livingSessions: (ids) => livingSessions(db, ids, now()),
    beforeTelling: async (user_ids) => void (replica && (await noteSeenUpToNow(db, user_ids))),
    workCounts: (asked) => workCountsIn(db, (user_id) => lensOf(database.pool, user_id), asked, now()),
  });
  const notifying: NotificationDeps = {
    db,
    box,
    now,
    public_url,
    outlets: parts.outlets ?? outletsOf({ config, now }),
  };
  const inbox = new DemoInbox();
  /** Visitors of the demo are told things in an inbox of their own, and nowhere else. */
  const notifyingVisitors: NotificationDeps = {
    ...notifying,
    outlets: demoOutlets({ inbox, now, public_url, outlets: notifying.outlets }),
  };
  const seenBy = (owner: SignedIn) => (owner.own_marks ? lensOf(database.pool, owner.id) : db);
  const deskOf: DeskOf = async (to, at, within) => {
    const seen = seenBy(to.owner);
    return await (to.team === null ? personDesk(seen, to.user_id, at, within, db) : channelDesk(seen, to, at, within));
  };
  const mayEnterNow = async ({ id }: Pick<SignedIn, 'id'>, at: Date) => {
    const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    return row !== undefined && (await mayEnter({ db, hosts, allowed }, row, at));
  };
  const isVisitor = (user: { readonly host: string }) => user.host === DEMO_HOST;
  const everyHandler: Handlers<EndpointName> = {
    ...sessions.handlers,
    ...repositoryRoutes({ ...connecting, hostLabel, cancelSync, cleanUpSoon }),
    ...severalRoutes(several),
    ...syncRoutes(syncing, nudge, events, sessions.sessionIdOf),
    ...answeredByReplica(
      throughLenses(
        { ...context, db: database.reading },
        (user_id) => lensOf(database.pool, user_id, replica),
        (as) => ({
          ...teamRoutes(as),
          ...trendRoutes(as),
          ...contributorRoutes(as),
          ...exportRoutes(as, contributorExports(as)),
          ...pullRequestRoutes(as, (wanted) => refreshForPerson(syncing, wanted), parts.exporting),
          ...explainRoutes(as, { ...workExplanations, ...authorshipExplanations, ...reviewerExplanations }),
          ...workRoutes(as, db),
          ...healthRoutes(as),
          ...aiRoutes(as),
          ...signalRoutes(as, db),
          ...groupRoutes(as, {
            ...groups,
            forgetPeopleSoon() {
              forgetPeople(db).catch((err: unknown) => log.error({ err }, 'failed to forget people of deleted teams'));
            },
          }),
        }),
      ),
      replica,
      db,
    ),
    ...hostTeamRoutes(teams),
    ...noteRoutes({ db, now }),
    ...viewRoutes({ db, now }),
    ...assistantRoutes({ db }),
    ...tokenRoutes({ db, now, allowed: config.allow_api_tokens, max_days: config.api_token_max_days }),
    ...byUser(isVisitor, notificationRoutes(notifyingVisitors), notificationRoutes(notifying)),
    ...previewRoutes(notifying, { db, seenBy, deskOf }),
    ...inboxRoutes(inbox, demo?.host.key ?? null),
    ...accountRoutes({ db, now, administrators, nudge }),
    ...healthSettingsRoutes({ db, now, administrators }),
    ...correctionRoutes({
      ...{ db, now },
      mayWrite: (user_id, repository_id) => mayWrite(connecting, user_id, repository_id),
      accountAtHost: (user, login) => accountAtHost(syncing, user, login),
      recompute: (repository_id, number) => rebuild(db, repository_id, [number], now()),
    }),
    ...administrationRoutes({ db, noteSecurityEvent, administrators }),
  };
  const handlers = notingChanges(everyHandler, replica, db);
  const web = role !== 'worker';
  const checkMembership = membershipChecks({ ...memberships, sleep }, closing.signal);
  const checkTeams = teamChecks({ ...teams, sleep }, closing.signal);
  const checkToken = async (user_id: number) => {
    const stored = await credentials.stored(db, user_id);
    if (stored?.accepted) await rejectToken(user_id, stored.grant_id);
  };
  const limits = createLimits({ settings: config.limits, now, sleep });
  const withinShare: AppParts['within'] = (work) => withinConnectionShare(connectionsAtOnce(database), work);
  const figuresLane = connectionLane(figuresAtOnce(database.pool.options.max));
  const withinFigures: AppParts['within'] = (work) =>
    withinConnectionShare(connectionsAtOnce(database), work, figuresLane);
  const tokens: AppParts['tokens'] & object = {
    use: tokenUses({ db, now, mayEnter: mayEnterNow, noteSecurityEvent, allowed: config.allow_api_tokens }),
    within: ({ repositories }, work) =>
      withinShare(() =>
        withinDatabaseTime(config.limits.token_seconds * 1000, () =>
          repositories === null ? work() : narrowedTo(repositories, work),
        ),
      ),
  };
  const app = await buildApp({
    public_url,
    now,
    log,
    web_folder: parts.web_folder,
    listener: parts.listener,
    trust_proxy: config.trust_proxy,
    limits,
    serving: {
      ...{ signedIn: sessions.signedIn, check_answers: parts.check_answers, closing: closing.signal },
      ...(parts.csv_limits && { csv_limits: parts.csv_limits }),
    },
    tokens,
    within: withinShare,
    withinFigures,
    // A worker answers probes alone.
    handlers: web ? noteSecurityCalls(handlers, db, noteSecurityEvent) : {},
    routes: web
      ? [
          (scope) =>
            serveWebFlow(scope, {
              ...{ host, box, now, public_url, noteSecurityEvent, options: limitSignIn(limits) },
              openSession: sessions.openSession,
              signInWith: (given, replace) => signInWith(host, given, allowed, replace),
            }),
          (scope) =>
            appRoute(scope, {
              ...{ db, hosts, now, sleep, nudge, limits, checkMembership, secret: config.github_webhook_secret },
              ...{ checkToken, checkTeams },
            }),
          (scope) =>
            organizationRoute(scope, {
              ...{ db, hosts, now, sleep, nudge, limits, checkMembership, checkTeams },
              secretsOf: (row) => organizationSecrets({ box }, row),
            }),
          (scope) =>
            webhookRoute(scope, {
              ...{ db, hosts, now, sleep, nudge, limits },
              secretsOf: (repository_id) => acceptedSecrets(connecting, repository_id),
            }),
          (scope) => serveLinkPages(scope, notifying, limits),
          (scope) => serveDocs(scope, () => openApiDocument(public_url)),
          ...(config.enable_mcp
            ? [
                (scope: FastifyInstance) =>
                  serveAssistants(scope, {
                    ...{ db, now, log, public_url, limits, handlers, findUse: tokens.use },
                    within: (use, work) => withinFigures(() => tokens.within(use, work)),
                    personOf: (user) => shownPerson(db, user),
                    sentenceOf: sentenceOfError,
                  }),
              ]
            : []),
          ...(demo ? [(scope: FastifyInstance) => serveDemoPages(scope, demo.process.url)] : []),
        ]
      : [],
    image_sources: parts.image_sources,
    durability: config.durability,
    diskIsFull: () => disk?.full ?? false,
    async checkReady() {
      await sql`select 1`.execute(db);
      await jobs.check();
      const progress = await recountProgress(db);
      return progress === null ? null : recountSentence(progress);
    },
    metrics,
    serves_metrics: web && config.metrics_port === null,
    probes_only: !web,
  });

  if (working) {
    worker = startSyncWorker(syncing, {
      ...workerDefaults,
      statements_at_once: connectionsAtOnce(database),
      alone: database.kind === 'embedded',
    });
    if (notifying.outlets.off === null) notifier = startNotificationWorker(telling());
    const { backups } = config;
    await takeJobs({
      ...{ jobs, database, syncing, memberships, credentials, departures, teams, several, nudge },
      dropOldKeys: parts.dropOldKeys,
      backups: backups && { ...backups, make: parts.backup },
    });
    const deliverAgain = () =>
      explore?.deliverAgain().catch((err: unknown) => log.warn({ err }, 'the demo’s events will not be delivered'));
    void deliverAgain();
    demo?.process.onStartedAgain(() => void deliverAgain());
  }

  function telling(): NotificationWorkerDeps {
    const [address, addressVisitors] = [addressing(notifying), addressing(notifyingVisitors)];
    return {
      ...{ db, now, log, public_url, seenBy, isAllowed: mayEnterNow, sleep },
      address: async (to, said) => await (isVisitor(to.owner) ? addressVisitors : address)(to, said),
      deskOf: async (to, at, within) => ((await mayEnterNow(to.owner, at)) ? await deskOf(to, at, within) : []),
    };
  }

  return {
    app,
    credentials,
    departures,
    metrics,
    async stop(patience) {
      closing.abort();
      await events.stop();
      disk?.stop();
      await Promise.all([closeWithin(app, patience), worker?.stop(patience), notifier?.stop(), jobs.stop(patience)]);
    },
  };
}

/** Stops taking requests and waits for those that run; the connections of those that take too long are cut. */
async function closeWithin(app: FastifyInstance, patience: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), patience);
  await app.close();
  clearTimeout(cut);
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
