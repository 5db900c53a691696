import type { ConnectedRepository } from '#contract/repositories.ts';
import { askHostAs } from '../ask-host-as.ts';
import type { CallsOf, Handlers } from '../http/serve.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';
import { accessReport } from './access-report.ts';
import { accessAndCondition } from './condition.ts';
import { type ConnectDeps, connectRepository } from './connect.ts';
import { connectedRepositories, hiddenRepositories } from './connected-repositories.ts';
import { type DisconnectDeps, disconnectRepository } from './disconnect.ts';
import { repositoryName } from './repository-name.ts';
import { createWebhook, rotateWebhook } from './webhook.ts';

export interface RepositoryDeps extends ConnectDeps, DisconnectDeps {
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
}

/** Connecting repositories and seeing which are connected (docs/server.md#connections). */
export function repositoryRoutes(deps: RepositoryDeps): Handlers<CallsOf<typeof import('#contract/repositories.ts')>> {
  const { db } = deps;

  return {
    async listConnectedRepositories({ user }) {
      const [seen, hidden] = await Promise.all([
        scopeWithoutFigures(db, user.id).then((scope) => connectedRepositories(db, scope)),
        hiddenRepositories(db, user.id),
      ]);
      const label = deps.hostLabel;
      const rows: ConnectedRepository[] = [
        ...seen.map((row) => ({
          ...{ id: row.id, owner: row.owner, name: row.name, full_name: row.full_name, private: row.private },
          last_synced_at: row.last_synced_at?.toISOString() ?? null,
          first_connected_at: row.first_connected_at.toISOString(),
          imported_at: row.imported_at?.toISOString() ?? null,
          webhook_active: row.webhook_active,
          webhook_last_delivery_at: row.webhook_last_delivery_at?.toISOString() ?? null,
          webhook_message: row.is_refused ? `Deliveries are refused: give ${label(row.host)} the new secret` : null,
          pull_requests: row.pull_requests,
          counting: row.counting,
          reading_again: row.left && {
            done: Math.max(0, row.pull_requests - row.left.count),
            total: Math.max(row.pull_requests, row.left.count),
            since: new Date(row.left.newest).toISOString(),
          },
          ...accessAndCondition({ ...row, visible: true, checked: true }, label(row.host), deps.now()),
        })),
        ...hidden.map((row) => ({
          ...{
            id: row.id,
            owner: row.owner,
            name: row.name,
            full_name: `${row.owner}/${row.name}`,
            private: row.private,
          },
          ...{ last_synced_at: null, first_connected_at: null, imported_at: null, pull_requests: null, counting: null },
          reading_again: null,
          ...{ webhook_active: false, webhook_last_delivery_at: null, webhook_message: null },
          ...accessAndCondition(row, label(row.host), deps.now()),
        })),
      ];
      const key = (row: ConnectedRepository) => row.full_name.toLowerCase();
      return rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
    },

    async connectRepository({ user, body, reply }) {
      const { added, repository } = await connectRepository(deps, user, repositoryName(body.owner, body.name));
      if (!added) reply.code(200);
      return repository;
    },

    async disconnectRepository({ user, params }) {
      await disconnectRepository(db, user.id, params.id, deps);
      return undefined;
    },

    async createWebhook({ user, params }) {
      await scopeWithoutFigures(db, user.id, params.id);
      const { webhook_url, events } = await createWebhook(deps, user.id, params.id, deps.public_url);
      return { webhook_url, events };
    },

    async rotateWebhook({ user, params }) {
      await scopeWithoutFigures(db, user.id, params.id);
      return await rotateWebhook(deps, user.id, params.id);
    },

    async testAccess({ user, body }) {
      const name = repositoryName(body.owner, body.name);
      const label = deps.hostLabel(user.host);
      return await askHostAs(deps, user.id, ({ client }) => accessReport(client, label, name));
    },

    async listRepositories({ user }) {
      const rows = await connectedRepositories(db, await scopeWithoutFigures(db, user.id));
      return rows.map(({ id, owner, name, full_name }) => ({ id, owner, name, full_name }));
    },
  };
}
