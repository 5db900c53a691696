import { ApiError, api } from '../api/client.ts';
import type { SyncCalls } from './run-sync.ts';

/** The calls of the flow, with what is sent (docs/product.md#calls). */
export const syncCalls: SyncCalls = {
  listRepositories: () => api.listConnectedRepositories(),
  start: ({ id, owner, name }, mode) =>
    api.startSync({
      body: {
        repoId: id,
        owner,
        name,
        mode,
        options: { includeCommits: true, includeUserMetadata: true },
        featureOverrides: {
          ROLLOUT_PERCENTAGE: 100,
          USE_GRAPHQL: true,
          ENABLE_RESUME: true,
          ENABLE_PROGRESS_TRACKING: true,
          MAX_CHUNK_SIZE: 30,
        },
      },
    }),
  progress: ({ id }) => api.getSync({ query: { repoId: id } }),
  startFallback: ({ id, owner, name }) =>
    api.startFallbackSync({ body: { repoId: id, owner, name, useGraphQL: true, enableProgress: true } }),
  progressFallback: (sessionId) => api.getSyncProgress({ params: { sessionId } }),
  resume: (sessionId) =>
    api.resumeSync({ params: { sessionId } }).catch((error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) return null;
      throw error;
    }),
  isRefusal: (error) => error instanceof ApiError && error.status !== null && error.status >= 400 && error.status < 500,
  isTooMany: (error) => error instanceof ApiError && error.status === 429,
};
