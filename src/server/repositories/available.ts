import { type Kysely, sql } from 'kysely';
import type { AvailableRepositories, JoinableRepository, listAvailableRepositories } from '#contract/connecting.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Database } from '../db/database.ts';
import type { StoredListedRepository } from '../db/listed-repository.ts';
import { invalidValue } from '../http/errors.ts';
import {
  type DatedListedRepository,
  FRESH_FOR,
  listOfPage,
  type OwnList,
  ownList,
  repositoriesBy,
} from './own-list.ts';

const PAGE = 100;

type Query = QueryOf<typeof listAvailableRepositories>;
type ListDeps = Parameters<typeof ownList>[0];
type Person = { readonly id: number; readonly host: string };

/**
 * A page of what the person's token can read at the host (docs/server.md#connecting-many).
 * @throws HttpError as `ownList`, 400 for a cursor of another list or one that has ended
 */
export async function availableRepositories(
  deps: ListDeps,
  user: Person,
  query: Query,
  approval_url: string | null,
): Promise<AvailableRepositories> {
  const { list, offset } = await pageOf(deps, user, query);
  const shown = list.repositories.filter(
    ({ archived, fork }) => (query.archived === 'true' || !archived) && (query.forks === 'true' || !fork),
  );
  const sought = query.q?.trim().toLowerCase() ?? '';
  const wanted = query.owner?.toLowerCase();
  const matches = shown
    .filter(({ owner }) => wanted === undefined || owner.toLowerCase() === wanted)
    .filter((repository) => fullNameOf(repository).includes(sought))
    .sort(query.sort === 'name' ? byName : byPush);
  const page = matches.slice(offset, offset + PAGE);
  const here = await hereOf(deps.db, user, page, asOf(list, deps.now()));
  const next = offset + PAGE;
  return {
    items: page.map((repository) => {
      const { owner, name, archived, fork, pushed_at, pull_requests } = repository;
      const known = here.get(repository.id);
      return {
        ...{ owner, name, full_name: `${owner}/${name}`, private: repository.private, archived, fork },
        ...{ pushed_at: pushed_at === null ? null : new Date(pushed_at).toISOString(), pull_requests },
        connected: known?.connected ?? false,
        imported_here: known?.imported ?? false,
      };
    }),
    total: matches.length,
    owners: ownersOf(shown),
    next_cursor: next < matches.length ? cursorOf(list, query, next) : null,
    partial: list.unlisted.map(({ owner, reason, message, link }) => ({ owner, reason, message, url: link })),
    approval_url,
    read_at: list.read_at.toISOString(),
  };
}

/** What is imported here that the person's token lists and that they have not connected, the latest synced first. */
export async function joinableRepositories(
  deps: ListDeps,
  user: Person,
): Promise<(JoinableRepository & { readonly listed: DatedListedRepository })[]> {
  const listed = repositoriesBy(await ownList(deps, user), ({ id }) => id);
  const { rows } = await sql<{
    host_id: string;
    pull_requests: number;
    last_synced_at: Date | null;
    people: number;
  }>`
    select r.host_id, r.last_synced_at,
      (select coalesce(sum(t.opened), 0)::int from contributor_totals t where t.repository_id = r.id) as pull_requests,
      (select count(*)::int from connections c where c.repository_id = r.id) as people
    from repositories r
    where r.host = ${user.host} and r.host_id = any(${[...listed.keys()]}::text[]) and r.history_completed_at is not null
      and exists (select from connections c where c.repository_id = r.id)
      and not exists (select from connections c where c.repository_id = r.id and c.user_id = ${user.id})
    order by r.last_synced_at desc nulls last, r.id`.execute(deps.db);
  return rows.map(({ host_id, pull_requests, last_synced_at, people }) => {
    const found = listed.get(host_id)!;
    return {
      ...{ listed: found, owner: found.owner, name: found.name, private: found.private, pull_requests, people },
      last_synced_at: last_synced_at?.toISOString() ?? null,
    };
  });
}

interface Here {
  readonly connected: boolean;
  /** Somebody else has imported its history. */
  readonly imported: boolean;
}

/** Which of these are known here, by the host's id: what others have imported as it was at the moment `at`. */
async function hereOf(
  db: Kysely<Database>,
  user: Person,
  repositories: readonly { readonly id: string }[],
  at: Date,
): Promise<ReadonlyMap<string, Here>> {
  const { rows } = await sql<{ host_id: string } & Here>`
    select r.host_id, coalesce(bool_or(c.user_id = ${user.id}), false) as connected,
      coalesce(r.history_completed_at <= ${at} and bool_or(c.user_id <> ${user.id} and c.connected_at <= ${at}), false) as imported
    from repositories r left join connections c on c.repository_id = r.id
    where r.host = ${user.host} and r.host_id = any(${repositories.map(({ id }) => id)}::text[])
    group by r.id`.execute(db);
  return new Map(rows.map(({ host_id, connected, imported }) => [host_id, { connected, imported }]));
}

/** A list that is only being finished tells nothing of what came later: its repositories were the person's to see when it was read. */
function asOf({ read_at }: OwnList, now: Date): Date {
  return now.getTime() - read_at.getTime() < FRESH_FOR ? now : read_at;
}

async function pageOf(deps: ListDeps, user: Person, query: Query): Promise<{ list: OwnList; offset: number }> {
  if (query.cursor === undefined) return { list: await ownList(deps, user, query.refresh === 'true'), offset: 0 };
  const [id = '', offset = '', asked] = Buffer.from(query.cursor, 'base64url').toString().split('|');
  const isOne = uuid.test(id) && /^\d{1,6}$/.test(offset) && asked === askedBy(query);
  const list = isOne ? await listOfPage(deps, user.id, id) : null;
  if (list === null)
    throw invalidValue('cursor', 'is none of this list, or the list has ended: begin again without it');
  return { list, offset: Number(offset) };
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whatever makes another list of the same repositories. */
function askedBy({ q, owner, archived, forks, sort }: Query): string {
  return JSON.stringify([q ?? '', owner ?? '', archived, forks, sort]);
}

function cursorOf(list: OwnList, query: Query, offset: number): string {
  return Buffer.from([list.id, offset, askedBy(query)].join('|')).toString('base64url');
}

const fullNameOf = ({ owner, name }: StoredListedRepository) => `${owner}/${name}`.toLowerCase();

const byName = (one: StoredListedRepository, other: StoredListedRepository) =>
  fullNameOf(one) < fullNameOf(other) ? -1 : 1;

/** The latest push first, what nobody has pushed to last. */
function byPush(one: StoredListedRepository, other: StoredListedRepository): number {
  const [left, right] = [one.pushed_at ?? '', other.pushed_at ?? ''];
  return left > right ? -1 : left < right ? 1 : byName(one, other);
}

function ownersOf(repositories: readonly StoredListedRepository[]): AvailableRepositories['owners'] {
  const byOwner = Map.groupBy(repositories, ({ owner }) => owner);
  return [...byOwner]
    .map(([login, of]) => ({ login, avatar_url: of[0]!.owner_avatar_url, count: of.length }))
    .sort((one, other) => other.count - one.count || (one.login.toLowerCase() < other.login.toLowerCase() ? -1 : 1));
}
