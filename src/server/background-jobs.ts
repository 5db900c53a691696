import { forgetOldSecurityEvents } from './administration/security-events.ts';
import type { Credentials } from './auth/credentials.ts';
import type { Departures } from './auth/departures.ts';
import { type MembershipDeps, refreshMemberships } from './auth/memberships.ts';
import { forgetEndedSessions } from './auth/sessions.ts';
import { backUpWhenDue, backupQueue } from './backup/scheduled-backup.ts';
import type { OpenDatabase } from './db/open.ts';
import { tidy } from './db/tidy.ts';
import { forgetVisitors } from './demo/explore.ts';
import type { Jobs, Queue } from './jobs/jobs.ts';
import { forgetOldNotifications } from './notifications/log.ts';
import { connectSeveralQueue, connectWhatIsPending } from './repositories/connect-several.ts';
import { connectFollowedOfAll, followQueue } from './repositories/following.ts';
import { forgetPeople, forgetPeopleQueue, forgetUnconnected } from './repositories/forget.ts';
import { forgetOldLists } from './repositories/own-list.ts';
import type { SeveralRouteDeps } from './repositories/several-routes.ts';
import type { SyncDeps } from './sync/context.ts';
import { eachAlone } from './sync/each-alone.ts';
import { fillSignals, fillSignalsQueue } from './sync/fill-signals.ts';
import { type Pause, readAgain, readAgainQueue } from './sync/read-again.ts';
import { upkeep, upkeepQueue } from './sync/upkeep.ts';
import { readWorkflowRuns, workflowRunsQueue } from './sync/workflow-runs.ts';
import { readAllTeams, readMissingTeams, readTeamsQueue } from './teams/daily-reading.ts';
import { forgetUnimported } from './teams/import.ts';
import type { TeamDeps } from './teams/reading.ts';
import { forgetEndedTokens } from './tokens/routes.ts';

/**
 * Deletes what nobody needs any more, every minute and when a repository or an account was given up. Apart from the upkeep, which
 * a long deletion would keep from starting syncs and renewing tokens.
 */
export const cleanUpQueue: Queue = { name: 'clean-up', cron: '* * * * *', time_limit: 24 * 3600 };

/** Every kind of work that runs by a schedule (docs/server.md#upkeep). */
export const queues: readonly Queue[] = [
  ...[upkeepQueue, readAgainQueue, workflowRunsQueue, fillSignalsQueue, connectSeveralQueue],
  ...[followQueue, readTeamsQueue, forgetPeopleQueue, cleanUpQueue, backupQueue],
];

/** One thing that a job looks after; one that fails stops no other. */
interface Step {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

interface BackgroundDeps {
  readonly jobs: Jobs;
  readonly database: OpenDatabase;
  readonly syncing: SyncDeps;
  readonly memberships: MembershipDeps;
  readonly credentials: Pick<Credentials, 'renewExpiring'>;
  readonly departures: Pick<Departures, 'upkeep'>;
  readonly teams: TeamDeps;
  readonly several: SeveralRouteDeps;
  /** Null where keys are kept elsewhere than in the data folder. */
  readonly dropOldKeys: (() => Promise<void>) | null;
  /** Null where none are made by schedule. */
  readonly backups: Omit<Parameters<typeof backUpWhenDue>[0], 'now' | 'log'> | null;
  /** Has the sync worker look for work at once. */
  readonly nudge: () => void;
}

/** Has this process take the jobs of every queue. */
export async function takeJobs(deps: BackgroundDeps): Promise<void> {
  const { jobs, database, syncing, teams, several, nudge } = deps;
  const { db, now, log } = syncing;
  const runSteps = (steps: readonly Step[], stopping: AbortSignal) =>
    eachAlone(
      steps,
      stopping,
      async ({ run }) => void (await run(stopping)),
      (error, { name }) => syncing.stepFailed('clean_up', error, { name }),
    );

  const keepUp: readonly Step[] = [
    { name: 'memberships', run: (signal) => refreshMemberships(deps.memberships, signal) },
    { name: 'renewals', run: deps.credentials.renewExpiring },
    { name: 'departures', run: deps.departures.upkeep },
    { name: 'missing teams', run: (signal) => readMissingTeams(teams, signal) },
  ];
  await jobs.work(upkeepQueue, async (stopping) => {
    await upkeep(syncing, stopping);
    await runSteps(keepUp, stopping);
    nudge();
  });

  const pause: Pause = { until: null };
  await jobs.work(readAgainQueue, (stopping) => readAgain(syncing, pause, stopping));
  const pauseOfRuns: Pause = { until: null };
  await jobs.work(workflowRunsQueue, (stopping) => readWorkflowRuns(syncing, pauseOfRuns, stopping));
  await jobs.work(fillSignalsQueue, (stopping) => fillSignals(syncing, stopping));
  await jobs.work(connectSeveralQueue, (stopping) => connectWhatIsPending(several, stopping));
  await jobs.work(followQueue, (stopping, sent_at) =>
    connectFollowedOfAll(several, stopping, sent_at, (error, user_id) => several.stepFailed(error, { user_id })),
  );
  await jobs.work(readTeamsQueue, async (stopping, sent_at) => {
    if (!(await readAllTeams(teams, stopping, sent_at)))
      throw new Error('Not everybody’s teams could be read: what is left is read in an hour.');
  });
  await jobs.work(forgetPeopleQueue, () => forgetPeople(db));

  const { dropOldKeys, backups } = deps;
  const cleanUp: readonly Step[] = [
    { name: 'lists of repositories', run: () => forgetOldLists(db, now()) },
    { name: 'security events', run: () => forgetOldSecurityEvents(db, now()) },
    { name: 'sessions', run: () => forgetEndedSessions(db, now()) },
    { name: 'personal tokens', run: () => forgetEndedTokens(db, now()) },
    { name: 'notifications', run: () => forgetOldNotifications(db, now()) },
    { name: 'teams', run: async () => void ((await forgetUnimported(db)) > 0 && (await forgetPeople(db))) },
    {
      name: 'unconnected repositories',
      run: (signal) =>
        forgetUnconnected(db, signal, (error, repository_id) =>
          syncing.stepFailed('clean_up', error, { name: 'unconnected repositories', repository_id }),
        ),
    },
    { name: 'visitors of the demo', run: () => forgetVisitors(db, syncing.served, now()) },
    ...(database.kind === 'embedded' ? [{ name: 'tidy', run: () => tidy(db) }] : []),
    ...(dropOldKeys ? [{ name: 'old keys', run: dropOldKeys }] : []),
  ];
  await jobs.work(cleanUpQueue, (stopping) => runSteps(cleanUp, stopping));
  if (backups !== null) await jobs.work(backupQueue, (stopping) => backUpWhenDue({ ...backups, now, log }, stopping));
}
