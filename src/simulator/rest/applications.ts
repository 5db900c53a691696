import type { GithubApp } from '../github-app.ts';
import { RestFailure, readJson } from '../http.ts';
import type { Token } from '../tokens.ts';
import { type RestAsk, type RestRoute, requireToken } from './ask.ts';

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly app: GithubApp;
}

/**
 * What an app may do with the tokens that it was given, by basic auth with its id and secret (GitHub documentation, REST: OAuth
 * authorizations). What GitHub says to a token that is none any more is not documented for the two that delete: 422 is listed, the
 * check says 404.
 */
export function applicationRoutes({ clientId, clientSecret, app }: Client): readonly RestRoute[] {
  const tokenIn = (ask: RestAsk): Token | null => {
    const given = /^basic +(\S+)$/i.exec(ask.headers.authorization ?? '')?.[1] ?? '';
    if (Buffer.from(given, 'base64').toString() !== `${clientId}:${clientSecret}`)
      throw new RestFailure(401, 'Bad credentials');
    if (ask.params.client !== clientId) throw new RestFailure(404, 'Not Found');
    const { access_token } = (readJson(ask) ?? {}) as { access_token?: unknown };
    const token = typeof access_token === 'string' ? ask.tokens.read(access_token) : null;
    return token !== null && (token.kind === 'oauth' || token.kind === 'app') ? token : null;
  };
  const owned = (ask: RestAsk): Token => {
    const token = tokenIn(ask);
    if (token === null) throw new RestFailure(422, 'Validation Failed');
    return token;
  };
  return [
    {
      method: 'POST',
      pattern: '/applications/:client/token',
      handle: (ask) => {
        const token = tokenIn(ask);
        if (token === null) throw new RestFailure(404, 'Not Found');
        return {
          status: 200,
          body: { token: token.value, scopes: token.scopes, user: ask.shapes.user(token.account) },
        };
      },
    },
    {
      method: 'DELETE',
      pattern: '/applications/:client/token',
      handle: (ask) => {
        ask.tokens.revoke(owned(ask).value);
        return { status: 204, body: null };
      },
    },
    {
      method: 'DELETE',
      pattern: '/applications/:client/grant',
      handle: (ask) => {
        app.revoke(owned(ask).account);
        return { status: 204, body: null };
      },
    },
    {
      method: 'GET',
      pattern: '/user/installations',
      handle: (ask) => {
        const { kind, account } = requireToken(ask);
        if (kind !== 'app' || app.registered === null)
          throw new RestFailure(
            403,
            'You must authenticate with an access token authorized to a GitHub App in order to list installations',
          );
        const { id, slug } = app.registered;
        const key = account.login.toLowerCase();
        const owners = new Set(
          [...ask.world.repositories.values()]
            .filter(
              (repository) =>
                app.installedOn(repository) &&
                (repository.readers.has(key) || repository.admins.has(key) || repository.owner === account),
            )
            .map(({ owner }) => owner),
        );
        const installations = [...owners].map((owner) => ({
          id: owner.id,
          account: ask.shapes.user(owner),
          app_id: id,
          app_slug: slug,
        }));
        return { status: 200, body: { total_count: installations.length, installations } };
      },
    },
  ];
}
