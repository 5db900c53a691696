import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { askHostAs } from '../ask-host-as.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { sealedAs } from '../secret-box.ts';
import type { RequestOrigin } from '../security-events.ts';
import type { ConnectDeps } from './connect.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/** Where the host delivers the events of an organisation's repositories (docs/server.md#webhooks-and-hints). */
function addressOf(public_url: string, webhook_key: string): string {
  return `${public_url}/webhooks/github/organisation/${webhook_key}`;
}

/**
 * The address and secret of an organisation's webhook, made the first time that somebody who administers it asks; the host is asked at
 * that moment. A secret that cannot be opened any more is made again.
 * @throws HttpError 404 for whoever does not administer it, 422 without a token; HostError when the host fails
 */
export async function organizationWebhook(
  deps: ConnectDeps,
  user: SignedIn,
  login: string,
  request: RequestOrigin,
): Promise<{ added: boolean; url: string; secret: string }> {
  const { db, box, now, public_url, noteSecurityEvent } = deps;
  const organization = await administered(deps, user, login);
  const known = await db
    .selectFrom('organization_webhooks')
    .select(['webhook_key', 'webhook_secret_encrypted'])
    .where('host', '=', user.host)
    .where('organization_id', '=', organization.id)
    .executeTakeFirst();
  if (known !== undefined) {
    const secret = storedSecret(deps, known);
    if (secret !== null) return { added: false, url: addressOf(public_url, known.webhook_key), secret };
  }
  const webhook_key = known?.webhook_key ?? randomBytes(16).toString('base64url');
  const { secret, sealed } = newWebhookSecret(box, webhook_key);
  const row = await db
    .insertInto('organization_webhooks')
    .values({
      ...{ host: user.host, organization_id: organization.id, login: organization.login, webhook_key },
      ...{ webhook_secret_encrypted: sealed, created_by: user.id, created_at: now() },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['host', 'organization_id'])
        .doUpdateSet(known === undefined ? { login: organization.login } : { webhook_secret_encrypted: sealed }),
    )
    .returning(['webhook_key', 'webhook_secret_encrypted'])
    .executeTakeFirstOrThrow();
  if (row.webhook_secret_encrypted === sealed) {
    const subject = known === undefined ? organization.login : `${organization.login}: could not be opened`;
    await noteSecurityEvent({ event: 'webhook_secret_made', actor: user.login, subject }, request);
  }
  // Another process may have been faster: its secret is the one.
  const stored = storedSecret(deps, row) ?? secret;
  return { added: known === undefined, url: addressOf(public_url, row.webhook_key), secret: stored };
}

/**
 * Ends an organisation's webhook: its key is unknown from then on.
 * @throws HttpError 404 for whoever does not administer it and where there is none
 */
export async function deleteOrganizationWebhook(deps: ConnectDeps, user: SignedIn, login: string): Promise<void> {
  const organization = await administered(deps, user, login);
  const { numDeletedRows } = await deps.db
    .deleteFrom('organization_webhooks')
    .where('host', '=', user.host)
    .where('organization_id', '=', organization.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw noOrganization(login);
}

/** The secrets that a delivery with this key may be signed with; empty where it cannot be opened. */
export function organizationSecrets(deps: Pick<ConnectDeps, 'box'>, row: StoredWebhook): readonly string[] {
  const secret = storedSecret(deps, row);
  return secret === null ? [] : [secret];
}

async function administered(deps: ConnectDeps, user: SignedIn, login: string) {
  const organization = await askHostAs(deps, user.id, ({ client }) => client.administeredOrganization(login));
  if (organization === null) throw noOrganization(login);
  return organization;
}

const noOrganization = (login: string) => notFound(`No organisation ${login}.`);

type StoredWebhook = Pick<Selectable<Database['organization_webhooks']>, 'webhook_key' | 'webhook_secret_encrypted'>;

function storedSecret({ box }: Pick<ConnectDeps, 'box'>, row: StoredWebhook): string | null {
  return box.openOrNull(row.webhook_secret_encrypted, sealedAs.webhookSecret(row.webhook_key));
}
