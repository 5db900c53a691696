import type { Answer, Ask, Route } from '../http.ts';
import { RestFailure } from '../http.ts';
import type { PullState, RepositoryState } from '../state/pull-request.ts';
import { fullName } from '../state/repository.ts';
import { isApproved } from '../state/repository-lists.ts';
import type { WorldState } from '../state/world-state.ts';
import { mayReadPullRequests, maySee, notAccessibleBy, type Token, type Tokens } from '../tokens.ts';
import type { Shapes } from './shapes.ts';

/** What a REST route answers from. */
export interface RestAsk extends Ask {
  readonly params: Readonly<Record<string, string>>;
  /** Null without a token: then only what is public can be seen. */
  readonly token: Token | null;
  readonly tokens: Tokens;
  readonly world: WorldState;
  readonly shapes: Shapes;
  readonly now: number;
  /** The address of the API as it was asked, for links to further pages. */
  readonly api: string;
}

export type RestRoute = Route<(ask: RestAsk) => Answer | Promise<Answer>>;

/** @throws RestFailure 401 without a token */
export function requireToken(ask: RestAsk): Token {
  if (ask.token === null) throw new RestFailure(401, 'Requires authentication');
  return ask.token;
}

/**
 * The repository in the path, with the answers that stand in the way: 404 hidden, 301 or 307 renamed, 451 or 403 blocked, 403 single
 * sign-on (GitHub documentation, troubleshooting the REST API).
 */
export function repositoryIn(ask: RestAsk): RepositoryState {
  const { owner, repo, id } = ask.params;
  const repository =
    id === undefined
      ? ask.world.repositoryNamed(owner ?? '', repo ?? '')
      : (ask.world.repositories.get(Number(id)) ?? null);
  if (repository === null || !maySee(ask.token, repository)) throw new RestFailure(404, 'Not Found');
  if (id === undefined && fullName(repository).toLowerCase() !== `${owner}/${repo}`.toLowerCase()) {
    const rest = ask.path.split('/').slice(4).join('/');
    const location = `${ask.api}/repositories/${repository.id}${rest === '' ? '' : `/${rest}`}`;
    throw new RestFailure(ask.method === 'GET' ? 301 : 307, 'Moved Permanently', { url: location }, { location });
  }
  if (repository.blocked !== null) {
    const block = { reason: repository.blocked, created_at: '2026-04-22T17:53:56Z', html_url: `${ask.api}/blocked` };
    throw new RestFailure(repository.blocked === 'dmca' ? 451 : 403, 'Repository access blocked', { block });
  }
  if (repository.private && ask.token !== null && !isApproved(ask.world, ask.token, repository)) {
    throw new RestFailure(
      403,
      `Although you appear to have the correct authorization credentials, the \`${repository.owner.login}\` organization has enabled OAuth App access restrictions, meaning that data access to third-parties is limited.`,
    );
  }
  if (!ask.tokens.passesSaml(ask.token, repository)) {
    const url = `${ask.api.replace(/\/api\/v3$/, '')}/orgs/${repository.owner.login}/sso?authorization_request=simulated`;
    throw new RestFailure(
      403,
      'Resource protected by organization SAML enforcement. You must grant your token access to this organization.',
      {},
      { 'x-github-sso': `required; url=${url}` },
    );
  }
  return repository;
}

/** The repository in the path; 403 for a token without the permission for its pull requests. */
export function repositoryOfPullsIn(ask: RestAsk): RepositoryState {
  const repository = repositoryIn(ask);
  if (mayReadPullRequests(ask.token, repository)) return repository;
  throw new RestFailure(403, notAccessibleBy(ask.token), {}, { 'x-accepted-github-permissions': 'pull_requests=read' });
}

export function pullIn(ask: RestAsk): PullState {
  const pull = repositoryOfPullsIn(ask).byNumber.get(Number(ask.params.number));
  if (pull === undefined) throw new RestFailure(404, 'Not Found');
  return pull;
}

/** One page of rows with its `Link` header; `per_page` up to 100, 30 when not said. `cap` bounds what the host lists at all. */
export function paged<T>(
  ask: RestAsk,
  rows: readonly T[],
  shape: (row: T) => unknown,
  cap = Number.POSITIVE_INFINITY,
): Answer {
  const listed = Math.min(rows.length, cap);
  const perPage = Math.min(100, Math.max(1, Number(ask.query.get('per_page') ?? 30) || 30));
  const page = Math.max(1, Number(ask.query.get('page') ?? 1) || 1);
  const last = Math.max(1, Math.ceil(listed / perPage));
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams(ask.query);
    query.set('page', String(to));
    return `<${ask.api}${ask.path}?${query}>; rel="${rel}"`;
  };
  const found = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    status: 200,
    ...(found.length === 0 ? {} : { headers: { link: found.join(', ') } }),
    body: rows.slice((page - 1) * perPage, Math.min(page * perPage, listed)).map(shape),
  };
}
