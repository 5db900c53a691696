import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isWithheld, type RecountProgress, recountProgress } from '../db/recounts.ts';
import { byRepository } from '../db/repository-order.ts';
import { isVisible, type Scope } from '../metrics/scope.ts';
import type { ConnectionState } from './condition.ts';

interface Row extends Omit<ConnectionState, 'visible' | 'checked'> {
  id: number;
  host: string;
  full_name: string;
  private: boolean;
  last_synced_at: Date | null;
  first_connected_at: Date;
  imported_at: Date | null;
  webhook_active: boolean;
  webhook_last_delivery_at: Date | null;
  /** The secret was replaced without anybody asking for it, and the host does not have the new one yet. */
  is_refused: boolean;
  pull_requests: number;
  counting: RecountProgress | null;
  /** How many are still to be read again, and when the newest of them was opened; null where none is. */
  left: { count: number; newest: string } | null;
}

/** Which repositories does the user see, how fresh are they, and do webhooks arrive? By full name. */
export async function connectedRepositories(db: Kysely<Database>, scope: Scope): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'counting'> & { withheld: boolean }>`
    select r.id, r.host, r.owner, r.name, r.owner || '/' || r.name as full_name, r.private, r.last_synced_at,
      r.created_at as first_connected_at, r.history_completed_at as imported_at,
      r.webhook_last_delivery_at is not null as webhook_active, r.webhook_last_delivery_at,
      r.webhook_refused_since is not null as is_refused,
      r.archived, r.former_owner, r.former_name, r.renamed_at, c.settled, c.lost_reason, c.lost_link, c.checked_at, c.check_due_at,
      c.connected_at,
      ${isWithheld('r.id')} as withheld,
      (select case when count(*) > 0 then json_build_object('count', count(*)::int, 'newest', max(p.created_at)) end
        from pull_requests p where p.repository_id = r.id and p.collection < 1 and p.collection_tried_at is null) as left,
      case when ${isWithheld('r.id')} then (select count(*)::int from pull_requests p where p.repository_id = r.id)
        else (select coalesce(sum(t.opened), 0)::int from contributor_totals t where t.repository_id = r.id) end as pull_requests
    from repositories r join connections c on c.repository_id = r.id and c.user_id = ${scope.user_id}
    where ${scope.filter('r', 'id')}
    order by ${byRepository}, r.id`.execute(db);
  return await Promise.all(
    rows.map(async ({ withheld, ...row }) => ({
      ...row,
      counting: withheld ? await recountProgress(db, [row.id]) : null,
    })),
  );
}

export interface HiddenRepository extends ConnectionState {
  readonly id: number;
  readonly host: string;
  readonly private: boolean;
}

/** Which repositories has somebody connected that they may not read now? Under the names by which they last saw them. */
export async function hiddenRepositories(db: Kysely<Database>, user_id: number): Promise<HiddenRepository[]> {
  const { rows } = await sql<HiddenRepository>`
    select r.id, r.host, true as private, false as archived, c.seen_owner as owner, c.seen_name as name, null as former_owner,
      null as former_name, null as renamed_at, false as visible, coalesce(c.checked_with = k.grant_id, false) as checked, c.settled,
      c.lost_reason, c.lost_link, c.checked_at, c.check_due_at, c.connected_at
    from connections c join repositories r on r.id = c.repository_id left join credentials k on k.user_id = c.user_id
    where c.user_id = ${user_id} and not ${isVisible}`.execute(db);
  return rows;
}
