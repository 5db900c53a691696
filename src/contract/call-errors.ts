import { z } from 'zod';
import { type Endpoint, scopesOfCall } from './endpoint.ts';
import { type EndpointName, endpoints } from './endpoints.ts';
import type { ErrorCode } from './errors.ts';

/** What every call can answer, whatever it is about. */
export const errorsOfEveryCall: readonly ErrorCode[] = [
  'token_in_address',
  'too_many_requests',
  'internal_error',
  'database_unavailable',
  'too_slow',
];

const byHost: readonly ErrorCode[] = [
  'token_rejected',
  'sso_required',
  'missing_scope',
  'host_forbids',
  'host_not_found',
  'host_blocked',
  'host_refused',
  'host_rate_limited',
  'host_failed',
];
const ofConnecting: readonly ErrorCode[] = ['cannot_access_repository', ...byHost];
const atSignIn: readonly ErrorCode[] = ['host_unavailable', 'host_busy'];
const ofChannels: readonly ErrorCode[] = ['channel_off', 'mail_not_sent'];
const ofCorrecting: readonly ErrorCode[] = ['may_not_correct', 'updating', ...byHost];
const ofGroups: readonly ErrorCode[] = [
  ...(['unknown_person', 'no_person', 'not_your_group', 'group_cycle', 'hidden_part'] as const),
  ...(['name_taken', 'team_of_host', 'too_many'] as const),
];

/** What single calls answer beside that. */
const ofSingleCalls: Partial<Record<EndpointName, readonly ErrorCode[]>> = {
  signInWithToken: [
    ...(['token_sign_in_off', 'not_a_personal_token', 'token_rejected', 'sso_required'] as const),
    ...(['not_allowed', 'weaker_token'] as const),
    ...atSignIn,
  ],
  signInToDemo: ['not_found', 'demo_full', 'demo_not_ready', ...atSignIn],
  makeToken: ['tokens_off', 'too_many_tokens'],
  listAvailableRepositories: byHost,
  listJoinableRepositories: byHost,
  connectRepository: ofConnecting,
  connectSeveral: ['too_many', ...ofConnecting],
  estimateImport: byHost,
  createWebhook: ['not_admin_of_repository', 'app_creates_no_webhooks', ...byHost],
  rotateWebhook: ['not_admin_of_repository', ...byHost],
  createWebhooks: byHost,
  createOrganizationWebhook: byHost,
  deleteOrganizationWebhook: byHost,
  testAccess: byHost,
  pauseImport: ['not_possible_now'],
  resumeImport: ['not_possible_now'],
  cancelImport: ['not_possible_now'],
  startSync: ['not_found', 'not_eligible'],
  startFallbackSync: ['not_found'],
  resumeSync: ['not_your_sync', 'nothing_to_resume'],
  cancelSync: ['not_your_sync'],
  listAvailableTeams: byHost,
  importTeams: ['not_found', 'too_many', ...byHost],
  refreshTeam: ['no_host', ...byHost],
  makeGroup: ['not_found', ...ofGroups, ...byHost],
  changeGroup: [...ofGroups, ...byHost],
  deleteTeam: ['not_your_group'],
  saveMember: [...ofGroups, ...byHost],
  removeMember: ['not_your_group', 'team_of_host'],
  exportContributor: ['not_found', 'updating'],
  addNote: ['too_many_notes'],
  keepView: ['too_many_views'],
  changeView: ['not_yours'],
  deleteView: ['not_yours'],
  saveSnooze: ['closed', 'not_listed', 'updating'],
  getPullRequest: byHost,
  refreshPullRequest: ['updating', ...byHost],
  correctAuthorship: ofCorrecting,
  withdrawAuthorship: ofCorrecting,
  correctCredit: [...ofCorrecting, 'unknown_person', 'no_person'],
  withdrawCredit: ofCorrecting,
  dismissSignal: ['took_no_part', 'updating'],
  saveHealthSettings: ['administrators_only', 'no_administrators'],
  saveAgentSettings: ['administrators_only', 'no_administrators'],
  listMarkedAccounts: ['updating'],
  markAccount: ['too_many_marks', 'updating'],
  unmarkAccount: ['updating'],
  saveNotifications: ['too_many_subscriptions', 'no_address', 'address_not_confirmed', ...ofChannels],
  makeChannel: ['too_many_channels', 'too_many_subscriptions', ...ofChannels],
  changeChannel: ['too_many_subscriptions', 'address_not_confirmed', ...ofChannels],
  resumeChannel: ['not_paused', ...ofChannels],
  renewChannelSecret: ['no_secret'],
  getDemoInbox: ['not_found'],
  testNotification: ['channel_off', 'address_unreadable', 'no_address', 'address_not_confirmed'],
  listSecurityEvents: ['administrators_only', 'no_administrators'],
};

const namesIn = (shape: z.ZodType | undefined) => (shape instanceof z.ZodObject ? Object.keys(shape.shape) : []);

/** The errors of one call that are not those of every call, by their status. */
export function errorsOfCall(name: EndpointName): readonly ErrorCode[] {
  const entry: Endpoint = endpoints[name];
  const isTokens = scopesOfCall(entry).length > 0;
  const changes = entry.method !== 'GET';
  const query = namesIn(entry.query);
  const found: (ErrorCode | false)[] = [
    (!changes || (entry.params ?? entry.body) !== undefined) && 'invalid_request',
    !changes && entry.media !== 'events' && 'validation_failed',
    entry.access === 'session' && 'not_signed_in',
    isTokens && 'bad_token',
    isTokens && 'host_sign_in_needed',
    entry.access === 'session' && 'token_scope',
    !changes && entry.table === null && entry.media !== 'events' && 'no_table',
    changes && 'foreign_origin',
    (entry.params !== undefined || ['repository', 'team', 'asked', 'repoId'].some((each) => query.includes(each))) &&
      'not_found',
    entry.body !== undefined && 'too_large',
    entry.body !== undefined && 'unsupported_media_type',
    ...(ofSingleCalls[name] ?? []),
    isTokens && 'too_expensive',
    isTokens && 'updating',
    changes && entry.changesNothing !== true && 'disk_full',
  ];
  return found.filter((code) => code !== false);
}
