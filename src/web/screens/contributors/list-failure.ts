import { ApiError } from '../../api/client.ts';
import { causeOf } from '../../kit/error-state.tsx';

/**
 * The failure of the list in the words of docs/product.md#words-and-errors: 'Failed to fetch contributors: {statusText}', and after
 * it what the server itself said. Without an answer, or where the protocol carries no status text, its own words alone.
 */
export function listFailure(error: Error): Error {
  const said = causeOf(error);
  const statusText = error instanceof ApiError ? error.statusText : '';
  const words = statusText === '' || statusText === said ? said : `${statusText}. ${said}`;
  return new Error(`Failed to fetch contributors: ${words}`, { cause: error });
}
