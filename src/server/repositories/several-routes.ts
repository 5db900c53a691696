import { HostError, wantsPause } from '../host/errors.ts';
import { HttpError } from '../http/errors.ts';
import type { CallsOf, Handlers } from '../http/serve.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';
import { availableRepositories, joinableRepositories } from './available.ts';
import { connectSeveral, estimateImport, type SeveralDeps } from './connect-several.ts';
import { type FollowingDeps, followingOf, saveFollowing } from './following.ts';
import { changeImport, type ImportDeps, importsOf } from './imports.ts';
import { deleteOrganizationWebhook, organizationWebhook } from './organization-webhooks.ts';
import { isReadable } from './own-list.ts';
import { ensureWebhook } from './webhook.ts';

export interface SeveralRouteDeps extends SeveralDeps, FollowingDeps, ImportDeps {
  /** The page on which an organisation approves the OAuth app that people of this host sign in with; null where there is none. */
  readonly approvalUrl: (host: string) => string | null;
}

/** Choosing and connecting many repositories (docs/server.md#connecting-many). */
export function severalRoutes(deps: SeveralRouteDeps): Handlers<CallsOf<typeof import('#contract/connecting.ts')>> {
  const { db } = deps;
  const change =
    (action: 'pause' | 'resume' | 'cancel') => async (given: { user: { id: number }; params: { id: string } }) =>
      await changeImport(deps, given.user.id, given.params.id, action);
  return {
    async listAvailableRepositories({ user, query }) {
      return await availableRepositories(deps, user, query, deps.approvalUrl(user.host));
    },
    async connectSeveral({ user, body, request: { ip, id } }) {
      // Of a request that has ended the address cannot be read any more.
      return await connectSeveral(deps, user, body.repositories, body.sync, { ip, id });
    },
    async estimateImport({ user, body }) {
      return await estimateImport(deps, user, body.repositories);
    },
    async listImports({ user }) {
      return await importsOf(db, user.id);
    },
    pauseImport: change('pause'),
    resumeImport: change('resume'),
    cancelImport: change('cancel'),
    async listJoinableRepositories({ user }) {
      const found = await joinableRepositories(deps, user);
      return found.filter(({ listed }) => isReadable(listed)).map(({ listed: _, ...row }) => row);
    },
    async getFollowing({ user }) {
      return { owners: await followingOf(db, user.id) };
    },
    async saveFollowing({ user, body, request: { ip, id } }) {
      return { owners: await saveFollowing(deps, user, body.owners, { ip, id }) };
    },
    async createWebhooks({ user, body }) {
      const results: { id: number; status: 'created' | 'already' | 'refused'; reason: string | null }[] = [];
      const until = deps.now().getTime() + WEBHOOKS_WITHIN;
      const signal = AbortSignal.timeout(TOLD_WITHIN);
      /** Why the host is asked for no more of them. */
      let ended: string | null = null;
      for (const id of new Set(body.ids)) {
        if (deps.now().getTime() > until) ended ??= 'There was no time left for this one. Ask for it again.';
        if (ended !== null) {
          results.push({ id, status: 'refused', reason: ended });
          continue;
        }
        try {
          await scopeWithoutFigures(db, user.id, id);
          const existed = await ensureWebhook(deps, user.id, id, signal);
          results.push({ id, status: existed ? 'already' : 'created', reason: null });
        } catch (error) {
          const reason = sentenceOf(error);
          if (wantsPause(error) || isRejection(error)) ended = reason;
          results.push({ id, status: 'refused', reason });
        }
      }
      return { results };
    },
    async createOrganizationWebhook({ user, params, request, reply }) {
      const { added, url, secret } = await organizationWebhook(deps, user, params.login, request);
      if (!added) reply.code(200);
      return { url, secret };
    },
    async deleteOrganizationWebhook({ user, params }) {
      await deleteOrganizationWebhook(deps, user, params.login);
      return undefined;
    },
  };
}

/**
 * How long webhooks go on being created for one request, in milliseconds, and when the last one begun has to be there, so that the request is
 * answered, with what was created, before it counts as too slow.
 */
const WEBHOOKS_WITHIN = 15_000;
const TOLD_WITHIN = 30_000;

const isRejection = (error: unknown) => error instanceof HostError && error.kind === 'unauthorized';

/** What a person reads of one that could not be done. @throws whatever is neither ours to say nor the host's */
function sentenceOf(error: unknown): string {
  if (error instanceof HttpError || error instanceof HostError) return error.message;
  throw error;
}
