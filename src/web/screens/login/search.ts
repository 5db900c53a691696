import { type SignInError, signInErrors } from '#domain/sign-in-errors.ts';
import { type RawSearch, readOneOf, readText } from '../../url/url-state.ts';

/** What the sign-in page can be told: those of `signInErrors`, and that signing out did not reach the server. */
export type LoginProblem = SignInError | 'logout_failed' | 'unknown';

const problems: readonly LoginProblem[] = [...signInErrors, 'logout_failed'];

export interface LoginSearch {
  readonly error?: LoginProblem | undefined;
  /** Where to go after signing in; checked before use. */
  readonly return_to?: string | undefined;
  /** `public`: the sign-in that was refused asked for public repositories only. */
  readonly access?: 'public' | undefined;
  /** By which the log knows the request that failed. */
  readonly request_id?: string | undefined;
}

/** Reads `/login?error=…&return_to=…&access=…&request_id=…`; an error code that is not known stays an error. */
export function readLoginSearch(raw: RawSearch): LoginSearch {
  const told = readText(raw.error);
  return {
    error: told === undefined ? undefined : (readOneOf(told, problems) ?? 'unknown'),
    return_to: readText(raw.return_to),
    access: readOneOf(readText(raw.access) ?? '', ['public'] as const),
    // Anybody can write an address: no words of theirs are shown.
    request_id: /^[\da-f-]{1,36}$/.exec(readText(raw.request_id) ?? '')?.[0],
  };
}
