import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { confirmRejection } from '../ask-host-as.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { StoredListedRepository } from '../db/listed-repository.ts';
import { HostError } from '../host/errors.ts';
import { httpErrorOf } from '../http/answer-error.ts';
import { HttpError } from '../http/errors.ts';
import type { ConnectDeps, RepositoryAnswer } from './connect.ts';

/** What a person's token lists at the host, as it was read at one moment. */
export type OwnList = Selectable<Database['repository_lists']>;

/** A repository of such a list, and when the host was asked for the list. */
export type DatedListedRepository = StoredListedRepository & { readonly read_at: Date };

/** The repositories of a list, by a key of each. */
export function repositoriesBy(
  { repositories, read_at }: Pick<OwnList, 'repositories' | 'read_at'>,
  keyOf: (repository: StoredListedRepository) => string,
): ReadonlyMap<string, DatedListedRepository> {
  return new Map(repositories.map((repository) => [keyOf(repository), { ...repository, read_at }]));
}

/**
 * Whether the list shows that its credential may read the repository's pull requests, as every one may of a public repository: a host lists
 * private ones to whoever may read no more than their metadata, too, and then leaves out the count of their pull requests.
 */
export function isReadable(repository: StoredListedRepository): boolean {
  return !repository.private || repository.pull_requests !== null;
}

/** What the host told the credential that the list was read with. */
export function answerOf(repository: DatedListedRepository, grant_id: number): RepositoryAnswer {
  const is_readable = isReadable(repository);
  return { repository, grant_id, asked_at: repository.read_at, is_listed: true, is_readable };
}

type ListDeps = Pick<ConnectDeps, 'db' | 'clientFor' | 'rejectToken' | 'now'> & {
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
};

/** A list is believed for five minutes, and one that is paged through is finished as it was for as long after its last use, in milliseconds. */
export const FRESH_FOR = 5 * 60_000;
/** It is read from the host again at most this often, in milliseconds. */
const SECONDS_BETWEEN_READINGS = 30;

/**
 * The list of a person as read within the last five minutes, else now; `refresh` reads it now in any case.
 * @throws HttpError 429 where it was read within 30 seconds already, 422 without a token that the host accepts, as `httpErrorOf` where the
 *   host fails otherwise
 */
export async function ownList(
  deps: ListDeps,
  user: { readonly id: number; readonly host: string },
  refresh = false,
): Promise<OwnList> {
  const { db, now } = deps;
  const personal = await deps.clientFor(user.id);
  if (personal === null) throw rejected(deps, user.host);
  const newest = await db
    .selectFrom('repository_lists')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('grant_id', '=', personal.grant_id)
    .orderBy('read_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const age = newest === undefined ? null : now().getTime() - newest.read_at.getTime();
  // A reading in the future is one of before the clock was set back.
  const isYoungerThan = (limit: number) => age !== null && age >= 0 && age < limit;
  if (refresh && isYoungerThan(SECONDS_BETWEEN_READINGS * 1000)) {
    const retry_after = Math.ceil(SECONDS_BETWEEN_READINGS - age! / 1000);
    throw new HttpError('too_many_requests', `The list was read a moment ago. Try again in ${retry_after} s.`, {
      retry_after,
    });
  }
  if (!refresh && isYoungerThan(FRESH_FOR)) return await used(db, newest!, now());
  // Screens ask for several lists at the same time.
  const readings = readingsOf.get(db) ?? new Map<number, Promise<OwnList>>();
  readingsOf.set(db, readings);
  const underWay = readings.get(personal.grant_id);
  if (underWay !== undefined) return await underWay;
  const reading = readNow(deps, user, personal).finally(() => readings.delete(personal.grant_id));
  readings.set(personal.grant_id, reading);
  return await reading;
}

/** Readings that are under way in this process, by the database and the credential. */
const readingsOf = new WeakMap<Kysely<Database>, Map<number, Promise<OwnList>>>();

/** The list of that id if it is this person's and still kept; null otherwise. */
export async function listOfPage(
  { db, now }: Pick<ListDeps, 'db' | 'now'>,
  user_id: number,
  id: string,
): Promise<OwnList | null> {
  const list = await db
    .selectFrom('repository_lists as l')
    .innerJoin('credentials as k', (join) =>
      join.onRef('k.user_id', '=', 'l.user_id').onRef('k.grant_id', '=', 'l.grant_id'),
    )
    .selectAll('l')
    .where('l.id', '=', id)
    .where('l.user_id', '=', user_id)
    .where('l.used_at', '>', new Date(now().getTime() - FRESH_FOR))
    .executeTakeFirst();
  return list === undefined ? null : await used(db, list, now());
}

/** Deletes lists that nobody pages through any more. */
export async function forgetOldLists(db: Kysely<Database>, now: Date): Promise<void> {
  await db
    .deleteFrom('repository_lists')
    .where(({ or, eb }) =>
      or([
        eb('used_at', '<', new Date(now.getTime() - FRESH_FOR)),
        eb('used_at', '>', new Date(now.getTime() + FRESH_FOR)),
      ]),
    )
    .execute();
}

async function used(db: Kysely<Database>, list: OwnList, now: Date): Promise<OwnList> {
  await db.updateTable('repository_lists').set({ used_at: now }).where('id', '=', list.id).execute();
  return list;
}

async function readNow(
  deps: ListDeps,
  user: { readonly id: number; readonly host: string },
  { client, grant_id }: PersonalClient,
): Promise<OwnList> {
  const { db, now } = deps;
  const read_at = now();
  try {
    const { repositories, unlisted } = await client.ownRepositories();
    const counts = await client.pullRequestCounts(
      repositories.map(({ node_id }) => node_id),
      AbortSignal.timeout(60_000),
    );
    const at = now();
    const rows = repositories.map((repository) => ({
      ...repository,
      pushed_at: repository.pushed_at?.toISOString() ?? null,
      pull_requests: counts.get(repository.node_id) ?? null,
    }));
    return await db.transaction().execute(async (within) => {
      await forgetOldLists(within, at);
      return await within
        .insertInto('repository_lists')
        .values({
          ...{ id: randomUUID(), user_id: user.id, grant_id, read_at, used_at: at },
          ...{ repositories: JSON.stringify(rows), unlisted: JSON.stringify(unlisted) },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    const error = await confirmRejection(deps, user.id, grant_id, thrown);
    if (error.kind === 'unauthorized') throw rejected(deps, user.host, error);
    throw httpErrorOf(error, now(), 'Failed to list your repositories: ');
  }
}

function rejected(deps: ListDeps, host: string, cause?: unknown): HttpError {
  return new HttpError(
    'token_rejected',
    `Sign in again: ${deps.hostLabel(host)} does not accept your access token any more.`,
    { cause },
  );
}
