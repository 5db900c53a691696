import { z } from 'zod';
import { HostError } from '../errors.ts';
import type { HostGrant, HostOAuth } from '../oauth.ts';
import { type Connection, sendAnonymously, sendAsApp } from './client.ts';

/** The app that people sign in with, as it is registered at the host. */
export interface GithubClient {
  readonly client_id: string;
  readonly client_secret: string;
  /** The GitHub App that this client belongs to; null for an OAuth app. */
  readonly app: { readonly id: string; readonly slug: string | null } | null;
}

/** What an OAuth app asks to be allowed. GitHub has no read-only scope for private repositories: that is what `repo` is for. */
const SCOPES = { all: 'repo read:org read:user user:email', public: 'read:org read:user user:email' };

const granted = z.object({
  access_token: z.string().min(1),
  scope: z.string().catch(''),
  expires_in: z.coerce.number().positive().nullish().catch(null),
  refresh_token: z.string().min(1).nullish().catch(null),
});
const declined = z.object({ error: z.string(), error_description: z.string().nullish() });

/**
 * Signing in by GitHub's web flow with PKCE, as an OAuth app or as a GitHub App, whose tokens hold the App's permissions instead of
 * scopes and usually expire (GitHub documentation, authorizing OAuth apps; generating a user access token for a GitHub App).
 * `web_url` is the host's address without a slash at its end. `isAccepted` says whether the host still takes a token.
 */
export function githubOAuth(
  connection: Connection,
  web_url: string,
  client: GithubClient,
  isAccepted: (token: string) => Promise<boolean>,
): HostOAuth {
  const { client_id, client_secret, app } = client;

  async function tokens(parameters: Record<string, string>): Promise<HostGrant> {
    const asked_at = connection.now().getTime();
    const { body } = await sendAnonymously(connection, `POST ${web_url}/login/oauth/access_token`, {
      client_id,
      client_secret,
      ...parameters,
    });
    // Errors arrive with status 200 too: the body decides.
    const refusal = declined.safeParse(body).data;
    if (refusal) {
      // Used, older than six months, or taken back: GitHub documents no difference.
      const kind = refusal.error === 'bad_refresh_token' ? 'unauthorized' : 'refused';
      throw new HostError(kind, refusal.error_description || `The host says ${refusal.error}.`);
    }
    const answer = granted.safeParse(body).data;
    if (!answer) throw new HostError('protocol', `${connection.label} signs in without giving an access token.`);
    const { access_token, scope, expires_in, refresh_token } = answer;
    return {
      token: access_token,
      scopes: app === null ? scope.split(/[\s,]+/).filter(Boolean) : null,
      expires_at: expires_in == null ? null : new Date(asked_at + expires_in * 1000),
      refresh_token: refresh_token ?? null,
    };
  }

  return {
    kind: app === null ? 'oauth_app' : 'github_app',
    client_id,
    install_url: app?.slug == null ? null : installUrl(web_url, app.slug),
    approval_url: app === null ? `${web_url}/settings/connections/applications/${client_id}` : null,

    authorizeUrl({ state, code_challenge, redirect_uri, access }) {
      const url = new URL(`${web_url}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id,
        redirect_uri,
        ...(app === null && { scope: SCOPES[access] }),
        state,
        code_challenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },

    exchange: ({ code, code_verifier, redirect_uri }) => tokens({ code, code_verifier, redirect_uri }),

    refresh: (refresh_token) => tokens({ grant_type: 'refresh_token', refresh_token }),

    async revoke(what, token) {
      try {
        await sendAsApp(connection, client, `DELETE /applications/{client_id}/${what}`, { access_token: token });
      } catch (error) {
        // GitHub lists 204 and 422 for these two and says nothing of a token that has ended before: not confirmed, so the token is tried.
        const declined = error instanceof HostError && (error.kind === 'not_found' || error.kind === 'refused');
        if (!declined || (await isAccepted(token))) throw error;
      }
    },
  };
}

/**
 * Where a GitHub App is installed (GitHub documentation, sharing your GitHub App). For Enterprise Cloud with data residency
 * (`SUBDOMAIN.ghe.com`) no address is documented: taken to be as on github.com.
 */
function installUrl(web_url: string, slug: string): string {
  const { hostname } = new URL(web_url);
  const cloud = hostname === 'github.com' || hostname.endsWith('.ghe.com');
  return `${web_url}/${cloud ? 'apps' : 'github-apps'}/${encodeURIComponent(slug)}/installations/new`;
}
