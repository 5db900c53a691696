import type { Kysely } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import type { Database } from '../db/database.ts';
import { fromReplica, noteSeenUpToNow, type Replica, seenUpTo } from '../db/replica.ts';
import type { Log } from '../log.ts';
import { type Handlers, mapHandlers } from './serve.ts';

/** Stores what it does not find, and reads it back; leads from what was read to what changed since, by cursors that nothing may be late for. */
const ofThePrimary: ReadonlySet<EndpointName> = new Set(['getPullRequest', 'exportPullRequests']);
/** Whoever was answered by one of these has been told how far a sync is. */
const tellsOfSyncs: ReadonlySet<EndpointName> = new Set(['getSync', 'getSyncProgress']);

/** Questions of these handlers may be answered by the replica, unless the person has changed something that it has not heard of yet. */
export function answeredByReplica<Name extends EndpointName>(
  handlers: Handlers<Name>,
  replica: Replica | null,
  db: Kysely<Database>,
): Handlers<Name> {
  if (replica === null) return handlers;
  return mapHandlers(handlers, (name, handle) => {
    const { method, access }: Endpoint = endpoints[name];
    if (method !== 'GET' || access !== 'session' || ofThePrimary.has(name)) return handle;
    return async (input) => {
      const mayAnswer = replica.has(null) && replica.has(await seenUpTo(db, input.user!.id));
      return await (mayAnswer ? fromReplica(() => handle(input)) : handle(input));
    };
  });
}

/**
 * Whoever changes something with one of these handlers, or hears of a sync, sees that at once, whichever process they ask next. What was done is
 * answered as done also where that cannot be noted: then they see it when the replica has it.
 */
export function notingChanges<Name extends EndpointName>(
  handlers: Handlers<Name>,
  { replica, db, log }: { replica: Replica | null; db: Kysely<Database>; log: Log },
): Handlers<Name> {
  if (replica === null) return handlers;
  return mapHandlers(handlers, (name, handle) => {
    const { method, media, changesNothing }: Endpoint = endpoints[name];
    if (media === 'events' || changesNothing === true || (method === 'GET' && !tellsOfSyncs.has(name))) return handle;
    return async (input) => {
      try {
        return await handle(input);
      } finally {
        if (input.user !== null)
          await noteSeenUpToNow(db, [input.user.id]).catch((err: unknown) =>
            log.error({ err, call: name }, 'failed to note what a person has to see at once'),
          );
      }
    };
  });
}
