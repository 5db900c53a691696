import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';

interface Row {
  id: number;
  owner: string;
  name: string;
  full_name: string;
  private: boolean;
  last_synced_at: Date | null;
  first_connected_at: Date;
  imported_at: Date | null;
  webhook_active: boolean;
  webhook_last_delivery_at: Date | null;
  pull_requests: number;
}

/** Which repositories does the user see, how fresh are they, and do webhooks arrive? By full name. */
export async function connectedRepositories(db: Kysely<Database>, scope: Scope): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.id, r.owner, r.name, r.owner || '/' || r.name as full_name, r.private, r.last_synced_at,
      r.created_at as first_connected_at, r.history_completed_at as imported_at,
      r.webhook_last_delivery_at is not null as webhook_active, r.webhook_last_delivery_at,
      (select coalesce(sum(t.opened), 0)::int from contributor_totals t where t.repository_id = r.id) as pull_requests
    from repositories r
    where r.id = any(${scope.repository_ids})
    order by lower(r.owner), lower(r.name), r.id`.execute(db);
  return rows;
}
