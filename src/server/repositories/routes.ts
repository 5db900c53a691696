import type { SignedIn } from '../context.ts';
import { scopeOf } from '../db/scope.ts';
import type { HostClient } from '../host/host.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { sealedAs } from '../secret-box.ts';
import { accessReport } from './access-report.ts';
import { type Connecting, connectRepository, webhookUrl } from './connect.ts';
import { connectedRepositories } from './connected-repositories.ts';
import { disconnectRepository } from './disconnect.ts';
import { repositoryName } from './repository-name.ts';

export interface RepositoryRouting extends Connecting {
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
  /** Ends a running sync of the repository: one of that user, or any when null. */
  readonly cancelSync: (repository_id: number, of_user: number | null) => Promise<void>;
}

/** The two that the product needs, and those that make comments, threads and checks fresh (server specification, section 8). */
const webhookEvents = [
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

/** Connecting repositories and seeing which are connected (server specification, section 4). */
export function repositoryRoutes(
  handling: RepositoryRouting,
): Handlers<
  | 'listConnectedRepositories'
  | 'connectRepository'
  | 'disconnectRepository'
  | 'createWebhook'
  | 'testAccess'
  | 'listRepositories'
> {
  const { db } = handling;

  async function clientOf(user: SignedIn): Promise<HostClient> {
    const client = await handling.clientFor(user.id);
    if (client === null)
      throw new HttpError(
        422,
        'token_rejected',
        `Sign in again: ${handling.hostLabel(user.host)} does not accept your access token any more.`,
      );
    return client;
  }

  return {
    async listConnectedRepositories({ user }) {
      const rows = await connectedRepositories(db, await scopeOf(db, user.id));
      return rows.map((row) => ({
        ...row,
        last_synced_at: row.last_synced_at?.toISOString() ?? null,
        webhook_last_delivery_at: row.webhook_last_delivery_at?.toISOString() ?? null,
      }));
    },

    async connectRepository({ user, body, reply }) {
      const { added, repository } = await connectRepository(handling, user, repositoryName(body.owner, body.name));
      if (!added) reply.code(200);
      return repository;
    },

    async disconnectRepository({ user, params }) {
      await disconnectRepository(db, user.id, params.id, handling.cancelSync);
      return undefined;
    },

    async createWebhook({ user, params }) {
      const scope = await scopeOf(db, user.id, params.id);
      const row = await db
        .selectFrom('repositories')
        .select(['owner', 'name', 'webhook_key', 'webhook_secret_encrypted'])
        .where('id', 'in', scope.repository_ids)
        .executeTakeFirst();
      if (row === undefined) throw notFound('Repository not found');
      const url = webhookUrl(handling.public_url, row.webhook_key);
      const secret = handling.box.open(row.webhook_secret_encrypted, sealedAs.webhookSecret(row.webhook_key));
      const client = await clientOf(user);
      await client.createWebhook({ owner: row.owner, name: row.name }, { url, secret, events: webhookEvents });
      return { webhook_url: url, events: webhookEvents };
    },

    async testAccess({ user, body }) {
      const name = repositoryName(body.owner, body.name);
      return await accessReport(await clientOf(user), handling.hostLabel(user.host), name);
    },

    async listRepositories({ user }) {
      const rows = await connectedRepositories(db, await scopeOf(db, user.id));
      return rows.map(({ id, owner, name, full_name }) => ({ id, owner, name, full_name }));
    },
  };
}
