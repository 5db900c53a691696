import { AsyncLocalStorage } from 'node:async_hooks';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isWithheld, recountProgress, recountSentence } from '../db/recounts.ts';
import { HttpError, invalidValue, notFound } from '../http/errors.ts';
import { type ScopeTeam, teamOf } from './team-people.ts';

/**
 * True of a connection `c` that its person sees: the host let them read the repository when it was last asked, and was asked with the
 * credential that is stored now, which it accepts. Nothing else says who sees what.
 */
export const isVisible = sql<boolean>`(c.readable and exists (select from credentials k
  where k.user_id = c.user_id and k.grant_id = c.checked_with and k.rejected_at is null))`;

declare const found: unique symbol;

/**
 * Whose a pull request is where people are told apart: of the account that opened it; of `both` that one and who started the agent that did;
 * of `starters` the latter alone.
 */
export type Authors = 'openers' | 'starters' | 'both';

/** What a user may see: every question about stored data takes one and filters by it. Only `scopeOf` makes them. An empty one sees nothing. */
export interface Scope {
  readonly user_id: number;
  readonly repository_ids: number[];
  /**
   * The condition on the rows of `table`, an alias of the question (null: its only table), by the column that has the repository's id.
   * Nothing else spells which repositories are in it. Its team is another condition, on the things that belong to the team (`belongs.ts`).
   */
  filter(table?: string | null, column?: 'repository_id' | 'id'): RawBuilder<boolean>;
  /** The team that it is narrowed to, which sources and lists look at; null for everybody. */
  readonly team: ScopeTeam | null;
  /** By whom people's pull requests are. */
  readonly authors: Authors;
  /** The same of everybody. */
  readonly ofEverybody: Scope;
  /** The same of a part of its team. */
  ofPart(team: ScopeTeam): Scope;
  /** The same with the pull requests of these. */
  by(authors: Authors): Scope;
  /** The part of it that lies in these repositories; those that are not in scope add nothing. */
  within(repository_ids: readonly number[]): Scope;
  /**
   * True while it holds every pull request of its repositories, so that totals which are kept per repository count what is in scope.
   * Whatever narrows a scope by more than repositories makes it false.
   */
  readonly coversRepositories: boolean;
  readonly [found]: true;
}

/** The part of a scope that lies in none of these repositories. */
export function outside(scope: Scope, repository_ids: readonly number[]): Scope {
  const unwanted = new Set(repository_ids);
  return scope.within(scope.repository_ids.filter((id) => !unwanted.has(id)));
}

function scopeWith(
  user_id: number,
  repository_ids: number[],
  team: ScopeTeam | null = null,
  authors: Authors = 'openers',
): Scope {
  const filter: Scope['filter'] = (table = null, column = 'repository_id') =>
    sql<boolean>`${sql.ref(table === null ? column : `${table}.${column}`)} = any(${repository_ids}::int[])`;
  const within: Scope['within'] = (ids) => {
    const wanted = new Set(ids);
    return scopeWith(
      user_id,
      repository_ids.filter((id) => wanted.has(id)),
      team,
      authors,
    );
  };
  const ofPart: Scope['ofPart'] = (part) => scopeWith(user_id, repository_ids, part, authors);
  const by: Scope['by'] = (others) => scopeWith(user_id, repository_ids, team, others);
  const coversRepositories = team === null;
  const scope = { user_id, repository_ids, team, authors, filter, ofPart, by, within, coversRepositories } as Scope;
  return Object.defineProperty(scope, 'ofEverybody', {
    get: () => (team === null ? scope : scopeWith(user_id, repository_ids, null, authors)),
  });
}

/**
 * For a list that is read page by page: refuses to go on where its person has lost sight of a part of the scope since it began.
 * @throws HttpError 404
 */
export async function stillInSight(db: Kysely<Database>, before: Scope): Promise<void> {
  const seen = new Set((await scopeWithoutFigures(db, before.user_id)).repository_ids);
  if (!before.repository_ids.every((id) => seen.has(id))) throw notFound('Repository not found');
}

/** To which team a question is narrowed, and whose pull requests are, as a call takes it; several teams only where it takes several. */
export interface TeamQuery {
  readonly team?: number | readonly number[] | undefined;
  readonly team_as?: ScopeTeam['as'] | undefined;
  /** `started`: an agent's pull request is one of the person who started it, too. */
  readonly credit?: 'started' | undefined;
}

/**
 * The repositories that the user has connected and may read with the credential that is stored now, or the one of them that
 * `repository` names, narrowed to a team where one is asked for. Those whose sums are being recounted are left out until that is done; the list of repositories says so.
 * @throws HttpError 404 when the repository or team is unknown or not theirs, 400 when the repository is no id or `team_as` stands without
 *   a team, 503 when all there is is being recounted
 */
export async function scopeOf(
  db: Kysely<Database>,
  user_id: number,
  repository?: number | string,
  asked: TeamQuery = {},
): Promise<Scope> {
  const [team, all] = await Promise.all([teamIn(db, user_id, asked), readable(db, user_id, named(repository))]);
  const shown = all.filter((row) => !row.withheld);
  if (all.length > 0 && shown.length === 0)
    throw await countingError(
      db,
      all.map((row) => row.repository_id),
    );
  return scopeWith(
    user_id,
    shown.map((row) => row.repository_id),
    team,
    asked.credit === 'started' ? 'both' : 'openers',
  );
}

/**
 * The same of several repositories, of which none is left out.
 * @throws HttpError 404 and 400 as `scopeOf`, 503 when one of them is being recounted
 */
export async function scopeOfSeveral(
  db: Kysely<Database>,
  user_id: number,
  repositories: readonly number[],
  asked: TeamQuery = {},
): Promise<Scope> {
  const [team, all] = await Promise.all([teamIn(db, user_id, asked), readable(db, user_id, repositories)]);
  const ids = all.map((row) => row.repository_id);
  const withheld = all.flatMap((row) => (row.withheld ? [row.repository_id] : []));
  if (withheld.length > 0) throw await countingError(db, withheld);
  return scopeWith(user_id, ids, team);
}

/** The repositories that a call names which takes one; null for all there are. */
function named(repository: number | string | undefined): readonly (number | string)[] | null {
  return repository === undefined ? null : [repository];
}

async function teamIn(db: Kysely<Database>, user_id: number, { team, team_as }: TeamQuery): Promise<ScopeTeam | null> {
  const ids = team === undefined ? [] : typeof team === 'number' ? [team] : [...new Set(team)];
  if (ids.length > 0) return await teamOf(db, user_id, ids, team_as);
  if (team_as !== undefined) throw invalidValue('team_as', 'needs a team');
  return null;
}

/** The same with those whose sums are being recounted: for questions that read no sums and no facts. */
export async function scopeWithoutFigures(
  db: Kysely<Database>,
  user_id: number,
  repository?: number | string,
): Promise<Scope> {
  const all = await readable(db, user_id, named(repository));
  return scopeWith(
    user_id,
    all.map((row) => row.repository_id),
  );
}

/**
 * What `scopeWithoutFigures` and `scopeOf` make of all that the user sees, by one question. `counted` is null where all of it is being
 * recounted.
 */
export async function bothScopes(
  db: Kysely<Database>,
  user_id: number,
): Promise<{ readonly all: Scope; readonly counted: Scope | null }> {
  const rows = await readable(db, user_id, null);
  const idsOf = (some: typeof rows) => some.map((row) => row.repository_id);
  const shown = rows.filter((row) => !row.withheld);
  return {
    all: scopeWith(user_id, idsOf(rows)),
    counted: rows.length > 0 && shown.length === 0 ? null : scopeWith(user_id, idsOf(shown)),
  };
}

const narrowed = new AsyncLocalStorage<readonly number[]>();

/**
 * Runs work in which nobody sees more than these of their repositories, whatever makes a scope there and whatever it asks for: the others are
 * unknown. It narrows here, where scopes are made, so that no call can miss it.
 */
export function narrowedTo<Result>(repository_ids: readonly number[], work: () => Result): Result {
  return narrowed.run(repository_ids, work);
}

async function readable(
  db: Kysely<Database>,
  user_id: number,
  repositories: readonly (number | string)[] | null,
): Promise<{ repository_id: number; withheld: boolean }[]> {
  const wanted = repositories === null ? null : [...new Set(repositories.map(idIn))];
  const only = narrowed.getStore();
  const rows = await db
    .selectFrom('connections as c')
    .select(['repository_id', isWithheld('c.repository_id').as('withheld')])
    .where('user_id', '=', user_id)
    .where(isVisible)
    .$if(only !== undefined, (query) => query.where(sql<boolean>`c.repository_id = any(${only}::int[])`))
    .$if(wanted !== null, (query) => query.where(sql<boolean>`c.repository_id = any(${wanted}::int[])`))
    .orderBy('repository_id')
    .execute();
  if (wanted !== null && rows.length < wanted.length) throw notFound('Repository not found');
  return rows;
}

async function countingError(db: Kysely<Database>, repository_ids: readonly number[]): Promise<HttpError> {
  const progress = await recountProgress(db, repository_ids);
  const sentence = progress === null ? 'Updating …' : `${recountSentence(progress)}.`;
  return new HttpError('updating', sentence, { retry_after: 5 });
}

function idIn(repository: number | string): number {
  const id = typeof repository === 'number' ? repository : /^\d{1,10}$/.test(repository) ? Number(repository) : 0;
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647)
    throw invalidValue('repository', 'must be the id of a connected repository');
  return id;
}
