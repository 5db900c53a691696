import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { HostOrganizationDelivery } from '../host/delivery.ts';
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
  SIGNATURE_MISMATCH,
  takeRawBodies,
} from './deliveries.ts';
import { checkAccessAtOnce, noteDelivery, type OrganizationChecks, remember, type WebhookDeps } from './note.ts';

export interface OrganizationWebhookDeps extends WebhookDeps, OrganizationChecks {
  /** The secrets that an organisation's deliveries may be signed with; empty where none can be opened. */
  readonly secretsOf: (row: { webhook_key: string; webhook_secret_encrypted: string }) => readonly string[];
}

/** Whose webhook a key stands for. */
interface Addressee {
  readonly id: number;
  readonly organization_id: string;
  readonly codeHost: CodeHost;
  readonly secrets: readonly string[];
}

/**
 * `POST /webhooks/github/organisation/{key}`: the deliveries of an organisation's webhook. One that names a repository is followed, as at the
 * repository's own address, only where that is stored here and belongs to that organisation, by the host's ids. One about its members or teams has
 * them read, and the access to its repositories checked, of whom it names, else of everybody. Anything else is taken and left alone. To be
 * registered as a plugin: it reads the raw body.
 */
export async function organizationRoute(app: FastifyInstance, deps: OrganizationWebhookDeps): Promise<void> {
  const keyOf = ({ params }: FastifyRequest) => (params as { key: string }).key;
  const { onRequest, preParsing, of } = admitDelivery(deps.limits, { keyOf, find: (key) => addresseeOf(deps, key) });
  takeRawBodies(app);

  app.route({
    method: 'POST',
    url: '/webhooks/github/organisation/:key',
    bodyLimit: LARGEST_DELIVERY,
    onRequest,
    preParsing,
    handler: async (request, reply) => {
      const addressee = of(request);
      const { codeHost, organization_id } = addressee;
      const raw = rawDelivery(request);
      if (!(await isSignedBy(addressee, raw)))
        refuseSignature(deps.limits, keyOf(request), request, SIGNATURE_MISMATCH);
      deps.limits.countDelivery(keyOf(request));
      const delivery = readable(codeHost.readOrganizationDelivery(raw));
      // Whoever administers an organisation has no other's teams read.
      if (delivery.teams?.organization_id === organization_id)
        deps.checkTeams({ host: codeHost.key, ...delivery.teams });
      await recordedSoon(request, note(deps, addressee, delivery, request.log), deps.sleep);
      return reply.code(202).send({ understood: delivery.subject !== null });
    },
  });
}

/** @throws HttpError 404 for an unknown key */
async function addresseeOf({ db, hosts, secretsOf }: OrganizationWebhookDeps, key: string): Promise<Addressee> {
  const row = await db
    .selectFrom('organization_webhooks')
    .select(['id', 'host', 'organization_id', 'webhook_key', 'webhook_secret_encrypted'])
    .where('webhook_key', '=', key)
    .executeTakeFirst();
  const codeHost = row === undefined ? null : hosts.byKey(row.host);
  const secrets = row === undefined ? [] : secretsOf(row);
  if (row === undefined || codeHost === null || secrets.length === 0) throw notFound('There is no such webhook.');
  return { id: row.id, organization_id: row.organization_id, codeHost, secrets };
}

async function note(
  deps: OrganizationWebhookDeps,
  { id, organization_id, codeHost }: Addressee,
  { event, subject, repository_id, teams, membership }: HostOrganizationDelivery,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { db, now, hosts } = deps;
  const own = teams?.organization_id === organization_id ? teams : null;
  const changed = own === null ? null : membership;
  const named = changed?.organization ?? null;
  // It may have been renamed since its webhook was made. Whoever has the secret can name another's here: its repositories tell, as the host called them last.
  const {
    rows: [webhook],
  } = await sql<{ login: string }>`
    update organization_webhooks o set last_delivery_at = ${now()}, login = case when lower(o.login) <> ${named} and exists (
      select from repositories r where r.host = o.host and r.owner_id = o.organization_id and lower(r.owner) = ${named}
    ) then ${named} else o.login end
    where o.id = ${id} returning lower(o.login) as login`.execute(db);
  // Only who signs in to the main host can be on a list of organisations.
  if (webhook !== undefined && changed !== null && codeHost === hosts.main)
    void deps.checkMembership({ ...changed, organization: webhook.login });
  // Whoever administers an organisation has no other's repositories looked at, and nobody's access checked but to its own.
  if (repository_id === null && own !== null) {
    const { account_id } = own;
    const concerned = sql<boolean>`r.owner_id = ${organization_id}
      and (${account_id}::text is null or u.host_id = ${account_id})`;
    await checkAccessAtOnce(deps, codeHost.key, concerned, account_id === null ? 'everybody' : 'somebody', log);
  }
  if (subject === null || repository_id === null) return;
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('host', '=', codeHost.key)
    .where('host_id', '=', repository_id)
    .where('owner_id', '=', organization_id)
    .executeTakeFirst();
  if (row === undefined) return;
  await remember(deps, row.id, subject);
  await noteDelivery(deps, row.id, event);
}
