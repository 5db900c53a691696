import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type SecretBox, sealedAs } from '../secret-box.ts';

/** How long a person may take on the host's page, in seconds. */
export const STATE_SECONDS = 600;

const kept = z.object({ state: z.string(), verifier: z.string(), return_to: z.string(), expires_at: z.number() });

export interface SignInState {
  /** What the host has to bring back. */
  readonly state: string;
  /** PKCE: proves at the exchange that we are the ones who asked (RFC 7636). */
  readonly verifier: string;
  readonly return_to: string;
}

/** A new sign-in, and the same sealed for the browser's cookie: no server memory, so any process can finish it. */
export function newSignInState(box: SecretBox, return_to: string, now: Date): { state: SignInState; cookie: string } {
  const state = {
    state: randomBytes(32).toString('base64url'),
    verifier: randomBytes(32).toString('base64url'),
    return_to,
  };
  const expires_at = now.getTime() + STATE_SECONDS * 1000;
  return { state, cookie: box.seal(JSON.stringify({ ...state, expires_at }), sealedAs.signInState) };
}

/** The sign-in that this browser began and whose `state` the host brings back; null for any other. */
export function readSignInState(
  box: SecretBox,
  cookie: string | undefined,
  state: string | undefined,
  now: Date,
): SignInState | null {
  if (cookie === undefined || state === undefined) return null;
  let text: string;
  try {
    text = box.open(cookie, sealedAs.signInState);
  } catch {
    // Forged, or sealed with an earlier key: the sign-in has to begin anew.
    return null;
  }
  const found = kept.parse(JSON.parse(text));
  return found.expires_at > now.getTime() && same(found.state, state) ? found : null;
}

/** The S256 challenge of a verifier. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function same(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
