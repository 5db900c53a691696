import { z } from 'zod';
import { HostError, type HostOAuth } from '../host.ts';
import { type Connection, sendAnonymously } from './client.ts';

/** What the product asks to be allowed (server specification, section 3). */
const SCOPES = 'repo read:org read:user user:email';

const granted = z.object({ access_token: z.string().min(1), scope: z.string().catch('') });
const declined = z.object({ error: z.string(), error_description: z.string().nullish() });

/**
 * Signing in by GitHub's web flow with PKCE (GitHub documentation, authorizing OAuth apps). `web_url` is the host's
 * address without a slash at its end.
 */
export function githubOAuth(
  connection: Connection,
  web_url: string,
  app: { client_id: string; client_secret: string },
): HostOAuth {
  return {
    authorizeUrl({ state, code_challenge, redirect_uri }) {
      const url = new URL(`${web_url}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: app.client_id,
        redirect_uri,
        scope: SCOPES,
        state,
        code_challenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },

    async exchange({ code, code_verifier, redirect_uri }) {
      const { body } = await sendAnonymously(connection, `POST ${web_url}/login/oauth/access_token`, {
        ...app,
        code,
        code_verifier,
        redirect_uri,
      });
      // Errors arrive with status 200 too: the body decides.
      const refusal = declined.safeParse(body);
      if (refusal.success) {
        throw new HostError('refused', refusal.data.error_description || `The host says ${refusal.data.error}.`);
      }
      const answer = granted.safeParse(body);
      if (!answer.success)
        throw new HostError('protocol', `${connection.label} signs in without giving an access token.`);
      return { token: answer.data.access_token, scopes: answer.data.scope.split(/[\s,]+/).filter(Boolean) };
    },
  };
}
