import { RestFailure } from '../http.ts';
import type { RepositoryState } from '../state/pull-request.ts';
import { fullName } from '../state/repository.ts';
import { type Affiliation, affiliationsOf, lastUpdateOf, repositoriesListed } from '../state/repository-lists.ts';
import { paged, type RestAsk, type RestRoute, repositoryIn, requireToken } from './ask.ts';

export const repositoryRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo',
    handle: (ask) => ({
      status: 200,
      headers: { 'x-accepted-oauth-scopes': 'repo' },
      body: ask.shapes.repository(repositoryIn(ask), ask.token?.account ?? null),
    }),
  },
  { method: 'GET', pattern: '/user/repos', handle: listOwn },
  {
    method: 'GET',
    pattern: '/meta',
    handle: () => ({
      status: 200,
      body: { verifiable_password_authentication: false, installed_version: '3.22.0', hooks: ['127.0.0.0/8'] },
    }),
  },
  { method: 'GET', pattern: '/versions', handle: () => ({ status: 200, body: ['2026-03-10', '2022-11-28'] }) },
];

const SORTS = ['created', 'updated', 'pushed', 'full_name'] as const;

/**
 * The repositories that the asker's account is affiliated with. Content of an organisation that demands single sign-on is left out,
 * and the header names the organisation (GitHub documentation, REST: repositories; authenticating to the REST API).
 */
function listOwn(ask: RestAsk) {
  const token = requireToken(ask);
  const { world, tokens, query } = ask;
  const wanted = (query.get('affiliation') ?? 'owner,collaborator,organization_member').split(',');
  const sort = (query.get('sort') ?? 'full_name') as (typeof SORTS)[number];
  if (!SORTS.includes(sort)) throw new RestFailure(422, 'Validation Failed');
  const direction = (query.get('direction') ?? (sort === 'full_name' ? 'asc' : 'desc')) === 'desc' ? -1 : 1;
  const listed = repositoriesListed(world, token).filter((repository) =>
    affiliationsOf(world, token.account, repository).some((has: Affiliation) => wanted.includes(has.toLowerCase())),
  );
  const key = (repository: RepositoryState) =>
    sort === 'full_name'
      ? fullName(repository).toLowerCase()
      : sort === 'created'
        ? repository.createdAt
        : lastUpdateOf(repository);
  const rows = listed
    .filter((repository) => tokens.passesSaml(token, repository))
    .sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : one.id - other.id) * direction);
  const closed = new Set(
    listed.filter((repository) => !tokens.passesSaml(token, repository)).map(({ owner }) => owner.id),
  );
  const answer = paged(ask, rows, (repository) => ask.shapes.repository(repository, token.account));
  const sso = closed.size === 0 ? {} : { 'x-github-sso': `partial-results; organizations=${[...closed].join(',')}` };
  return { ...answer, headers: { ...answer.headers, ...sso } };
}
