import type { LoginProblem } from './search.ts';

/** What happened, what became of the data and what to do, for every way a sign-in can end. */
export function wordsFor(problem: LoginProblem, host: string, requestId?: string): string {
  const words: Readonly<Record<LoginProblem, string>> = {
    oauth_not_configured: `Signing in with ${host} is not set up on this server. Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET to switch it on.`,
    access_denied: `${host} did not confirm the sign-in. Nothing was saved. Please try again.`,
    state_mismatch: 'This sign-in was started in another window or took too long. Nothing was saved. Please try again.',
    code_rejected: `${host} did not accept the sign-in. It may have taken too long. Nothing was saved. Please try again.`,
    token_rejected: `${host} did not accept this token. It may have expired. Paste a new one.`,
    host_unavailable: `${host} did not answer. Nothing was saved. Please try again in a few minutes.`,
    host_busy: `${host} did not say what this token may read. Nothing was changed. Please try again in a moment.`,
    weaker_token: 'This token may read less than the one in use. Replace it?',
    not_allowed: `Your ${host} account may not sign in to this installation. Ask whoever runs it to add you.`,
    sso_required: `Your organization requires single sign-on. Nothing was saved. Sign in to it on ${host}, authorize the access, then try again.`,
    demo_not_ready: 'The demo is still being prepared. Please try again in a moment.',
    demo_full: 'Very many people view the demo at the moment. Please try again in some minutes.',
    too_many_requests: 'Too many tries from your address. Nothing was saved. Please try again in a minute.',
    disk_full:
      'The disk is full: this server can store nothing at the moment. Nothing was saved. Ask whoever runs it to make room, then try again.',
    session_expired: 'Your session has ended. Sign in again to go on where you were.',
    logout_failed:
      'Logout failed. The server did not answer, so your session there may still be open. Sign in and log out again.',
    unknown: `Login failed. Nothing was saved. Please try again.${requestId === undefined ? '' : ` Request ${requestId}.`}`,
  };
  return words[problem];
}
