import type { EndpointName } from '#contract/endpoints.ts';
import { accountRoutes } from './accounts/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { authorshipExplanations } from './ai/explain-authorship.ts';
import { reviewerExplanations } from './ai/explain-reviewers.ts';
import { aiRoutes } from './ai/routes.ts';
import type { CapabilityDeps } from './compose-capabilities.ts';
import type { Notifications } from './compose-notifications.ts';
import type { SignIn } from './compose-sign-in.ts';
import type { Syncs } from './compose-syncs.ts';
import { contributorExports, contributorRoutes } from './contributors/routes.ts';
import { sharedConnections } from './db/connection-share.ts';
import { lensOf } from './db/lens.ts';
import { explainRoutes } from './explain/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { healthRoutes, healthSettingsRoutes } from './health/routes.ts';
import type { Handlers } from './http/serve.ts';
import { throughLenses } from './http/through-lenses.ts';
import { answeredByReplica, notingChanges } from './http/through-replica.ts';
import { assistantRoutes } from './mcp/recent-calls.ts';
import { workExplanations, workRoutes } from './my-work/routes.ts';
import { byUser, inboxRoutes } from './notifications/demo-inbox.ts';
import { previewRoutes } from './notifications/preview.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { correctionRoutes } from './pull-requests/corrections.ts';
import { signalRoutes } from './pull-requests/dismissals.ts';
import { pullRequestRoutes } from './pull-requests/routes.ts';
import { forgetPeople } from './repositories/forget.ts';
import { mayWrite } from './repositories/roles.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { severalRoutes } from './repositories/several-routes.ts';
import type { ServerDeps } from './server-deps.ts';
import type { SyncEvents } from './sync/events.ts';
import { accountAtHost } from './sync/people.ts';
import { rebuild } from './sync/rebuild-facts.ts';
import { refreshForPerson } from './sync/refresh.ts';
import { syncRoutes } from './sync/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { groupRoutes } from './teams/group-routes.ts';
import { hostTeamRoutes } from './teams/host-routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { noteRoutes } from './trends/notes.ts';
import { trendRoutes } from './trends/routes.ts';
import { viewRoutes } from './views/routes.ts';

interface HandlerDeps {
  readonly syncs: Syncs;
  readonly sessions: SignIn['sessions'];
  readonly events: SyncEvents;
  readonly notifications: Notifications;
  readonly nudge: () => void;
  readonly cleanUpSoon: () => void;
}

/** The handler of every call; those with figures are under `throughLenses`, and a standby may answer them. */
export function composeHandlers(
  { config, database, demo, exporting, now, log }: ServerDeps,
  deps: CapabilityDeps,
  { syncs, sessions, events, notifications, nudge, cleanUpSoon }: HandlerDeps,
): Handlers<EndpointName> {
  const { db, replica } = database;
  const { context, hostLabel, administrators, noteSecurityEvent, connecting, syncing, teams, groups } = deps;
  const { notifying, notifyingVisitors, inbox, isVisitor, seenBy, deskOf } = notifications;
  // One for the process: `throughLenses` makes handlers for single requests, too.
  const inTurn = sharedConnections(1);
  const handlers: Handlers<EndpointName> = {
    ...sessions.handlers,
    ...repositoryRoutes({ ...connecting, hostLabel, cancelSync: syncs.cancelSync, cleanUpSoon }),
    ...severalRoutes(syncs.several),
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
          ...pullRequestRoutes(as, (wanted) => refreshForPerson(syncing, wanted), exporting),
          ...explainRoutes(as, { ...workExplanations, ...authorshipExplanations, ...reviewerExplanations }),
          ...workRoutes(as, db),
          ...healthRoutes(as),
          ...aiRoutes(as),
          ...signalRoutes(as, db),
          ...groupRoutes(as, {
            ...groups,
            inTurn,
            forgetPeopleSoon: () => deps.inBackground(forgetPeople(db), 'failed to forget people of deleted teams'),
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
  return notingChanges(handlers, { replica, db, log });
}
