import { z } from 'zod';
import type { HostClient } from '../client.ts';
import { HostError } from '../errors.ts';
import type { CodeHost } from '../host.ts';
import type { TokenSource } from '../oauth.ts';
import { readAccount, readOrganizations, readRateLimit, readViewer } from './account.ts';
import { webAddress } from './addresses.ts';
import { readIssueStarters, readSessionStarter, readThreads } from './beside.ts';
import { type Connection, clientOf, type HostLog } from './client.ts';
import { GithubGraphql, understand } from './github-graphql.ts';
import { HistoryReader } from './history.ts';
import { createWebhook } from './hooks.ts';
import { lookAt } from './look.ts';
import { type GithubClient, githubOAuth } from './oauth.ts';
import { readByIds, readByNumber, readChanges, readNumbersOfCommit, readOpen, readRepository } from './pages.ts';
import { readAdministered, readCounts, readNamed, readOwnRepositories, readsAll } from './repository-lists.ts';
import { readOrganizationTeams } from './teams.ts';
import { hasSignature, isSigned, readAppDelivery, readDelivery, readOrganizationDelivery } from './webhook.ts';
import { readWorkflowJobs, readWorkflowRuns } from './workflow-runs.ts';

export interface GithubSettings {
  /** What rows of this host are keyed by. */
  readonly key: string;
  /** The host's name for people. */
  readonly label: string;
  readonly web_url: string;
  readonly api_url: string;
  readonly graphql_url: string;
  /** Null switches sign-in by OAuth off. */
  readonly oauth: GithubClient | null;
  readonly now: () => Date;
  /** How long one request may take, in milliseconds; 30 s when not given. */
  readonly timeout?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly log?: HostLog;
}

/**
 * GitHub: github.com, Enterprise Cloud or an Enterprise Server, by its addresses (see `addresses`).
 * @throws Error for an address that tokens must not be sent to
 */
export function githubHost(settings: GithubSettings): CodeHost {
  const { key, label, oauth } = settings;
  const [web_url, api_url, graphql_url] = [settings.web_url, settings.api_url, settings.graphql_url].map((url) =>
    webAddress(url).href.replace(/\/+$/, ''),
  ) as [string, string, string];
  const connection: Connection = {
    label,
    api_url,
    graphql_url,
    now: settings.now,
    timeout: settings.timeout ?? 30_000,
    fetch: settings.fetch ?? globalThis.fetch,
    log: settings.log ?? null,
  };
  return {
    key,
    label,
    oauth: oauth && githubOAuth(connection, web_url, oauth, (token) => isAccepted(connection, token)),
    as: (tokens) => clientAs(connection, tokens, web_url),
    isPersonalToken: (token) => /^(ghp|github_pat)_/.test(token),
    hasSignature,
    isSigned,
    readDelivery,
    readAppDelivery,
    readOrganizationDelivery,
  };
}

/** Whether the host takes the token; without an answer it is unknown and throws. */
async function isAccepted(connection: Connection, token: string): Promise<boolean> {
  try {
    await clientOf(connection, token).rest('GET /user');
    return true;
  } catch (error) {
    if (error instanceof HostError && error.kind === 'unauthorized') return false;
    throw error;
  }
}

/** What the account may do there (GitHub documentation, REST: get a repository). */
const permission = z.boolean().nullish();
const permitted = z.object({
  permissions: z
    .object({ admin: permission, maintain: permission, push: permission, triage: permission, pull: permission })
    .nullish(),
});
const roles = [
  { permission: 'admin', role: 'admin' },
  { permission: 'maintain', role: 'maintain' },
  { permission: 'push', role: 'write' },
  { permission: 'triage', role: 'triage' },
  { permission: 'pull', role: 'read' },
] as const;
const located = z.object({ full_name: z.string().regex(/^[^/]+\/[^/]+$/) });

function clientAs(connection: Connection, tokens: string | TokenSource, web_url: string): HostClient {
  const github = new GithubGraphql(clientOf(connection, tokens));
  const history = new HistoryReader(github, connection.now);
  return {
    viewer: () => readViewer(github),
    organizations: (wanted) => readOrganizations(github, wanted),
    repository: (owner, name) => readRepository(github, { owner, name }),
    repositoryById: async (id) => {
      const answer = await github.rest('GET /repositories/{id}', { id });
      const [owner = '', name = ''] = understand(located, answer.body, github.label).full_name.split('/');
      return readRepository(github, { owner, name });
    },
    roleIn: async (id, signal) => {
      const answer = await github.rest('GET /repositories/{id}', { id }, signal);
      const { permissions } = understand(permitted, answer.body, github.label);
      return roles.find(({ permission }) => permissions?.[permission] === true)?.role ?? null;
    },
    account: (named) => readAccount(github, named),
    sessionStarter: (of, number) => readSessionStarter(github, of, number),
    issueStarters: (_, node_id, agent, signal) => readIssueStarters(github, node_id, agent, signal),
    reviewThreads: (wanted, signal) => readThreads(github, wanted, signal),
    workflowRuns: (of, wanted, signal) => readWorkflowRuns(github, of, wanted, signal),
    workflowJobs: (of, run, signal) => readWorkflowJobs(github, of, run, signal),
    ownRepositories: () => readOwnRepositories(github, web_url),
    pullRequestCounts: (node_ids, signal) => readCounts(github, node_ids, signal),
    repositoriesNamed: (names, signal) => readNamed(github, names, signal),
    organizationTeams: (login, wanted, signal) => readOrganizationTeams(github, login, wanted, signal),
    administeredOrganization: (login) => readAdministered(github, login),
    readsAll: (node_ids, signal) => readsAll(github, node_ids, signal),
    pullRequests: (of, page) => history.page(of, page),
    changes: (of, cursor) => readChanges(github, of, cursor),
    openPullRequests: (of, page) => readOpen(github, of, page),
    look: (at, signal) => lookAt(github, at, signal),
    pullRequestsById: (of, node_ids, signal) => readByIds(github, of, node_ids, signal),
    pullRequest: (of, number, signal) => readByNumber(github, of, number, signal),
    pullRequestsOfCommit: (of, sha) => readNumbersOfCommit(github, of, sha),
    createWebhook: (of, hook, signal) => createWebhook(github, of, hook, signal),
    rateLimit: () => readRateLimit(github),
    usage: () => ({
      points: github.points,
      rate_limit: github.rate_limit,
      requests: { points: github.requests, rate_limit: github.request_limit },
    }),
    hostTime: () => github.host_time,
  };
}
