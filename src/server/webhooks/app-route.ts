import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { HostAppDelivery } from '../host/delivery.ts';
import type { CodeHost } from '../host/host.ts';
import { notFound } from '../http/errors.ts';
import {
  admitDelivery,
  isSignedBy,
  LARGEST_DELIVERY,
  rawDelivery,
  readable,
  recordedSoon,
  refuseSignature,
  takeRawBodies,
} from './deliveries.ts';
import { checkAccessAtOnce, noteDelivery, type OrganizationChecks, remember, type WebhookDeps } from './note.ts';

export interface AppWebhookDeps extends WebhookDeps, OrganizationChecks {
  /** What the GitHub App signs its deliveries with; null where there is none. */
  readonly secret: string | null;
  /** Asks the host at once whether it still takes the person's token; never rejects. */
  readonly checkToken: (user_id: number) => Promise<void>;
  /** The same, but not as often as deliveries name them. */
  readonly checkTokenNowAndThen: (user_id: number) => Promise<void>;
}

/** What stands in its address, which everybody knows. */
const KEY = 'app';

/**
 * `POST /webhooks/github/app`: the deliveries of the GitHub App that people sign in with, for every repository on which it is
 * installed. A repository's delivery is a hint like those of its own webhook. Where the App's access changes or somebody takes their
 * authorization back, those concerned are checked at once. To be registered as a plugin: it reads the raw body.
 */
export async function appRoute(app: FastifyInstance, deps: AppWebhookDeps): Promise<void> {
  const { hosts, secret } = deps;
  const { onRequest, preParsing, of } = admitDelivery(deps.limits, {
    keyOf: () => KEY,
    async find() {
      if (secret === null) throw notFound('There is no such webhook.');
      return { codeHost: hosts.main, secrets: [secret] };
    },
    public_signer: secret === null ? null : hosts.main,
  });
  takeRawBodies(app);

  app.route({
    method: 'POST',
    url: '/webhooks/github/app',
    bodyLimit: LARGEST_DELIVERY,
    onRequest,
    preParsing,
    handler: async (request, reply) => {
      const raw = rawDelivery(request);
      if (!(await isSignedBy(of(request), raw)))
        refuseSignature(
          deps.limits,
          KEY,
          request,
          'Signature mismatch: GITHUB_WEBHOOK_SECRET must be the secret of the App’s webhook.',
        );
      deps.limits.countDelivery(KEY);
      const delivery = readable(hosts.main.readAppDelivery(raw));
      if (delivery.membership !== null) void deps.checkMembership(delivery.membership);
      if (delivery.teams !== null) deps.checkTeams({ host: hosts.main.key, ...delivery.teams });
      await recordedSoon(request, note(deps, hosts.main, delivery, request.log), deps.sleep);
      return reply.code(202).send({ understood: delivery.repository !== null || delivery.access !== null });
    },
  });
}

async function note(
  deps: AppWebhookDeps,
  host: CodeHost,
  { event, repository, access }: HostAppDelivery,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { db } = deps;
  if (repository !== null) {
    const row = await db
      .selectFrom('repositories')
      .select('id')
      .where('host', '=', host.key)
      .where('host_id', '=', repository.id)
      .executeTakeFirst();
    // The App is also installed on repositories that nobody has connected.
    if (row !== undefined) {
      await remember(deps, row.id, repository.subject);
      await noteDelivery(deps, row.id, event);
    }
  }
  if (access !== null) await checkAtOnce(deps, host, access, log);
}

/** Has what these people see checked as soon as a worker looks, and asks at once about the tokens of whoever is named. */
async function checkAtOnce(
  deps: Pick<AppWebhookDeps, 'db' | 'now' | 'nudge' | 'checkToken' | 'checkTokenNowAndThen'>,
  host: CodeHost,
  { repository_ids, owners, account_ids, revoked }: NonNullable<HostAppDelivery['access']>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { db, checkToken, checkTokenNowAndThen } = deps;
  const concerned = sql<boolean>`r.host_id = any(${[...repository_ids]}::text[])
      or lower(r.owner) = any(${owners.map((owner) => owner.toLowerCase())}::text[])
      or u.host_id = any(${[...account_ids]}::text[])`;
  await checkAccessAtOnce(deps, host.key, concerned, 'somebody', log);
  if (account_ids.length === 0) return;
  const people = await db
    .selectFrom('users')
    .select('id')
    .where('host', '=', host.key)
    .where('host_id', 'in', [...account_ids])
    .execute();
  const check = revoked ? checkToken : checkTokenNowAndThen;
  for (const { id } of people) await check(id);
}
