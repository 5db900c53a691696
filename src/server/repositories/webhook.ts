import { sql } from 'kysely';
import { askHostAs } from '../ask-host-as.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { type ConnectDeps, webhookBy } from './connect.ts';
import { roleOf } from './roles.ts';
import { rotateWebhookSecret, webhookSecretOf, webhookUrl } from './webhook-secret.ts';

/**
 * Has the host deliver the repository's events to this server at `address`, with the user's token. One that does already is kept.
 * Returns where it delivers to, the host's names of the events, and whether it was there already.
 * @throws HttpError 404 when the repository is unknown, 422 without a token; HostError as the host declines
 */
export async function createWebhook(
  deps: Omit<ConnectDeps, 'public_url'>,
  user_id: number,
  repository_id: number,
  address: string,
  signal?: AbortSignal,
): Promise<{ webhook_url: string; events: string[]; existed: boolean }> {
  const row = await deps.db
    .selectFrom('repositories')
    .select(['owner', 'name', 'webhook_key'])
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Repository not found');
  const url = webhookUrl(address, row.webhook_key);
  const { events, existed } = await askHostAs(deps, user_id, async ({ client, grant_id }) => {
    const by = await webhookBy(deps, grant_id);
    if (by !== 'create')
      throw new HttpError(
        'app_creates_no_webhooks',
        by === 'app'
          ? 'The GitHub App that you sign in with delivers by its own webhook: there is nothing to create.'
          : 'The GitHub App that you sign in with cannot create webhooks: create it by hand in the settings of the repository.',
      );
    const secret = await webhookSecretOf(deps, repository_id);
    if (secret === null) throw notFound('Repository not found');
    return await client.createWebhook({ owner: row.owner, name: row.name }, { url, secret }, signal);
  });
  // The host has the current secret now.
  await deps.db
    .updateTable('repositories')
    .set({ webhook_refused_since: null })
    .where('id', '=', repository_id)
    .where('webhook_refused_since', 'is not', null)
    .execute();
  return { webhook_url: url, events: [...events], existed };
}

/** A webhook is taken to deliver still for this many days after its last delivery. */
const DAYS_OF_DELIVERY = 7;

/**
 * Has the repository's events delivered here; true where they were already. That of an organisation which delivers them suffices: none is made
 * beside it, and like every other one it is told only to an admin of the repository. Whether there is one of the repository's own is
 * asked of the host: when it delivered last does not tell.
 * @throws HttpError as `createWebhook`, 403 where the user is not an admin; HostError as the host declines
 */
export async function ensureWebhook(
  deps: ConnectDeps,
  user_id: number,
  repository_id: number,
  signal: AbortSignal,
): Promise<boolean> {
  const since = sql`${deps.now()}::timestamptz - make_interval(days => ${DAYS_OF_DELIVERY})`;
  const { rows } = await sql<Named>`
    select r.host_id, r.owner, r.name from repositories r
    join organization_webhooks o on o.host = r.host and o.organization_id = r.owner_id and o.last_delivery_at > ${since}
    where r.id = ${repository_id} and r.webhook_last_delivery_at > ${since}`.execute(deps.db);
  const [delivered] = rows;
  if (delivered === undefined)
    return (await createWebhook(deps, user_id, repository_id, deps.public_url, signal)).existed;
  await requireAdmin(deps, user_id, delivered, signal);
  return true;
}

interface Named {
  readonly host_id: string;
  readonly owner: string;
  readonly name: string;
}

/**
 * Asks the host at that moment whether the user is an admin of the repository.
 * @throws HttpError 403 where they are not, 422 without a token; HostError when the host fails
 */
async function requireAdmin(
  deps: Pick<ConnectDeps, 'clientFor' | 'rejectToken'>,
  user_id: number,
  { host_id, owner, name }: Named,
  signal?: AbortSignal,
): Promise<void> {
  const role = await askHostAs(deps, user_id, ({ client }) => roleOf(client, host_id, signal));
  if (role !== 'admin')
    throw new HttpError('not_admin_of_repository', `Only an admin of ${owner}/${name} can do that.`);
}

/**
 * Makes a new secret for the repository's deliveries; the one before is taken for a day. The host is asked at that moment whether the
 * user is an admin of the repository.
 * @throws HttpError 403 where they are not, 404 when the repository is unknown, 422 without a token; HostError when the host fails
 */
export async function rotateWebhook(
  deps: ConnectDeps,
  user_id: number,
  repository_id: number,
): Promise<{ webhook_url: string; webhook_secret: string }> {
  const row = await deps.db
    .selectFrom('repositories')
    .select(['host_id', 'owner', 'name'])
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Repository not found');
  await requireAdmin(deps, user_id, row);
  const rotated = await rotateWebhookSecret(deps, repository_id);
  if (rotated === null) throw notFound('Repository not found');
  return { webhook_url: webhookUrl(deps.public_url, rotated.webhook_key), webhook_secret: rotated.secret };
}
