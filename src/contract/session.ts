import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const user = z.object({
  id: z.number().int(),
  github_username: z.string(),
  email: z.string().nullable(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  /** The host's name for people, e.g. `GitHub` or `demo`. */
  host: z.string(),
  /** IANA name; days and business hours are this zone's. */
  time_zone: z.string(),
});
export type User = z.infer<typeof user>;

/** Why a sign-in ended at `/login?error=<code>`; the login page words each. */
export const signInErrors = [
  'oauth_not_configured',
  'access_denied',
  'state_mismatch',
  'code_rejected',
  'token_rejected',
  'host_unavailable',
  'not_allowed',
  'demo_not_ready',
  'session_expired',
] as const;
export type SignInError = (typeof signInErrors)[number];

export const signInOptions = z.object({
  oauth: z.boolean(),
  token: z.boolean(),
  demo: z.boolean(),
  /** The name to show for {host}. */
  host: z.string(),
  host_url: z.string(),
});
export type SignInOptions = z.infer<typeof signInOptions>;

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/me',
  summary: 'Who is signed in; 401 without a session.',
  access: 'session',
  status: 200,
  answer: user,
});

export const updateSession = endpoint({
  method: 'PATCH',
  path: '/auth/me',
  summary: 'Changes the time zone in which days and business hours are counted.',
  access: 'session',
  status: 200,
  body: z.object({ time_zone: z.string().min(1) }),
  answer: user,
});

export const getSignInOptions = endpoint({
  method: 'GET',
  path: '/auth/options',
  summary: 'The ways to sign in that this server offers.',
  access: 'public',
  status: 200,
  answer: signInOptions,
});

export const signInWithToken = endpoint({
  method: 'POST',
  path: '/auth/token',
  summary: 'Signs in with a personal access token of the host.',
  access: 'public',
  status: 200,
  body: z.object({ token: z.string().trim().min(1, 'Paste a personal access token.') }),
  answer: user,
});

export const signInToDemo = endpoint({
  method: 'POST',
  path: '/auth/demo',
  summary: 'Opens a session on the built-in demo host.',
  access: 'public',
  status: 200,
  answer: user,
});

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Ends the session; also without one.',
  access: 'public',
  status: 204,
});
