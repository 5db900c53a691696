import { type Kysely, sql } from 'kysely';
import type { ComparedWith } from '#domain/change.ts';
import type { Window } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import type { Scope } from './scope.ts';

/** What is known of a window that figures are compared with: since when there is history in the scope, and whether all of it was imported. */
export async function comparedWith(db: Kysely<Database>, scope: Scope, window: Window): Promise<ComparedWith> {
  const { rows } = await sql<{ history_begins: string | null; import_complete: boolean }>`
    select min(earliest.created_at)::text as history_begins,
      coalesce(bool_and(r.history_completed_at is not null), true) as import_complete
    from repositories r
    left join lateral (
      select created_at from pull_requests p where p.repository_id = r.id order by created_at limit 1
    ) earliest on true
    where ${scope.filter('r', 'id')}`.execute(db);
  const { history_begins, import_complete } = rows[0]!;
  return {
    from: new Date(window.after).toISOString(),
    history_begins: history_begins && isoOf(history_begins),
    import_complete,
  };
}
