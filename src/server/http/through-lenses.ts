import type { Kysely } from 'kysely';
import type { EndpointName } from '#contract/endpoints.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Handlers } from './serve.ts';

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
  const each = (name: Name) => (input: { readonly user: SignedIn | null }) => {
    const { user } = input;
    const handlers = user?.own_marks === true ? make({ ...context, db: lensOf(user.id) }) : everybody;
    // Each handler fits its own entry; over all of them TypeScript sees only that there is one.
    return (handlers[name] as unknown as (input: object) => unknown)(input);
  };
  const names = Object.keys(everybody) as Name[];
  return Object.fromEntries(names.map((name) => [name, each(name)])) as unknown as Handlers<Name>;
}
