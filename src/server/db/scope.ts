import type { Kysely } from 'kysely';
import { HttpError, notFound } from '../http/errors.ts';
import type { Database } from './database.ts';

declare const found: unique symbol;

/**
 * What a user may see: every question about stored data takes one and filters by it
 * (`where repository_id = any(${scope.repository_ids})`). Only `scopeOf` makes them. An empty list sees nothing.
 */
export interface Scope {
  readonly user_id: number;
  readonly repository_ids: number[];
  readonly [found]: true;
}

/**
 * The repositories that the user has connected and whose host lets their token read them (server specification, section 4),
 * or the one of them that `repository` names.
 * @throws HttpError 404 when `repository` is unknown or not theirs, 400 when it is no id
 */
export async function scopeOf(db: Kysely<Database>, user_id: number, repository?: number | string): Promise<Scope> {
  const wanted = repository === undefined ? null : idIn(repository);
  const rows = await db
    .selectFrom('connections')
    .select('repository_id')
    .where('user_id', '=', user_id)
    .where('readable', '=', true)
    .$if(wanted !== null, (query) => query.where('repository_id', '=', wanted))
    .orderBy('repository_id')
    .execute();
  if (wanted !== null && rows.length === 0) throw notFound('Repository not found');
  return { user_id, repository_ids: rows.map((row) => row.repository_id) } as Scope;
}

function idIn(repository: number | string): number {
  const id = typeof repository === 'number' ? repository : /^\d{1,10}$/.test(repository) ? Number(repository) : 0;
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647)
    throw new HttpError(400, 'invalid_request', 'repository: must be the id of a connected repository', {
      issues: [{ path: 'repository', message: 'must be the id of a connected repository' }],
    });
  return id;
}
