import type { PullRequestDetail } from '#contract/pull-requests.ts';
import type { Context, SignedIn } from '../context.ts';
import { tokenUseOf } from '../http/bearer.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { bothScopes, type Scope, scopeOf } from '../metrics/scope.ts';
import { type ExportSettings, exportPullRequests, exportSettings } from './export-pull-requests.ts';
import { listPullRequests, wholePullRequestList } from './list-pull-requests.ts';
import { type FoundRepository, findRepository, pullRequestDetail } from './pull-request-detail.ts';

/**
 * Fetches one pull request from the host with this user's token and stores it. Answers false when the host has none of that
 * number (any more); a failure of the host is thrown.
 */
export type RefreshPullRequest = (wanted: {
  readonly user_id: number;
  readonly repository_id: number;
  readonly number: number;
  readonly signal: AbortSignal;
}) => Promise<boolean>;

/** The calls about pull requests (docs/server.md#lists-and-searches, docs/metrics.md#one-pull-request). */
export function pullRequestRoutes(
  context: Pick<Context, 'db' | 'now'>,
  refresh: RefreshPullRequest,
  exporting: ExportSettings = exportSettings,
): Handlers<'listPullRequests' | 'exportPullRequests' | 'getPullRequest' | 'refreshPullRequest'> {
  const { db, now } = context;
  return {
    listPullRequests: async ({ user, query: { repository, team, team_as, ...request }, csv }) => {
      const scope = await scopeOf(db, user.id, repository, { team, team_as });
      return csv === undefined || csv.most === null
        ? await listPullRequests(db, scope, request, now())
        : await wholePullRequestList(db, scope, { ...request, limit: csv.most }, csv.page, now());
    },
    exportPullRequests: async ({ user, query }) => await exportPullRequests({ db, now, ...exporting }, user, query),
    getPullRequest: async ({ user, params: { repoOwner, repoName, prNumber }, request, gone }) => {
      const { scope, repository } = await connected(context, user, repoOwner, repoName);
      const stored = await storedDetail(context, user, scope, repository, prNumber);
      // A token reads what is stored: it asks the host for nothing in its owner's name.
      if (stored === null && tokenUseOf(request) !== null) throw notFound('PR not found');
      return stored ?? (await fetched(context, user, scope, repository, prNumber, refresh, gone));
    },
    refreshPullRequest: async ({ user, params: { repoOwner, repoName, prNumber }, gone }) => {
      const { scope, repository } = await connected(context, user, repoOwner, repoName);
      return await fetched(context, user, scope, repository, prNumber, refresh, gone);
    },
  };
}

async function connected(
  { db }: Pick<Context, 'db'>,
  user: SignedIn,
  owner: string,
  name: string,
): Promise<{ scope: Scope; repository: FoundRepository }> {
  const { all, counted } = await bothScopes(db, user.id);
  const repository = await findRepository(db, all, owner, name);
  if (repository === null) throw notFound('PR not found');
  if (counted?.repository_ids.includes(repository.id)) return { scope: counted, repository };
  // Its page compares it with others: not while these are being recounted.
  await scopeOf(db, user.id, repository.id);
  return { scope: await scopeOf(db, user.id), repository };
}

/** All its questions go over one connection, for which it waits once. */
async function storedDetail(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: SignedIn,
  scope: Scope,
  repository: FoundRepository,
  number: number,
): Promise<PullRequestDetail | null> {
  return await db
    .connection()
    .execute((one) => pullRequestDetail(one, scope, repository, number, now(), user.time_zone));
}

async function fetched(
  context: Pick<Context, 'db' | 'now'>,
  user: SignedIn,
  scope: Scope,
  repository: FoundRepository,
  number: number,
  refresh: RefreshPullRequest,
  signal: AbortSignal,
): Promise<PullRequestDetail> {
  const exists = await refresh({ user_id: user.id, repository_id: repository.id, number, signal });
  const detail = exists ? await storedDetail(context, user, scope, repository, number) : null;
  if (detail === null) throw notFound('PR not found');
  return detail;
}
