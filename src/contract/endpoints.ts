import * as accounts from './accounts.ts';
import * as administration from './administration.ts';
import * as aiAuthorship from './ai-authorship.ts';

import * as aiReviewers from './ai-reviewers.ts';

import * as assistants from './assistants.ts';

import * as connecting from './connecting.ts';
import * as contributors from './contributors.ts';
import * as explain from './explain.ts';
import * as health from './health.ts';
import * as messagePreviews from './message-previews.ts';
import * as myWork from './my-work.ts';
import * as notes from './notes.ts';
import * as notifications from './notifications.ts';
import * as pullRequests from './pull-requests.ts';
import * as repositories from './repositories.ts';
import * as session from './session.ts';
import * as sync from './sync.ts';
import * as team from './team.ts';
import * as teams from './teams.ts';
import * as tokens from './tokens.ts';
import * as trends from './trends.ts';
import * as views from './views.ts';

/**
 * Every call of the product, by name. The server routes and validates with it, the browser's client is derived from it,
 * and `GET /api/openapi.json` is generated from it.
 */
export const endpoints = {
  getSession: session.getSession,
  updateSession: session.updateSession,
  getSignInOptions: session.getSignInOptions,
  signInWithToken: session.signInWithToken,
  signInToDemo: session.signInToDemo,
  signOut: session.signOut,
  listSessions: session.listSessions,
  endSession: session.endSession,
  endAllSessions: session.endAllSessions,
  deleteAccount: session.deleteAccount,

  listTokens: tokens.listTokens,
  makeToken: tokens.makeToken,
  revokeToken: tokens.revokeToken,
  listAssistantCalls: assistants.listAssistantCalls,

  listConnectedRepositories: repositories.listConnectedRepositories,
  connectRepository: repositories.connectRepository,
  disconnectRepository: repositories.disconnectRepository,
  createWebhook: repositories.createWebhook,
  rotateWebhook: repositories.rotateWebhook,
  testAccess: repositories.testAccess,
  listRepositories: repositories.listRepositories,

  listAvailableRepositories: connecting.listAvailableRepositories,
  connectSeveral: connecting.connectSeveral,
  estimateImport: connecting.estimateImport,
  listImports: connecting.listImports,
  pauseImport: connecting.pauseImport,
  resumeImport: connecting.resumeImport,
  cancelImport: connecting.cancelImport,
  listJoinableRepositories: connecting.listJoinableRepositories,
  getFollowing: connecting.getFollowing,
  saveFollowing: connecting.saveFollowing,
  createWebhooks: connecting.createWebhooks,
  createOrganizationWebhook: connecting.createOrganizationWebhook,
  deleteOrganizationWebhook: connecting.deleteOrganizationWebhook,

  startSync: sync.startSync,
  getSync: sync.getSync,
  getSyncProgress: sync.getSyncProgress,
  startFallbackSync: sync.startFallbackSync,
  resumeSync: sync.resumeSync,
  cancelSync: sync.cancelSync,
  watchSyncs: sync.watchSyncs,

  getTeamStats: team.getTeamStats,
  listStuckPullRequests: team.listStuckPullRequests,
  countStuckPullRequests: team.countStuckPullRequests,
  listReviewerStats: team.listReviewerStats,
  listDeveloperStats: team.listDeveloperStats,
  listReviewLoad: team.listReviewLoad,

  listAvailableTeams: teams.listAvailableTeams,
  importTeams: teams.importTeams,
  refreshTeam: teams.refreshTeam,

  listFigures: trends.listFigures,
  getTrends: trends.getTrends,
  listNotes: notes.listNotes,
  addNote: notes.addNote,
  deleteNote: notes.deleteNote,
  explainTrendPoint: trends.explainTrendPoint,

  listViews: views.listViews,
  keepView: views.keepView,
  getView: views.getView,
  changeView: views.changeView,
  deleteView: views.deleteView,

  listTeams: teams.listTeams,
  getTeam: teams.getTeam,
  makeGroup: teams.makeGroup,
  changeGroup: teams.changeGroup,
  deleteTeam: teams.deleteTeam,
  saveMember: teams.saveMember,
  removeMember: teams.removeMember,
  compareTeams: teams.compareTeams,
  getTeamView: teams.getTeamView,

  getMyWork: myWork.getMyWork,
  saveSnooze: myWork.saveSnooze,
  deleteSnooze: myWork.deleteSnooze,

  getHealth: health.getHealth,
  listSignalPullRequests: health.listSignalPullRequests,
  getHealthSettings: health.getHealthSettings,
  saveHealthSettings: health.saveHealthSettings,

  getAiAuthorship: aiAuthorship.getAiAuthorship,
  listAiReviewers: aiReviewers.listAiReviewers,
  getAiReviewer: aiReviewers.getAiReviewer,

  listContributors: contributors.listContributors,
  searchContributors: contributors.searchContributors,
  getContributorMetrics: contributors.getContributorMetrics,
  listContributorPullRequests: contributors.listContributorPullRequests,
  getReviewHeatmap: contributors.getReviewHeatmap,
  exportContributor: contributors.exportContributor,

  listPullRequests: pullRequests.listPullRequests,
  exportPullRequests: pullRequests.exportPullRequests,
  getPullRequest: pullRequests.getPullRequest,
  refreshPullRequest: pullRequests.refreshPullRequest,
  correctAuthorship: pullRequests.correctAuthorship,
  withdrawAuthorship: pullRequests.withdrawAuthorship,
  correctCredit: pullRequests.correctCredit,
  withdrawCredit: pullRequests.withdrawCredit,
  dismissSignal: pullRequests.dismissSignal,

  getNotifications: notifications.getNotifications,
  saveNotifications: notifications.saveNotifications,
  listChannels: notifications.listChannels,
  makeChannel: notifications.makeChannel,
  changeChannel: notifications.changeChannel,
  deleteChannel: notifications.deleteChannel,
  resumeChannel: notifications.resumeChannel,
  renewChannelSecret: notifications.renewChannelSecret,
  testNotification: notifications.testNotification,
  listDeliveries: notifications.listDeliveries,

  previewNotification: messagePreviews.previewNotification,
  getDemoInbox: messagePreviews.getDemoInbox,

  explainMetric: explain.explainMetric,

  listMarkedAccounts: accounts.listMarkedAccounts,
  markAccount: accounts.markAccount,
  unmarkAccount: accounts.unmarkAccount,
  getAgentSettings: accounts.getAgentSettings,
  saveAgentSettings: accounts.saveAgentSettings,

  listSecurityEvents: administration.listSecurityEvents,
} as const;

export type EndpointName = keyof typeof endpoints;
