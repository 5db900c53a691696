import { securityEventsIn } from './administration/security-events.ts';
import { administratorsIn } from './auth/administrators.ts';
import { credentialsIn } from './auth/credentials.ts';
import type { MembershipDeps } from './auth/memberships.ts';
import { queues } from './background-jobs.ts';
import type { Context, Hosts } from './context.ts';
import { HostError } from './host/errors.ts';
import { HttpError } from './http/errors.ts';
import { createCounter } from './http/metrics.ts';
import { checkAccess } from './repositories/access.ts';
import type { ConnectDeps } from './repositories/connect.ts';
import type { ServerDeps } from './server-deps.ts';
import { sleep } from './sleep.ts';
import { type SyncDeps, upkeepSteps } from './sync/context.ts';
import { savePeople, shownAccount } from './sync/people.ts';
import type { GroupDeps } from './teams/groups.ts';
import type { TeamDeps } from './teams/reading.ts';

export type CapabilityDeps = ReturnType<typeof capabilityDeps>;

/** Dependencies that several capabilities share. Nothing runs yet. */
export function capabilityDeps({ config, database, box, host, demo, random, now, log }: ServerDeps) {
  const { db } = database;
  const { public_url } = config;
  const hosts: Hosts = {
    main: host,
    byKey: (key) => (key === host.key ? host : key === demo?.host.key ? demo.host : null),
  };
  const hostLabel = (key: string) => hosts.byKey(key)?.label ?? key;
  const administrators = administratorsIn(db, host.key, config.admin_logins);
  const context: Context = { db, hosts, administrators, now, log, public_url };
  const noteSecurityEvent = securityEventsIn(db, now, log);
  const credentials = credentialsIn({ db, hosts, box, now, sleep, log, noteSecurityEvent });
  const { clientFor, clientForSync, rejectToken } = credentials;
  const delivers = config.github_webhook_secret !== null;
  const app = host.oauth?.kind === 'github_app' ? { client_id: host.oauth.client_id, delivers } : null;
  const connecting: ConnectDeps = { db, box, clientFor, rejectToken, now, public_url, log, noteSecurityEvent, app };

  const upkeepFailures = createCounter(
    'mergelight_upkeep_failures_total',
    'Steps of the background work that failed, each for one person or repository, and jobs, by the name of their queue.',
    [...upkeepSteps, ...queues.map(({ name }) => name)].map((step) => `step="${step}"`),
  );
  const hostWaits = createCounter('mergelight_host_waits_total', 'How often a sync had to wait for the host.');
  const syncing: SyncDeps = {
    db,
    served: demo === null ? [host.key] : [host.key, demo.host.key],
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
    random,
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
  const groups: GroupDeps = {
    ...{ db, now, administrators, hostLabel, savePeople },
    accountAtHost: (user, login) => shownAccount(syncing, user, login),
  };

  const allowed = { logins: config.allowed_logins, orgs: config.allowed_orgs };
  const memberships: MembershipDeps = { db, allowed, host: host.key, clientFor, rejectToken, now, log };

  /** Counts a job that failed, by the name of its queue. */
  const jobFailed = (queue: string) => upkeepFailures.add(`step="${queue}"`);

  /** Nobody waits for this work: a failure is logged. */
  function inBackground(work: Promise<unknown>, failure: string, fields: object = {}): void {
    work.catch((err: unknown) => log.error({ err, ...fields }, failure));
  }

  return {
    ...{ hosts, hostLabel, administrators, context, noteSecurityEvent, credentials, connecting, syncing },
    ...{ teams, groups, allowed, memberships, inBackground, jobFailed, counters: [upkeepFailures, hostWaits] },
  };
}
