import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, whole } from './values.ts';

/** What is written down of who came in, who took what out, and who lost sight of what; the screen words each. */
export const securityEvents = [
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'session_ended',
  'account_deleted',
  'token_stored',
  'token_rejected',
  'token_deleted',
  'repository_connected',
  'repository_disconnected',
  'sight_lost',
  'sight_regained',
  'exported',
  'account_marked',
  'account_unmarked',
  'webhook_secret_made',
  'signal_dismissed',
  'signal_restored',
  'thresholds_changed',
  'agent_labels_changed',
  'teams_imported',
  'group_made',
  'group_changed',
  'team_removed',
  'mail_address_changed',
  'channel_made',
  'channel_changed',
  'channel_removed',
  'channel_secret_made',
  'api_token_made',
  'api_token_revoked',
  'api_token_used',
] as const;
export type SecurityEventName = (typeof securityEvents)[number];

export const auditItem = z.object({
  at: instant,
  event: z.string().describe('One of `securityEvents`; a name that is no longer in use stays in old entries.'),
  actor: z.string().nullable().describe('The login of who did it or whom it happened to; null where nobody is known.'),
  subject: z.string().nullable().describe('What it was about: a repository, an account, a reason.'),
  address: z.string().nullable().describe('Where the request came from; null for what the server did by itself.'),
  request_id: z.string().nullable().describe('The same id as in the log; null for what the server did by itself.'),
});
export type AuditItem = z.infer<typeof auditItem>;

export const listSecurityEvents = endpoint({
  method: 'GET',
  path: '/api/administration/audit',
  summary: 'Security events of the last 400 days, newest first; for administrators.',
  access: 'session',
  scope: null,
  table: { list: 'items' },
  status: 200,
  query: z.object({
    event: z.enum(securityEvents).optional().describe('Those of one kind alone.'),
    actor: z.string().trim().max(100).optional().describe('A login; upper and lower case are the same.'),
    limit: whole(1, 200).default(50).describe('How many at most.'),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the next_cursor of an earlier answer')
      .optional()
      .describe('`next_cursor` of the page before.'),
  }),
  answer: z.object({ items: z.array(auditItem), next_cursor: z.string().nullable() }),
});
