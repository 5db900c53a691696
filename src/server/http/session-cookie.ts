/**
 * The name of the cookie that holds a session. By https the browser takes it from this very host alone and sends it by https alone
 * (the `__Host-` prefix of the Set-Cookie header).
 */
export function sessionCookieOf(public_url: string): string {
  return public_url.startsWith('https:') ? '__Host-mergelight' : 'session';
}
