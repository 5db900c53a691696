import { iso } from '../../clock.ts';
import { links } from '../../links.ts';
import { nodeId } from '../../state/node-ids.ts';
import type { PullState, RepositoryState } from '../../state/pull-request.ts';
import { fullName } from '../../state/repository.ts';
import { lastUpdateOf } from '../../state/repository-lists.ts';
import { type Connection, connect, connectPositions, type PageArgs } from '../connection.ts';
import type { Context } from '../context.ts';
import { HostFailure, refuseWithoutContents, refuseWithoutPullRequests } from '../failures.ts';
import type { Fields } from '../schema.ts';
import { commitOf } from './commits.ts';

interface PullRequestsArgs extends PageArgs {
  readonly states?: readonly PullState['state'][] | null;
  readonly orderBy?: {
    readonly field: 'CREATED_AT' | 'UPDATED_AT' | 'COMMENTS';
    readonly direction: 'ASC' | 'DESC';
  } | null;
  readonly labels?: readonly string[] | null;
  readonly baseRefName?: string | null;
  readonly headRefName?: string | null;
}

/** Content of an organisation that demands single sign-on, for a token that isn't authorised. */
export function refuseWithoutSso(repository: RepositoryState, { tokens, token }: Context): void {
  if (tokens.passesSaml(token, repository)) return;
  const kind = token.kind === 'oauth' ? 'OAuth token' : 'Personal Access Token';
  throw new HostFailure(
    'FORBIDDEN',
    `Resource protected by organization SAML enforcement. You must grant your ${kind} access to this organization.`,
    { saml_failure: true },
  );
}

/** Ordered pages of a repository's pull requests; the order is by creation, oldest first, unless another is asked for. */
function pullRequestsOf(repository: RepositoryState, args: PullRequestsArgs): Connection<PullState> {
  const field = args.orderBy?.field ?? 'CREATED_AT';
  const keep = keeper(args);
  let pulls = field === 'UPDATED_AT' ? repository.byUpdate.all() : repository.byCreation.all();
  if (field === 'COMMENTS') {
    pulls = [...pulls].sort((one, other) => one.comments.length - other.comments.length || one.id - other.id);
  }
  const key = (pull: PullState): readonly [number, number] => {
    if (field === 'COMMENTS') return [pull.comments.length, pull.id];
    return [field === 'UPDATED_AT' ? pull.updatedAt : pull.createdAt, pull.id];
  };
  return connect<PullState>(
    {
      length: pulls.length,
      at: (index) => pulls[index] as PullState,
      key,
      values: field === 'COMMENTS' ? 'numbers' : 'times',
      descending: args.orderBy?.direction === 'DESC',
      ...(keep === null ? {} : { keep }),
      total: () => {
        if (keep === null) return pulls.length;
        if (args.labels == null && args.baseRefName == null && args.headRefName == null) {
          return [...new Set(args.states ?? [])].reduce((sum, state) => sum + repository.counts[state], 0);
        }
        return pulls.filter(keep).length;
      },
    },
    args,
  );
}

function keeper({ states, labels, baseRefName, headRefName }: PullRequestsArgs): ((pull: PullState) => boolean) | null {
  if (states == null && labels == null && baseRefName == null && headRefName == null) return null;
  return (pull) =>
    (states == null || states.includes(pull.state)) &&
    (labels == null || pull.labels.some((label) => labels.includes(label))) &&
    (baseRefName == null || pull.baseRef === baseRefName) &&
    (headRefName == null || pull.headRef === headRefName);
}

const repository: Fields<RepositoryState> = {
  id: (source) => source.nodeId,
  databaseId: (source) => source.id,
  name: (source) => source.name,
  nameWithOwner: fullName,
  owner: (source) => source.owner,
  description: () => null,
  url: (source, _args, { url }) => links.repository(url, source),
  resourcePath: (source) => links.repository('', source),
  isPrivate: (source) => source.private,
  visibility: (source) => (source.private ? 'PRIVATE' : 'PUBLIC'),
  isFork: (source) => source.fork,
  isArchived: (source) => source.archived,
  isDisabled: (source) => source.blocked !== null,
  isLocked: () => false,
  isEmpty: (source) => source.byNumber.size === 0,
  lockReason: () => null,
  viewerPermission: (source, _args, { token }) =>
    source.admins.has(token.account.login.toLowerCase()) || source.owner === token.account ? 'ADMIN' : 'READ',
  defaultBranchRef: (source, _args, { token }) => {
    refuseWithoutContents(source, token);
    return { typeName: 'Ref', repository: source, name: source.defaultBranch };
  },
  createdAt: (source) => iso(source.createdAt),
  updatedAt: (source) => iso(lastUpdateOf(source)),
  pushedAt: (source) => iso(lastUpdateOf(source)),
  pullRequests: (source, args: PullRequestsArgs, context) => {
    refuseWithoutSso(source, context);
    refuseWithoutPullRequests(source, context.token);
    return pullRequestsOf(source, args);
  },
  pullRequest: (source, args: { readonly number?: number }, context) => {
    refuseWithoutSso(source, context);
    refuseWithoutPullRequests(source, context.token);
    const pull = source.byNumber.get(args.number ?? 0);
    if (pull === undefined) {
      throw new HostFailure('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${args.number}.`);
    }
    return pull;
  },
  object: (source, args: { readonly oid?: string | null }, context) => {
    refuseWithoutSso(source, context);
    refuseWithoutContents(source, context.token);
    const found = args.oid == null ? null : context.world.commitOf(source, args.oid);
    return found === null ? null : { ...commitOf(source, found.commit.sha), commit: found.commit };
  },
  labels: (source, args: PageArgs) => {
    const names = new Set(source.byCreation.all().flatMap(({ labels }) => labels));
    const first = source.byCreation.all()[0];
    return connectPositions(
      first === undefined ? [] : [...names].map((name) => ({ typeName: 'Label', name, pull: first })),
      args,
    );
  },
};

export const repositoryAnswers: Record<string, Fields<never>> = {
  Repository: repository,
  Ref: {
    id: (ref: { repository: RepositoryState; name: string }) => nodeId('REF', ref.repository.id, ref.name),
    name: (ref: { repository: RepositoryState; name: string }) => ref.name,
    prefix: () => 'refs/heads/',
    repository: (ref: { repository: RepositoryState; name: string }) => ref.repository,
  },
};
