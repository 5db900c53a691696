/** Why a sign-in ended at `/login?error=<code>`; the login page words each. */
export const signInErrors = [
  'oauth_not_configured',
  'access_denied',
  'state_mismatch',
  'code_rejected',
  'token_rejected',
  'host_unavailable',
  /** The host did not say in time what a new token may read. */
  'host_busy',
  /** It may read less than the one in use, and nobody has asked to replace that. */
  'weaker_token',
  'not_allowed',
  /** Whether they may sign in is hidden by the single sign-on of an organisation. */
  'sso_required',
  'demo_not_ready',
  'demo_full',
  'too_many_requests',
  'disk_full',
  'session_expired',
] as const;
export type SignInError = (typeof signInErrors)[number];
