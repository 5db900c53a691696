import { sql } from 'kysely';
import { isVisible } from './scope.ts';

/** True of a connection `c` with whose person's token syncs may read: they see it, or a former credential of theirs reads it. */
export const isReadForSyncs = sql<boolean>`(${isVisible} or c.former_grant_id is not null)`;

/** The newest session of a repository `r` as `newest`, all null where it had none. */
export const newestSession = sql`
  left join lateral (select status, user_id, coalesce(finished_at, updated_at) as ended_at from sync_sessions s
    where s.repository_id = r.id order by sequence desc limit 1) newest on true`;

/**
 * True of a repository `r` with its `newest` session that is synced by itself: it is of one of these hosts, and somebody reads it. A first import that somebody cancelled waits
 * for somebody to go on with it, unless they have removed the repository for themselves since; where the history is there, one cancelled look
 * doesn't end the hourly ones.
 */
export const isKeptInSync = (hosts: readonly string[]) => sql<boolean>`(
  r.host = any(${hosts}::text[]) and exists (select from connections c where c.repository_id = r.id and ${isReadForSyncs})
  and (coalesce(newest.status, '') <> 'cancelled' or r.history_completed_at is not null
    or not exists (select from connections c where c.repository_id = r.id and c.user_id = newest.user_id)))`;
