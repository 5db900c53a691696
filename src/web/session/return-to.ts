import { leadsToSignIn } from '#domain/sign-in-page.ts';

/** The place to go after signing in: a path of this site only, else the dashboard. */
export function returnTo(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])/.test(asked) && !leadsToSignIn(asked) ? asked : '/dashboard';
}
