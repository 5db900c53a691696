import { iso } from '../../clock.ts';
import type { Commit } from '../../history.ts';
import { links } from '../../links.ts';
import { living } from '../../state/account.ts';
import { nodeId } from '../../state/node-ids.ts';
import type { CheckRunState, RepositoryState, StatusState } from '../../state/pull-request.ts';
import { connect, connectPositions, type PageArgs, timed } from '../connection.ts';
import type { Context } from '../context.ts';
import { HostFailure, refuseWithoutPullRequests } from '../failures.ts';
import type { Fields } from '../schema.ts';

/** A commit of a repository. `commit` is null for one of which only the id is known (a merge, one that a force push dropped). */
interface CommitNode {
  readonly typeName: 'Commit';
  readonly repository: RepositoryState;
  readonly sha: string;
  readonly commit: Commit | null;
}

interface Rollup {
  readonly typeName: 'StatusCheckRollup';
  readonly repository: RepositoryState;
  readonly sha: string;
  readonly contexts: readonly (CheckRunState | StatusState)[];
}

export function commitOf(repository: RepositoryState, sha: string): CommitNode {
  return { typeName: 'Commit', repository, sha, commit: null };
}

/** The checks of a commit; null when there are none. */
export function rollupOf(repository: RepositoryState, sha: string): Rollup | null {
  const { runs, statuses } = repository.checks.get(sha) ?? { runs: [], statuses: [] };
  if (runs.length === 0 && statuses.length === 0) return null;
  return { typeName: 'StatusCheckRollup', repository, sha, contexts: [...runs, ...statuses] };
}

function rollupState(rollup: Rollup): 'SUCCESS' | 'FAILURE' | 'ERROR' | 'PENDING' {
  const failed = ['FAILURE', 'CANCELLED', 'TIMED_OUT', 'ACTION_REQUIRED'];
  const states: string[] = rollup.contexts.map((one) =>
    one.typeName === 'CheckRun' ? (one.outcome ?? 'PENDING') : one.state,
  );
  if (states.some((state) => failed.includes(state))) return 'FAILURE';
  if (states.includes('ERROR')) return 'ERROR';
  return states.includes('PENDING') ? 'PENDING' : 'SUCCESS';
}

const statusOf = ({ outcome }: CheckRunState) => (outcome === null ? 'IN_PROGRESS' : 'COMPLETED');

const known = ({ commit, sha }: CommitNode): Commit => {
  if (commit === null)
    throw new HostFailure('NOT_FOUND', `The simulated host knows no more than the id of commit ${sha}.`);
  return commit;
};

const person = (kind: 'authored' | 'committed') => (node: CommitNode, _args: unknown, context: Context) => {
  const commit = known(node);
  const account = living(context.world.account(commit.account));
  return {
    name: commit.authorName,
    email: commit.authorEmail,
    date: iso(kind === 'authored' ? commit.authoredAt : commit.committedAt),
    user: account?.typeName === 'User' ? account : null,
    avatarUrl: account === null ? `${context.url}/avatars/0` : links.avatar(context.url, account),
  };
};

const headline = (node: CommitNode) => known(node).message.split('\n')[0] ?? '';

/** A fine-grained token has no permission for checks: the states can be read, the contexts can't. */
function contextsOf(rollup: Rollup, args: PageArgs, context: Context) {
  const page = connectPositions(rollup.contexts, args);
  const refused = context.token.kind === 'fine-grained';
  const runs = rollup.contexts.filter((one) => one.typeName === 'CheckRun').length;
  return {
    nodes: refused
      ? page.nodes.map(() => new HostFailure('FORBIDDEN', 'Resource not accessible by personal access token'))
      : page.nodes,
    edges: refused ? null : page.edges,
    totalCount: page.totalCount,
    pageInfo: page.pageInfo,
    checkRunCount: runs,
    statusContextCount: rollup.contexts.length - runs,
    checkRunCountsByState: countsOf(
      rollup.contexts.flatMap((one) => (one.typeName === 'CheckRun' ? (one.outcome ?? statusOf(one)) : [])),
    ),
    statusContextCountsByState: countsOf(
      rollup.contexts.flatMap((one) => (one.typeName === 'StatusContext' ? one.state : [])),
    ),
  };
}

function countsOf(states: readonly string[]): { state: string; count: number }[] {
  return [...new Set(states)].sort().map((state) => ({ state, count: states.filter((one) => one === state).length }));
}

export const commitAnswers: Record<string, Fields<never>> = {
  Commit: {
    id: (node: CommitNode) => nodeId('C', node.repository.id, node.sha),
    oid: (node: CommitNode) => node.sha,
    abbreviatedOid: (node: CommitNode) => node.sha.slice(0, 7),
    authoredDate: (node: CommitNode) => iso(known(node).authoredAt),
    committedDate: (node: CommitNode) => iso(known(node).committedAt),
    pushedDate: () => null,
    message: (node: CommitNode) => known(node).message,
    messageHeadline: headline,
    messageBody: (node: CommitNode) => known(node).message.split('\n').slice(2).join('\n'),
    url: (node: CommitNode, _args, { url }) => links.commit(url, node.repository, node.sha),
    author: person('authored'),
    committer: person('committed'),
    repository: (node: CommitNode) => node.repository,
    statusCheckRollup: (node: CommitNode) => rollupOf(node.repository, node.sha),
    associatedPullRequests: (node: CommitNode, args, { world, token }) => {
      refuseWithoutPullRequests(node.repository, token);
      const pulls = world.commitOf(node.repository, node.sha)?.pulls ?? [];
      return connect(
        timed(pulls, (pull) => [pull.createdAt, pull.id]),
        args as PageArgs,
      );
    },
  },
  StatusCheckRollup: {
    id: (rollup: Rollup) => nodeId('SCR', rollup.repository.id, rollup.sha),
    state: rollupState,
    commit: (rollup: Rollup, _args, { world }) => ({
      ...commitOf(rollup.repository, rollup.sha),
      commit: world.commitOf(rollup.repository, rollup.sha)?.commit ?? null,
    }),
    contexts: contextsOf,
  },
  CheckRun: {
    id: (run: CheckRunState) => nodeId('CR', run.repository.id, run.sha, run.id),
    databaseId: (run: CheckRunState) => (run.id < 2 ** 31 ? run.id : null),
    name: (run: CheckRunState) => run.name,
    status: statusOf,
    conclusion: (run: CheckRunState) => run.outcome,
    startedAt: (run: CheckRunState) => iso(run.startedAt),
    completedAt: (run: CheckRunState) => (run.completedAt === null ? null : iso(run.completedAt)),
    detailsUrl: (run: CheckRunState, _args, { url }) => `${links.repository(url, run.repository)}/runs/${run.id}`,
    url: (run: CheckRunState, _args, { url }) => `${links.repository(url, run.repository)}/runs/${run.id}`,
    repository: (run: CheckRunState) => run.repository,
    checkSuite: (run: CheckRunState) => run,
  },
  CheckSuite: {
    id: (run: CheckRunState) => nodeId('CS', run.repository.id, run.sha, run.app),
    app: (run: CheckRunState) => run.app,
    conclusion: (run: CheckRunState) => run.outcome,
    status: statusOf,
  },
  App: {
    id: (app: string) => nodeId('APP', app),
    slug: (app: string) => app.toLowerCase().replaceAll(' ', '-'),
    name: (app: string) => app,
  },
  StatusContext: {
    id: (status: StatusState) => nodeId('SC', status.repository.id, status.sha, status.id),
    context: (status: StatusState) => status.context,
    state: (status: StatusState) => status.state,
    createdAt: (status: StatusState) => iso(status.at),
    description: () => null,
    targetUrl: () => null,
    creator: (status: StatusState) => living(status.creator),
  },
};
