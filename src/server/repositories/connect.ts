import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AddedRepository } from '#contract/repositories.ts';
import type { Database } from '../db/database.ts';
import { type HostClient, HostError, type HostRepository, type RepositoryName } from '../host/host.ts';
import { HttpError } from '../http/errors.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';
import { webhookUrl } from './webhook.ts';

/** What connecting stands on. */
export interface Connecting {
  readonly db: Kysely<Database>;
  readonly box: SecretBox;
  readonly clientFor: (user_id: number) => Promise<HostClient | null>;
  readonly rejectToken: (user_id: number) => Promise<void>;
  readonly now: () => Date;
  readonly public_url: string;
}

/**
 * Connects a repository that the user's token can read. Its data is stored once, whoever connects it; connecting again answers the
 * same with `added` false.
 * @throws HttpError 422 when the token cannot read it; HostError when the host fails
 */
export async function connectRepository(
  connecting: Connecting,
  user: { id: number; host: string },
  name: RepositoryName,
): Promise<{ added: boolean; repository: AddedRepository }> {
  const { db, box, now } = connecting;
  const found = await readByUser(connecting, user.id, name);
  const at = now();
  return await db.transaction().execute(async (within) => {
    const webhook_key = randomBytes(16).toString('base64url');
    const secret = randomBytes(32).toString('hex');
    const row = await within
      .insertInto('repositories')
      .values({
        host: user.host,
        host_id: found.id,
        ...described(found),
        webhook_key,
        webhook_secret_encrypted: box.seal(secret, sealedAs.webhookSecret(webhook_key)),
        changed_at: at,
        created_at: at,
      })
      .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet(described(found)))
      .returning(['id', 'owner', 'name', 'webhook_key', 'webhook_secret_encrypted'])
      .executeTakeFirstOrThrow();
    const before = await within
      .selectFrom('connections')
      .select('readable')
      .where('user_id', '=', user.id)
      .where('repository_id', '=', row.id)
      .executeTakeFirst();
    await within
      .insertInto('connections')
      .values({ user_id: user.id, repository_id: row.id, readable: true, checked_at: at, connected_at: at })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'repository_id']).doUpdateSet({ readable: true, checked_at: at }),
      )
      .execute();
    return {
      added: before === undefined,
      repository: {
        id: row.id,
        owner: row.owner,
        name: row.name,
        webhook_url: webhookUrl(connecting.public_url, row.webhook_key),
        webhook_secret: box.open(row.webhook_secret_encrypted, sealedAs.webhookSecret(row.webhook_key)),
      },
    };
  });
}

/** What the host says a repository is called and is, as columns. */
export function described(repository: HostRepository) {
  const { owner, name, url, archived, default_branch } = repository;
  return { owner, name, url, private: repository.private, archived, default_branch };
}

async function readByUser(connecting: Connecting, user_id: number, name: RepositoryName): Promise<HostRepository> {
  const client = await connecting.clientFor(user_id);
  if (client === null) throw noAccess('sign in again, your access token is not accepted any more.', undefined);
  try {
    return await client.repository(name.owner, name.name);
  } catch (error) {
    if (!(error instanceof HostError) || isPassing(error)) throw error;
    if (error.kind === 'unauthorized') await connecting.rejectToken(user_id);
    throw noAccess(error.message, error);
  }
}

/** A failure that says nothing about whether the user may read the repository. */
export function isPassing(error: HostError): boolean {
  return ['rate_limited', 'secondary_limit', 'too_heavy', 'unavailable', 'protocol'].includes(error.kind);
}

function noAccess(message: string, cause: unknown): HttpError {
  return new HttpError(422, 'cannot_access_repository', `Cannot access repository: ${message}`, { cause });
}
