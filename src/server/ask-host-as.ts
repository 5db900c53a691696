import type { PersonalClient } from './context.ts';
import { HostError } from './host/errors.ts';
import { HttpError } from './http/errors.ts';

/** What asking the host in a person's name needs of `auth/credentials.ts`. */
export interface AskingDeps {
  readonly clientFor: (user_id: number) => Promise<PersonalClient | null>;
  readonly rejectToken: (user_id: number, grant_id: number) => Promise<boolean>;
}

/**
 * Asks the host with somebody's token. Where the host answers 401, what that means for them has happened before this fails.
 * @throws HttpError 422 without a token that the host accepts; whatever `ask` throws
 */
export async function askHostAs<T>(
  { clientFor, rejectToken }: AskingDeps,
  user_id: number,
  ask: (personal: PersonalClient) => Promise<T>,
): Promise<T> {
  const personal = await clientFor(user_id);
  if (personal === null)
    throw new HttpError('token_rejected', 'Sign in again: your access token is not accepted any more.');
  try {
    return await ask(personal);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw await confirmRejection({ rejectToken }, user_id, personal.grant_id, error);
  }
}

/**
 * Asks the host whether it rejects a credential of the user that it answered 401 to, with what that means for them, and returns the failure.
 * A 401 that the host does not repeat is a passing failure.
 */
export async function confirmRejection(
  { rejectToken }: Pick<AskingDeps, 'rejectToken'>,
  user_id: number,
  grant_id: number,
  error: HostError,
): Promise<HostError> {
  if (error.kind !== 'unauthorized' || (await rejectToken(user_id, grant_id))) return error;
  const sentence = 'Your access token was refused for the moment. Try again.';
  return new HostError('unavailable', sentence, { status: error.status, cause: error });
}
