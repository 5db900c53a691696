import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';
import type { NoteSecurityEvent } from '../security-events.ts';

/** Where the host delivers a repository's events (docs/server.md#webhooks-and-hints). */
export function webhookUrl(address: string, webhook_key: string): string {
  return `${address}/webhooks/github/${webhook_key}`;
}

/** A secret that was replaced is taken this long, so that there is time to tell the host the new one. */
const OLD_SECRET_HOURS = 24;
/** So many replaced ones of a repository are kept at most. */
const OLD_SECRETS = 5;

export interface WebhookSecretDeps {
  readonly db: Kysely<Database>;
  readonly box: SecretBox;
  readonly now: () => Date;
  readonly log: { warn(fields: object, message: string): void };
  readonly noteSecurityEvent: NoteSecurityEvent;
}

/** A new secret, 256 random bits in hexadecimal, and the same sealed for the row with this key. */
export function newWebhookSecret(box: SecretBox, webhook_key: string): { secret: string; sealed: string } {
  const secret = randomBytes(32).toString('hex');
  return { secret, sealed: box.seal(secret, sealedAs.webhookSecret(webhook_key)) };
}

/**
 * The secret that the host is to sign this repository's deliveries with. One that cannot be opened any more, since it was sealed with
 * another key, is replaced; until the host has the new one, its deliveries are refused. Null when the repository is gone.
 */
export async function webhookSecretOf(deps: WebhookSecretDeps, repository_id: number): Promise<string | null> {
  const { db, box, now, log, noteSecurityEvent } = deps;
  const row = await db
    .selectFrom('repositories')
    .select(['owner', 'name', 'webhook_key', 'webhook_secret_encrypted'])
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const opened = box.openOrNull(row.webhook_secret_encrypted, sealedAs.webhookSecret(row.webhook_key));
  if (opened !== null) return opened;
  const { secret, sealed } = newWebhookSecret(box, row.webhook_key);
  const replaced = await db
    .updateTable('repositories')
    .set({ webhook_secret_encrypted: sealed, webhook_refused_since: now() })
    .where('id', '=', repository_id)
    .where('webhook_secret_encrypted', '=', row.webhook_secret_encrypted)
    .executeTakeFirst();
  // Another process was faster: its secret is the one.
  if (replaced.numUpdatedRows === 0n) return await webhookSecretOf(deps, repository_id);
  log.warn({ repository: repository_id }, 'the webhook secret could not be opened: it was replaced');
  const subject = `${row.owner}/${row.name}: could not be opened`;
  await noteSecurityEvent({ event: 'webhook_secret_made', actor: null, subject, repository_id }, null);
  return secret;
}

/** All secrets that a delivery may be signed with now, the current one first. Empty when the repository is gone. */
export async function acceptedSecrets(deps: WebhookSecretDeps, repository_id: number): Promise<readonly string[]> {
  const current = await webhookSecretOf(deps, repository_id);
  if (current === null) return [];
  return [current, ...(await replacedSecrets(deps, repository_id, '>'))];
}

/** The replaced ones that are not taken any more; they are kept until the secret is replaced again. */
export function endedSecrets(deps: WebhookSecretDeps, repository_id: number): Promise<readonly string[]> {
  return replacedSecrets(deps, repository_id, '<=');
}

async function replacedSecrets(
  { db, box, now }: WebhookSecretDeps,
  repository_id: number,
  taken_until: '>' | '<=',
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('webhook_old_secrets as o')
    .innerJoin('repositories as r', 'r.id', 'o.repository_id')
    .select(['o.secret_encrypted', 'r.webhook_key'])
    .where('o.repository_id', '=', repository_id)
    .where('o.taken_until', taken_until, now())
    .orderBy('o.taken_until', 'desc')
    .execute();
  return rows.flatMap((row) => box.openOrNull(row.secret_encrypted, sealedAs.webhookSecret(row.webhook_key)) ?? []);
}

/** Makes a new secret; the one before is taken for a day. Null when the repository is gone. */
export async function rotateWebhookSecret(
  { db, box, now }: WebhookSecretDeps,
  repository_id: number,
): Promise<{ webhook_key: string; secret: string } | null> {
  return await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('repositories')
      .select(['webhook_key', 'webhook_secret_encrypted'])
      .where('id', '=', repository_id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return null;
    const { webhook_key } = row;
    const { secret, sealed } = newWebhookSecret(box, webhook_key);
    const taken_until = new Date(now().getTime() + OLD_SECRET_HOURS * 3_600_000);
    await transaction
      .insertInto('webhook_old_secrets')
      .values({ repository_id, secret_encrypted: row.webhook_secret_encrypted, taken_until })
      .execute();
    await sql`
      delete from webhook_old_secrets where repository_id = ${repository_id} and (taken_until <= ${now()} or secret_encrypted not in (
        select secret_encrypted from webhook_old_secrets where repository_id = ${repository_id}
        order by taken_until desc limit ${OLD_SECRETS}))`.execute(transaction);
    await transaction
      .updateTable('repositories')
      .set({ webhook_secret_encrypted: sealed })
      .where('id', '=', repository_id)
      .execute();
    return { webhook_key, secret };
  });
}
