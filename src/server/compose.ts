import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { adoptMarks } from './accounts/marked-accounts.ts';
import { databaseGauges } from './administration/gauges.ts';
import { noteSecurityCalls } from './administration/security-calls.ts';
import { type AppParts, buildApp } from './app.ts';
import { forgetUnlisted } from './auth/administrators.ts';
import { forgetUnlistedLogins, pauseChannelsOfUnlisted } from './auth/allowed.ts';
import type { Credentials } from './auth/credentials.ts';
import type { Departures } from './auth/departures.ts';
import { livingSessions } from './auth/sessions.ts';
import { cleanUpQueue, queues, takeJobs } from './background-jobs.ts';
import { dumpProgram } from './backup/postgresql-backup.ts';
import { capabilityDeps } from './compose-capabilities.ts';
import { composeHandlers } from './compose-handlers.ts';
import { composeNotifications } from './compose-notifications.ts';
import { composeRoutes } from './compose-routes.ts';
import { composeSignIn } from './compose-sign-in.ts';
import { composeSyncs } from './compose-syncs.ts';
import { connectionLane, connectionsAtOnce, figuresAtOnce, withinConnectionShare } from './db/connection-share.ts';
import { withinDatabaseTime } from './db/database-time.ts';
import { DISK_IS_FULL, freeSpace, isForLackOfSpace, watchDiskSpace } from './db/disk-space.ts';
import { lensOf } from './db/lens.ts';
import { recountProgress, recountSentence } from './db/recounts.ts';
import { forgetPositionsOfOthers, noteSeenUpToNow } from './db/replica.ts';
import { followAddress } from './demo/demo-address.ts';
import { frontEndFiles } from './http/front-end-files.ts';
import { createLimits } from './http/limits.ts';
import { updating } from './http/listener.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { openJobs } from './jobs/jobs.ts';
import { narrowedTo } from './metrics/scope.ts';
import { workCountsIn } from './my-work/work-counts.ts';
import { type NotificationWorker, startNotificationWorker } from './notifications/worker.ts';
import type { ServerDeps } from './server-deps.ts';
import { sleep } from './sleep.ts';
import { SyncEvents } from './sync/events.ts';
import { countWithoutWorker } from './sync/sessions.ts';
import { type SyncWorker, startSyncWorker, workerDefaults } from './sync/worker.ts';
import { tokenUses } from './tokens/use-token.ts';

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
export async function composeServer(server: ServerDeps): Promise<Server> {
  const { config, database, demo, now, log } = server;
  const { db, replica } = database;
  const working = config.role !== 'web';
  const web = config.role !== 'worker';
  const deps = capabilityDeps(server);
  const { administrators, noteSecurityEvent, credentials, syncing, teams, allowed, memberships } = deps;
  const withoutWorker = () => countWithoutWorker(db, workerDefaults.per_user, now());
  const metrics = config.metrics
    ? createMetrics([...databaseGauges(database, deps.syncing.served, now, withoutWorker), ...deps.counters])
    : null;

  if (replica !== null) await forgetPositionsOfOthers(db);
  if (demo) await followAddress(db, demo.host.key, config.public_url);
  if (web) {
    await forgetUnlisted(db, config.admin_logins);
    await pauseChannelsOfUnlisted(db, allowed, now());
    await forgetUnlistedLogins(db, allowed);
  }
  await adoptMarks(db, await administrators.ids());

  let worker: SyncWorker | null = null;
  let notifier: NotificationWorker | null = null;
  const nudge = () => worker?.nudge();
  const disk =
    database.embedded &&
    watchDiskSpace({
      folder: database.embedded.folder,
      pool: database.pool,
      free: server.freeSpace ?? freeSpace,
      async onFull() {
        log.error(`${DISK_IS_FULL}: nothing is stored until there is room; what is there can be read`);
        await Promise.all([worker?.pause(5000), notifier?.pause(5000)]);
      },
      onRoom() {
        log.info('there is room on the disk again: going on');
        worker?.resume();
        notifier?.resume();
      },
      onError: (err) => log.error({ err }, 'failed to look at the free space of the disk'),
    });
  const jobs = await openJobs(database, queues, {
    working,
    log(err, queue) {
      if (queue !== undefined) deps.jobFailed(queue);
      if (!(disk?.full && isForLackOfSpace(err))) log.error({ err, queue }, 'job failed');
    },
    onWait(reason) {
      log.warn({ reason }, 'waiting to set up the job queue');
      server.listener?.show(updating(`Waiting: ${reason}.`));
    },
  });
  const closing = new AbortController();

  const cleanUpSoon = () => deps.inBackground(jobs.send(cleanUpQueue), 'failed to enqueue the clean-up');
  const syncs = composeSyncs(deps, jobs, nudge);
  const limits = createLimits({ settings: config.limits, now, sleep });
  const signIn = composeSignIn(server, deps, syncs, limits, cleanUpSoon, closing.signal);
  const { explore, departures, sessions } = signIn;
  const events = new SyncEvents({
    ...{ db, now, sleep, log, notifications: database.listen?.() ?? null },
    livingSessions: (ids) => livingSessions(db, ids, now()),
    beforeTelling: async (user_ids) => void (replica && (await noteSeenUpToNow(db, user_ids))),
    workCounts: (asked) => workCountsIn(db, (user_id) => lensOf(database.pool, user_id), asked, now()),
  });
  const notifications = composeNotifications(server, deps);
  const handlers = composeHandlers(server, deps, { syncs, sessions, events, notifications, nudge, cleanUpSoon });

  const withinShare: AppParts['within'] = (work) => withinConnectionShare(connectionsAtOnce(database), work);
  const figuresLane = connectionLane(figuresAtOnce(database.pool.options.max));
  const withinFigures: AppParts['withinFigures'] = (user_id, work) =>
    withinConnectionShare(connectionsAtOnce(database), work, figuresLane, user_id);
  const tokens: AppParts['tokens'] & object = {
    use: tokenUses({
      ...{ db, now, noteSecurityEvent, allowed: config.allow_api_tokens },
      mayEnter: notifications.mayEnterNow,
    }),
    within: ({ repositories }, work) =>
      withinShare(() =>
        withinDatabaseTime(config.limits.token_seconds * 1000, () =>
          repositories === null ? work() : narrowedTo(repositories, work),
        ),
      ),
  };
  const beside = { signIn, notifications, handlers, limits, tokens, withinFigures, nudge, closing: closing.signal };
  const app = await buildApp({
    public_url: config.public_url,
    now,
    log,
    web_folder: server.web_folder,
    filesOfOthers: database.kind === 'postgresql' ? frontEndFiles(db, now) : null,
    listener: server.listener,
    trust_proxy: config.trust_proxy,
    limits,
    serving: {
      ...{ signedIn: sessions.signedIn, check_answers: server.check_answers, closing: closing.signal },
      ...(server.csv_limits && { csv_limits: server.csv_limits }),
    },
    tokens,
    within: withinShare,
    withinFigures,
    // A worker answers probes alone.
    handlers: web ? noteSecurityCalls(handlers, db, noteSecurityEvent) : {},
    routes: web ? composeRoutes(server, deps, beside) : [],
    image_sources: server.image_sources,
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
    if (notifications.notifying.outlets.off === null) notifier = startNotificationWorker(notifications.workerDeps());
    const { backups } = config;
    if (backups !== null && database.kind === 'postgresql')
      await dumpProgram(database).catch((err: unknown) => log.warn({ err }, 'the daily backup cannot be made'));
    await takeJobs({
      ...{ jobs, database, syncing, memberships, credentials, departures, teams, several: syncs.several, nudge },
      dropOldKeys: server.dropOldKeys,
      backups: backups && { ...backups, make: server.backup },
    });
  }
  // The demo's host of this process delivers to the port of this process, where a worker takes no deliveries.
  if (web && explore !== null) {
    const deliverAgain = () =>
      explore.deliverAgain().catch((err: unknown) => log.warn({ err }, 'the demo’s events will not be delivered'));
    void deliverAgain();
    demo?.process.onStartedAgain(() => void deliverAgain());
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
      await Promise.all([
        closeWithin(app, patience),
        worker?.stop(patience),
        notifier?.stop(patience),
        jobs.stop(patience),
      ]);
    },
  };
}

/** Stops taking requests and waits for those that run; the connections of those that take too long are cut. */
async function closeWithin(app: FastifyInstance, patience: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), patience);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}
