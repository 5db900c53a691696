import type { Kysely } from 'kysely';
import type { EndpointName } from '#contract/endpoints.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { type Handlers, handlerOf, mapHandlers } from './serve.ts';

/**
 * The handlers that `make` gives, over the shared database for everybody who has no marks of their own, and over a person's own view of
 * it (`lensOf`) for those who have.
 */
export function throughLenses<Name extends EndpointName>(
  context: Context,
  lensOf: (user_id: number) => Kysely<Database>,
  make: (context: Context) => Handlers<Name>,
): Handlers<Name> {
  const everybody = make(context);
  return mapHandlers(everybody, (name, handle) => (input) => {
    const { user } = input;
    if (user?.own_marks !== true) return handle(input);
    return handlerOf(make({ ...context, db: lensOf(user.id) }), name)(input);
  });
}
