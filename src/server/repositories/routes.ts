import type { SignedIn } from '../context.ts';
import { scopeOf } from '../db/scope.ts';
import type { HostClient } from '../host/host.ts';
import { HttpError } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { accessReport } from './access-report.ts';
import { type Connecting, connectRepository } from './connect.ts';
import { connectedRepositories } from './connected-repositories.ts';
import { disconnectRepository } from './disconnect.ts';
import { repositoryName } from './repository-name.ts';
import { createWebhook, webhookEvents } from './webhook.ts';

export interface RepositoryRouting extends Connecting {
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
  /** Ends a running sync of the repository: one of that user, or any when null. */
  readonly cancelSync: (repository_id: number, of_user: number | null) => Promise<void>;
}

/** Connecting repositories and seeing which are connected (server specification, section 4). */
export function repositoryRoutes(
  routing: RepositoryRouting,
): Handlers<
  | 'listConnectedRepositories'
  | 'connectRepository'
  | 'disconnectRepository'
  | 'createWebhook'
  | 'testAccess'
  | 'listRepositories'
> {
  const { db } = routing;

  async function clientOf(user: SignedIn): Promise<HostClient> {
    const client = await routing.clientFor(user.id);
    if (client === null)
      throw new HttpError(
        422,
        'token_rejected',
        `Sign in again: ${routing.hostLabel(user.host)} does not accept your access token any more.`,
      );
    return client;
  }

  return {
    async listConnectedRepositories({ user }) {
      const rows = await connectedRepositories(db, await scopeOf(db, user.id));
      return rows.map((row) => ({
        ...row,
        last_synced_at: row.last_synced_at?.toISOString() ?? null,
        first_connected_at: row.first_connected_at.toISOString(),
        imported_at: row.imported_at?.toISOString() ?? null,
        webhook_last_delivery_at: row.webhook_last_delivery_at?.toISOString() ?? null,
      }));
    },

    async connectRepository({ user, body, reply }) {
      const { added, repository } = await connectRepository(routing, user, repositoryName(body.owner, body.name));
      if (!added) reply.code(200);
      return repository;
    },

    async disconnectRepository({ user, params }) {
      await disconnectRepository(db, user.id, params.id, routing.cancelSync);
      return undefined;
    },

    async createWebhook({ user, params }) {
      await scopeOf(db, user.id, params.id);
      const webhook_url = await createWebhook(routing, user.id, params.id, routing.public_url);
      return { webhook_url, events: webhookEvents };
    },

    async testAccess({ user, body }) {
      const name = repositoryName(body.owner, body.name);
      return await accessReport(await clientOf(user), routing.hostLabel(user.host), name);
    },

    async listRepositories({ user }) {
      const rows = await connectedRepositories(db, await scopeOf(db, user.id));
      return rows.map(({ id, owner, name, full_name }) => ({ id, owner, name, full_name }));
    },
  };
}
