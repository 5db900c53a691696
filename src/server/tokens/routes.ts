import { type Kysely, type Selectable, sql } from 'kysely';
import type { ApiToken } from '#contract/tokens.ts';
import { MOST_TOKENS, TOKEN_DAYS, type TokenScope } from '#domain/personal-tokens.ts';
import type { Database } from '../db/database.ts';
import { HttpError, invalidValue, notFound } from '../http/errors.ts';
import type { CallsOf, Handlers } from '../http/serve.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';
import { hashOf } from '../sha256.ts';
import { newToken } from './token-format.ts';

const DAY = 86_400_000;
/** Clocks differ: a day ahead by the clock of whoever asks is one, too, in milliseconds. */
const CLOCK_DIFFERENCE = 60_000;
/** Ended tokens are listed for so long, in days. */
const KEPT_DAYS = 30;

export interface TokenDeps {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  /** False: no more can be made here. */
  readonly allowed: boolean;
  /** The most days that a token may live here. */
  readonly max_days: number;
}

/** The calls about one's own personal tokens (docs/server.md#personal-tokens). */
export function tokenRoutes(deps: TokenDeps): Handlers<CallsOf<typeof import('#contract/tokens.ts')>> {
  const { db, now } = deps;
  return {
    listTokens: async ({ user }) => {
      const rows = await db
        .selectFrom('api_tokens')
        .selectAll()
        .where('user_id', '=', user.id)
        .orderBy('id', 'desc')
        .execute();
      return rows.map(tokenIn);
    },

    makeToken: async ({ user, body }) => {
      if (!deps.allowed) throw new HttpError('tokens_off');
      const at = now();
      const expires_at = endOf(body.expires_at, at, deps.max_days);
      const { repositories } = body;
      if (repositories !== 'all') {
        const { repository_ids } = await scopeWithoutFigures(db, user.id);
        if (repositories.some((id) => !repository_ids.includes(id)))
          throw invalidValue('repositories', 'Repository not found');
      }
      const token = newToken();
      const row = await db.transaction().execute(async (within) => {
        // One after the other, so that the bound holds.
        await within.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
        const { count } = await within
          .selectFrom('api_tokens')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', user.id)
          .where('expires_at', '>', at)
          .executeTakeFirstOrThrow();
        if (count >= MOST_TOKENS)
          throw new HttpError('too_many_tokens', `You have ${MOST_TOKENS} tokens. Revoke one first.`);
        return await within
          .insertInto('api_tokens')
          .values({
            ...{ user_id: user.id, token_hash: hashOf(token), name: body.name, scopes: [...body.scopes] },
            ...{ repositories: repositories === 'all' ? null : repositories, created_at: at, expires_at },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return { ...tokenIn(row), token };
    },

    revokeToken: async ({ user, params }) => {
      const { numDeletedRows } = await db
        .deleteFrom('api_tokens')
        .where('user_id', '=', user.id)
        .where('id', '=', params.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw notFound('No token has this id.');
      return undefined;
    },
  };
}

/** Deletes the tokens that ended more than 30 days ago. */
export async function forgetEndedTokens(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`delete from api_tokens where expires_at < ${new Date(now.getTime() - KEPT_DAYS * DAY)}`.execute(db);
}

/**
 * Where this server allows fewer days than 366, less than a day beyond these counts as these: pages reckon by the clock of the browser.
 * @throws HttpError 400 for an end that is too near or too far
 */
function endOf(expires_at: string | undefined, at: Date, max_days: number): Date {
  const ahead = (days: number) => at.getTime() + days * DAY;
  if (expires_at === undefined) return new Date(ahead(Math.min(TOKEN_DAYS.usual, max_days)));
  const end = Date.parse(expires_at);
  const furthest = Math.min(ahead(max_days + 1), ahead(TOKEN_DAYS.most) + CLOCK_DIFFERENCE);
  if (end < ahead(TOKEN_DAYS.least) - CLOCK_DIFFERENCE || end >= furthest)
    throw invalidValue('expires_at', `must be ${TOKEN_DAYS.least} to ${max_days} days ahead`);
  return new Date(Math.min(end, ahead(max_days)));
}

function tokenIn(row: Selectable<Database['api_tokens']>): ApiToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes as TokenScope[],
    repositories: row.repositories ?? 'all',
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}
