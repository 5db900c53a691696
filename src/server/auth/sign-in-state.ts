import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type SecretBox, sealedAs } from '../secret-box.ts';

/** Between the sign-ins of one browser's cookie, each of which has a window of its own; in no sealed text. */
const BETWEEN = '~';
/** Browsers drop a cookie above 4,096 bytes, its name and attributes among them. */
const MOST_OF_A_COOKIE = 3800;

/** How long a person may take on the host's page, in seconds. */
export const STATE_SECONDS = 600;

const kept = z.object({
  state: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  access: z.enum(['all', 'public']),
  replace: z.boolean(),
  time_zone: z.string().nullable().default(null),
  expires_at: z.number(),
});

export interface SignInState {
  /** What the host has to bring back. */
  readonly state: string;
  /** PKCE: proves at the exchange that we are the ones who asked (RFC 7636). */
  readonly verifier: string;
  readonly return_to: string;
  /** Which repositories an OAuth app asked to read. */
  readonly access: 'all' | 'public';
  /** The token is wanted also where it reads less than the one in use. */
  readonly replace: boolean;
  /** The browser's, as it told; null where it did not. */
  readonly time_zone: string | null;
}

/** What a person wants of a sign-in. */
export type SignInWish = Pick<SignInState, 'return_to' | 'access' | 'replace' | 'time_zone'>;

/**
 * A new sign-in, and the same sealed for the browser's cookie: no server memory, so any process can finish it. Of those that the cookie
 * has `before`, begun in other windows, the latest stay, as many as there is room for.
 */
export function newSignInState(
  box: SecretBox,
  wish: SignInWish,
  now: Date,
  before: string | undefined,
): { state: SignInState; cookie: string } {
  const state = {
    state: randomBytes(32).toString('base64url'),
    verifier: randomBytes(32).toString('base64url'),
    ...wish,
  };
  const expires_at = now.getTime() + STATE_SECONDS * 1000;
  const sealed = box.seal(JSON.stringify({ ...state, expires_at }), sealedAs.signInState);
  const all = [...(before?.split(BETWEEN) ?? []), sealed];
  while (all.length > 1 && all.join(BETWEEN).length > MOST_OF_A_COOKIE) all.shift();
  return { state, cookie: all.join(BETWEEN) };
}

/** The sign-in that this browser began and whose `state` the host brings back, and the cookie without it; null for any other. */
export function takeSignInState(
  box: SecretBox,
  cookie: string | undefined,
  state: string | undefined,
  now: Date,
): { state: SignInState; rest: string } | null {
  if (cookie === undefined || state === undefined) return null;
  const all = cookie.split(BETWEEN);
  for (const sealed of all) {
    const found = readSignInState(box, sealed, state, now);
    if (found !== null) return { state: found, rest: all.filter((other) => other !== sealed).join(BETWEEN) };
  }
  return null;
}

function readSignInState(box: SecretBox, sealed: string, state: string, now: Date): SignInState | null {
  const text = box.openOrNull(sealed, sealedAs.signInState);
  // Forged, or sealed with an earlier key: the sign-in has to begin again.
  if (text === null) return null;
  const found = kept.safeParse(JSON.parse(text)).data;
  if (found === undefined) return null;
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
