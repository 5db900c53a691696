import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { workCounts } from './my-work.ts';
import { count, instant, numbered } from './values.ts';

export const syncMode = z.enum(['smart', 'incremental', 'full']);
export type SyncMode = z.infer<typeof syncMode>;

export const syncStatus = z.enum(['idle', 'queued', 'running', 'waiting', 'completed', 'failed', 'cancelled']);

export const syncProgress = z.object({
  percentage: z.number().min(0).max(100),
  /** `starting fetching_prs fetching_reviews processing_data completed error`. */
  current_phase: z.string(),
  processed_items: count,
  processed_prs: count,
  /** Null until the host has said how many there are. */
  total_prs: count.nullable(),
  processed_reviews: count,
  total_reviews: count.nullable(),
  /** Seconds; null while it cannot be told honestly. */
  estimated_time_remaining: z.number().min(0).nullable(),
  message: z.string(),
});

export const rateLimitStatus = z.object({
  /** These two are null to everybody but the person whose quota it is. */
  remaining: count.nullable(),
  limit: count.nullable(),
  reset_at: instant,
});

export const syncResponse = z.object({
  success: z.boolean(),
  /** Null while the repository has never been synced. */
  session_id: z.uuid().nullable(),
  /** The session to resume; null when there is nothing to resume. */
  resume_session_id: z.uuid().nullable(),
  status: syncStatus,
  /** False while it runs with somebody else's token: it is theirs to cancel and to resume. True of a repository never synced. */
  started_by_you: z.boolean(),
  is_complete: z.boolean(),
  has_more: z.boolean(),
  can_resume: z.boolean(),
  imported_prs: count,
  imported_reviews: count,
  progress: syncProgress,
  /** Null where the host has no limit or has not been asked yet. */
  rate_limit_status: rateLimitStatus.nullable(),
  /** While `waiting`, when it goes on by itself; `progress.message` says what it waits for. Else null. */
  waiting_until: instant.nullable(),
  error: z.string().nullable(),
  /** Where the person can lift what stands in the way, e.g. single sign-on; null to everybody else. */
  error_link: z.string().nullable(),
  /** Pull requests that could not be understood and were left out. */
  skipped: z.array(z.object({ number: z.number().int().nullable(), reason: z.string() })),
});
export type SyncResponse = z.infer<typeof syncResponse>;

const whichRepository = {
  repoId: numbered.optional(),
  owner: z.string().optional(),
  name: z.string().optional(),
};

export const featureOverrides = z.object({
  ROLLOUT_PERCENTAGE: z.number().min(0).max(100).optional(),
  USE_GRAPHQL: z.boolean().optional(),
  ENABLE_RESUME: z.boolean().optional(),
  ENABLE_PROGRESS_TRACKING: z.boolean().optional(),
  MAX_CHUNK_SIZE: z.number().int().min(1).max(100).optional(),
});

export const startSync = endpoint({
  method: 'POST',
  path: '/api/sync-repo-complete',
  summary: 'Starts a sync of one repository, or returns the one that runs.',
  access: 'session',
  scope: null,
  status: 202,
  body: z.object({
    ...whichRepository,
    mode: syncMode.optional(),
    options: z
      .object({ includeCommits: z.boolean().optional(), includeUserMetadata: z.boolean().optional() })
      .optional(),
    featureOverrides: featureOverrides.optional(),
  }),
  answer: syncResponse,
});

export const getSync = endpoint({
  method: 'GET',
  path: '/api/sync-repo-complete',
  summary: 'The newest sync session of a repository.',
  access: 'session',
  scope: null,
  status: 200,
  query: z.object({ repoId: numbered }),
  answer: syncResponse,
});

export const getSyncProgress = endpoint({
  method: 'GET',
  path: '/api/sync-progress/{sessionId}',
  summary: 'A sync session by its id.',
  access: 'session',
  scope: null,
  status: 200,
  params: z.object({ sessionId: z.uuid() }),
  answer: syncResponse,
});

export const startFallbackSync = endpoint({
  method: 'POST',
  path: '/api/sync-repo',
  summary: 'The older call: a smart sync of one repository.',
  access: 'session',
  scope: null,
  status: 202,
  body: z.object({ ...whichRepository, useGraphQL: z.boolean().optional(), enableProgress: z.boolean().optional() }),
  answer: syncResponse,
});

export const resumeSync = endpoint({
  method: 'POST',
  path: '/api/sync-resume/{sessionId}',
  summary:
    'Goes on with a failed or cancelled session; 409 when there is nothing to resume, 403 when it is somebody else’s.',
  access: 'session',
  scope: null,
  status: 202,
  params: z.object({ sessionId: z.uuid() }),
  answer: syncResponse,
});

export const cancelSync = endpoint({
  method: 'POST',
  path: '/api/sync-cancel/{sessionId}',
  summary:
    'Stops a session at its next checkpoint; what is stored stays, and it can be resumed. 403 when it is somebody else’s.',
  access: 'session',
  scope: null,
  status: 202,
  params: z.object({ sessionId: z.uuid() }),
  answer: syncResponse,
});

/** What an open page hears: the progress of a session, or that a repository's data changed. */
export const syncEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), repository_id: z.number().int(), sync: syncResponse }),
  z.object({ type: z.literal('changed'), repository_id: z.number().int(), changed_at: instant }),
  z.object({ type: z.literal('my-work'), counts: workCounts }),
]);
export type SyncEvent = z.infer<typeof syncEvent>;

export const watchSyncs = endpoint({
  method: 'GET',
  path: '/api/sync-events',
  summary: 'Progress and changes of the user’s repositories as server-sent events.',
  access: 'session',
  scope: null,
  status: 200,
  media: 'events',
  answer: syncEvent,
});
