import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { workCounts } from './my-work.ts';
import { count, instant, numbered, pastedName } from './values.ts';

export const syncMode = z.enum(['smart', 'incremental', 'full']);
export type SyncMode = z.infer<typeof syncMode>;

export const syncStatus = z.enum(['idle', 'queued', 'running', 'waiting', 'completed', 'failed', 'cancelled']);

export const syncProgress = z.object({
  percentage: z.number().min(0).max(100),
  current_phase: z.string().describe('`starting fetching_prs fetching_reviews processing_data completed error`.'),
  processed_items: count,
  processed_prs: count,
  total_prs: count.nullable().describe('Null until the host has said how many there are.'),
  processed_reviews: count,
  total_reviews: count.nullable(),
  estimated_time_remaining: z.number().min(0).nullable().describe('Seconds; null while it cannot be told honestly.'),
  message: z.string(),
});

export const rateLimitStatus = z.object({
  remaining: count.nullable().describe('These two are null to everybody but the person whose quota it is.'),
  limit: count.nullable(),
  reset_at: instant,
});

export const syncResponse = z.object({
  success: z.boolean(),
  session_id: z.uuid().nullable().describe('Null while the repository has never been synced.'),
  resume_session_id: z.uuid().nullable().describe('The session to resume; null when there is nothing to resume.'),
  status: syncStatus,
  started_by_you: z
    .boolean()
    .describe(
      "False while it runs with somebody else's token: it is theirs to cancel and to resume. True of a repository never synced.",
    ),
  is_complete: z.boolean(),
  has_more: z.boolean(),
  can_resume: z.boolean(),
  imported_prs: count,
  imported_reviews: count,
  progress: syncProgress,
  rate_limit_status: rateLimitStatus.nullable().describe('Null where the host has no limit or has not been asked yet.'),
  waiting_until: instant
    .nullable()
    .describe('While `waiting`, when it goes on by itself; `progress.message` says what it waits for. Else null.'),
  error: z.string().nullable(),
  error_link: z
    .string()
    .nullable()
    .describe('Where the person can lift what stands in the way, e.g. single sign-on; null to everybody else.'),
  skipped: z
    .array(z.object({ number: z.number().int().nullable(), reason: z.string() }))
    .describe('Pull requests that could not be understood and were left out.'),
});
export type SyncResponse = z.infer<typeof syncResponse>;

const whichRepository = {
  repoId: numbered.optional(),
  owner: pastedName.owner.optional(),
  name: pastedName.name.optional(),
};

export const featureOverrides = z.object({
  ROLLOUT_PERCENTAGE: z.number().min(0).max(100).optional(),
  USE_GRAPHQL: z.boolean().optional(),
  ENABLE_RESUME: z.boolean().optional(),
  ENABLE_PROGRESS_TRACKING: z.boolean().optional(),
  MAX_CHUNK_SIZE: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('At most this many pull requests are asked for at a time; less than 5 counts as 5.'),
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
  table: null,
  status: 200,
  query: z.object({ repoId: numbered.describe('The id of a connected repository.') }),
  answer: syncResponse,
});

export const getSyncProgress = endpoint({
  method: 'GET',
  path: '/api/sync-progress/{sessionId}',
  summary: 'A sync session by its id.',
  access: 'session',
  scope: null,
  table: null,
  status: 200,
  params: z.object({ sessionId: z.uuid().describe('The id of a sync, as the call that started it answered.') }),
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
  params: z.object({ sessionId: z.uuid().describe('The id of a sync, as the call that started it answered.') }),
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
  params: z.object({ sessionId: z.uuid().describe('The id of a sync, as the call that started it answered.') }),
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
  table: null,
  status: 200,
  media: 'events',
  answer: syncEvent,
});
