import type { Kysely } from 'kysely';
import type { AuditItem, SecurityEventName } from '#contract/administration.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

/** Both may be missing: then every event matches. `actor` is a login in any case of letters. */
export interface AuditFilter {
  readonly event?: SecurityEventName | undefined;
  readonly actor?: string | undefined;
}

export interface AuditPage {
  readonly items: AuditItem[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * One page of security events, newest first, in the order in which they were stored; `cursor` is `next_cursor` of the page before. A
 * repository outside of the administrator's scope is told by its id alone.
 */
export async function auditPage(
  db: Kysely<Database>,
  scope: Scope,
  { event, actor }: AuditFilter,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<AuditPage> {
  const rows = await db
    .selectFrom('security_events')
    .selectAll()
    .$if(event !== undefined, (query) => query.where('event', '=', event!))
    .$if(actor !== undefined && actor !== '', (query) =>
      query.where(({ fn, eb }) => eb(fn<string>('lower', ['actor']), '=', fn<string>('lower', [eb.val(actor)]))),
    )
    .$if(page.cursor !== null, (query) => query.where('id', '<', Number(page.cursor)))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  const readable = new Set(scope.repository_ids);
  const items = rows.slice(0, page.limit).map((row) => ({
    at: row.at.toISOString(),
    event: row.event,
    actor: row.actor,
    subject:
      row.repository_id === null || readable.has(row.repository_id) ? row.subject : `repository ${row.repository_id}`,
    address: row.address,
    request_id: row.request_id,
  }));
  return { items, next_cursor: rows.length > page.limit ? String(rows[page.limit - 1]?.id) : null };
}
