import type { FastifyInstance } from 'fastify';
import type { EndpointName } from '#contract/endpoints.ts';
import type { AppParts } from './app.ts';
import { membershipChecks } from './auth/memberships.ts';
import { serveWebFlow } from './auth/web-flow.ts';
import type { CapabilityDeps } from './compose-capabilities.ts';
import type { Notifications } from './compose-notifications.ts';
import type { SignIn } from './compose-sign-in.ts';
import { serveDemoPages } from './demo/demo-pages.ts';
import { serveDocs } from './docs/docs-pages.ts';
import { sentenceOfError } from './http/answer-error.ts';
import { limitSignIn } from './http/limit-routes.ts';
import type { Limits } from './http/limits.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Handlers } from './http/serve.ts';
import { serveAssistants } from './mcp/route.ts';
import { shownPerson } from './my-work/person-work.ts';
import { serveLinkPages } from './notifications/link-pages.ts';
import { organizationSecrets } from './repositories/organization-webhooks.ts';
import { acceptedSecrets, endedSecrets } from './repositories/webhook-secret.ts';
import type { ServerDeps } from './server-deps.ts';
import { sleep } from './sleep.ts';
import { teamChecks } from './teams/daily-reading.ts';
import { throttled } from './throttle.ts';
import { appRoute } from './webhooks/app-route.ts';
import type { WebhookDeps } from './webhooks/note.ts';
import { organizationRoute } from './webhooks/organization-route.ts';
import { webhookRoute } from './webhooks/webhook-route.ts';

/** How long deliveries that name somebody wait until the host is asked once more whether it takes their token, in milliseconds. */
const BETWEEN_TOKEN_CHECKS = 60_000;

interface RouteDeps extends Pick<AppParts, 'withinFigures'> {
  readonly signIn: SignIn;
  readonly notifications: Notifications;
  readonly handlers: Handlers<EndpointName>;
  readonly limits: Limits;
  readonly tokens: AppParts['tokens'] & object;
  readonly nudge: () => void;
  readonly closing: AbortSignal;
}

/** The routes beside the contract. */
export function composeRoutes(
  { config, box, host, demo, now, log }: ServerDeps,
  deps: CapabilityDeps,
  { signIn, notifications, handlers, limits, tokens, withinFigures, nudge, closing }: RouteDeps,
): AppParts['routes'] {
  const { hosts, noteSecurityEvent, credentials, connecting, teams, memberships, allowed } = deps;
  const { db, public_url } = deps.context;
  const webhooks: WebhookDeps = { db, hosts, now, sleep, nudge, limits };
  const checkMembership = membershipChecks({ ...memberships, sleep }, closing);
  const checkTeams = teamChecks({ ...teams, sleep }, closing);
  const checkToken = async (user_id: number) => {
    try {
      const stored = await credentials.stored(db, user_id);
      if (stored?.accepted) await credentials.rejectToken(user_id, stored.grant_id);
    } catch (err) {
      log.warn({ err, user: user_id }, 'failed to check a token');
    }
  };
  const checkTokenNowAndThen = throttled(checkToken, {
    ...{ milliseconds: BETWEEN_TOKEN_CHECKS, sleep, signal: closing },
  });
  return [
    (scope) =>
      serveWebFlow(scope, {
        ...{ host, box, now, public_url, noteSecurityEvent, options: limitSignIn(limits) },
        openSession: signIn.sessions.openSession,
        signInWith: (given, replace, request) => signIn.signInWith(host, given, allowed, replace, request),
      }),
    (scope) =>
      appRoute(scope, {
        ...{ ...webhooks, checkMembership, checkToken, checkTokenNowAndThen, checkTeams },
        secret: config.github_webhook_secret,
      }),
    (scope) =>
      organizationRoute(scope, {
        ...{ ...webhooks, checkMembership, checkTeams },
        secretsOf: (row) => organizationSecrets({ box }, row),
      }),
    (scope) =>
      webhookRoute(scope, {
        ...webhooks,
        secretsOf: (repository_id) => acceptedSecrets(connecting, repository_id),
        endedSecretsOf: (repository_id) => endedSecrets(connecting, repository_id),
      }),
    (scope) => serveLinkPages(scope, notifications.notifying, limits),
    (scope) => serveDocs(scope, () => openApiDocument(public_url)),
    ...(config.enable_mcp
      ? [
          (scope: FastifyInstance) =>
            serveAssistants(scope, {
              ...{ db, now, log, public_url, limits, handlers, findUse: tokens.use },
              within: (use, work) => withinFigures(use.owner.id, () => tokens.within(use, work)),
              personOf: (user) => shownPerson(db, user),
              sentenceOf: sentenceOfError,
            }),
        ]
      : []),
    ...(demo ? [(scope: FastifyInstance) => serveDemoPages(scope, demo.process.url)] : []),
  ];
}
