import type { CapabilityDeps } from './compose-capabilities.ts';
import type { Jobs } from './jobs/jobs.ts';
import { connectSeveralQueue } from './repositories/connect-several.ts';
import type { SeveralRouteDeps } from './repositories/several-routes.ts';
import { sleep } from './sleep.ts';
import { cancelSession, newestSession, resumeSession, startSession } from './sync/sessions.ts';

export type Syncs = ReturnType<typeof composeSyncs>;

/** How people's syncs begin and end; `nudge` has this process's worker look for work at once. */
export function composeSyncs(
  { context, hosts, hostLabel, connecting, syncing, inBackground }: CapabilityDeps,
  jobs: Jobs,
  nudge: () => void,
) {
  const { db, now } = context;

  async function startSync(user_id: number, repository_id: number) {
    const request = { repository_id, user_id, mode: 'smart', asked_by: 'person', page_size_limit: null } as const;
    const session = await startSession(db, request, now());
    nudge();
    return session;
  }

  async function cancelSync(repository_id: number, of_user: number): Promise<void> {
    const session = await newestSession(db, repository_id);
    if (session?.user_id === of_user) await cancelSession(db, session.id, now());
  }

  const several: SeveralRouteDeps = {
    ...connecting,
    hostLabel,
    sleep,
    startSync,
    stepFailed: (error, fields) => syncing.stepFailed('connect_several', error, fields),
    cancelSession: async (id) => void (await cancelSession(db, id, now())),
    resumeSession: async (id, user_id) => {
      await resumeSession(db, id, user_id, 'person', now());
      nudge();
    },
    connectSoon: () => inBackground(jobs.send(connectSeveralQueue), 'failed to enqueue what is to be connected'),
    approvalUrl: (key) => hosts.byKey(key)?.oauth?.approval_url ?? null,
  };

  return { startSync, cancelSync, several };
}
