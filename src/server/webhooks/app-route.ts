import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { POINTS_OF_A_CHECK, reserveQuota, settleQuota } from '../db/hint-limits.ts';
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
import { noteDelivery, type OrganizationChecks, remember, type WebhookDeps } from './note.ts';

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
  const { onRequest, of } = admitDelivery(deps.limits, {
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
  const { db, now, nudge, checkToken, checkTokenNowAndThen } = deps;
  const { rows } = await sql<{ user_id: number; repository_ids: number[] }>`
    select c.user_id, array_agg(c.repository_id order by c.readable desc, c.repository_id) as repository_ids
    from connections c join repositories r on r.id = c.repository_id join users u on u.id = c.user_id
    where c.check_due_at > ${now()} and r.host = ${host.key} and (
      r.host_id = any(${[...repository_ids]}::text[])
      or lower(r.owner) = any(${owners.map((owner) => owner.toLowerCase())}::text[])
      or u.host_id = any(${[...account_ids]}::text[]))
    group by c.user_id order by c.user_id`.execute(db);
  for (const person of rows) {
    try {
      await checkWithinQuota(deps, person.user_id, person.repository_ids);
    } catch (err) {
      log.warn({ err, user: person.user_id }, 'failed to have the access of somebody checked');
    }
  }
  nudge();
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

/** Has one person's access checked as far as hints may use their quota; the rest waits until there is some again. */
async function checkWithinQuota(
  { db, now }: Pick<AppWebhookDeps, 'db' | 'now'>,
  user_id: number,
  repository_ids: readonly number[],
): Promise<void> {
  const due = async (ids: readonly number[], at: Date) =>
    await db
      .updateTable('connections')
      .set({ check_due_at: at })
      .where('user_id', '=', user_id)
      .where('repository_id', 'in', ids)
      .where('check_due_at', '>', at)
      .execute();
  const waiting = [...repository_ids];
  while (waiting.length > 0) {
    const reserved = await reserveQuota(db, user_id, 'hints', now());
    if ('again' in reserved) {
      await due(waiting, reserved.again);
      return;
    }
    const some = waiting.splice(0, Math.max(1, Math.floor(reserved.points / POINTS_OF_A_CHECK)));
    await due(some, now());
    await settleQuota(db, user_id, 'hints', reserved.points, some.length * POINTS_OF_A_CHECK, null);
  }
}
