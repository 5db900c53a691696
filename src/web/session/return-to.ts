/** The place to go after signing in: a path of this site only, else the dashboard. */
export function returnTo(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])/.test(asked) && !/^\/login\b/.test(asked) ? asked : '/dashboard';
}
