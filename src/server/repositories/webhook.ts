import type { HostClient } from '../host/host.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { sealedAs } from '../secret-box.ts';
import type { Connecting } from './connect.ts';

/** The two that the product needs, and those that make comments, threads and checks fresh (server specification, section 8). */
export const webhookEvents = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'issue_comment',
  'push',
  'check_suite',
  'status',
  'repository',
];

/** Where the host delivers a repository's events (server specification, section 6). */
export function webhookUrl(address: string, webhook_key: string): string {
  return `${address}/webhooks/github/${webhook_key}`;
}

/**
 * Has the host deliver the repository's events to this server at `address`, with the user's token. One that does already is kept.
 * @throws HttpError 404 when the repository is unknown, 422 without a token; HostError as the host declines
 */
export async function createWebhook(
  { db, box, clientFor }: Pick<Connecting, 'db' | 'box' | 'clientFor'>,
  user_id: number,
  repository_id: number,
  address: string,
): Promise<string> {
  const row = await db
    .selectFrom('repositories')
    .select(['owner', 'name', 'webhook_key', 'webhook_secret_encrypted'])
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Repository not found');
  const client: HostClient | null = await clientFor(user_id);
  if (client === null)
    throw new HttpError(422, 'token_rejected', 'Sign in again: your access token is not accepted any more.');
  const url = webhookUrl(address, row.webhook_key);
  const secret = box.open(row.webhook_secret_encrypted, sealedAs.webhookSecret(row.webhook_key));
  await client.createWebhook({ owner: row.owner, name: row.name }, { url, secret, events: webhookEvents });
  return url;
}
