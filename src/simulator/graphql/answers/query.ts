import { iso } from '../../clock.ts';
import type { TeamState } from '../../state/account.ts';
import { readNodeId } from '../../state/node-ids.ts';
import type { PullState, RepositoryState } from '../../state/pull-request.ts';
import { fullName } from '../../state/repository.ts';
import { maySee } from '../../tokens.ts';
import { connect, type PageArgs, timed } from '../connection.ts';
import type { Context } from '../context.ts';
import { HostFailure, refuseWithoutPullRequests } from '../failures.ts';
import type { Fields } from '../schema.ts';
import { commitOf, rollupOf } from './commits.ts';
import { refuseWithoutSso } from './repositories.ts';
import { seesReview } from './reviews.ts';
import { searchPullRequests } from './search.ts';

/** What a node id stands for, or null where there is nothing that the viewer may see. */
function findNode(id: string, context: Context): unknown {
  const read = readNodeId(id);
  if (read === null) return null;
  const { world, token } = context;
  const [first = '', second = ''] = read.parts;
  const number = Number(first);
  if (['U', 'BOT', 'M', 'O'].includes(read.prefix)) {
    const account = world.accounts.get(number);
    return account === undefined || account.deleted ? null : account;
  }
  if (read.prefix === 'T') {
    const isShown = (team: TeamState) => team.id === number && world.organizations.seesTeam(token.account, team);
    return world.organizations.teams.find(isShown) ?? null;
  }
  if (['R', 'C', 'SCR'].includes(read.prefix)) {
    const repository = world.repositories.get(number);
    if (repository === undefined || !maySee(token, repository)) return null;
    refuseWithoutSso(repository, context);
    if (read.prefix === 'R') return repository;
    if (read.prefix === 'SCR') return rollupOf(repository, second);
    const found = world.commitOf(repository, second);
    return found === null ? null : { ...commitOf(repository, second), commit: found.commit };
  }
  const pull = world.pulls.get(number);
  if (pull === undefined || !maySee(token, pull.repository)) return null;
  refuseWithoutSso(pull.repository, context);
  refuseWithoutPullRequests(pull.repository, token);
  return partOf(pull, read.prefix, Number(second), second, context);
}

function partOf(pull: PullState, prefix: string, id: number, text: string, { token }: Context): unknown {
  switch (prefix) {
    case 'PR':
      return pull;
    case 'PRR':
      return pull.reviews.find((review) => review.id === id && seesReview(review, token.account)) ?? null;
    case 'PRRT':
      return pull.threads.find((thread) => thread.id === id) ?? null;
    case 'PRRC':
      return pull.threads.flatMap(({ comments }) => comments).find((comment) => comment.id === id) ?? null;
    case 'IC':
      return pull.comments.find((comment) => comment.id === id) ?? null;
    case 'PURC':
      return pull.commits.find(({ commit }) => commit.sha === text) ?? null;
    case 'EV':
      return pull.events.find((event) => event.seq === id) ?? null;
    default:
      return null;
  }
}

function nodeOf(id: string, context: Context): unknown {
  const node = findNode(id, context);
  if (node === null) throw new HostFailure('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
  return node;
}

function repositoryOf(
  args: { owner?: string; name?: string; followRenames?: boolean | null },
  context: Context,
): RepositoryState {
  const { owner = '', name = '' } = args;
  const repository = context.world.repositoryNamed(owner, name);
  const renamed = repository !== null && fullName(repository).toLowerCase() !== `${owner}/${name}`.toLowerCase();
  if (repository === null || !maySee(context.token, repository) || (renamed && args.followRenames === false)) {
    throw new HostFailure('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
  }
  if (repository.blocked !== null) throw new HostFailure('FORBIDDEN', 'Repository access blocked');
  return repository;
}

const query: Fields<unknown> = {
  viewer: (_source, _args, { token }) => token.account,
  repository: (_source, args, context) => repositoryOf(args, context),
  node: (_source, args: { id?: string }, context) => nodeOf(args.id ?? '', context),
  nodes: (_source, args: { ids?: readonly string[] }, context) =>
    (args.ids ?? []).map((id) => {
      try {
        return nodeOf(id, context);
      } catch (error) {
        if (error instanceof HostFailure) return error;
        throw error;
      }
    }),
  user: (_source, args: { login?: string }, { world }) => {
    const account = world.accountNamed(args.login ?? '');
    if (account?.typeName === 'User') return account;
    throw new HostFailure('NOT_FOUND', `Could not resolve to a User with the login of '${args.login}'.`);
  },
  organization: (_source, args: { login?: string }, { world }) => {
    const account = world.accountNamed(args.login ?? '');
    if (account?.typeName === 'Organization') return account;
    throw new HostFailure('NOT_FOUND', `Could not resolve to an Organization with the login of '${args.login}'.`);
  },
  rateLimit: (_source, _args, { quota, price }) =>
    quota === null
      ? null
      : {
          cost: price.cost,
          limit: quota.limit,
          nodeCount: price.nodes,
          remaining: quota.remaining,
          used: quota.used,
          resetAt: iso(quota.resetAt),
        },
  search: (_source, args: PageArgs & { query?: string }, context) => {
    const { pulls, order, descending } = searchPullRequests(args.query ?? '', context);
    const listing = { ...timed(pulls, (pull: PullState) => [order(pull), pull.id] as const), descending };
    const page = connect(listing, args);
    return {
      nodes: page.nodes,
      edges: page.edges,
      pageInfo: page.pageInfo,
      issueCount: pulls.length,
      codeCount: 0,
      discussionCount: 0,
      repositoryCount: 0,
      userCount: 0,
      wikiCount: 0,
    };
  },
};

export const queryAnswers: Record<string, Fields<never>> = { Query: query };
